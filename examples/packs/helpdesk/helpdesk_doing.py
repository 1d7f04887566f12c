"""How the tasks of the helpdesk are done: over what a ticket is."""

from __future__ import annotations

from helpdesk_pack import CLOSE, TICKET, CloseTicket, CommentTicket, OpenTicket, Planned, Ticket

from simulator.agent.acting import Acting
from simulator.agent.filling import Value
from simulator.agent.things import OwnThings, react, show, title_of, write_about


def _plan(acting: Acting) -> Planned:
    assert isinstance(acting.plan, Planned)
    return acting.plan


def _own(acting: Acting) -> OwnThings:
    return OwnThings(acting.client, TICKET)


async def open_ticket(acting: Acting, task: OpenTicket) -> str:
    """Open the tickets that are planned."""
    return await acting.each(task, task.count, _plan(acting).own[acting.index], acting.part(_own).make)


async def comment_ticket(acting: Acting, task: CommentTicket) -> str:
    """Comment on the tickets that are planned, each with the user's next remark."""
    client = acting.client
    written = acting.part(_Written)

    async def one(ticket: Ticket) -> None:
        title = await title_of(client, TICKET, ticket.user, ticket.which)
        await show(client, TICKET, title.text)
        written.count += 1
        remark = client.identity.texts("remark")[written.count - 1]
        await write_about(client, TICKET, Value(f"{{{{text.remark.{written.count}}}}}", remark))

    return await acting.each(task, task.count, _plan(acting).others[acting.index], one)


async def close_ticket(acting: Acting, task: CloseTicket) -> str:
    """Close the tickets that are planned."""

    async def one(index: int) -> None:
        await show(acting.client, TICKET, acting.part(_own).title(index).text)
        await react(acting.client, CLOSE)

    return await acting.each(task, task.count, _plan(acting).own[acting.index], one)


class _Written:
    """How many comments the user has written in this run."""

    def __init__(self, acting: Acting) -> None:
        self.count = 0
