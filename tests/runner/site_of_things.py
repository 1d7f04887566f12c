"""A site whose things users make, as a program of its own with an SQLite file, and a project that knows its section."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, closing, contextmanager
from pathlib import Path

from simulator.api import record_runs, replay_runs
from simulator.testing import serve

Rows = list[tuple[object, ...]]
SITES = Path(__file__).parents[1] / "sites"


class Kept:
    """What a site keeps.

    Args:
        file: its database.
        queries: what is compared of it, without ids and times.
        tables: all of them.
    """

    def __init__(self, file: Path, queries: Sequence[str], tables: Sequence[str]) -> None:
        self.file, self._queries, self._tables = file, queries, tables

    def rows(self, query: str) -> Rows:
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute(query).fetchall()

    def held(self) -> list[Rows]:
        return [sorted(self.rows(query)) for query in self._queries]

    def empty(self) -> None:
        with closing(sqlite3.connect(self.file)) as database, database:
            for table in self._tables:
                database.execute(f"delete from {table}")


@contextmanager
def project_of(folder: Path, site: str, settings: str, persona: str, *ways: str) -> Iterator[Path]:
    """Serve a site of ``tests/sites``, and work in the folder of a project beside it; gives the site's database.

    Args:
        folder: of the project.
        site: name of the site's program.
        settings: ``sim.toml``, with the braces of a format and ``{url}``.
        persona: the only one.
        ways: what else the program is told.
    """
    file = folder / f"{site}.sqlite"
    with serve([sys.executable, SITES / f"{site}.py", "0", file, *ways]) as url, chdir(folder):
        (folder / "personas").mkdir()
        (folder / "sim.toml").write_text(settings.replace("{url}", url), "utf-8")
        (folder / "personas/one.yaml").write_text(persona, "utf-8")
        yield file


def record_and_replay(site: Kept, count: int = 2) -> list[Rows]:
    """Record a batch, replay it as the same and as fresh users, and give what the batch left on the site.

    Args:
        site: what it keeps; the first of its queries is of the things, and its second column says what one is called.
        count: users.
    """
    run = record_runs((), db="a.db", count=count, seed="7", agent="autopilot")
    assert [one.status for one in run.runs] == ["passed"] * count, run
    made = site.held()
    site.empty()
    assert [one.verdict for one in replay_runs("a.db", db="b.db").runs] == ["passed"] * count
    assert site.held() == made
    site.empty()
    fresh = replay_runs("a.db", db="b.db", identity="fresh", seed="99")
    assert [one.verdict for one in fresh.runs] == ["passed"] * count
    assert list(map(len, site.held())) == list(map(len, made))
    assert not {row[1] for row in site.held()[0]} & {row[1] for row in made[0]}
    return made
