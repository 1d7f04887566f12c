"""One simulated user in a browser: everything that a user can do in a browser.

Not responsible for: deciding what to do, proving elements and reporting (``executor``), or replay's rules. Text
arguments are templates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.addresses import urlsplit
from simulator.browser.acting.action_runner import ActionReport, ActionRunner
from simulator.browser.acting.beside import Beside, beside
from simulator.browser.effects.inputs import UserInput
from simulator.browser.effects.model import Effect
from simulator.browser.effects.places import Reading
from simulator.browser.effects.pressed import Things
from simulator.browser.effects.sent.answered_ids import TOLD
from simulator.browser.evidence import LINK, Choice, Target
from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.launch.script import ARMED
from simulator.browser.windows import Tab
from simulator.errors import ToolError
from simulator.template import SITE_SECRETS, placeholders

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
Point = tuple[float, float]
"""CSS pixels from the left and from the top."""


class Actor(ActionRunner):
    """A user who acts in a context of its own."""

    async def goto(self, url: str, *, mailed: bool = False) -> ActionReport:
        """Visit an address.

        Args:
            url: absolute, or a path on the site; a template.
            mailed: whether the site has sent this address to the user, secrets included.

        Raises:
            ToolError: ``blocked``, ``not_allowed``, ``navigation`` or ``timeout``.
        """
        address, template, options = await self._address(url, mailed=mailed)
        return await self.act_on_page("goto", address, template=template, options=options)

    async def back(self) -> ActionReport:
        """Go back in the page's history."""
        return await self.act_on_page("back")

    async def forward(self) -> ActionReport:
        """Go forward in the page's history."""
        return await self.act_on_page("forward")

    async def reload(self) -> ActionReport:
        """Load the page again."""
        return await self.act_on_page("reload")

    async def scroll(self, dy: float, dx: float = 0) -> ActionReport:
        """Scroll the page by so many CSS pixels, down and to the right if positive."""
        return await self.act_on_page("scroll", f"{dy:g}", options={"dx": dx} if dx else None)

    async def scroll_around(self, find: Find, dx: float, dy: float) -> ActionReport:
        """Scroll the part of the page that an element is in, by so many CSS pixels, right and down if positive."""
        return await self.act("scroll", find, options={"by": [dx, dy]})

    async def scroll_to(self, find: Find, *, timeout_ms: float | None = None) -> ActionReport:
        """Scroll an element into view."""
        return await self.act("scroll", find, timeout_ms=timeout_ms)

    async def wait(self, until: Find | Literal["text", "url"], value: str = "", *, timeout_ms: float) -> ActionReport:
        """Wait until something is there; a replay waits for the same.

        Args:
            until: a visible element, a text of the page, or the page's address.
            value: the text, or the address; a template. In an address ``*`` stands for anything.
            timeout_ms: how long.

        Raises:
            ToolError: ``timeout``.
        """
        options: dict[str, Any] = {"timeout": timeout_ms}
        if isinstance(until, Find):
            value = until.value
            options |= {"until": "element", "how": until.how}
            if until.name:
                options["name"] = self.bindings.recognise(until.name)
        else:
            options["until"] = until
        return await self.act_on_page(
            "wait", self.bindings.render(value), template=self.bindings.recognise(value), options=options
        )

    async def open_tab(self, url: str = "") -> ActionReport:
        """Open a window and look at it.

        Args:
            url: what to visit in it, as for :meth:`goto`; empty for nothing.
        """
        if not url:
            return await self.act_on_page("open_tab")
        address, template, options = await self._address(url)
        return await self.act_on_page("open_tab", address, template=template, options=options)

    async def switch_tab(self, number: int) -> ActionReport:
        """Look at another window, by its number."""
        return await self.act_on_page("switch_tab", str(number))

    async def close_tab(self, number: int) -> ActionReport:
        """Close a window, by its number."""
        return await self.act_on_page("close_tab", str(number))

    async def click(
        self,
        find: Find,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[Modifier] = (),
        position: Point | None = None,
        choice: Choice | None = None,
        timeout_ms: float | None = None,
    ) -> ActionReport:
        """Click the one element that a description fits.

        Args:
            find: which element.
            button: of the mouse.
            count: how many times in one go.
            modifiers: keys that are held meanwhile.
            position: where in the element, from its inner top left corner; default: its middle. A description by a
                point of the viewport keeps that point for what reacts by place: a slider, a drawing.
            choice: set when any of a collection would have done.
            timeout_ms: how long to wait for it; default: the actor's bound.

        Raises:
            ToolError: ``not_found``, ``ambiguous``, ``not_actionable``, ``timeout`` or ``page_closed``.
        """
        given = {"button": button, "count": count, "modifiers": list(modifiers)}
        usual = {"button": "left", "count": 1, "modifiers": []}
        options = {key: value for key, value in given.items() if value != usual[key]}
        options |= await self._place(find, position)
        return await self.act("click", find, choice=choice, options=options, timeout_ms=timeout_ms)

    async def dblclick(
        self, find: Find, *, position: Point | None = None, timeout_ms: float | None = None
    ) -> ActionReport:
        """Click twice."""
        return await self.act("dblclick", find, options=await self._place(find, position), timeout_ms=timeout_ms)

    async def hover(
        self, find: Find, *, position: Point | None = None, timeout_ms: float | None = None
    ) -> ActionReport:
        """Rest the pointer on an element."""
        return await self.act("hover", find, options=await self._place(find, position), timeout_ms=timeout_ms)

    async def focus(self, find: Find, *, timeout_ms: float | None = None) -> ActionReport:
        """Give an element the focus."""
        return await self.act("focus", find, timeout_ms=timeout_ms)

    async def drag(self, find: Find, onto: Find, *, timeout_ms: float | None = None) -> ActionReport:
        """Drag an element to another one and let it go there."""
        options = await self._place(find, None)
        if place := (await self._place(onto, None)).get("position"):
            options["onto_position"] = place
        return await self.act("drag", find, onto=onto, options=options, timeout_ms=timeout_ms)

    async def fill(self, find: Find, value: str, *, timeout_ms: float | None = None) -> ActionReport:
        """Clear a field and put a text into it."""
        return await self.act("fill", find, value=value, timeout_ms=timeout_ms)

    async def type_text(self, find: Find, value: str, *, timeout_ms: float | None = None) -> ActionReport:
        """Type a text key by key."""
        return await self.act("type", find, value=value, timeout_ms=timeout_ms)

    async def press(self, key: str, find: Find | None = None, *, timeout_ms: float | None = None) -> ActionReport:
        """Press a key or a combination such as ``Control+a``, in the focused element by default."""
        return await self.act("press", find or Find("focused"), value=key, timeout_ms=timeout_ms)

    async def hold(self, key: str, seconds: float) -> ActionReport:
        """Hold a key down in the focused element."""
        return await self.act("press", Find("focused"), value=key, options={"hold_ms": round(seconds * 1000)})

    async def select(self, find: Find, value: str, *, source: str | None = None) -> ActionReport:
        """Choose an option by its label or its value.

        Args:
            find: the list.
            value: label or value of the option.
            source: the template whose meaning made this option the right one; it is recorded as the value, and the
                option beside it.
        """
        if source is None or source == value:
            return await self.act("select", find, value=value)
        return await self.act("select", find, value=source, put=value, options={"option": value})

    async def options(self, find: Find) -> list[tuple[str, str]]:
        """Read the options of a drop-down list: value and label of each."""
        place = await self.place(find)
        target = await self.take_at(place, meant="field")
        if target.tag != "select":
            raise ToolError("not_actionable", f"{target.role or target.tag} '{target.name}' is no drop-down list")
        script = "el => [...el.options].map(one => [one.value, one.label])"
        return [(value, label) for value, label in await place.where.eval_on_selector(ARMED, script)]

    async def check(self, find: Find, checked: bool = True, *, value: str | None = None) -> ActionReport:
        """Tick a box or choose a radio button; or untick it.

        Args:
            find: the box or button.
            checked: False to untick.
            value: the template that made this one of a group the right one; where its name is just that value, the
                name is recorded as this template.
        """
        return await self.act("check" if checked else "uncheck", find, member=value)

    async def upload(self, find: Find, *, path: Path, sha256: str, source: str = "") -> ActionReport:
        """Give a file to a file field.

        Args:
            find: the field; it may be hidden under a styled button.
            path: the file.
            sha256: hash of its bytes, by which a recording knows it.
            source: where the file came from, a template such as ``{{file.cover_1}}``.
        """
        options = {"sha256": sha256, "name": path.name, "source": self.bindings.recognise(source)}
        return await self.act("upload", find, put=str(path), options=options)

    async def look_back(self, addresses: Sequence[str] | None = None) -> list[Effect]:
        """Look for what the user has sent and no later page has shown so far, beside the user's own windows.

        Args:
            addresses: where, absolute; by default wherever the user may see it.

        Returns:
            What was seen again.
        """
        found: list[Effect] = []
        wanted = self.observer.to_look_at() if addresses is None else addresses
        observer = self.observer
        async with self._aside() as there:
            for url in filter(self.may_visit, wanted):
                if addresses is None and url not in observer.to_look_at():
                    continue  # the pages before it have shown what was looked for
                found += await there.look(url, observer.look_at, whole=observer.seeks_pictures) or ()
                if observer.is_unsure(url):
                    found += await there.look(url, observer.look_at, whole=observer.seeks_pictures) or ()
        return found

    async def reading(self, inputs: Sequence[UserInput]) -> Reading | None:
        """Read where the page shows inputs; None where it has gone, or does not answer."""
        return await self.observer.pages.read(self.page, inputs)

    async def things(self, asked: Sequence[Mapping[str, Any]]) -> Things | None:
        """Read whether the page shows things, and how a control of each stands; None where it does not answer."""
        return await self.observer.pages.read_things(self.page, asked)

    async def read_beside(self, url: str, inputs: Sequence[UserInput]) -> Reading | None:
        """Read where a page shows inputs, beside the user's own windows; None where it does not answer.

        Args:
            url: its address, absolute.
            inputs: what is sought.
        """
        pictures = any(one.kind == "file" for one in inputs)
        async with self._aside() as there:
            return await there.look(url, lambda page, _: self.observer.pages.read(page, inputs), whole=pictures)

    async def things_beside(
        self, url: str, asked: Callable[[Sequence[str]], Sequence[Mapping[str, Any]]]
    ) -> Things | None:
        """Read whether a page shows things, beside the user's own windows; None where it does not answer.

        Args:
            url: its address, absolute.
            asked: gives what is asked for, by what can tell things on the page.
        """

        async def read(page: Page, _: str) -> Things | None:
            there = await self.observer.pages.read_things(page, [])
            return there and await self.observer.pages.read_things(page, asked(sorted(there.tokens)))

        async with self._aside() as there:
            return await there.look(url, read, whole=False)

    async def look_ahead(self, addresses: Sequence[str]) -> None:
        """Know pages as they are before something is written, beside the user's own windows.

        Args:
            addresses: where, absolute.
        """

        async def know(page: Page, url: str) -> None:
            await self.observer.know(page)

        async with self._aside() as there:
            for url in filter(self.may_visit, addresses):
                await there.look(url, know, whole=False)

    def _aside(self) -> AbstractAsyncContextManager[Beside]:
        """Look beside the user's own windows; what is sent meanwhile is what pages send by themselves."""
        return beside(self._windows, self.timeouts, self.observer.aside)

    def tabs(self) -> tuple[Tab, ...]:
        """Give the windows that are open, in the order in which they were opened."""
        return self._windows.tabs()

    async def tab_titles(self) -> list[tuple[int, str, str]]:
        """Give number, address and title of each window."""
        try:
            found = [(tab.number, self.relative(tab.page.url), await tab.page.title()) for tab in self.tabs()]
        except PlaywrightError as error:
            raise translate(error, "read the titles of the tabs") from error
        return [(number, *self._written([url, title])) for number, url, title in found]

    async def _address(self, url: str, *, mailed: bool = False) -> tuple[str, str, dict[str, Any]]:
        """Give the whole address of a URL that may be visited, its template, and where the page shows it."""
        address = self.absolute(url)
        if any(one in url for one in SITE_SECRETS) and not mailed and self.relative(address) == address:
            raise ToolError(
                "not_allowed", f"a secret of the site is only given to {self._origin}, and to where a mail leads"
            )
        if not self.may_visit(address):
            raise ToolError("blocked", f"'{address}' is not on this site; only {self._allowed()} may be visited")
        if self._led_here and not self.lost and any(map(str.isdigit, url)):
            self.sightings.see(self._led_here, await self._parting(self.codes(), []))
        sighted = self.sightings.write(unquote(self.urls.recognise(url)))  # what is known needs no code to tell it
        # Variables that the caller names say more than values that are recognised.
        if "{{" in url:
            return address, self.bindings.recognise(url), {}
        template, generated = self.urls.write(self.relative(address), visited=True)
        if not generated:
            return address, template, {}
        options = await self._told_by(address, generated) or self._told_before(generated)
        if options:
            return address, template, options
        # A number that a page has said in words is read from there again.
        said = {self.bindings.get(name): name for name in placeholders(sighted)}
        for name, value in generated.items():
            template = template.replace(f"{{{{{name}}}}}", f"{{{{{said.get(value, name)}}}}}")
        return address, template, {}

    def _told_before(self, generated: Mapping[str, str]) -> dict[str, Any]:
        """Give where the site told before what is new in an address, as an option; nothing where it did not tell it."""
        told = {name: self.observer.ids.where(value) for name, value in generated.items()}
        known = {name: one.as_json() for name, one in told.items() if one is not None}
        return {TOLD: known} if len(known) == len(generated) else {}

    async def _told_by(self, address: str, generated: Mapping[str, str]) -> dict[str, Any]:
        """Give the link by which the page tells what is new in an address, as an option; nothing where none does."""
        path, asked = urlsplit(address).path, parse_qsl(urlsplit(address).query)
        ends = [path.find(f"/{value}") + len(value) + 1 for value in generated.values() if f"/{value}" in path]
        stem = path[: max(ends)] if len(ends) == len(generated) else path
        if self.lost:
            return {}
        if any(value in generated.values() for _, value in asked):
            stem = ""  # a link to the same page tells of another thing
        script = "([address, stem]) => window.__sim ? __sim.linkTo(address, stem) : null"
        found = await self._parting(self._read(script, [address, stem]), None)
        if not found:
            return {}
        link = self.written(Target.model_validate(found["evidence"])).model_dump(mode="json", exclude_defaults=True)
        return {LINK: {"link": link, "url": self.urls.recognise(found["href"])}}

    async def _place(self, find: Find, position: Point | None) -> dict[str, Any]:
        """Give where in an element the pointer goes, as an option; nothing where its middle will do."""
        place = list(position) if position else None
        if position is None and find.how == "point":
            at = await self.place(find)
            place = await self._read("point => __sim.placeAt(point)", at.find.value, where=at.where)
        return {"position": place} if place else {}
