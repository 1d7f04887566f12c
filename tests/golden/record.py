"""Makes a golden recording with any commit's program: ``python -m tests.golden.record SITE FILE --program FOLDER``.

The sites and the scripted Messages API are today's; what records is the program in the folder, in a process of its own.
``--learn`` lets a fresh user teach the recording which texts are required; ``--exchanges`` keeps requests and answers.
A golden file is never overwritten.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from tests.fakes.messages_api import KEY as API_KEY
from tests.fakes.messages_api import Reply, Request, call, messages_api
from tests.golden.program import ROOT, Program
from tests.golden.sites import SITES, GoldenSite, Turn


def record(site: GoldenSite, source: Path, target: Path, *, learn: bool, more: Sequence[str] = ()) -> None:
    """Record a site with a program, and write the recording compressed.

    Args:
        site: what is recorded.
        source: a checkout of the program.
        target: the file to write.
        learn: whether a fresh user teaches the recording.
        more: options of ``sim personas run`` besides.
    """
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "site").mkdir()
        served = stack.enter_context(site.serve(folder / "site"))
        environment = {**site.secrets}
        if site.script:
            api = stack.enter_context(messages_api(_following([*site.script, call("complete", result="Done.")])))
            environment |= {"ANTHROPIC_API_KEY": API_KEY, "ANTHROPIC_BASE_URL": api.url}
        program = Program(source, folder, environment)
        (folder / "sim.toml").write_text(site.sim_toml(served, source), "utf-8")
        (folder / "personas").mkdir()
        for number, text in enumerate(site.personas):
            (folder / "personas" / f"{number}.yaml").write_text(text, "utf-8")
        count = str(len(site.personas))
        agent = ["--agent", "claude"] if site.script else ["--agent", "autopilot"]
        usual = ["--seed", "7", "--count", count, "--concurrency", "1", "--screenshots", "none", "--db", "runs.db"]
        program("personas", "run", *agent, *usual, *more)
        if learn:
            served.reset()
            (run,) = json.loads(program("runs", "list", "--db", "runs.db", "--json"))
            program("prove", run["id"], "--yes", "--seed", "11", "--db", "runs.db")
        with closing(sqlite3.connect(folder / "runs.db")) as connection:
            # The autopilot corrects what a site refuses; a script says what has to happen.
            if site.script and (
                failed := connection.execute("SELECT tool, error_message FROM step WHERE status <> 'done'").fetchall()
            ):
                raise SystemExit(f"steps that failed: {failed}")
        runs = [run["id"] for run in json.loads(program("runs", "list", "--db", "runs.db", "--json"))]
        program("runs", "promote", "--db", "runs.db", "--to", "golden.db", *runs)
        pack(folder / "golden.db", target)


def _following(script: Sequence[Turn]) -> Callable[[Request], Reply]:
    left = iter(script)

    def answer(request: Request) -> Reply:
        turn = next(left)
        return turn if isinstance(turn, Reply) else turn(request)

    return answer


def pack(source: Path, target: Path) -> None:
    """Write a recording compressed.

    Raises:
        FileExistsError: there is one of that name.
    """
    with target.open("xb") as file:
        file.write(lzma.compress(source.read_bytes(), preset=9 | lzma.PRESET_EXTREME))


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("site", choices=sorted(SITES))
    parser.add_argument("file", type=Path)
    parser.add_argument("--program", type=Path, default=ROOT)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--exchanges", action="store_true")
    given = parser.parse_args()
    more = ["--exchanges", "all"] if given.exchanges else []
    record(SITES[given.site], given.program.resolve(), given.file, learn=given.learn, more=more)


if __name__ == "__main__":
    main()
