"""Which scripts a page is fetching while it runs. Not responsible for: scripts that stand in its document.

An application in modules imports more of them when they are needed: on the first visit of a part of it, often. Nothing
in the page shows that one is on its way, so the browser is asked; that costs time for each request of a page, and so it
is asked only of pages that are made of modules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection

from playwright.async_api import Page, Request

from simulator.browser.listeners import of_one


class Modules:
    """Scripts on their way, by page."""

    def __init__(self) -> None:
        self._coming: dict[Page, set[Request]] = {}
        self._came: dict[Page, set[tuple[int, str]]] = {}
        self._documents = 0
        self._arrived = asyncio.Event()

    def knows(self, page: Page) -> bool:
        """Return whether the browser is asked for the scripts of a page."""
        return page in self._coming

    def watch(self, page: Page) -> None:
        """Ask the browser for the scripts of a page from now on."""
        if page in self._coming:
            return
        coming = self._coming[page] = set()
        came = self._came[page] = set()

        def begun(request: Request) -> None:
            if request.is_navigation_request() and request.frame.parent_frame is None:
                # What is fetched once more for another document has to run once more.
                self._documents += 1
                came.clear()
            if request.resource_type == "script":
                coming.add(request)

        def over(request: Request) -> None:
            if request in coming:
                coming.discard(request)
                came.add((self._documents, request.url.partition("?")[0]))
                self._arrived.set()

        def closed(page: Page) -> None:
            self._coming.pop(page, None)
            self._came.pop(page, None)
            self._arrived.set()

        page.on("request", of_one(begun))
        page.on("requestfinished", of_one(over))
        page.on("requestfailed", of_one(over))
        page.on("close", closed)

    def on_their_way(self, page: Page) -> bool:
        """Return whether a page is fetching scripts."""
        return bool(self._coming.get(page))

    def came(self, page: Page) -> frozenset[tuple[int, str]]:
        """Give the scripts that the document of a page has fetched: its number, and an address.

        One that comes again and again is one.
        """
        return frozenset(self._came.get(page, ()))

    def are_coming(self, page: Page, known: Collection[tuple[int, str]], standing: Collection[str]) -> bool:
        """Return whether a page is fetching scripts, or has fetched some which may not have run yet.

        Args:
            page: the page.
            known: what it had fetched before it was asked whether it is at rest.
            standing: the addresses of those that stand in its document: it has waited for them itself.
        """
        came = {address for _, address in self.came(page).difference(known)}
        return self.on_their_way(page) or not came.issubset(standing)

    async def arrive(self, page: Page, timeout_s: float) -> bool:
        """Wait until a page is fetching no script, and return whether that came about in time."""
        try:
            async with asyncio.timeout(timeout_s):
                while self.on_their_way(page):
                    self._arrived.clear()
                    await self._arrived.wait()
        except TimeoutError:
            return False
        return True
