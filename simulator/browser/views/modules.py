"""Which scripts a page is fetching while it runs. Not responsible for: scripts that stand in its document.

An application in modules imports more of them when they are needed: on the first visit of a part of it, often. Nothing
in the page tells that one is on its way, so the browser is asked; that costs time for each request of a page, and so it
is asked only of pages that are made of modules.
"""

from __future__ import annotations

import asyncio

from playwright.async_api import Page, Request


class Modules:
    """Scripts on their way, by page."""

    def __init__(self) -> None:
        self._coming: dict[Page, set[Request]] = {}
        self._came: dict[Page, set[str]] = {}
        self._arrived = asyncio.Event()

    def knows(self, page: Page) -> bool:
        """Tell whether the browser is asked for the scripts of a page."""
        return page in self._coming

    def watch(self, page: Page) -> None:
        """Ask the browser for the scripts of a page from now on."""
        if page in self._coming:
            return
        coming = self._coming[page] = set()
        came = self._came[page] = set()

        def begun(request: Request) -> None:
            if request.resource_type == "script":
                coming.add(request)

        def over(request: Request) -> None:
            if request in coming:
                coming.discard(request)
                came.add(request.url.partition("?")[0])
                self._arrived.set()

        def closed(page: Page) -> None:
            self._coming.pop(page, None)
            self._came.pop(page, None)
            self._arrived.set()

        page.on("request", begun)
        page.on("requestfinished", over)
        page.on("requestfailed", over)
        page.on("close", closed)

    def on_their_way(self, page: Page) -> bool:
        """Tell whether a page is fetching scripts."""
        return bool(self._coming.get(page))

    def came(self, page: Page) -> int:
        """Count the scripts that a page has fetched since it is watched; one that comes again and again is one."""
        return len(self._came.get(page, ()))

    async def arrive(self, page: Page, timeout_s: float) -> bool:
        """Wait until a page is fetching no script, and tell whether that came about in time."""
        try:
            async with asyncio.timeout(timeout_s):
                while self.on_their_way(page):
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            return False
        return True
