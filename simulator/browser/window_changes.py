"""The window that a user finds itself in after an action: one that a page has opened, or the one before.

The browser reports a window when the first answer for it has come, so one that is on its way is waited for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence, Set
from typing import TypedDict

from playwright.async_api import BrowserContext, Page, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.windows import Windows
from simulator.errors import ToolError

_OPENING = 2.0
"""Seconds that the browser may take to open a window which a page has asked for."""
_LOOKING = 0.25
"""Seconds between looks for one that is on its way."""
_EMPTY = ("", "about:blank")
"""Addresses of a window before its first page."""


class Opened(TypedDict):
    """A window that a page opened, as the page script reports it."""

    address: str
    """Of its first page; empty where it stays without one."""
    name: str
    """By which pages know it; empty for none. One that is open already is used again."""


class WindowChanges:
    """Follows which window one user looks at because of an action.

    Args:
        context: the actor's.
        windows: of the user.
    """

    def __init__(self, context: BrowserContext, windows: Windows) -> None:
        self._context = context
        self._windows = windows
        self._names: dict[Page, str] = {}
        self._given_up: set[str] = set()
        """Addresses, bare, of navigations that have ended without a document."""
        context.on("requestfailed", self._gave_up)

    def begin(self) -> None:
        """Prepare for an action in the window that the user looks at."""
        self._given_up.clear()
        self._windows.acted = self._windows.page

    async def closes(self) -> bool:
        """Return whether the window that the last action was done in goes away, while another stays."""
        try:
            async with asyncio.timeout(_OPENING):
                while not self._windows.acted.is_closed():
                    self._windows.news.clear()
                    await self._windows.news.wait()
        except TimeoutError:
            return False
        return not self._windows.page.is_closed()

    async def changed(self, opened: Sequence[Opened], timeout_ms: float) -> bool:
        """Return whether another window is to be looked at than the one that the action was done in.

        Args:
            opened: what that page opened, as the page script reports it.
            timeout_ms: how long that may take.

        Raises:
            ToolError: ``timeout``.
        """
        addresses = {_bare(one["address"]) for one in opened if one["address"]}
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                if opened and self._windows.page is self._windows.acted and not self._use_again(opened):
                    await self._come(addresses)
                if addresses and self._windows.page is not self._windows.acted:
                    await self._begin_page(addresses)
        except TimeoutError:
            raise ToolError(
                "timeout", f"the window that was opened did not answer within {timeout_ms / 1000:g} s"
            ) from None
        changed = self._windows.page is not self._windows.acted
        if changed and len(opened) == 1:
            self._names[self._windows.page] = opened[0]["name"]
        self._windows.acted = self._windows.page
        return changed

    def _use_again(self, opened: Sequence[Opened]) -> bool:
        """Look at the window that a page has opened by the name of one that was open already; say if there is one."""
        for page in [one for one in self._windows.stack if one is not self._windows.acted]:
            if any(one["name"] and one["name"] == self._names.get(page) for one in opened):
                self._windows.bring_up(page)
                return True
        return False

    async def _come(self, addresses: Set[str]) -> None:
        """Wait until there is another window, or until none is on its way any longer."""
        patience = _OPENING
        while self._windows.page is self._windows.acted and not (addresses and addresses <= self._given_up):
            self._windows.news.clear()
            try:
                async with asyncio.timeout(patience):
                    await self._windows.news.wait()
            except TimeoutError:
                if not await self._on_its_way():
                    return
                patience = _LOOKING

    async def _on_its_way(self) -> bool:
        """Ask the browser whether it has more windows than it has reported."""
        browser = self._context.browser
        if browser is None:
            return False
        try:
            own = await self._context.new_cdp_session(self._windows.page)
            context = (await own.send("Target.getTargetInfo"))["targetInfo"].get("browserContextId")
            await own.detach()
            session = await browser.new_browser_cdp_session()
            targets = (await session.send("Target.getTargets"))["targetInfos"]
            await session.detach()
        except PlaywrightError:
            return False  # the window has closed, or the browser
        # A page that the browser fetches ahead is of a type of its own.
        kinds = [(one["type"], one.get("subtype", "")) for one in targets if one.get("browserContextId") == context]
        return kinds.count(("page", "")) > len(self._windows.stack)

    async def _begin_page(self, addresses: Set[str]) -> None:
        """Wait until a window that has come shows its first page, or gives up to do so."""
        page = self._windows.page
        page.on("framenavigated", lambda _: self._windows.news.set())
        while page is self._windows.page and page.url in _EMPTY and not addresses <= self._given_up:
            self._windows.news.clear()
            await self._windows.news.wait()

    async def _gave_up(self, request: Request) -> None:
        """Let a page know that a navigation has ended without a document: a download, or an answer without content."""
        if not request.is_navigation_request() or request.failure != "net::ERR_ABORTED":
            return
        first = request
        while first.redirected_from:
            first = first.redirected_from
        self._given_up.add(_bare(first.url))
        self._windows.news.set()
        try:
            await self._windows.page.evaluate("url => window.__sim && __sim.stays(url)", first.url)
        except PlaywrightError:
            return  # another navigation has replaced the document


def _bare(address: str) -> str:
    """Give an address without what a form or the page may still change in it."""
    return address.partition("#")[0].partition("?")[0]
