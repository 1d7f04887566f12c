"""Rows ``crowd``: twenty users at once, replayed, against the hand-written visit in as many plain contexts.

Each side is a process tree of its own (Python, Playwright's driver, the browser), so that its memory can be told.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from typing import NamedTuple

from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.processes import memory_of
from benchmarks.stage import parts_of, record, shopper, stage
from simulator.browser.launch.executable import find_executable
from simulator.recording.reader import Recording

USERS = 20
_FEW = 3
"""Users of a quick round."""
_LOOK_S = 0.25
"""How often the memory is looked at, in seconds."""


class Cost(NamedTuple):
    """What twenty users at once take."""

    seconds: float
    megabytes: float


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: time from the first context to the last one closed, and the highest sum of PSS seen."""
    count = _FEW if rounds.quick else USERS
    async with stage() as on:
        source = await record(on, count)
        users = on.folder / "users.json"
        with Recording.open(source) as recording:
            users.write_text(json.dumps([asdict(shopper(on, recording, part)) for part in parts_of(recording)]))

        async def run(side: str, *arguments: str) -> Cost:
            await on.resources.control.reset()
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", f"benchmarks.{side}", on.site.base_url, *arguments, stdout=asyncio.subprocess.PIPE
            )
            answer = asyncio.create_task(process.communicate())
            highest = 0.0
            while not answer.done():
                highest = max(highest, memory_of(process.pid))
                await asyncio.wait([answer], timeout=_LOOK_S)
            if process.returncode:
                raise RuntimeError(f"benchmarks.{side} exited with {process.returncode}")
            return Cost(json.loads(answer.result()[0])["seconds"], highest)

        async def ours() -> Cost:
            return await run("replaying", str(source), str(on.folder / "replayed.db"))

        async def theirs() -> Cost:
            return await run("scripted", str(users), str(find_executable().path))

        replayed, scripted = await interleave(rounds, ours, theirs)
    what, alternative = f"{count} users replayed at once", f"{count} plain contexts, hand-written"
    seconds = [cost.seconds for cost in replayed], [cost.seconds for cost in scripted]
    megabytes = [cost.megabytes for cost in replayed], [cost.megabytes for cost in scripted]
    return [
        Row("crowd time", what, alternative, "s", *seconds, Budget(1.05)),
        Row("crowd memory", what, alternative, "MB", *megabytes, Budget(1.1)),
    ]
