"""Waits for what a document has asked for and not got yet. Not responsible for: what it shows by then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from simulator.browser.timeouts import Timeouts

_LOOKING_S = 0.1


class Unanswered:
    """Waits until a document has what it asked for.

    A document that settles is not asked about requests that take longer than its opening: one of them may be held open
    for news. Whoever is about to say that something is not there waits for them once, and so does who is about to put
    something in. What is not answered by then is held open: it is not waited for so long again, by any user. The cost
    is that wait, once for each such request.

    Args:
        timeouts: how long a page may take.
    """

    def __init__(self, timeouts: Timeouts) -> None:
        self._timeouts = timeouts

    async def wait(self, reads: Callable[[], Awaitable[Sequence[str]]], alone: float, most: float) -> None:
        """Wait until it has all that is not held open.

        Args:
            reads: follows the document once more, and gives what it still waits for, as shapes of requests.
            alone: how long that may take where a user is alone, in milliseconds.
            most: how long it may take whoever else acts, in milliseconds.
        """
        held = self._timeouts.crowd.held
        deadline = time.monotonic() + min(self._timeouts.shared(alone), most) / 1000
        while missing := [one for one in await reads() if held.get(one, 0.0) < alone]:
            if time.monotonic() > deadline:
                held.update(dict.fromkeys(missing, alone))
            await asyncio.sleep(_LOOKING_S)
