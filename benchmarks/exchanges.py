"""Rows ``exchanges``: a user recorded with the exchanges of its browser, and without them."""

from __future__ import annotations

import time
from functools import partial
from itertools import count

from benchmarks.measure import Rounds, Row, interleave
from benchmarks.stage import record, stage
from simulator.config.settings import Exchanges


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: one user in one browser, in turns, the bookshop reset before each."""
    async with stage() as on:
        settings, numbers = on.settings, count()

        async def act(level: Exchanges) -> float:
            on.resources.settings = settings.with_exchanges(level)
            name = f"recorded_{next(numbers)}.db"
            await on.resources.control.reset()
            began = time.perf_counter()
            await record(on, 1, name)
            return (time.perf_counter() - began) * 1000

        sides = (partial(act, "all"), partial(act, "documents"), partial(act, "none"))
        everything, documents, bare = await interleave(rounds, *sides)
    none = "recording, --exchanges none"
    return [
        Row("exchanges", "recording, --exchanges all", none, "ms", everything, bare),
        Row("exchanges documents", "recording, --exchanges documents", none, "ms", documents, bare),
    ]
