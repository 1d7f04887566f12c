"""``python -m benchmarks``: measure every row, print the table, and write it as JSON where asked."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import secrets
import sys
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console

from benchmarks import (
    clicking,
    crowd,
    exchanges,
    frugality,
    network,
    observing,
    reading,
    recording,
    replay,
    start,
    storing,
    throughput,
)
from benchmarks.measure import Row, table
from benchmarks.mutations import table as mutations


class Benchmark(NamedTuple):
    """How a row is measured."""

    measure: Callable[[int], Coroutine[Any, Any, list[Row]]]
    pairs: int = 15
    quick: int = 3
    """Pairs with ``--quick``."""


BENCHMARKS = {
    "replay": Benchmark(replay.measure),
    "recording": Benchmark(recording.measure),
    "exchanges": Benchmark(exchanges.measure),
    "crowd": Benchmark(crowd.measure, pairs=5, quick=1),
    "step": Benchmark(storing.measure, pairs=30, quick=10),
    "help": Benchmark(start.measure),
    "bookshop": Benchmark(throughput.measure),
    "network": Benchmark(network.measure),
    "click": Benchmark(clicking.measure, pairs=30),
    "reading": Benchmark(reading.measure),
    "observation": Benchmark(observing.measure, pairs=1, quick=1),
    "frugality": Benchmark(frugality.measure, pairs=1, quick=1),
}
MUTATIONS = "mutations"
"""The one row that counts and does not measure."""


def main(arguments: list[str] | None = None) -> int:
    """Measure and tell.

    Returns:
        The exit code: 0 when every budget is met and the table of the mutations holds, 1 otherwise.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = (*BENCHMARKS, MUTATIONS)
    parser.add_argument("--only", action="append", choices=names, metavar="ROW", help=", ".join(names))
    parser.add_argument("--quick", action="store_true", help="few pairs: to see that it works, not to judge by")
    parser.add_argument("--pairs", type=int, help="pairs of every row")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, every sample too")
    options = parser.parse_args(arguments)
    # A key of this run's own: measuring leaves nothing in the user's configuration.
    os.environ.setdefault("SIM_KEY", secrets.token_hex(32))
    rows: list[Row] = []
    load: dict[str, float] = {}
    asked = options.only or names
    for name in (one for one in asked if one != MUTATIONS):
        benchmark = BENCHMARKS[name]
        pairs = options.pairs or (benchmark.quick if options.quick else benchmark.pairs)
        load[name] = os.getloadavg()[0]
        print(f"{name}: {pairs} pairs, load average {load[name]:.1f}", file=sys.stderr)
        rows += asyncio.run(benchmark.measure(pairs))
    console = Console(width=None if sys.stdout.isatty() else 160)
    if rows:
        console.print(table(rows))
    cells = asyncio.run(mutations.measure()) if MUTATIONS in asked else []
    if cells:
        console.print(mutations.table(cells))
    if options.json:
        told = {
            "machine": {"cores": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()},
            "load_before": load,
            "rows": [row.as_dict() for row in rows],
            "mutations": [asdict(cell) for cell in cells],
        }
        options.json.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    return int(any(row.met is False for row in rows) or not mutations.holds(cells))


if __name__ == "__main__":
    sys.exit(main())
