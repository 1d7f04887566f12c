"""Waits until the page that one user looks at has settled, and takes in what it is then.

Not responsible for: acting, what a page's state is kept as (``page_tracker``), or readings for an agent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.browser.acting.inside import Inside
from simulator.browser.action_recorder import PageState
from simulator.browser.follow import Followed, follow
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.modules import Modules
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.unanswered import Unanswered
from simulator.browser.window_changes import WindowChanges
from simulator.browser.windows import Windows
from simulator.browser.wire.told_codes import ToldCodes
from simulator.browser.wire.traffic import Traffic
from simulator.errors import ToolError

_IN_FRAMES = ("requests", "alerts", "refusals", "notes", "secrets", "keyed")
"""What frames report as their page does."""
_ANY = "css=:root"


class Readying:
    """Has Playwright set itself up in the documents of one user, while each is still being followed.

    Before its first locator Playwright puts a script of its own into a world beside the page's. On two cores that takes
    17 ms for each document; begun when the document before has gone, it is done while the new one still loads. The cost
    is one question to the browser. Nobody waits for it, or asks what came of it.
    """

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def begin(self, page: Page) -> None:
        """Begin with the document that a page shows, unless one is being readied."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(_ready(page), name="ready a document")


async def _ready(page: Page) -> None:
    with suppress(PlaywrightError):  # the document has gone, or its page: the next one is readied again
        await page.locator(_ANY).count()


class PageView:
    """Looks at the page of one user.

    Args:
        windows: of the user.
        changes: follow which of them the user looks at.
        tracker: keeps what was seen.
        script: asks the page.
        timeouts: bounds.
        traffic: listens to the user's exchanges, and is waited for; None: nobody does.
        codes: knows which codes of an address the site has told its script.
    """

    def __init__(
        self,
        windows: Windows,
        changes: WindowChanges,
        tracker: PageTracker,
        script: ScriptClient,
        timeouts: Timeouts,
        traffic: Traffic | None,
        codes: ToldCodes,
    ) -> None:
        self.readying = Readying()
        """Readies documents that are about to be acted in."""
        self._windows = windows
        self._changes = changes
        self._tracker = tracker
        self._script = script
        self._timeouts = timeouts
        self._unanswered = Unanswered(timeouts)
        self._traffic = traffic
        self._codes = codes
        self._modules = Modules()

    async def follow(
        self,
        inside: Inside | None = None,
        *,
        late_ms: float = 0,
        put: Sequence[Any] | None = None,
        asked: Mapping[str, Any] | None = None,
    ) -> Followed:
        """Wait until the page has settled, and take in what it is now.

        Args:
            inside: what the action led to in frames of it.
            late_ms: how long a page that had settled is given for a writing request that it puts off.
            put: what was put into a field of the page, as ``Input.asked`` gives it.
            asked: what a document that is not known yet is asked for, as ``Observer.asking`` gives it.
        """
        try:
            return await self._follow(inside, late_ms, put, asked)
        finally:
            if self._traffic is not None:
                await self._traffic.look(self._windows.page)
                await self._traffic.rest()

    async def _follow(
        self, inside: Inside | None, late_ms: float, put: Sequence[Any] | None, asked: Mapping[str, Any] | None
    ) -> Followed:
        page = self._windows.acted_in
        bounds = self._timeouts.settle, self._timeouts.page
        try:
            raw = await follow(page, self._modules, *bounds, late_ms, put, asked, self.readying.begin)
        except ToolError as error:
            gone = self._windows.page is not page or (error.type == "page_closed" and await self._changes.closes())
            if not gone:
                raise
            raw = await follow(self._windows.page, self._modules, *bounds, asked=asked)
        opened = raw.opened + (inside.opened if inside else ())
        if await self._changes.changed(opened, self._timeouts.page):
            there = await follow(self._windows.page, self._modules, *bounds, asked=asked)
            raw = replace(
                there,
                stopped=raw.stopped + there.stopped,
                passed=raw.passed + there.passed,
                reached=raw.reached | there.reached,
            )
        before = self._tracker.document
        state = _with(raw.state, inside) if inside else raw.state
        if state["doc"] != before or state["requests"]:
            await self._tracker.learn_keys()
        await self._codes.learn(state["url"])
        generated = self._tracker.see(state)
        navigated = bool(before) and self._tracker.document != before
        settled = "navigated" if navigated else "changed" if inside and inside.changed else raw.settled
        return replace(raw, settled=settled, generated=generated)

    async def learn_codes(self) -> None:
        """Know the codes in the address of the page that the site has told its script by now."""
        await self._codes.learn(self._windows.page.url)

    async def load_again(self) -> None:
        """Load the page again, unreported; one that does not come stays as it is."""
        with suppress(PlaywrightError):
            await self._windows.page.reload(timeout=self._timeouts.page)
            await self.follow()

    async def answered(self) -> None:
        """Wait for what the page has asked for and not got yet; nothing is waited for where it has all."""
        with suppress(PlaywrightError, ToolError):  # the page has gone, or does not answer: what follows shows that
            await self.look()
            if self._tracker.reads:
                await self._unanswered.wait(self._reads, self._timeouts.navigation, self._timeouts.page)

    async def complete(self) -> None:
        """Wait, before something is put into the page, for what it had asked for and not got when it was seen last.

        A form whose page fetches what it holds would send it empty.
        """
        if self._tracker.reads:
            with suppress(PlaywrightError, ToolError):
                await self._unanswered.wait(self._reads, self._timeouts.settle, self._timeouts.navigation)

    async def _reads(self) -> Sequence[str]:
        await self.follow()
        return self._tracker.reads

    async def look(self) -> PageState:
        """Take in the page as it is now."""
        self._tracker.see(await self._script.read("() => __sim.pageState()"))
        return self._tracker.here


def _with(state: dict[str, Any], inside: Inside) -> dict[str, Any]:
    """Add to a page's state what its frames did and say because of the action."""
    more = {key: [one for each in inside.states for one in each[key]] for key in _IN_FRAMES}
    return {**state, **{key: [*state[key], *more[key]] for key in more}}
