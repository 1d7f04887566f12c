"""``python -m benchmarks``: measure every row, print the table, and write it as JSON where asked."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import secrets
import sys
import traceback
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from benchmarks import (
    clicking,
    cluster,
    crowd,
    effects,
    exchanges,
    foreign,
    frugality,
    network,
    observing,
    reading,
    recording,
    replay,
    seeding,
    start,
    storing,
    throughput,
)
from benchmarks.measure import Rounds, Row, table
from benchmarks.mutations import table as mutations
from benchmarks.mutations.bench import Cell


class Benchmark(NamedTuple):
    """How a row is measured."""

    measure: Callable[[Rounds], Coroutine[Any, Any, list[Row]]]
    pairs: int = 15


BENCHMARKS = {
    "replay": Benchmark(replay.measure),
    "foreign": Benchmark(foreign.measure),
    "recording": Benchmark(recording.measure),
    "effects": Benchmark(effects.measure),
    "exchanges": Benchmark(exchanges.measure),
    "crowd": Benchmark(crowd.measure, pairs=5),
    "seeding": Benchmark(seeding.measure, pairs=3),
    "cluster": Benchmark(cluster.measure, pairs=3),
    "step": Benchmark(storing.measure, pairs=30),
    "help": Benchmark(start.measure),
    "bookshop": Benchmark(throughput.measure),
    "network": Benchmark(network.measure),
    "click": Benchmark(clicking.measure, pairs=30),
    "reading": Benchmark(reading.measure),
    "observation": Benchmark(observing.measure, pairs=1),
    "frugality": Benchmark(frugality.measure, pairs=1),
}
MUTATIONS = "mutations"
"""The one row that counts and does not measure."""
_QUICK_S = 300
"""Seconds after which a quick round of a row is given up, so that a row that hangs holds up no other."""


def main(arguments: list[str] | None = None) -> int:
    """Measure and tell.

    A row that cannot be measured is told on standard error, and the others are measured all the same.

    Returns:
        The exit code: 0 when every row was measured, every budget is met and the table of the mutations holds, 1
        otherwise; a quick round judges no budget.
    """
    options = _parser().parse_args(arguments)
    # A key of this run's own: measuring leaves nothing in the user's configuration.
    os.environ.setdefault("SIM_KEY", secrets.token_hex(32))
    # Programs that are installed are compiled once. Where nothing may be kept, ours would be compiled at each start,
    # and what theirs imports never.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    rows: list[Row] = []
    cells: list[Cell] = []
    load: dict[str, float] = {}
    failed: dict[str, str] = {}
    for name in options.only or (BENCHMARKS if options.quick else (*BENCHMARKS, MUTATIONS)):
        load[name] = os.getloadavg()[0]
        try:
            if name == MUTATIONS:
                cells = asyncio.run(mutations.measure())
                continue
            rounds = Rounds(options.pairs or (1 if options.quick else BENCHMARKS[name].pairs), options.quick)
            print(f"{name}: pairs {rounds.pairs}, load average {load[name]:.1f}", file=sys.stderr)
            rows += asyncio.run(_measured(BENCHMARKS[name], rounds))
        except Exception as error:
            traceback.print_exc()
            failed[name] = f"{type(error).__name__}: {error}"
    console = Console(width=None if sys.stdout.isatty() else 160)
    if rows:
        console.print(table(rows))
    if cells:
        console.print(mutations.table(cells))
    for name, reason in failed.items():
        print(f"{name} could not be measured: {reason}", file=sys.stderr)
    if options.json:
        told = {
            "machine": {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()},
            "load_before": load,
            "rows": [row.as_dict() for row in rows],
            "failed": failed,
            "mutations": [asdict(cell) for cell in cells],
        }
        options.json.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    missed = not options.quick and any(row.met is False for row in rows)
    return int(bool(failed) or missed or not mutations.holds(cells))


async def _measured(benchmark: Benchmark, rounds: Rounds) -> list[Row]:
    async with asyncio.timeout(_QUICK_S if rounds.quick else None):
        return await benchmark.measure(rounds)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = (*BENCHMARKS, MUTATIONS)
    parser.add_argument("--only", action="append", choices=names, metavar="ROW", help=", ".join(names))
    parser.add_argument(
        "--quick",
        action="store_true",
        help="a short round of every row but the last: whether it works; no budget counts",
    )
    parser.add_argument("--pairs", type=int, help="pairs of every row")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, every sample too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
