"""``python -m benchmarks.seeding_side URL SOURCE DB USERS [AT_ONCE [SCHEDULER]]``: seed fresh users, timed."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from functools import partial
from pathlib import Path

from benchmarks.stage import configured
from simulator.runner.cluster.spreading import open_spread
from simulator.runner.events import BatchStarted, Event, RunEnded
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.stop import Stop

AT_ONCE = 8
"""Users who act at once."""
SEED_OF_FRESH = "fresh"


async def main(
    base_url: str, source: str, db: str, count: str, at_once: str = str(AT_ONCE), scheduler: str = ""
) -> None:
    """Seed, and print how long it took, from the first context to the last one closed.

    Raises:
        RuntimeError: a user drifted.
    """
    times: list[float] = []

    def listen(event: Event) -> None:
        if isinstance(event, BatchStarted | RunEnded):
            times.append(time.perf_counter())

    options = ReplayOptions(
        settings=configured(),
        base_url=base_url,
        source=Path(source),
        target="last",
        identity="fresh",
        seed=SEED_OF_FRESH,
        fan_out=FanOut(count=int(count), keep_words=True),
        concurrency=int(at_once),
        screenshots="none",
        db=Path(db),
        elsewhere=partial(open_spread, scheduler) if scheduler else None,
    )
    result = await replay(options, listen, Stop())
    for run in result.runs:
        if run.drift:
            raise RuntimeError(f"user {run.number} drifted: {run.drift.sentence}")
    print(json.dumps({"seconds": times[-1] - times[0]}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
