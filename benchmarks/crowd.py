"""Rows ``crowd``: twenty users at once, replayed, against the hand-written visit in as many plain contexts.

Each side is a process tree of its own (Python, Playwright's driver, the browser), so that its memory can be told.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path

import psutil

from benchmarks.measure import Budget, Row, interleave
from benchmarks.stage import parts_of, record, shopper, stage
from simulator.browser.executable import find_executable
from simulator.recording.reader import Recording

USERS = 20
_LOOK_S = 0.25
"""How often the memory is looked at, in seconds."""


async def measure(pairs: int) -> list[Row]:
    """Measure the rows: time from the first context to the last one closed, and the highest sum of PSS seen."""
    memory: dict[str, list[float]] = {"replaying": [], "scripted": []}
    async with stage() as on:
        source = await record(on, USERS)
        users = on.folder / "users.json"
        with Recording.open(source) as recording:
            users.write_text(json.dumps([asdict(shopper(on, recording, part)) for part in parts_of(recording)]))

        async def run(side: str, *arguments: str) -> float:
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
            memory[side].append(highest)
            return float(json.loads(answer.result()[0])["seconds"])

        async def ours() -> float:
            return await run("replaying", str(source), str(on.folder / "replayed.db"))

        async def theirs() -> float:
            return await run("scripted", str(users), str(find_executable().path))

        replayed, scripted = await interleave(pairs, ours, theirs)
    what, alternative = f"{USERS} users replayed at once", f"{USERS} plain contexts, hand-written"
    return [
        Row("crowd time", what, alternative, "s", replayed, scripted, Budget(1.05)),
        Row("crowd memory", what, alternative, "MB", memory["replaying"][1:], memory["scripted"][1:], Budget(1.1)),
    ]


def memory_of(pid: int) -> float:
    """Sum the proportional set sizes of a process and all that it started, in megabytes (Linux).

    Pages that several processes share count once, divided among them: see proc_pid_smaps_rollup in proc(5).
    """
    kilobytes = 0
    try:
        root = psutil.Process(pid)
        pids = [pid, *(child.pid for child in root.children(recursive=True))]
    except psutil.NoSuchProcess:
        return 0
    for one in pids:
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended since it was listed
        kilobytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024
