"""Row ``replay``: strict replay of one user against the same visit written by hand."""

from __future__ import annotations

import time

from benchmarks.measure import Budget, Row, interleave
from benchmarks.shopper import visit
from benchmarks.stage import SEED, ignore, known, parts_of, record, shopper, stage
from simulator.browser.pool import ContextProfile
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.runner.replay_run import Progress, RunReplayer
from simulator.runner.stop import Stop


async def measure(pairs: int) -> list[Row]:
    """Measure the row: in one browser, in turns, the bookshop reset before each."""
    async with stage() as on:
        source = await record(on, 1)
        reset = on.resources.control.reset
        async with on.resources.pool.context(ContextProfile()) as context:
            browser = context.browser
        assert browser is not None
        with (
            Recording.open(source) as recording,
            Recorder.open(on.folder / "replays.db", mask=on.resources.vaults.mask) as recorder,
        ):
            parts = parts_of(recording)
            who = shopper(on, recording, parts[0])

            async def ours() -> float:
                await reset()
                batch = recorder.begin_batch(argv=(), seed=SEED, settings={}, kind="replay")
                replayer = RunReplayer(
                    batch_id=batch,
                    seed=SEED,
                    policy="same",
                    recording=recording,
                    recorder=recorder,
                    resources=on.resources,
                    progress=Progress(),
                    others=known(parts),
                    listener=ignore,
                    stop=Stop(),
                    screenshots="failures",
                )
                began = time.perf_counter()
                run = await replayer.replay(parts[0])
                taken = time.perf_counter() - began
                if run.verdict != "passed":
                    raise RuntimeError(f"the replay drifted: {run.drift.sentence if run.drift else run.verdict}")
                return taken * 1000

            async def theirs() -> float:
                await reset()
                began = time.perf_counter()
                await visit(browser, on.site.base_url, who)
                return (time.perf_counter() - began) * 1000

            replayed, scripted = await interleave(pairs, ours, theirs)
    return [Row("replay", "strict replay, recorded", "hand-written Playwright", "ms", replayed, scripted, Budget(1.05))]
