"""How the tasks of the helpdesk are done, by what links, buttons and fields mean."""

from __future__ import annotations

from helpdesk_pack import CloseTicket, CommentTicket, OpenTicket, Planned, Ticket

from simulator.agent.acting import Acting
from simulator.agent.contracts import Made
from simulator.agent.filling import Value, send
from simulator.agent.hands import TaskFailed
from simulator.agent.reading import Control
from simulator.agent.words import holds, same


def _plan(acting: Acting) -> Planned:
    assert isinstance(acting.plan, Planned)
    return acting.plan


def _field(acting: Acting, index: int, name: str) -> Value:
    """Give a value of one of the user's tickets: as a variable, so that a replay binds the ticket of its own user."""
    row = acting.hands.identity.rows("ticket")[index - 1]
    return Value(f"{{{{ticket.{index}.{name}}}}}", str(row.values()[name]))


async def open_ticket(acting: Acting, task: OpenTicket) -> str:
    """Open the tickets that are planned."""
    hands = acting.hands

    async def one(index: int) -> None:
        await hands.open("new_ticket")
        title = _field(acting, index, "title")
        page, _ = await send(
            hands, {"title": title, "description": _field(acting, index, "description")}, by=("title",)
        )
        if not holds(await hands.text(), title.text):
            raise TaskFailed(f"{page.url} does not show {title.text!r}")
        hands.view.tell(Made("open_ticket", index))

    return await acting.each(task, task.count, _plan(acting).own[acting.index], one)


async def comment_ticket(acting: Acting, task: CommentTicket) -> str:
    """Comment on the tickets that are planned, each with the user's next remark."""
    hands = acting.hands
    written = acting.part(_Written)

    async def one(ticket: Ticket) -> None:
        values = await hands.made_by(ticket.user, "open_ticket", ticket.which)
        await _show(acting, values[f"user.{ticket.user}.ticket.{ticket.which}.title"])
        written.count += 1
        remark = Value(f"{{{{text.remark.{written.count}}}}}", hands.identity.texts("remark")[written.count - 1])
        page, _ = await send(hands, {"message": remark}, by=("message",))
        if not holds(await hands.text(), remark.text):
            raise TaskFailed(f"{page.url} does not show {remark.text!r}")

    return await acting.each(task, task.count, _plan(acting).others[acting.index], one)


async def close_ticket(acting: Acting, task: CloseTicket) -> str:
    """Close the tickets that are planned."""
    hands = acting.hands

    async def one(index: int) -> None:
        title = _field(acting, index, "title").text
        await _show(acting, title)
        ways = [control for _, control in await hands.controls("close") if control.is_button]
        if len(ways) != 1:
            raise TaskFailed(f"{len(ways)} buttons on the page of {title!r} close it")
        await hands.follow(ways[0])
        if await hands.controls("close"):
            raise TaskFailed(f"{title!r} can still be closed after it was")

    return await acting.each(task, task.count, _plan(acting).own[acting.index], one)


async def _show(acting: Acting, title: str) -> None:
    """Go to the page of a ticket, by the list of all."""
    hands = acting.hands
    await hands.open("tickets")
    async for links in hands.walk():
        for link in links:
            if same(link.name, title):
                await hands.follow(Control.of(link))
                return
    raise TaskFailed(f"{title!r} is not among the tickets")


class _Written:
    """How many comments the user has written in this run."""

    def __init__(self, acting: Acting) -> None:
        self.count = 0
