"""Row ``cluster``: fresh users of one recording on two workers of a Dask cluster, against one process.

As many users act at once on both sides. Scheduler and workers are processes of their own, on this machine, and are
started before the time runs, as those of a team are. Where the extra ``cluster`` is not installed there is no row.
"""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import STDOUT
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Rounds, Row, interleave
from benchmarks.seeding import run_side
from benchmarks.stage import record, stage

USERS = 40
WORKERS = 2
AT_ONCE = 4
"""Users who act at once on each worker."""
_FEW = 4
"""Users of a quick round."""
_PATIENCE_S = 60
_LOOK_S = 0.1
_ADDRESS = re.compile(r"Scheduler at:\s+(tcp://\S+)")
_REGISTERED = re.compile(r"Registered to:\s+(tcp://\S+)")


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row."""
    if find_spec("distributed") is None:
        print("cluster: left out, as the extra 'cluster' is not installed", file=sys.stderr)
        return []
    count, at_once = _FEW if rounds.quick else USERS, WORKERS * AT_ONCE
    async with stage() as on, _cluster(on.folder) as scheduler:
        source = await record(on, 1)
        number = iter(range(1_000_000))

        async def seed(*more: str) -> float:
            landed = str(on.folder / f"clustered{next(number)}.db")
            return (await run_side(on, "seeding_side", str(source), landed, str(count), str(at_once), *more)).seconds

        async def spread() -> float:
            return await seed(scheduler)

        ours, theirs = await interleave(rounds, spread, seed)
    what = f"{count} fresh users on {WORKERS} workers of a cluster, {at_once} at once"
    return [Row("cluster", what, f"the same in one process, {at_once} at once", "s", ours, theirs)]


@asynccontextmanager
async def _cluster(folder: Path) -> AsyncIterator[str]:
    """Start a scheduler and its workers; gives its address."""
    async with AsyncExitStack() as stack:
        said = await stack.enter_async_context(_process(folder / "scheduler", "--host", "127.0.0.1", "--port", "0"))
        address = await _after(said, _ADDRESS)
        for number in range(WORKERS):
            home = folder / f"worker{number}"
            how = ("--nthreads", str(AT_ONCE), "--no-nanny", "--local-directory", str(home / "local"))
            await _after(await stack.enter_async_context(_process(home, address, *how)), _REGISTERED)
        yield address


@asynccontextmanager
async def _process(home: Path, *arguments: str) -> AsyncIterator[Path]:
    """Start a scheduler, or a worker, in a folder of its own; gives the file of what it says."""
    home.mkdir()
    module = "distributed.cli.dask_worker" if arguments[0].startswith("tcp:") else "distributed.cli.dask_scheduler"
    said = home / "said.txt"
    with said.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", module, *arguments, "--no-dashboard", stdout=file, stderr=STDOUT, cwd=home
        )
    try:
        yield said
    finally:
        process.terminate()
        await process.wait()


async def _after(said: Path, wanted: re.Pattern[str]) -> str:
    """Wait until a process has said something, and give the address that is in it."""
    async with asyncio.timeout(_PATIENCE_S):
        while not (found := wanted.search(said.read_text("utf-8"))):
            await asyncio.sleep(_LOOK_S)
    return found[1]
