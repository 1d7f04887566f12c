"""The windows of one actor, and what the browser itself puts before a page. Not responsible for: acting on them.

A user looks at the newest window; when it closes, at the one before.
"""

from __future__ import annotations

import asyncio

from playwright.async_api import BrowserContext, Dialog, Page, Request
from playwright.async_api import Error as PlaywrightError

_OPENING = 2.0
"""Seconds that a window which a page has opened may take to be there."""


class Windows:
    """Follows the windows of a context.

    Native dialogs are answered as a user who meant the action would: alerts are read, questions confirmed, prompts
    left as they are, and leaving a page is never refused.

    Args:
        context: the actor's.
        page: its first window.
    """

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.dialogs: list[str] = []
        """What native dialogs said, as ``confirm: Delete it?``."""
        self._stack = [page]
        self._shown = page
        self._arrived = asyncio.Event()
        page.on("close", self._closed)
        context.on("page", self._opened)
        context.on("dialog", self._answer)
        context.on("requestfailed", self._gave_up)

    @property
    def page(self) -> Page:
        """The newest window that is open."""
        return self._stack[-1]

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
        self._stack.append(page)
        self._arrived.set()
        page.on("close", self._closed)

    def _closed(self, page: Page) -> None:
        if len(self._stack) > 1:
            self._stack.remove(page)

    async def _answer(self, dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            self.dialogs.append(f"{dialog.type}: {dialog.message}")
        try:
            await (dialog.accept(dialog.default_value) if dialog.type == "prompt" else dialog.accept())
        except PlaywrightError:
            return  # its page has closed

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
