"""``python -m benchmarks.judging honest|lies|mutations``: replays on sites as they are, lying, or changed, as tables.

It exits with 1 where a replay wrote what no honest one writes, where it passed while the site held something else and
nobody had lied, where it called proven what the site had lied about, where it passed though pages that it knows show
the lie, where it passed and said nothing of a write that was lied about, or where an honest one did not pass.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.honest import bench as repeating
from benchmarks.lies import bench as lying
from benchmarks.lies.generate import KINDS as KINDS_OF_LIES
from benchmarks.lies.generate import Lie, lies
from benchmarks.mutations.generated import bench as mutating
from benchmarks.mutations.generated.catalogue import KINDS
from benchmarks.mutations.generated.draw import combination
from benchmarks.sites.known import KNOWN, site_of
from benchmarks.sites.stand import Mode, Stand, stand

MODES: tuple[Mode, ...] = ("strict", "heal")
WHOLE = 3 * len(KINDS)
"""Seeds where none are asked for: each kind comes first three times."""
REPEATED = 10
"""Honest replays of each identity policy where none are asked for."""


def main(arguments: list[str] | None = None) -> int:
    """Judge, and tell.

    Returns:
        The exit code.
    """
    options = _parser().parse_args(arguments)
    # Passwords are the same each time, and nobody's.
    os.environ["SIM_KEY"] = "the key of the sites where replays are judged"
    when = _when()
    changed: list[mutating.Cell] = []
    lied: list[lying.Cell] = []
    honest: list[repeating.Cell] = []
    for name in options.site or KNOWN:
        with TemporaryDirectory(prefix=f"{name}-", ignore_cleanup_errors=True) as folder, ExitStack() as stack:
            made = opened(name, Path(folder), stack)
            if options.what == "lies":
                of_these = [lie for lie in lies(made.writes) if lie.kind in (options.kind or KINDS_OF_LIES)]
                wanted = [lie for lie in of_these if options.lie is None or options.lie.search(str(lie))]
                for told in _lies(made, wanted, options.sample or 10**6, options.seed):
                    lied.append(told)
                    _keep(options.json, when, [one.as_dict() for one in lied])
            elif options.what == "honest":
                if options.prove and (why_not := asyncio.run(made.prove(is_left=site_of(name).is_left))):
                    print(f"{name}: could not be proven: {why_not}", file=sys.stderr)
                policies = options.identity or repeating.POLICIES
                for repeated in _repeated(made, policies, options.sample or REPEATED, is_left=site_of(name).is_left):
                    honest.append(repeated)
                    _keep(options.json, when, [one.as_dict() for one in honest])
            else:
                seeds = range(options.seed, options.seed + (options.sample or WHOLE))
                for replayed in _mutations(made, seeds, options.mode or MODES):
                    changed.append(replayed)
                    _keep(options.json, when, [one.as_dict() for one in changed])
    console = Console(width=None if sys.stdout.isatty() else 200)
    tables: Mapping[str, Callable[[], tuple[Table, ...]]] = {
        "lies": lambda: (lying.table(lied), lying.sums(lied)),
        "honest": lambda: (repeating.table(honest),),
        "mutations": lambda: (mutating.table(changed),),
    }
    for table in tables[options.what]():
        console.print(table)
    sentences = [*(one.wrong for one in changed), *(one.wrong for one in lied), *(one.wrong for one in honest)]
    wrong = [sentence for sentence in sentences if sentence]
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    return int(bool(wrong))


def opened(name: str, folder: Path, stack: ExitStack) -> Stand:
    """Serve a site and prepare a stand before it.

    Args:
        name: as `site_of` takes it.
        folder: takes the site and its recordings.
        stack: ends them.
    """
    site = site_of(name)
    (folder / "site").mkdir()
    place = stack.enter_context(site.served(folder / "site"))
    return stack.enter_context(stand(site.flow, place, folder))


def _lies(made: Stand, told: Sequence[Lie], most: int, seed: int) -> Iterator[lying.Cell]:
    chosen = [told[place] for place in sorted(Random(str(seed)).sample(range(len(told)), min(most, len(told))))]
    for number, lie in enumerate(chosen, start=1):
        cell = asyncio.run(lying.cell(made, lie))
        print(f"{number} of {len(chosen)}: {lie}: {cell.verdict}", file=sys.stderr)
        yield cell


def _repeated(
    made: Stand, policies: Sequence[repeating.Policy], most: int, *, is_left: bool
) -> Iterator[repeating.Cell]:
    for policy in policies:
        for number in range(most):
            # The first user of others begins on a site that was put back, so that a row says the same each time.
            cell = asyncio.run(repeating.cell(made, policy, number, restored=not is_left or number == 0))
            print(f"{cell}: {cell.wrong or cell.replayed.verdict}", file=sys.stderr)
            yield cell


def _mutations(made: Stand, seeds: Sequence[int], modes: Sequence[Mode]) -> Iterator[mutating.Cell]:
    for seed in seeds:
        for mode in modes:
            cell = asyncio.run(mutating.cell(made, combination(seed, made.writes), mode))
            print(f"{cell}: {cell.replayed.verdict}", file=sys.stderr)
            yield cell


def _keep(file: Path | None, when: dict[str, Any], results: Sequence[dict[str, Any]]) -> None:
    """Write the results of each site so far, with date and commit; sites that are not judged now stay as they are."""
    if file is None:
        return
    known = json.loads(file.read_text("utf-8")) if file.exists() else {}
    for site in {one["site"] for one in results}:
        own = [{name: value for name, value in one.items() if name != "site"} for one in results if one["site"] == site]
        known[site] = {**when, "results": own}
    # A line for each result, so that a difference between two commits can be read.
    sites = []
    for site in sorted(known):
        head = json.dumps({name: value for name, value in known[site].items() if name != "results"})[:-1]
        rows = ",\n".join(json.dumps(one, ensure_ascii=False) for one in known[site]["results"])
        sites.append(f'{json.dumps(site)}: {head}, "results": [\n{rows}\n]}}')
    file.write_text("{" + ",\n".join(sites) + "}\n", "utf-8")


def _when() -> dict[str, Any]:
    git = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    return {"date": datetime.now(UTC).date().isoformat(), "commit": commit, "python": platform.python_version()}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judging", description=__doc__)
    parser.add_argument("what", choices=("honest", "lies", "mutations"))
    names = f"{', '.join(KNOWN)}, or drafted-N and app-N for those that are drawn from the seed N"
    parser.add_argument("--site", action="append", type=_site, metavar="SITE", help=names)
    parser.add_argument("--seed", type=int, default=0, help="the first one, or what a sample of lies is drawn from")
    parser.add_argument("--kind", action="append", choices=KINDS_OF_LIES, help="of lies; may be given several times")
    parser.add_argument("--lie", type=re.compile, metavar="PATTERN", help="only lies whose line matches")
    parser.add_argument(
        "--sample", type=int, help="how many seeds, lies of a site, or honest replays; without it, all, and ten"
    )
    parser.add_argument("--identity", action="append", choices=repeating.POLICIES, help="of honest replays")
    parser.add_argument(
        "--prove", action="store_true", help="have another user prove each recording, before honest replays as others"
    )
    parser.add_argument("--mode", action="append", choices=MODES)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every result there, as it comes")
    return parser


def _site(name: str) -> str:
    site_of(name)
    return name


if __name__ == "__main__":
    sys.exit(main())
