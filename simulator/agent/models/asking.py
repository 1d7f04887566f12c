"""How a model's API is asked, whoever provides it: with limited concurrency, and again where an answer broke off.

Not responsible for: any provider's client, or what its errors mean.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from simulator.errors import ModelUnavailable

MAX_TOKENS = 4096
"""Tokens of one answer."""
AT_ONCE = 8
"""Requests that one batch has under way; browsers can wait, a rate limit is shared."""
RETRIES = 4
"""Times that a client tries a request again which met a rate limit, an overload or a lost connection; it waits as the
answer's ``Retry-After`` says, else longer each time, with jitter."""
BROKEN_STREAMS = 3
"""Streams in a row that may break or make no sense; a client itself tries only what failed before its first byte."""
TIMEOUT_S = 120.0

T = TypeVar("T")


class Broken(Exception):
    """A stream that broke off, or that nobody can read."""


class Asking:
    """Lets through a limited number of a batch's requests at once.

    Args:
        at_once: how many may be under way.
    """

    def __init__(self, at_once: int) -> None:
        self._slots = asyncio.Semaphore(at_once)

    async def whole(self, stream: Callable[[], Awaitable[T]]) -> tuple[T, float]:
        """Ask until an answer comes whole.

        Args:
            stream: sends the request and takes in the answer; raises :class:`Broken` where it is not whole.

        Returns:
            The answer, and the seconds that it took.

        Raises:
            ModelUnavailable: too many answers in a row broke off.
        """
        async with self._slots:
            for last in (False,) * (BROKEN_STREAMS - 1) + (True,):
                began = time.monotonic()
                try:
                    answer = await stream()
                except Broken as broken:
                    if last:
                        raise ModelUnavailable(
                            f"{BROKEN_STREAMS} answers of the model in a row broke off or made no sense: {broken}"
                        ) from broken
                else:
                    return answer, time.monotonic() - began
        raise AssertionError("the last try returns or raises")
