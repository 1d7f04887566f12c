"""The windows of one actor. Not responsible for: acting on them.

A user looks at the newest window, or at the one that was chosen last; when it closes, at the one before. Windows are
known by a number, in the order in which they were opened, from 1: the same when the same is done again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from simulator.errors import ToolError

_SCALE = 0.05
"""Of what nobody looks at, to what a person would be shown."""


class Tab(NamedTuple):
    """One window that is open."""

    number: int
    page: Page
    current: bool


class Windows:
    """The windows of a context that its user sees.

    Args:
        context: the actor's.
        page: its first window.
    """

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.stack: list[Page] = []
        """Those that are open; the user looks at the last one."""
        self.acted: Page = page
        """The one that the last action was done in; it may have closed since."""
        self.beside: Page | None = None
        """A page that is no window of the user; it may have closed since."""
        self.news = asyncio.Event()
        """Set when a window has come or gone."""
        self._context = context
        self._numbers: dict[Page, int] = {}
        self._crashed: set[Page] = set()
        self._opening_beside = False
        self._add(page)
        context.on("page", self._opened)

    @property
    def page(self) -> Page:
        """The window that the user looks at."""
        return self.stack[-1]

    @property
    def acted_in(self) -> Page:
        """The window that the last action was done in; or the one that is looked at now, where that has closed."""
        return self.page if self.acted.is_closed() else self.acted

    @property
    def lost(self) -> bool:
        """Whether the user looks at nothing any more: the window has closed, or its page has crashed."""
        return self.page.is_closed() or self.page in self._crashed

    @property
    def crashed(self) -> bool:
        """Whether the page that the user looks at has crashed."""
        return self.page in self._crashed

    def tabs(self) -> tuple[Tab, ...]:
        """Give the windows that are open, in the order in which they were opened."""
        listed = sorted(self.stack, key=self._numbers.__getitem__)
        return tuple(Tab(self._numbers[page], page, page is self.page) for page in listed)

    async def open(self) -> None:
        """Open a window and look at it."""
        self._look(await self._context.new_page())

    async def open_again(self) -> None:
        """Open a window where the user has lost the one that was looked at; a page that has crashed shows no other."""
        if not self.lost:
            return
        crashed = self.page
        await self.open()
        if not crashed.is_closed():
            await crashed.close()

    async def open_beside(self) -> Page:
        """Open a page that is none of the user's windows, in the same context."""
        self._opening_beside = True
        try:
            self.beside = await self._context.new_page()
        finally:
            self._opening_beside = False
        with suppress(PlaywrightError):  # it has closed: whoever asks it something is told
            await _draw_small(self.beside)
        return self.beside

    @asynccontextmanager
    async def instead_of(self, page: Page) -> AsyncIterator[Page]:
        """Open a window that takes the place and the number of another one, once the work with it is done.

        Where that fails the window closes again, and the other one stays as long as it is open.
        """
        another = await self._context.new_page()
        self._numbers[another] = self._numbers[page]
        try:
            yield another
        except BaseException:
            if not page.is_closed():
                await another.close()
                raise
            self._put(another, page)
            raise
        self._put(another, page)

    def _put(self, another: Page, page: Page) -> None:
        """Put a window in the place of another one."""
        rest = [one for one in self.stack if one is not another]
        self.stack = [another if one is page else one for one in rest]
        if another not in self.stack:
            self.stack.append(another)
        if self.acted in (page, another):
            self.acted = another
        self._numbers.pop(page, None)

    async def show(self, number: int) -> None:
        """Look at a window.

        Raises:
            ToolError: ``not_found``.
        """
        page = self._tab(number)
        self._look(page)
        await page.bring_to_front()

    async def close(self, number: int) -> None:
        """Close a window.

        Raises:
            ToolError: ``not_found``; or ``not_allowed``, as it is the only one.
        """
        page = self._tab(number)
        if len(self.stack) == 1:
            raise ToolError("not_allowed", f"tab {number} is the only one; open another before closing it")
        await page.close()
        self._closed(page)
        self.acted = self.page

    def _tab(self, number: int) -> Page:
        for tab in self.tabs():
            if tab.number == number:
                return tab.page
        there = ", ".join(str(tab.number) for tab in self.tabs())
        raise ToolError("not_found", f"there is no tab {number}; there are: {there}")

    def _opened(self, page: Page) -> None:
        if self._opening_beside:
            return
        self._add(page)
        self.news.set()

    def _look(self, page: Page) -> None:
        """Look at a window of the user's own choice."""
        self._add(page)
        self.bring_up(page)
        self.acted = page

    def bring_up(self, page: Page) -> None:
        """Let the user look at a window that is open."""
        self.stack = [*(one for one in self.stack if one is not page), page]

    def _add(self, page: Page) -> None:
        if page not in self._numbers:
            self._numbers[page] = len(self._numbers) + 1
            self.stack = [*(one for one in self.stack if not one.is_closed()), page]
            page.on("close", self._closed)
            page.on("crash", self._crash)

    def _closed(self, page: Page) -> None:
        if len(self.stack) > 1 and page in self.stack:
            self.stack.remove(page)
            self.news.set()

    def _crash(self, page: Page) -> None:
        self._crashed.add(page)


async def _draw_small(page: Page) -> None:
    """Draw few pixels of a page that nobody looks at, for as long as it is open.

    Its documents are laid out and run as ever, and find a window of the same size: only what is drawn of them is small.
    A look at a page of the bookshop takes a tenth less of the processor.
    """
    size = page.viewport_size
    if size is None:
        return
    session = await page.context.new_cdp_session(page)
    await session.send(
        "Emulation.setDeviceMetricsOverride",
        {
            **size,
            "screenWidth": size["width"],
            "screenHeight": size["height"],
            "deviceScaleFactor": 1,
            "mobile": False,
            "screenOrientation": {"angle": 0, "type": "landscapePrimary"},
            "scale": _SCALE,
        },
    )
