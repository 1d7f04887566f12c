"""``python -m benchmarks.replaying URL SOURCE DB``: replay every recorded user at once, timed."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from benchmarks.stage import configured
from simulator.runner.events import BatchStarted, Event, RunEnded
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop


async def main(base_url: str, source: str, db: str) -> None:
    """Replay, and print how long it took, from the first context to the last one closed.

    Raises:
        RuntimeError: a run drifted.
    """
    times: list[float] = []

    def listen(event: Event) -> None:
        if isinstance(event, BatchStarted | RunEnded):
            times.append(time.perf_counter())

    options = ReplayOptions(
        settings=configured(), base_url=base_url, source=Path(source), target="last", concurrency=1_000, db=Path(db)
    )
    result = await replay(options, listen, Stop())
    for run in result.runs:
        if run.drift:
            raise RuntimeError(f"user {run.number} drifted: {run.drift.sentence}")
    print(json.dumps({"seconds": times[-1] - times[0]}))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
