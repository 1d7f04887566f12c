"""Moving in a window's history: back, forward, and the same page again.

Not responsible for: following the page that this leads to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Literal, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.errors import ToolError

_Answer = TypeVar("_Answer")
_BETWEEN = "Not attached to an active page"
"""What the browser answers while one process hands the window over to another: nothing has been done then."""
_LOOKING = 0.05
"""Seconds between looks whether it has been handed over."""
_BEFORE_ALL = "about:blank"
"""What a window shows before its first page, which no user goes back to."""


async def move_in_history(page: Page, way: Literal["back", "forward"], timeout_ms: float) -> None:
    """Go one page back or forward; where there is none the page stays as it is, with all that was entered in it.

    Args:
        page: of the window.
        way: which way.
        timeout_ms: until the page's first answer.

    Raises:
        PlaywrightError: it could not be done.
        ToolError: ``navigation``; there is no such page.
    """
    deadline = time.monotonic() + timeout_ms / 1000
    there = await _once_attached(lambda: _neighbour(page, 1 if way == "forward" else -1), deadline)
    if there in ("", _BEFORE_ALL):
        raise ToolError("navigation", f"there is no page to go {way} to")
    move = page.go_forward if way == "forward" else page.go_back
    await _once_attached(lambda: move(wait_until="commit", timeout=timeout_ms), deadline)


async def load_again(page: Page, timeout_ms: float) -> None:
    """Load the page that is shown once more.

    Args:
        page: of the window.
        timeout_ms: until its first answer.

    Raises:
        PlaywrightError: it could not be done.
    """
    deadline = time.monotonic() + timeout_ms / 1000
    await _once_attached(lambda: page.reload(wait_until="commit", timeout=timeout_ms), deadline)


async def _neighbour(page: Page, by: int) -> str:
    """Give the address of a page in the window's history, counted from the one that is shown; empty for none."""
    session = await page.context.new_cdp_session(page)
    try:
        history = await session.send("Page.getNavigationHistory")
    finally:
        await session.detach()
    place = history["currentIndex"] + by
    return str(history["entries"][place]["url"]) if 0 <= place < len(history["entries"]) else ""


async def _once_attached(ask: Callable[[], Awaitable[_Answer]], deadline: float) -> _Answer:
    while True:
        try:
            return await ask()
        except PlaywrightError as error:
            if _BETWEEN not in error.message or time.monotonic() > deadline:
                raise
            await asyncio.sleep(_LOOKING)
