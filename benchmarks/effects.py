"""Rows ``effects``: users recorded with effects observed, and the same users with an observer that looks at nothing.

One does six tasks on the bookshop, between which the run looks back. The other does one task on an office, through a
scripted model's loop.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any
from unittest.mock import patch

from playwright.async_api import BrowserContext, Frame, Page

from benchmarks.foreign import emptied, recorded, served
from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.stage import record, stage
from simulator.browser import actor as composition
from simulator.browser.action_recorder import ActionStart
from simulator.browser.effects.model import NOTHING_OBSERVED, Observed
from simulator.browser.effects.observer import Observer
from simulator.browser.views.refusals import Refusal


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
        turned: bool = False,
        met: Mapping[str, Any] | None = None,
        acted_in: Page | Frame | None = None,
        frames: Sequence[Frame] = (),
        refusals: Sequence[Refusal] = (),
    ) -> Observed:
        """Give nothing."""
        return NOTHING_OBSERVED


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: the whole recording of a user, in turns, the site emptied before each."""
    observing, unobserving = await _autopilot(rounds)
    modelled, unobserved = await _model(rounds)
    what, alternative = "recording, effects observed", "recording, nothing observed"
    return [
        Row("effects", what, alternative, "ms", observing, unobserving, Budget(1.10)),
        Row("effects model", f"{what}: a model's loop", alternative, "ms", modelled, unobserved, Budget(1.10)),
    ]


async def _autopilot(rounds: Rounds) -> list[list[float]]:
    async with stage() as on:
        numbers = itertools.count()
        return await _compared(rounds, lambda: record(on, 1, f"recorded-{next(numbers)}.db"))


async def _model(rounds: Rounds) -> list[list[float]]:
    with served("effects-") as (site, settings, folder):
        numbers = itertools.count()

        async def visit() -> None:
            emptied(site)
            await recorded(site, settings, folder / f"recorded-{next(numbers)}.db")

        return await _compared(rounds, visit)


async def _compared(rounds: Rounds, record_one: Callable[[], Awaitable[object]]) -> list[list[float]]:
    async def observing() -> float:
        began = time.perf_counter()
        await record_one()
        return (time.perf_counter() - began) * 1000

    async def blind() -> float:
        with patch.object(composition, "Observer", Blind):
            return await observing()

    return await interleave(rounds, observing, blind)
