"""Row ``help``: how long a person waits for ``sim --help``, the start of Python included."""

from __future__ import annotations

import asyncio
import sys
import sysconfig
import time
from functools import partial
from pathlib import Path

from benchmarks.measure import Budget, Rounds, Row, interleave


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row: whole processes."""
    sim = Path(sysconfig.get_path("scripts")) / "sim"
    shown, imported = await interleave(
        rounds,
        partial(_run, str(sim), "--help"),
        partial(_run, sys.executable, "-c", "import typer"),
    )
    return [Row("help", "sim --help", 'python -c "import typer"', "s", shown, imported, Budget(0.25, of="ours"))]


async def _run(*command: str) -> float:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    if await process.wait():
        raise RuntimeError(f"{' '.join(command)} exited with {process.returncode}")
    return time.perf_counter() - began
