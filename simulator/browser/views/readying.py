"""Has Playwright set itself up in a new document while the document is still being followed.

Before its first locator Playwright puts a script of its own into a world beside the page's. On two cores that takes
17 ms for each document; begun when the document before has gone, it is done while the new one still loads. It costs one
question to the browser. Not responsible for: anything that is found.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

_ANY = "css=:root"


class Readying:
    """Readies the documents of one user, one after the other; nobody waits for it, or asks what came of it."""

    def __init__(self) -> None:
        self._task: asyncio.Task[None] | None = None

    def begin(self, page: Page) -> None:
        """Begin with the document that a page shows, unless one is being readied."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(_ready(page), name="ready a document")


async def _ready(page: Page) -> None:
    with suppress(PlaywrightError):  # the document has gone, or its page: the next one is readied again
        await page.locator(_ANY).count()
