"""The windows of one actor, and what the browser itself puts before a page. Not responsible for: acting on them.

A user looks at the newest window, or at the one that was chosen last; when it closes, at the one before. Windows are
known by a number, in the order in which they were opened, from 1: the same when the same is done again.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from playwright.async_api import BrowserContext, Dialog, Page, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.dialogs import Answer, reply
from simulator.errors import ToolError

_OPENING = 2.0
"""Seconds that a window which a page has opened may take to be there."""


class Tab(NamedTuple):
    """One window that is open."""

    number: int
    page: Page
    current: bool


class Windows:
    """Follows the windows of a context.

    Native dialogs are answered as :attr:`answer` says; by default as a user who meant the action would: alerts are
    read, questions confirmed, prompts left as they are, and leaving a page is never refused.

    Args:
        context: the actor's.
        page: its first window.
    """

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.dialogs: list[str] = []
        """What native dialogs said, as ``confirm: Delete it?``."""
        self.answer = Answer()
        """How dialogs are answered from now on, without variables."""
        self._context = context
        self._numbers: dict[Page, int] = {}
        self._stack: list[Page] = []
        self._add(page)
        self._shown = page
        self._arrived = asyncio.Event()
        context.on("page", self._opened)
        context.on("dialog", self._answer)
        context.on("requestfailed", self._gave_up)

    @property
    def page(self) -> Page:
        """The window that the user looks at."""
        return self._stack[-1]

    def tabs(self) -> tuple[Tab, ...]:
        """Give the windows that are open, in the order in which they were opened."""
        listed = sorted(self._stack, key=self._numbers.__getitem__)
        return tuple(Tab(self._numbers[page], page, page is self.page) for page in listed)

    async def open(self) -> None:
        """Open a window and look at it."""
        self._add(await self._context.new_page())

    async def show(self, number: int) -> None:
        """Look at a window.

        Raises:
            ToolError: ``not_found``.
        """
        page = self._tab(number)
        self._stack.remove(page)
        self._stack.append(page)
        await page.bring_to_front()

    async def close(self, number: int) -> None:
        """Close a window.

        Raises:
            ToolError: ``not_found``; or ``not_allowed``, as it is the only one.
        """
        page = self._tab(number)
        if len(self._stack) == 1:
            raise ToolError("not_allowed", f"tab {number} is the only one; open another before closing it")
        await page.close()
        self._closed(page)

    def _tab(self, number: int) -> Page:
        for tab in self.tabs():
            if tab.number == number:
                return tab.page
        there = ", ".join(str(tab.number) for tab in self.tabs())
        raise ToolError("not_found", f"there is no tab {number}; there are: {there}")

    async def changed(self, opened: int) -> bool:
        """Tell whether another window is to be looked at than the last time.

        Args:
            opened: how many windows the page says it opened; the browser may tell of them a little later.
        """
        if opened and self.page is self._shown:
            self._arrived.clear()
            try:
                await asyncio.wait_for(self._arrived.wait(), _OPENING)
            except TimeoutError:
                return False
        changed = self.page is not self._shown
        self._shown = self.page
        return changed

    def _opened(self, page: Page) -> None:
        self._add(page)
        self._arrived.set()

    def _add(self, page: Page) -> None:
        if page not in self._numbers:
            self._numbers[page] = len(self._numbers) + 1
            self._stack = [*(one for one in self._stack if not one.is_closed()), page]
            page.on("close", self._closed)

    def _closed(self, page: Page) -> None:
        if len(self._stack) > 1 and page in self._stack:
            self._stack.remove(page)

    async def _answer(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            self.dialogs.append(f"{dialog.type}: {dialog.message}")
        await reply(dialog, self.answer)

    async def _gave_up(self, request: Request) -> None:
        """Tell a page that a navigation has ended without a document: a download, or an answer without content."""
        if not request.is_navigation_request() or request.failure != "net::ERR_ABORTED":
            return
        first = request
        while first.redirected_from:
            first = first.redirected_from
        try:
            await self.page.evaluate("url => window.__sim && __sim.stays(url)", first.url)
        except PlaywrightError:
            return  # another navigation has replaced the document
