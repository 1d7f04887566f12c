"""Rows ``replay``: strict replay of one user against the same visit written by hand."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.processes import cpu_of
from benchmarks.shopper import visit
from benchmarks.stage import SEED, ignore, parts_of, record, shopper, stage
from simulator.browser.launch.pool import ContextProfile
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.runner.batch_session import BatchSession
from simulator.runner.replays.population import RecordedPopulation
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.replay_run import RunReplayer
from simulator.runner.stop import Stop

T = TypeVar("T")


class Cost(NamedTuple):
    """What one visit takes, from before its context is opened until after it is closed."""

    ms: float
    cpu_ms: float


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: in one browser, in turns, the bookshop reset before each."""
    async with stage() as on:
        source = await record(on, 1)
        reset = on.resources.control.reset
        async with on.resources.pool.context(ContextProfile()) as context:
            browser = context.browser
        assert browser is not None
        with (
            Recording.open(source) as recording,
            Recorder.open(on.folder / "replays.db", mask=on.resources.vaults.mask_all) as recorder,
        ):
            parts = parts_of(recording)
            who = shopper(on, recording, parts[0])

            async def ours() -> Cost:
                await reset()
                batch = BatchSession(
                    recorder=recorder,
                    listener=ignore,
                    stop=Stop(),
                    sites=[on.resources],
                    batch_id=recorder.begin_batch(argv=(), seed=SEED, settings={}, kind="replay"),
                    seed=SEED,
                )
                replayer = RunReplayer(
                    batch=batch,
                    policy="same",
                    recording=recording,
                    resources=on.resources,
                    progress=Progress(),
                    others=RecordedPopulation(parts, "same").others,
                    screenshots="failures",
                )
                run, cost = await _cost(lambda: replayer.replay(parts[0]))
                if run.verdict != "passed":
                    raise RuntimeError(f"the replay drifted: {run.drift.sentence if run.drift else run.verdict}")
                return cost

            async def theirs() -> Cost:
                await reset()
                return (await _cost(lambda: visit(browser, on.site.base_url, who)))[1]

            replayed, scripted = await interleave(rounds, ours, theirs)
    what, alternative = "strict replay, recorded", "hand-written Playwright"
    wall = [cost.ms for cost in replayed], [cost.ms for cost in scripted]
    cpu = [cost.cpu_ms for cost in replayed], [cost.cpu_ms for cost in scripted]
    return [
        Row("replay", what, alternative, "ms", *wall, Budget(1.05)),
        Row("replay CPU", f"{what}: all processes", f"{alternative}: all processes", "ms", *cpu),
    ]


async def _cost(visit: Callable[[], Awaitable[T]]) -> tuple[T, Cost]:
    used, began = cpu_of(os.getpid()), time.perf_counter()
    result = await visit()
    taken = time.perf_counter() - began
    return result, Cost(taken * 1000, cpu_of(os.getpid()) - used)
