"""Finds a thing on a site: by its address, by a search, or in its list page by page.

A thing is known by what it is called, never by its place in a list. Where two are called alike, only one beside which
its user is named, or to which a known address leads, is taken for it. Not responsible for: what is done with it.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence

from simulator.addresses import asks_for
from simulator.agent.filling import Value, form_asking
from simulator.agent.forms.meeting import is_free_text
from simulator.agent.reading import Control, Field, Link, Page
from simulator.agent.site_things.confirming import beneath, of_the_page
from simulator.agent.site_things.menus import Menus, saying
from simulator.agent.site_things.sought import Sought, of_each_card, the_one
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import Word, says_word
from simulator.domain import Thing
from simulator.meaning import Value as Written
from simulator.meaning import find_in


async def held_by(client: ToolClient, field: Field) -> str:
    """Give what a field of the page holds."""
    result = await client.read("get_element_info", selector=f"ref={field.ref}")
    data = result.data if isinstance(result.data, dict) else {}
    return str(data.get("value") or "")


class NothingSays(TaskFailed):
    """Neither a thing in its list nor its page has what says some words."""


class Finder:
    """Looks for things of one kind.

    Args:
        client: the run's tools.
        thing: their kind, as it is on the site.
    """

    def __init__(self, client: ToolClient, thing: Thing) -> None:
        self._client = client
        self._thing = thing
        self._menus = Menus(client)
        self._page = Page()
        """As the list, or a thing by its address, was opened last."""

    async def show(self, sought: Sought, *, listed: bool = False) -> Page:
        """Go to the page of a thing.

        Args:
            sought: the thing.
            listed: whether the list counts where it tells the thing, but no link there is called so: a row may have
                links to view and to edit it alone.

        Raises:
            TaskFailed: nothing leads there.
        """
        if sought.address and (page := await self._at(sought)) is not None:
            return page
        for left in (True, False):
            async for links in self.pages(sought):
                link = self._named(links, sought)
                if link is not None:
                    return await self._client.follow(Control.of(link))
                if listed and any(sought.told_by(one.card) for one in links if not self._repeats(one, sought)):
                    return self._page
            if left:
                await self._wait_for_news()
        raise self._absent(sought)

    async def _wait_for_news(self) -> None:
        """Let the list go on; one that a script draws by the fragment of its address alone is reloaded."""
        await self._client.pause()
        if "#" in self._page.url:
            await self._client.open("home")

    async def is_listed(self, sought: Sought) -> bool:
        """Return whether the list has a thing, on any of its pages, with a link or without."""
        for left in (True, False):
            async for links in self.pages(sought):
                if self._named(links, sought) is not None or await self.is_told_here(sought):
                    return True
            if left:
                await self._client.pause()
        return False

    def _absent(self, sought: Sought) -> TaskFailed:
        return TaskFailed(f"{sought.title.text!r} is not in the list of what is called a {self._thing.name}")

    async def is_told_here(self, sought: Sought, page: Page | None = None) -> bool:
        """Return whether the page says what a thing is called, and not only in a note or within another title.

        Args:
            sought: the thing.
            page: what the page said of itself when it was opened; None: it is of the list, or the thing's own.
        """
        text = await self._client.text()
        here = self._page if page is None else page
        for note in map(self._client.view.shown, (*here.notes, *here.alerts)):
            text = re.sub(r"\s+".join(map(re.escape, note.split())), "\n", text) if note.strip() else text
        lines = [line for line in text.splitlines() if line.strip()]
        title = sought.title.text
        # A list writes a date in its own way; a text is called as it was put in.
        dated = Written.of(title).is_date and any(find_in(title, line) for line in lines)
        return dated or any(sought.told_by((line,)) for line in lines)

    async def pages(self, sought: Sought) -> AsyncIterator[list[Link]]:
        """Give the links of what a search of the list finds, or else of its pages one after another.

        A page that finds nothing repeats what was sought. So its plain text proves nothing, and neither does a
        link whose address asks for those words: the list itself is looked through then.
        """
        client = self._client
        await self.open_list()
        if await self.search(sought.title):
            links = [link for link in await client.links() if not self._repeats(link, sought)]
            if any(sought.told_by((link.name, *link.card)) for link in links):
                yield links
                return
            await self.open_list()
        first = True
        async for links in client.walk():
            yield links
            if first:
                first = False
                await client.pause()  # a script may yet draw the list, which is reloaded when it is opened again
                yield await client.links()

    def _repeats(self, link: Link, sought: Sought) -> bool:
        return asks_for(self._client.view.shown(link.href), sought.title.text)

    async def open_list(self) -> Page:
        """Go to the list.

        Raises:
            TaskFailed: nothing says where it is, or leads there.
        """
        if self._thing.list is None:
            raise TaskFailed(
                f"nothing says where each {self._thing.name} is listed; set things.{self._thing.name}.list of the site"
            )
        self._page = await self._client.open(self._thing.list)
        return self._page

    async def control(self, sought: Sought, words: Sequence[Word], *, buttons: bool = False) -> tuple[Control, Page]:
        """Find what says some words beside a thing in its list, or on its page, which is then open.

        Args:
            sought: the thing.
            words: what it may say; earlier ones are meant rather.
            buttons: whether links do not count.

        Returns:
            What to press, and the page that it is on.

        Raises:
            TaskFailed: there is none, or there are several and nothing shows which one is meant.
        """
        if sought.address and (page := await self._at(sought)) is not None:
            found = await self._alone(words, buttons=buttons)
            if found is not None:
                return found, page
        for left in (True, False):
            if (found := await self._listed_control(sought, words, buttons=buttons)) is not None:
                return found, self._page
            if left:
                await self._wait_for_news()
        raise self._absent(sought)

    async def control_where_edited(self, sought: Sought, words: Sequence[Word], ways: Sequence[Word]) -> Control | None:
        """Find what says some words on the page where a thing is edited, which is then open.

        Args:
            sought: the thing, of which nothing beside it and nothing on its page says them.
            words: what it may say; earlier ones are meant rather.
            ways: what leads there.

        Returns:
            None where nothing leads to a page of its own on which the thing stands, or nothing there says the words.

        Raises:
            TaskFailed: several on that page say them.
        """
        client = self._client
        try:
            way, before = await self.control(sought, ways)
        except NothingSays:
            return None
        page = await client.follow(way)
        if page.url == before.url or page.status >= 400 or not await self._holds(sought):
            return None
        found = [pair for pair in await saying(client, words, buttons=False) if not pair[1].apart]
        best = of_the_page(client, page, [one for score, one in found if score == max(score for score, _ in found)])
        if not best:
            page, best = await beneath(client, page, words, sought.title.text)
        if len(best) > 1:
            raise TaskFailed(f"{len(best)} controls of {page.url} say {' or '.join(dict.fromkeys(words))}")
        return best[0] if best else None

    async def _holds(self, sought: Sought) -> bool:
        """Return whether the page says what a thing is called, or a form of it holds that."""
        for form in await self._client.forms():
            for field in (one for one in form.questions if one.filled and is_free_text(one)):
                if await held_by(self._client, field) == sought.title.text:
                    return True
        return await self.is_told_here(sought)

    async def _listed_control(self, sought: Sought, words: Sequence[Word], *, buttons: bool) -> Control | None:
        """Find what says some words beside a thing in its list, or on the page that its list leads to."""
        client = self._client
        async for links in self.pages(sought):
            beside = [
                (sought.told_by((one.name, *one.card)), score, one)
                for score, one in await saying(client, words, buttons=buttons)
            ]
            found = the_one(sought, [one for one in beside if one[0] and one[2].card])
            if found is not None:
                return found
            link = self._named(links, sought)
            if (found := await self._menus.in_card(sought, words, buttons=buttons, sure=link is not None)) is not None:
                return found
            if link is not None:
                page = self._page = await client.follow(Control.of(link))
                if (alone := await self._alone(words, buttons=buttons)) is not None:
                    return alone
                return await self._in_card_again(sought, words, page, buttons=buttons)
        return None

    async def _in_card_again(self, sought: Sought, words: Sequence[Word], page: Page, *, buttons: bool) -> Control:
        """Open the menus beside a thing in its list that do not show what they hold: its page does not say the words.

        Raises:
            TaskFailed: they do not say them either.
        """
        async for _ in self.pages(sought):
            if (found := await self._menus.in_card(sought, words, buttons=buttons)) is not None:
                return found
        raise NothingSays(f"nothing on {page.url} says {' or '.join(dict.fromkeys(words))}")

    async def _at(self, sought: Sought) -> Page | None:
        """Go to the known address of a thing; None where it is not shown there."""
        result = await self._client.do("navigate", url=sought.address)
        if result.error is not None:
            return None
        page = self._page = Page.of(result.data)
        for left in (True, False):
            if page.status < 400 and await self.is_told_here(sought):
                return page
            if left and page.status < 400:
                await self._client.pause()
        return None

    async def search(self, title: Value) -> bool:
        """Search the list, which is open, for some words; returns whether it can be searched.

        A list with a field and no button for it filters itself as one types: it is given a moment for that.
        """
        form = await form_asking(self._client, ("search",))
        if form is None:
            return False
        given = await self._client.do(
            "fill_form", form=f"ref={form.ref}", values={"search": title.template}, submit=True
        )
        if given.error is not None and given.error.type == "not_found":
            await self._client.pause()
            return True
        return given.error is None

    async def _alone(self, words: Sequence[Word], *, buttons: bool) -> Control | None:
        """Give what says some words on the page of one thing, and in no card of something else."""
        for left in (True, False):
            found = [pair for pair in await saying(self._client, words, buttons=buttons) if not pair[1].apart]
            if found:
                return max(found, key=lambda pair: pair[0])[1]
            if left:
                await self._client.pause()
        return await self._menus.of_page(words, buttons=buttons)

    def _named(self, links: Sequence[Link], sought: Sought) -> Link | None:
        """Give the link that is called as a thing, or leads to where it is.

        Raises:
            TaskFailed: several are, and nothing shows which one is meant.
        """
        scored = [(sought.told_by((link.name,)), 0, link) for link in links]
        fitting = [one for one in scored if one[0] > 1 or (one[0] and not self._deletes(one[2].name, sought))]
        return the_one(sought, of_each_card(fitting))

    def _deletes(self, name: str, sought: Sought) -> bool:
        """Return whether a name says delete beside what a thing is called: the thing may be called so itself."""
        beside = name.casefold().replace(sought.title.text.casefold(), " ")
        words = ("delete", *(one for one in (self._thing.deleting,) if one))
        return any(says_word(beside, word, self._client.site.words) for word in words)
