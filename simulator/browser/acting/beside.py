"""Looks at addresses beside the user's own windows, one after the other in one page of the same context.

Not responsible for: what is looked for, or what an address may be looked at for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, suppress
from typing import TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.browser.follow import follow
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.modules import Modules
from simulator.browser.windows import Windows
from simulator.errors import ToolError

_Seen = TypeVar("_Seen")


class Beside:
    """A page beside the windows; it is opened when something is looked at.

    Args:
        windows: of the user.
        timeouts: how long a page may take.
        aside: knows what is sent meanwhile as what pages send by themselves.
        stack: closes the page.
    """

    def __init__(
        self, windows: Windows, timeouts: Timeouts, aside: Callable[[], AbstractContextManager[None]],
        stack: AsyncExitStack,
    ) -> None:  # fmt: skip
        self._windows = windows
        self._timeouts = timeouts
        self._aside = aside
        self._stack = stack
        self._page: Page | None = None
        self._modules = Modules()

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
            if self._page is None:
                self._page = await self._stack.enter_async_context(self._windows.aside())
                self._modules.watch(self._page)
            with self._aside():
                await self._page.goto(url, timeout=bounds.page, wait_until="load" if whole else "commit")
                await follow(self._page, self._modules, bounds.settle, bounds.page)
                return await read(self._page, url)
        except (PlaywrightError, ToolError):
            return None


@asynccontextmanager
async def beside(
    windows: Windows, timeouts: Timeouts, aside: Callable[[], AbstractContextManager[None]]
) -> AsyncIterator[Beside]:
    """Look beside the windows of a user; what was opened for it closes again.

    Args:
        windows: of the user.
        timeouts: how long a page may take.
        aside: knows what is sent meanwhile as what pages send by themselves.
    """
    stack = AsyncExitStack()
    try:
        yield Beside(windows, timeouts, aside, stack)
    finally:
        with suppress(PlaywrightError):  # the browser has gone, and the page with it
            await stack.aclose()
