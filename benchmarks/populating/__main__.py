"""``python -m benchmarks.populating``: goes the whole way on applications that nobody here tuned anything for.

It exits with 1 where anything is not as planned.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.populating.journeys import JOURNEYS
from benchmarks.populating.way import Result, Way

MANY = 8
"""Users who are made at once where no number is asked for."""


def main(arguments: list[str] | None = None) -> int:
    """Go the way on each application, and tell.

    Returns:
        The exit code.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.populating", description=__doc__)
    parser.add_argument("--site", action="append", choices=[*JOURNEYS], help="one of them; may be repeated")
    parser.add_argument("--many", type=int, default=MANY, help="users who are made by `sim seed`")
    parser.add_argument("--keep", type=Path, help="keep the files of each application in this folder")
    parser.add_argument("--json", type=Path, help="write the results there")
    options = parser.parse_args(arguments)
    results = []
    for name in options.site or JOURNEYS:
        with TemporaryDirectory(prefix=f"{name}-", ignore_cleanup_errors=True) as temporary:
            folder = (options.keep / name) if options.keep else Path(temporary) / "project"
            folder.mkdir(parents=True)
            results.append(_gone(name, Path(temporary) / "site", folder, options.many))
    Console(width=None if sys.stdout.isatty() else 160).print(_table(results))
    if options.json:
        options.json.write_text(json.dumps([one.as_dict() for one in results], indent=1, ensure_ascii=False), "utf-8")
    failures = [f"{one.name}: {failure}" for one in results for failure in one.failures]
    for failure in failures:
        print(failure, file=sys.stderr)
    return int(bool(failures))


def _gone(name: str, site: Path, folder: Path, many: int) -> Result:
    journey = JOURNEYS[name]
    site.mkdir()
    with journey.served(site) as served:
        return Way(journey, served, folder, lambda said: print(f"{name}: {said}", file=sys.stderr)).go(many)


def _table(results: list[Result]) -> Table:
    table = Table("application", "kind", "lines edited", "values astray", "step", "things", "writes proven")
    for one in results:
        head = [f"{one.name} {one.version}", one.kind, str(one.edited), str(one.wrong_fields)]
        for step, counts in one.counts.items():
            told = f"{sum(counts.values())} of {len(counts)} users"
            table.add_row(*head, step, told, one.proven.get(step, ""))
            head = [""] * 4
    return table


if __name__ == "__main__":
    sys.exit(main())
