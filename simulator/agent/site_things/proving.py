"""Whether a site shows what a user has done with a thing. Not responsible for: doing it.

What was shown before proves nothing, and neither does a note that everything went well: the thing itself is looked at.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from simulator.agent.filling import Sent, Value
from simulator.agent.reading import Control, Page
from simulator.agent.site_things.finding import Finder, held_by
from simulator.agent.site_things.sought import Sought
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import ends_in, fit, holds
from simulator.domain import Reaction
from simulator.meaning import find_in
from simulator.tools.pages.vocabulary import normal


class Proof:
    """Looks at the site after something was done.

    Args:
        client: the run's tools.
        finder: finds the things.
    """

    def __init__(self, client: ToolClient, finder: Finder) -> None:
        self._client = client
        self._finder = finder

    async def made(self, sought: Sought, page: Page, form_at: str) -> str:
        """See that a thing is there after it was made: on a page of its own, or in its list.

        Args:
            sought: the thing.
            page: the one that followed.
            form_at: where the form was.

        Returns:
            The address of its own page, a template; empty where none is known.

        Raises:
            TaskFailed: it is on neither.
        """
        own = page.url != form_at and await self._is_own(sought, page)
        if own:
            return _address(page.url)
        if await self._finder.is_listed(sought):
            return ""
        raise TaskFailed(f"the site took the form, but neither {page.url} nor the list shows {sought.title.text!r}")

    async def changed(self, sought: Sought, sent: Sent, before: str, form: Callable[[], Awaitable[object]]) -> None:
        """See that a thing has the values that it was given.

        Args:
            sought: the thing.
            sent: the form that changed it.
            before: what its page said before.
            form: goes to the form once more.

        Raises:
            TaskFailed: one of them is shown nowhere, nor held by the form that changes the thing.
        """
        wanted = {name: value for name, value in sent.values.items() if value.text}
        lacking = self._lacking(wanted, await self._client.text(), before)
        if lacking:
            await self._finder.show(sought, listed=True)
            lacking = self._lacking(lacking, await self._client.text(), before)
        if lacking:
            await form()
            held = [
                await held_by(self._client, field) for form in await self._client.forms() for field in form.questions
            ]
            for name, value in lacking.items():
                if not any(_same(text, value.text) for text in held):
                    raise TaskFailed(
                        f"the site took the new {name}, but shows {value.text!r} nowhere, and the form does not hold it"
                    )

    async def gone(self, sought: Sought) -> None:
        """See that a thing is there no more.

        Raises:
            TaskFailed: its list or its address still has it.
        """
        if await self._finder.is_listed(sought):
            raise TaskFailed(f"{sought.title.text!r} is still in its list, after it was deleted")
        if sought.address:
            result = await self._client.do("navigate", url=sought.address)
            page = Page.of(result.data)
            if result.error is None and page.status < 400 and await self._finder.is_told_here(sought):
                raise TaskFailed(f"{sought.title.text!r} is still at {page.url}, after it was deleted")

    async def reacted(self, sought: Sought, reaction: Reaction, control: Control, page: Page) -> None:
        """Press what reacts to a thing, and see that the page shows another state after it.

        Raises:
            TaskFailed: it shows none.
        """
        client = self._client
        before = await client.text()
        if control.pressed == "true":
            raise TaskFailed(f"{control.name!r} is pressed already on {page.url or 'the list'}")
        followed = await client.follow(control)
        now = await client.again(control)
        if now is not None and ((now.pressed == "true") != (control.pressed == "true") or now.name != control.name):
            return
        if followed.alerts:
            raise TaskFailed("; ".join(followed.alerts))
        offered = now is not None or any(
            one.name == control.name and one.card == control.card for one in map(Control.of, await client.buttons())
        )
        if control.opener and not offered:
            return await self._reacted_in_menu(control, followed)
        if not offered:
            return
        if not reaction.once and normal(await client.text()) != normal(before):
            return
        raise TaskFailed(f"{followed.url} looks as before, after {control.name!r} was pressed")

    async def _reacted_in_menu(self, control: Control, followed: Page) -> None:
        """See that a press in a menu, which has closed since, changed the page around it, or what the menu offers.

        Raises:
            TaskFailed: it changed neither.
        """
        client = self._client
        if normal(await client.text()) != normal(control.around):
            return
        opener = next((one for one in await client.buttons() if one.ref == control.opener and one.opens), None)
        if opener is not None:
            await client.follow(Control.of(opener))
            again = [one for one in await client.buttons() if one.name == control.name and not one.opens]
            if not again or all((one.pressed == "true") != (control.pressed == "true") for one in again):
                return
        raise TaskFailed(f"{followed.url} looks as before, after {control.name!r} was pressed in its menu")

    async def written(self, sought: Sought, page: Page, text: Value, before: str, said: str | None) -> None:
        """See that what was written about a thing is shown once more than before, or that the site says it was sent.

        Args:
            sought: the thing.
            page: the one that followed.
            text: what was written.
            before: what the page of the thing said before.
            said: what the site says of one that only its receiver sees; None: the page shows the text.

        Raises:
            TaskFailed: it shows no such thing.
        """
        shown = await self._client.text()
        if said is not None:
            if not page.notes and not fit(shown, said, self._client.site.words) and not ends_in(shown, text.text):
                raise TaskFailed(f"{page.url} does not say that the message about {sought.title.text!r} was sent")
            return
        if _times(shown, text.text) > _times(before, text.text):
            return
        shown = await self._client.text() if (await self._finder.show(sought)) else shown
        if _times(shown, text.text) <= _times(before, text.text):
            raise TaskFailed(
                f"the page of {sought.title.text!r} does not show {text.text!r}, after it was written there"
            )

    async def _is_own(self, sought: Sought, page: Page) -> bool:
        """Return whether a page is of one thing: it says its title elsewhere than in a note, and not in a list."""
        if not await self._finder.is_told_here(sought, page):
            return False
        links = await self._client.links()
        return not any(sought.told_by((link.name,)) for link in links if link.card)

    def _lacking(self, wanted: Mapping[str, Value], text: str, before: str) -> dict[str, Value]:
        """Give the values that a page does not say, or said as often before."""
        return {
            name: value
            for name, value in wanted.items()
            if not (_says(text, value.text) and _times(text, value.text) > _times(before, value.text))
        }


def _address(url: str) -> str:
    """Give an address without a query that only says what was done, where its path names the thing."""
    path, _, _ = url.partition("?")
    return path if "{{site." in path else url.partition("#")[0]


def _says(text: str, value: str) -> bool:
    return holds(text, value) or find_in(value, text) is not None


def _same(text: str, value: str) -> bool:
    return normal(text) == normal(value) or text == value


def _times(text: str, value: str) -> int:
    """Count how often words stand in a text."""
    said, wanted = f" {normal(text)} ", normal(value)
    return said.count(f" {wanted} ") if wanted else 0
