"""Rows ``seeding``: two hundred fresh users of one recording, against the same visits written by hand.

Both sides act with as many contexts at once, each in a process tree of its own. The values of the hand-written side are
those that our users were drawn with. ``seeding growth`` compares the memory at the last users with that at the first
ones, of one long seeding. Not responsible for: what a user does.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.processes import memory_of
from benchmarks.seeding_side import AT_ONCE, SEED_OF_FRESH
from benchmarks.shopper import Shopper
from benchmarks.stage import Stage, record, shopper, stage
from simulator.browser.launch.executable import find_executable
from simulator.demo.forms import GENRES
from simulator.recording.reader import Recording
from simulator.replay.bind import bind_identity
from simulator.replay.plan import plan_run

USERS = 200
LONG = 1_000
"""Users of the long seeding."""
_EARLY = 100
"""About that user the memory is taken that the last users' is compared with."""
_FEW = 4
"""Users of a quick round; both seedings are as short."""
_LOOK_S = 0.5


class Cost(NamedTuple):
    """What a crowd takes."""

    seconds: float
    megabytes: float


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows."""
    count, long = (_FEW, 2 * _FEW) if rounds.quick else (USERS, LONG)
    async with stage() as on:
        source = await record(on, 1)
        users = on.folder / "users.json"
        await run_side(on, "seeding_side", str(source), str(on.folder / "first.db"), str(count))
        users.write_text(json.dumps(_drawn(on, on.folder / "first.db")))
        number = iter(range(1_000_000))

        async def ours() -> Cost:
            landed = on.folder / f"seeded{next(number)}.db"
            return await run_side(on, "seeding_side", str(source), str(landed), str(count))

        async def theirs() -> Cost:
            return await run_side(on, "scripted", str(users), str(find_executable().path), str(AT_ONCE))

        seeded, scripted = await interleave(rounds, ours, theirs)
        early, late = await _growth(on, source, long, min(_EARLY, long // 2))
    what = f"{count} fresh users of one recording, {AT_ONCE} at once"
    alternative = f"{AT_ONCE} plain contexts at once, hand-written"
    seconds = [cost.seconds for cost in seeded], [cost.seconds for cost in scripted]
    megabytes = [cost.megabytes for cost in seeded], [cost.megabytes for cost in scripted]
    rates = [60 * count / one for one in seconds[0]], [60 * count / one for one in seconds[1]]
    grown = f"memory at user {long} of {long}"
    return [
        Row("seeding time", what, alternative, "s", *seconds, Budget(1.15)),
        Row("seeding rate", what, alternative, "users/min", *rates),
        Row("seeding memory", what, alternative, "MB", *megabytes, Budget(1.1)),
        Row("seeding growth", grown, f"at user {min(_EARLY, long // 2)}", "MB", [late], [early], Budget(1.1)),
    ]


def _drawn(on: Stage, seeded: Path) -> list[dict[str, object]]:
    """Give what the users of a seeding did, for the hand-written script."""
    with Recording.open(seeded) as recording:
        parts = [
            bind_identity(plan_run(recording, run), "same", SEED_OF_FRESH) for run in recording.runs(kind="replay")
        ]
        return [asdict(_worded(shopper(on, recording, part))) for part in parts]


def _worded(who: Shopper) -> Shopper:
    """Give a user with genres as the site words them: a replay keeps the values of the options that were chosen."""
    return replace(who, books=tuple(replace(book, genre=GENRES.get(book.genre, book.genre)) for book in who.books))


async def run_side(
    on: Stage, side: str, *arguments: str, look: Callable[[float], Awaitable[None]] | None = None
) -> Cost:
    """Run a side once on the site as it was at first; gives its time, and the highest memory seen."""
    await on.resources.control.reset()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"benchmarks.{side}", on.site.base_url, *arguments, stdout=asyncio.subprocess.PIPE
    )
    answer = asyncio.create_task(process.communicate())
    highest = 0.0
    while not answer.done():
        now = memory_of(process.pid)
        highest = max(highest, now)
        if look is not None:
            await look(now)
        await asyncio.wait([answer], timeout=_LOOK_S)
    if process.returncode:
        raise RuntimeError(f"benchmarks.{side} exited with {process.returncode}")
    return Cost(json.loads(answer.result()[0])["seconds"], highest)


async def _growth(on: Stage, source: Path, count: int, early: int) -> tuple[float, float]:
    """Seed many users; gives the middle memory about an early user, and about the last ones, in megabytes."""
    landed, spread = on.folder / "long.db", max(1, count // 20)
    samples: list[tuple[int, float]] = []

    async def look(megabytes: float) -> None:
        if landed.exists():
            with Recording.open(landed) as recording:
                samples.append((sum(run.status == "passed" for run in recording.runs()), megabytes))

    await run_side(on, "seeding_side", str(source), str(landed), str(count), look=look)

    def about(number: int) -> float:
        near = [megabytes for done, megabytes in samples if abs(done - number) <= spread and done]
        return median(near or [max(megabytes for _, megabytes in samples)])

    return about(early), about(count - spread)
