"""How far each run of a replay has come, for those that wait for it. Not responsible for: performing any."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from simulator.bindings import Bindings
from simulator.replay.bind import PartKey, shared_variables


class Progress:
    """How far each run of a replay has come."""

    def __init__(self) -> None:
        self._steps: dict[PartKey, int] = {}
        self._ended: set[PartKey] = set()
        self._bound: dict[PartKey, tuple[int, Bindings]] = {}
        self._lost: dict[PartKey, frozenset[str]] = {}
        self._waiting: set[asyncio.Event] = set()

    def begin(self, part: PartKey, number: int, bindings: Bindings) -> None:
        """Note that a run begins.

        Args:
            part: the run, and the copy of its cast.
            number: of its user, as the others of the cast know it.
            bindings: its variables.
        """
        self._bound[part] = number, bindings

    def shared_by(self, part: PartKey) -> dict[str, str]:
        """Give the variables of a run's user that others may use, as they are now: what the site generated, too."""
        if part not in self._bound:
            return {}
        number, bindings = self._bound[part]
        return shared_variables(number, bindings.values(), bindings.naming)

    def lose(self, part: PartKey, names: Iterable[str]) -> None:
        """Note which variables of a run's user the recorded steps gave, and the repaired ones did not."""
        number, _ = self._bound[part]
        self._lost[part] = frozenset(f"user.{number}.{name}" for name in names)

    def lost_by(self, part: PartKey) -> frozenset[str]:
        """Give those variables under the names by which others use them."""
        return self._lost.get(part, frozenset())

    def reached(self, part: PartKey, ordinal: int) -> None:
        """Note that a run has performed everything up to a recorded step, by its place in the first revision."""
        self._steps[part] = ordinal
        self._wake()

    def end(self, part: PartKey, *, passed: bool = False) -> None:
        """Note that a run does nothing more."""
        if passed:
            self._steps[part] = 2**31
        self._ended.add(part)
        self._wake()

    async def wait(self, part: PartKey, ordinal: int, timeout_s: float) -> bool:
        """Wait until a run has performed a recorded step; False when it ended before, or the time is over."""
        news = asyncio.Event()
        self._waiting.add(news)
        try:
            async with asyncio.timeout(timeout_s):
                while self._steps.get(part, -1) < ordinal and part not in self._ended:
                    news.clear()
                    await news.wait()
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(news)
        return self._steps.get(part, -1) >= ordinal

    def forget(self, parts: Iterable[PartKey]) -> None:
        """Let go of the variables of users for whom nobody waits any more."""
        for part in parts:
            self._bound.pop(part, None)
            self._lost.pop(part, None)

    def _wake(self) -> None:
        for news in self._waiting:
            news.set()
