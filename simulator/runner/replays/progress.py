"""How far each run of a replay has come, for those that wait for it. Not responsible for: performing any."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from simulator.replay.bind import shared_variables
from simulator.template import Bindings


class Progress:
    """How far each run of a replay has come."""

    def __init__(self) -> None:
        self._steps: dict[str, int] = {}
        self._ended: set[str] = set()
        self._bound: dict[str, tuple[int, Bindings]] = {}
        self._lost: dict[str, frozenset[str]] = {}
        self._waiting: set[asyncio.Event] = set()

    def begin(self, run_id: str, number: int, bindings: Bindings) -> None:
        """Tell that a run begins, as whose and with which variables."""
        self._bound[run_id] = number, bindings

    def shared_by(self, run_id: str) -> dict[str, str]:
        """Give the variables of a run's user that others may use, as they are now: what the site generated, too."""
        if run_id not in self._bound:
            return {}
        number, bindings = self._bound[run_id]
        return shared_variables(number, bindings.values(), bindings.naming)

    def lose(self, run_id: str, names: Iterable[str]) -> None:
        """Tell which variables of a run's user the recorded steps gave, and the repaired ones did not."""
        number, _ = self._bound[run_id]
        self._lost[run_id] = frozenset(f"user.{number}.{name}" for name in names)

    def lost_by(self, run_id: str) -> frozenset[str]:
        """Give those variables under the names by which others use them."""
        return self._lost.get(run_id, frozenset())

    def reached(self, run_id: str, ordinal: int) -> None:
        """Tell that a run has performed everything up to a recorded step, by its place in the first revision."""
        self._steps[run_id] = ordinal
        self._wake()

    def end(self, run_id: str, *, passed: bool = False) -> None:
        """Tell that a run does nothing more."""
        if passed:
            self._steps[run_id] = 2**31
        self._ended.add(run_id)
        self._wake()

    async def wait(self, run_id: str, ordinal: int, timeout_s: float) -> bool:
        """Wait until a run has performed a recorded step; False when it ended before, or the time is over."""
        news = asyncio.Event()
        self._waiting.add(news)
        try:
            async with asyncio.timeout(timeout_s):
                while self._steps.get(run_id, -1) < ordinal and run_id not in self._ended:
                    news.clear()
                    await news.wait()
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(news)
        return self._steps.get(run_id, -1) >= ordinal

    def _wake(self) -> None:
        for news in self._waiting:
            news.set()
