"""Row ``effects``: a user recorded with effects observed, and the same user with an observer that looks at nothing."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from typing import Any
from unittest.mock import patch

from playwright.async_api import BrowserContext, Frame, Page

from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.stage import record, stage
from simulator.browser import executor
from simulator.browser.effects.model import NOTHING_OBSERVED, Observed
from simulator.browser.effects.observer import Observer
from simulator.browser.refusals import Refusal
from simulator.browser.sink import ActionStart


class Blind(Observer):
    """Observes nothing, and so has nothing to look for."""

    def attend(self, context: BrowserContext) -> None:
        """Listen to nothing."""

    def asking(self) -> None:  # type: ignore[override]
        """Ask nothing."""

    async def end(
        self,
        action_id: str,
        start: ActionStart,
        page: Page,
        document: str,
        *,
        given: str,
        told: Mapping[str, Any],
        followed: bool,
        met: Mapping[str, Any] | None = None,
        acted_in: Page | Frame | None = None,
        frames: Sequence[Frame] = (),
        refusals: Sequence[Refusal] = (),
    ) -> Observed:
        """Give nothing."""
        return NOTHING_OBSERVED


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row: the whole recording of a user, in turns, the bookshop reset before each."""
    async with stage() as on:
        numbers = itertools.count()

        async def recorded() -> float:
            began = time.perf_counter()
            await record(on, 1, f"recorded-{next(numbers)}.db")
            return (time.perf_counter() - began) * 1000

        async def blind() -> float:
            with patch.object(executor, "Observer", Blind):
                return await recorded()

        observing, unobserving = await interleave(rounds, recorded, blind)
    what, alternative = "recording, effects observed", "recording, nothing observed"
    return [Row("effects", what, alternative, "ms", observing, unobserving, Budget(1.10))]
