"""How the tasks of the helpdesk are done, by what links, buttons and fields mean."""

from __future__ import annotations

from helpdesk_pack import CloseTicket, CommentTicket, OpenTicket, Planned, Ticket

from simulator.agent.acting import Acting
from simulator.agent.contracts import Made
from simulator.agent.filling import Value, send
from simulator.agent.reading import Control
from simulator.agent.tool_client import TaskFailed
from simulator.agent.words import holds, same


def _plan(acting: Acting) -> Planned:
    assert isinstance(acting.plan, Planned)
    return acting.plan


def _field(acting: Acting, index: int, name: str) -> Value:
    """Give a value of one of the user's tickets: as a variable, so that a replay binds the ticket of its own user."""
    row = acting.client.identity.rows("ticket")[index - 1]
    return Value(f"{{{{ticket.{index}.{name}}}}}", str(row.values()[name]))


async def open_ticket(acting: Acting, task: OpenTicket) -> str:
    """Open the tickets that are planned."""
    client = acting.client

    async def one(index: int) -> None:
        await client.open("new_ticket")
        title = _field(acting, index, "title")
        page, _ = await send(
            client, {"title": title, "description": _field(acting, index, "description")}, by=("title",)
        )
        if not holds(await client.text(), title.text):
            raise TaskFailed(f"{page.url} does not show {title.text!r}")
        client.view.tell(Made("open_ticket", index))

    return await acting.each(task, task.count, _plan(acting).own[acting.index], one)


async def comment_ticket(acting: Acting, task: CommentTicket) -> str:
    """Comment on the tickets that are planned, each with the user's next remark."""
    client = acting.client
    written = acting.part(_Written)

    async def one(ticket: Ticket) -> None:
        values = await client.made_by(ticket.user, "open_ticket", ticket.which)
        await _show(acting, values[f"user.{ticket.user}.ticket.{ticket.which}.title"])
        written.count += 1
        remark = Value(f"{{{{text.remark.{written.count}}}}}", client.identity.texts("remark")[written.count - 1])
        page, _ = await send(client, {"message": remark}, by=("message",))
        if not holds(await client.text(), remark.text):
            raise TaskFailed(f"{page.url} does not show {remark.text!r}")

    return await acting.each(task, task.count, _plan(acting).others[acting.index], one)


async def close_ticket(acting: Acting, task: CloseTicket) -> str:
    """Close the tickets that are planned."""
    client = acting.client

    async def one(index: int) -> None:
        title = _field(acting, index, "title").text
        await _show(acting, title)
        ways = [control for _, control in await client.controls("close") if control.is_button]
        if len(ways) != 1:
            raise TaskFailed(f"{len(ways)} buttons on the page of {title!r} close it")
        await client.follow(ways[0])
        if await client.controls("close"):
            raise TaskFailed(f"{title!r} can still be closed after it was")

    return await acting.each(task, task.count, _plan(acting).own[acting.index], one)


async def _show(acting: Acting, title: str) -> None:
    """Go to the page of a ticket, by the list of all."""
    client = acting.client
    await client.open("tickets")
    async for links in client.walk():
        for link in links:
            if same(link.name, title):
                await client.follow(Control.of(link))
                return
    raise TaskFailed(f"{title!r} is not among the tickets")


class _Written:
    """How many comments the user has written in this run."""

    def __init__(self, acting: Acting) -> None:
        self.count = 0
