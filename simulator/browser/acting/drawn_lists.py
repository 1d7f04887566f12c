"""Choosing an option of a list that a script draws, as a person does: open it, look for the option, press it.

Alike when it is recorded and when it is replayed. The field is proven by whoever calls; the option is known by what it
is called, and has to be the only one. Not responsible for: what an option is, which the page's script says
(``page/5_choosing.js``), or what came of it, which is read back as of any field.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.launch.script import ARMED, OPEN, TOUCH, ask, selector
from simulator.errors import ToolError
from simulator.meaning.listing import readings

_LOOK_S: Final = 0.05
_OPENS_S: Final = 0.5
"""How long a list may take to open while nothing else is under way."""
_DRAWS_S: Final = 0.3
"""How long a list that has opened may take to draw its options."""
_FINDS_S: Final = 1.2
"""How long a list may take to offer what was typed, while nothing is under way that the page is known to wait for."""
_SHOWS_S: Final = 1.0
"""How long a field may take to show what was chosen in it, and its list to close."""
_TOUCH_MS: Final = 1_000.0
_MOST_SCROLLS: Final = 200
_MOST_TOLD: Final = 40
"""Options that an error lists."""


class NoOption(ToolError):
    """A list offers no option, or several, that are called as what is to be chosen.

    Args:
        type_: ``not_found`` or ``ambiguous``.
        label: what was sought.
        options: what the options are called that were seen.
        found: how many are called so.
    """

    def __init__(self, label: str, options: Sequence[str], found: int = 0, note: str = "") -> None:
        listed = ", ".join(map(repr, options[:_MOST_TOLD])) + (" and more" if len(options) > _MOST_TOLD else "")
        there = f"there are: {listed}" if options else "it has shown no options"
        said = note or (f"{found} options are" if found else "no option is")
        super().__init__("ambiguous" if found else "not_found", f"{said} called {label!r}; {there}")
        self.label = label
        self.options = tuple(options)
        self.found = found


def _part(what: Any) -> str:
    return selector("sim", {"part": what})


async def choose(page: Page | Frame, found: str, label: str, timeout_ms: float) -> bool:
    """Choose an option by what it is called, or else by what it says to be sent as.

    Args:
        page: where; a frame where the list is in one.
        found: selector that proves the field.
        label: the option.
        timeout_ms: until the field has to be ready, and again until its list offers the option.

    Returns:
        Whether a script draws the list: nothing was done to one of the browser's own, as a field may have become.

    Raises:
        PlaywrightError: it could not be done.
        ToolError: ``not_actionable``; it is a button or a link that does something else.
        NoOption: the list does not offer just one such option; it is closed again, and the field is as it was.
    """
    await page.locator(f"{found} >> {OPEN}").wait_for(state="attached", timeout=timeout_ms)
    began = await ask(page, "beginChoosing")
    if began.get("native"):
        await ask(page, "giveUp", "look")
        return False
    if began["acts"]:
        await ask(page, "giveUp", "look")
        raise ToolError("not_actionable", f"{began['called']} is no list, and opens none")
    told = [*readings(label)]
    # What is called so as a whole comes first: a comma may be a part of what an option is called. But what is typed
    # into a list of several may become an option by that, and a text with a sign in it is several.
    failed = await _choose_one(page, label, began, timeout_ms, types=not (told and began["several"]))
    for parts in told if failed and not failed.found else ():
        failed = await _choose_all(page, parts, timeout_ms)
        if failed is None or failed.label != parts[0]:
            break  # the others of a list were left alone only where its first one was not there
    if failed:
        await ask(page, "giveUp", "look")
        raise failed
    return True


async def _choose_all(page: Page | Frame, labels: Sequence[str], timeout_ms: float) -> NoOption | None:
    for label in labels:
        await page.locator(_part("field")).wait_for(state="attached", timeout=timeout_ms)
        if failed := await _choose_one(page, label, await ask(page, "chooseOn"), timeout_ms):
            return failed
    return None


async def _choose_one(
    page: Page | Frame, label: str, began: dict[str, Any], timeout_ms: float, *, types: bool = True
) -> NoOption | None:
    """Choose one option; returns why there is none, and then the list is closed again, and the field as it was.

    Args:
        page: where.
        label: the option.
        began: what the page says of the field.
        timeout_ms: as of :func:`choose`.
        types: whether it is looked for by typing it, too.
    """
    chooser = _Chooser(page, label, timeout_ms / 1000)
    if not began["stands"]:
        await chooser.open(began)
    offered = await chooser.find(types=types)
    if offered["found"] != 1 or offered["barred"]:
        await chooser.give_up()
        note = f"the option {label!r} is disabled: none is" if offered["barred"] else ""
        seen = sorted(chooser.seen, key=chooser.seen.__getitem__)
        return NoOption(label, seen, offered["found"] if not note else 0, note)
    if not offered["already"]:
        await page.click(_part({"option": label}), timeout=timeout_ms, no_wait_after=True)
    await chooser.close()
    return None


class _Chooser:
    """What is done to one field."""

    def __init__(self, page: Page | Frame, label: str, patience_s: float) -> None:
        self._page = page
        self._label = label
        self._patience_s = patience_s
        self._typed = False
        self.seen: dict[str, int] = {}
        """What the options are called, in the order in which they came."""

    async def open(self, began: dict[str, Any]) -> None:
        """Open the list: by a press on its field, by the keys that open one, or by a press on what is drawn for it."""
        if began["open"] or (began["hit"] and await self._opens(self._click(f"{ARMED} >> {TOUCH}"))):
            return
        for key in ("ArrowDown", "Alt+ArrowDown"):
            if await self._opens(self._press(key)):
                return
        if not began["hit"]:
            await self._opens(self._click(_part("widget")))

    async def _opens(self, act: Awaitable[None]) -> bool:
        try:
            await act
        except PlaywrightTimeout:
            return False  # no pointer reaches it, or it takes no keys
        return await self._until(lambda told: told["open"] and bool(told["options"]), _OPENS_S)

    async def _click(self, found: str) -> None:
        await self._page.click(found, timeout=_TOUCH_MS, no_wait_after=True)

    async def _press(self, key: str) -> None:
        await self._page.focus(_part("field"), timeout=_TOUCH_MS)
        await self._page.press(_part("focus"), key, timeout=_TOUCH_MS, no_wait_after=True)

    async def find(self, *, types: bool) -> dict[str, Any]:
        """Look for the option: among what is offered, then by typing it where one can, then further down."""
        if not await self._until(lambda told: bool(told["found"]), _DRAWS_S) and types and await self._type():
            await self._until(lambda told: bool(told["found"]), _FINDS_S)
        for _ in range(_MOST_SCROLLS):
            told = await self._look()
            if told["found"] or not await ask(self._page, "scrollList"):
                break
            await asyncio.sleep(_LOOK_S)
        return await self._look()

    async def close(self) -> None:
        """Wait until the field shows what was chosen, and close a list that stays open for more."""
        if await self._picked(lambda told: not told["open"]):
            return
        await self._escape()
        await self._picked(lambda told: not told["open"])

    async def give_up(self) -> None:
        """Leave the field as it was."""
        try:
            if self._typed:
                await self._page.fill(_part("search"), "", timeout=_TOUCH_MS)
            told = await self._look()
            if told["open"]:
                await self._escape()
        except PlaywrightError:
            return  # it has gone, and what was typed with it

    async def _type(self) -> bool:
        """Type what is sought where one can; returns whether that was done."""
        search = _part("search")
        if not await self._page.locator(search).count():
            return False
        self._typed = True
        await self._page.fill(search, "", timeout=_TOUCH_MS)
        await self._page.type(_part("search"), self._label, timeout=self._patience_s * 1000)
        return True

    async def _escape(self) -> None:
        await self._page.press(_part("focus"), "Escape", timeout=_TOUCH_MS, no_wait_after=True)

    async def _look(self) -> dict[str, Any]:
        told: dict[str, Any] = await ask(self._page, "offered", self._label)
        for option in told["options"]:
            self.seen.setdefault(option, len(self.seen))
        return told

    async def _until(self, fits: Callable[[dict[str, Any]], bool], idle_s: float) -> bool:
        return await self._wait(self._look, fits, idle_s)

    async def _picked(self, fits: Callable[[dict[str, Any]], bool]) -> bool:
        async def look() -> dict[str, Any]:
            told: dict[str, Any] | None = await ask(self._page, "isPicked", self._label)
            return told or {"open": False, "busy": False, "options": []}

        try:
            return await self._wait(look, fits, _SHOWS_S)
        except PlaywrightError:
            return True  # its document has gone

    async def _wait(
        self, look: Callable[[], Awaitable[dict[str, Any]]], fits: Callable[[dict[str, Any]], bool], idle_s: float
    ) -> bool:
        """Look again and again: as long as the page has something under way, and a while in which nothing changes."""
        begun = quiet = time.monotonic()
        before: Any = None
        while True:
            told = await look()
            if fits(told):
                return True
            now = time.monotonic()
            if told["busy"] or told.get("options") != before:
                quiet, before = now, told.get("options")
            if now - quiet > idle_s or now - begun > self._patience_s:
                return False
            await asyncio.sleep(_LOOK_S)
