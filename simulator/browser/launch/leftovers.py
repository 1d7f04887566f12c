"""Frees what documents that a user has left still take of the memory of their browser.

A renderer keeps the documents of before until its heap has grown to a size that a replay does not reach. So each user
takes the memory of twenty documents, and eight users at once that of as many more. Not responsible for: how many users
act at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as PlaywrightError

_DOCUMENTS = 4
"""After so many documents of a context its renderer is asked. More often frees little more."""


class Leftovers:
    """Has the renderer of a context collect garbage from time to time.

    Args:
        context: of the user.
        crowded: whether other users act now: one alone leaves enough memory, and does not wait for this.
    """

    def __init__(self, context: BrowserContext, crowded: Callable[[], bool]) -> None:
        self._crowded = crowded
        self._left = 0
        self._tasks: set[asyncio.Task[None]] = set()
        context.on("page", self._attend)

    def _attend(self, page: Page) -> None:
        page.on("framenavigated", self._count)

    def _count(self, frame: Frame) -> None:
        if frame.parent_frame is not None:
            return
        self._left += 1
        if self._left >= _DOCUMENTS and self._crowded():
            self._left = 0
            task = asyncio.get_running_loop().create_task(self._free(frame.page), name="collect garbage")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _free(self, page: Page) -> None:
        with suppress(PlaywrightError):  # the page has closed meanwhile, and its memory is free
            await page.request_gc()
