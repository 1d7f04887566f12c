"""Asking a batch to end early, politely. Not responsible for: signals."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class Stop:
    """A request to finish the steps in progress and to begin no other."""

    def __init__(self) -> None:
        self._requested = asyncio.Event()
        self.reason = ""
        """Why the end was first asked for; empty where a person did."""

    def request(self, reason: str = "") -> None:
        """Ask for the end."""
        if not self.requested:
            self.reason = reason
        self._requested.set()

    @contextmanager
    def after(self, minutes: float | None, said: str) -> Iterator[None]:
        """Ask for the end once this many minutes are over, with these words; None: never."""
        clock = asyncio.get_running_loop().call_later(minutes * 60, self.request, said) if minutes else None
        try:
            yield
        finally:
            if clock:
                clock.cancel()

    @property
    def requested(self) -> bool:
        """Whether the end was asked for."""
        return self._requested.is_set()

    async def wait(self) -> None:
        """Wait until the end is asked for."""
        await self._requested.wait()

    async def pause(self, seconds: float) -> None:
        """Wait for this many seconds, or until the end is asked for."""
        try:
            async with asyncio.timeout(seconds):
                await self._requested.wait()
        except TimeoutError:
            return
