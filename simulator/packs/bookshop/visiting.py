"""How users look around, saves others' listings and writes to their sellers.

Not responsible for: whose listings (``interactions``), or finding them (``finding``).
"""

from __future__ import annotations

from simulator.agent.filling import Value, form_asking
from simulator.agent.things import write_about
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import about
from simulator.packs.bookshop.finding import Finder
from simulator.packs.bookshop.interactions import BookAim, StockAim
from simulator.packs.bookshop.prose import about_listing, message_text
from simulator.packs.bookshop.tasks import Browse
from simulator.packs.bookshop.things import BOOK


class Visiting:
    """What the user does with others' listings.

    Args:
        client: the run's tools.
        finder: finds the listings.
    """

    def __init__(self, client: ToolClient, finder: Finder) -> None:
        self._client = client
        self._finder = finder
        self._written = 0

    async def browse(self, task: Browse, index: int) -> None:
        """Look through pages of listings, and into one of them where one looks at all there are.

        Raises:
            TaskFailed: the site has no such pages.
        """
        client = self._client
        await client.open("browse")
        if task.query or task.genre:
            await self._narrow(task.query or "", task.genre or "")
        else:
            await self._finder.choose("any listing", f"browse|{index}", "browse")
            if task.pages > 1:
                await client.open("browse")
        if task.pages > 1:
            async for _ in client.walk(task.pages):
                pass

    async def save(self, aim: BookAim | StockAim) -> None:
        """Mark a listing as saved.

        Raises:
            TaskFailed: it cannot be found or saved.
            TaskSkipped: there is none.
        """
        title = await self._finder.show(aim, "save")
        client = self._client
        found = [pair for pair in await client.controls("save") if not pair[1].card or about(pair[1].card, title.text)]
        if not found:
            raise TaskFailed(f"nothing beside {title.text!r} says save")
        control = max(found, key=lambda pair: pair[0])[1]
        if control.pressed == "true":
            raise TaskFailed(f"{title.text!r} is saved already")
        page = await client.follow(control)
        after = await client.again(control)
        changed = after is not None and (after.pressed == "true" or after.name != control.name)
        if not changed and not page.notes:
            said = "; ".join(page.alerts) or "the page shows no change"
            raise TaskFailed(f"{said}, after {control.name!r} was pressed for {title.text!r}")

    async def write(self, aim: BookAim | StockAim) -> None:
        """Write to the seller of a listing.

        Raises:
            TaskFailed: the listing cannot be found, or the site does not take the message.
            TaskSkipped: there is none.
        """
        self._written += 1
        number = self._written
        title = await self._finder.show(aim, "message_seller")
        identity = self._client.identity
        template = about_listing(title.template, locale=identity.locale) + f"{{{{text.message.{number}}}}}"
        message = Value(template, message_text(identity, number, title.text))
        await write_about(self._client, BOOK, message, title=title)

    async def _narrow(self, query: str, genre: str) -> None:
        """Look for words and a genre, as far as the site lets one."""
        form = await form_asking(self._client, ("search", "genre") if genre else ("search",))
        if form is None:
            await self._finder.search(query or genre)
            return
        given = {meaning: text for meaning, text in (("search", query), ("genre", genre)) if text}
        await self._client.must("fill_form", form=f"ref={form.ref}", values=dict(given), submit=True)
