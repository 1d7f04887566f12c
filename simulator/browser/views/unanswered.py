"""Waits for what a document has asked for and not got yet. Not responsible for: what it shows by then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from simulator.browser.effects.met import bare
from simulator.browser.timeouts import Timeouts

_LOOKING_S = 0.1


class Unanswered:
    """Waits as long as a page may take to load, which grows with the users who act at once.

    A document that settles is not asked about requests that take longer than its opening: one of them may be held open
    for news. Whoever is about to say that something is not there waits for them once. Where one is not answered by
    then, it is held open: that address is waited for no more. The cost is that wait, once for such an address.

    Args:
        timeouts: how long a page may take.
    """

    def __init__(self, timeouts: Timeouts) -> None:
        self._timeouts = timeouts
        self._held: set[str] = set()

    async def wait(self, url: str, reads: Callable[[], Awaitable[bool]]) -> None:
        """Wait until a document has what it asked for.

        Args:
            url: its address.
            reads: follows the document once more, and returns whether it still waits for something.
        """
        deadline = time.monotonic() + self._timeouts.page / 1000
        while bare(url) not in self._held and await reads():
            if time.monotonic() > deadline:
                self._held.add(bare(url))
            await asyncio.sleep(_LOOKING_S)
