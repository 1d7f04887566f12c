"""Looks at addresses beside the user's own windows, one after the other in one page of the same context.

Not responsible for: what is looked for, or what an address may be looked at for.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from typing import TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.browser.follow import follow
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.modules import Modules
from simulator.browser.views.unanswered import Unanswered
from simulator.browser.windows import Windows
from simulator.errors import ToolError

_Seen = TypeVar("_Seen")
_KEEPS = "() => sessionStorage.length > 0 || window.name !== ''"
"""Whether a document has left something in its window that the next one would find there."""
_EMPTY = "about:blank"
_STAY_S = 0.02
"""How long after a stretch the page is emptied: a user who has ended by then leaves all pages at once."""


class Beside:
    """A page beside the windows of a user: it is opened for the first look, and empty between two stretches of looks.

    To open a page and to close it again takes as long as to load most documents. No document stays in it: a site that
    talks to its pages would meet the user twice. It is emptied while the user acts, and the next look waits for that.
    Where a document keeps something for its window, the page closes: each stretch finds a window as a new one is.

    Args:
        windows: of the user.
        timeouts: how long a page may take.
        aside: knows what a page sends, and what is sent meanwhile, as what pages send by themselves.
    """

    def __init__(
        self, windows: Windows, timeouts: Timeouts, aside: Callable[[Page], AbstractContextManager[None]]
    ) -> None:
        self._windows = windows
        self._timeouts = timeouts
        self._aside = aside
        self._modules = Modules()
        self._turn = asyncio.Lock()
        self._shows = False
        """Whether the page shows what was looked at."""
        self._failed = False
        """Whether it did not answer."""
        self._leaving: asyncio.Task[None] | None = None
        self._wanted = asyncio.Event()
        """Whether the next stretch waits for the page."""
        self._unanswered = Unanswered(timeouts)
        self._patient = False

    @contextmanager
    def patiently(self) -> Iterator[None]:
        """Read pages only once they have what they asked for, to be able to say that something is not there."""
        before, self._patient = self._patient, True
        try:
            yield
        finally:
            self._patient = before

    @asynccontextmanager
    async def stretch(self) -> AsyncIterator[None]:
        """Look at some addresses, while nobody else does; the page is left after the last one."""
        async with self._turn:
            try:
                yield
            finally:
                if self._shows:
                    self._wanted.clear()
                    self._leaving = asyncio.create_task(self._leave(), name="leave what was looked at")

    async def look(self, url: str, read: Callable[[Page, str], Awaitable[_Seen]], *, whole: bool) -> _Seen | None:
        """Look at an address.

        Args:
            url: the address, absolute.
            read: reads the page when it has come to rest.
            whole: whether its pictures have to be there.

        Returns:
            What was read; None where the address does not answer, or the browser has gone: nothing is seen there.
        """
        bounds = self._timeouts
        try:
            page = await self._opened()
            self._shows = True
            with self._aside(page):
                if page.url.partition("#")[0] == url.partition("#")[0]:
                    # Another fragment is only another view of the document that is there: nothing would be loaded.
                    await page.goto(_EMPTY, timeout=bounds.page, wait_until="commit")
                await page.goto(url, timeout=bounds.page, wait_until="load" if whole else "commit")
                followed = await follow(page, self._modules, bounds.settle, bounds.page)
                if self._patient and followed.state.get("reads"):
                    await self._unanswered.wait(lambda: self._reads(page), bounds.navigation, bounds.page)
                return await read(page, url)
        except (PlaywrightError, ToolError):
            self._failed = True
            return None

    async def _reads(self, page: Page) -> Sequence[str]:
        followed = await follow(page, self._modules, self._timeouts.settle, self._timeouts.page)
        return tuple(followed.state.get("reads", ()))

    async def _opened(self) -> Page:
        """Give the page, empty or with what was looked at last in the same stretch."""
        leaving, self._leaving = self._leaving, None
        if leaving:
            self._wanted.set()
            await leaving
        page = self._windows.beside
        if page is None or page.is_closed():
            page = await self._windows.open_beside()
            self._modules.watch(page)
        return page

    async def _leave(self) -> None:
        """Empty the page; one that cannot be emptied, or that the next document would not find as a new one, closes."""
        page, failed = self._windows.beside, self._failed
        self._shows = self._failed = False
        with suppress(TimeoutError):
            async with asyncio.timeout(_STAY_S):
                await self._wanted.wait()
        if page is None or page.is_closed():
            return
        with suppress(PlaywrightError, TimeoutError):  # the browser has gone, or the document does not answer
            async with asyncio.timeout(self._timeouts.page / 1000):
                if not failed and not await page.evaluate(_KEEPS):
                    await page.goto(_EMPTY, timeout=self._timeouts.page, wait_until="commit")
                    return
        with suppress(PlaywrightError):  # the browser has gone, and the page with it
            await page.close()
