"""How often a host is asked, and when it is left alone. Not responsible for: what it is asked."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from simulator.errors import ToolError

PAUSE_SECONDS = 60.0
"""How long a host is left alone that did not answer, or that refuses without saying for how long."""
MAX_PAUSE_SECONDS = 3600.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Clock:
    """The time, and how to let it pass; a test brings its own.

    Attributes:
        now: seconds, monotonic.
        wall: seconds since 1970.
        sleep: waits for some seconds.
    """

    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


@dataclass(slots=True)
class _Host:
    next_at: float = 0.0
    closed_until: float = 0.0
    reason: str = ""


class Pace:
    """Keeps requests to each host apart, and stops them for a while after a failure.

    Args:
        rate: requests a second.
        clock: the time.
    """

    def __init__(self, rate: float, clock: Clock) -> None:
        self._gap = 1 / rate
        self._clock = clock
        self._hosts: dict[str, _Host] = defaultdict(_Host)

    async def turn(self, host: str) -> None:
        """Wait until it is polite to send a request.

        Raises:
            ToolError: ``unavailable``: the host is left alone for now.
        """
        state = self._hosts[host]
        self._refuse_closed(host, state)
        now = self._clock.now()
        at = max(now, state.next_at)
        state.next_at = at + self._gap
        if at > now:
            await self._clock.sleep(at - now)
            self._refuse_closed(host, state)

    def close(self, host: str, reason: str, seconds: float = PAUSE_SECONDS) -> None:
        """Leave a host alone for some seconds."""
        state = self._hosts[host]
        state.closed_until = self._clock.now() + min(seconds, MAX_PAUSE_SECONDS)
        state.reason = reason
        _log.warning("%s %s; left alone for %.0f s", host, reason, min(seconds, MAX_PAUSE_SECONDS))

    def _refuse_closed(self, host: str, state: _Host) -> None:
        left = state.closed_until - self._clock.now()
        if left > 0:
            raise ToolError("unavailable", f"{host} {state.reason}; it is left alone for another {left:.0f} s")


def retry_after(value: str | None, clock: Clock) -> float:
    """Read a ``Retry-After`` header (RFC 9110, 10.2.3): seconds, or a date.

    Returns:
        Seconds from now; the usual pause when the header is missing or not understood.
    """
    if value is None:
        return PAUSE_SECONDS
    if value.strip().isdecimal():
        return float(value)
    try:
        return max(parsedate_to_datetime(value).timestamp() - clock.wall(), 0.0)
    except ValueError:
        return PAUSE_SECONDS
