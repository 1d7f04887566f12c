"""The whole way of one application: learnt, edited, populated by one user, by others, and by many at once.

Each command is a process of its own, as a person runs it, and the application's own database says what came of it. Not
responsible for: which applications there are (``journeys``).
"""

from __future__ import annotations

import difflib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.populating.dumps import Dump, differences, dump, grown

PASSWORD_VARIABLE = "POPULATING_PASSWORD"
_SIM = "import sys; from simulator.cli.main import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """What is done on one application."""

    name: str
    kind: str
    """What it is, in a few words."""
    version: str
    """As the registry names it."""
    served: Callable[[Path], AbstractContextManager[Served]]
    """Installs it into a folder and serves it."""
    user: str = ""
    """Who looks at it; empty: somebody who opens an account, as every user does."""
    password: str = ""
    language: str = "en-GB"
    start: str = "/"
    pages: int = 40
    edits: Sequence[tuple[str, str]] = ()
    """Lines of what was learnt, each as a pattern of the whole line and what takes its place."""
    data: str
    """Sections of data whose columns the application does not know."""
    files: Mapping[str, str] = field(default_factory=dict)
    tasks: Sequence[Any]
    locale: str = "en_GB"
    counted: str
    """A query that gives each user's name and how many things are theirs."""
    planned: int
    """How many each user has in the end."""
    landed: str
    """A query that gives one row for each thing that users have made, its columns called as those of the data."""
    rows: Sequence[Mapping[str, str]]
    """The rows of the data."""
    of_itself: Sequence[str] = ()
    """How the names of tables begin that the application keeps for itself."""
    drawn: Sequence[str] = ()
    """Columns that say in which order rows came."""


@dataclass(frozen=True, slots=True)
class Served:
    """An application that runs."""

    url: str
    database: Path
    reset: Callable[[], None]
    accounts: Sequence[str] = ()
    """Names of users who have the journey's password; none where everybody opens an account."""


@dataclass(slots=True)
class Result:
    """What came of it."""

    name: str
    kind: str
    version: str
    edited: int = 0
    """Lines of the learnt section that were changed, added or taken out."""
    wrong_fields: int = 0
    """Values of rows that are not where they belong, or not there."""
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """By step, by user: how many things."""
    proven: Mapping[str, str] = field(default_factory=dict)
    """By step: how many writes are called proven, of how many."""
    failures: list[str] = field(default_factory=list)
    """What is not as it should be."""

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


class Way:
    """Goes the way.

    Args:
        journey: what is done.
        served: the application.
        folder: takes the files of a project.
        tell: gets each step before it is gone.
    """

    def __init__(self, journey: Journey, served: Served, folder: Path, tell: Callable[[str], None]) -> None:
        self._journey = journey
        self._served = served
        self._folder = folder
        self._tell = tell
        self._result = Result(journey.name, journey.kind, journey.version)
        self._counts: dict[str, Mapping[str, int]] = {}
        self._proven: dict[str, str] = {}
        self._environment = {
            **os.environ,
            "SIM_KEY": "the key of applications that are populated",
            PASSWORD_VARIABLE: journey.password,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")))),
            "NO_COLOR": "1",
        }

    def go(self, many: int) -> Result:
        """Go it.

        Args:
            many: how many users are made at once.
        """
        self._result.counts, self._result.proven = self._counts, self._proven
        self._served.reset()
        if not self._learn():
            return self._result
        self._served.reset()
        self._edit()
        before = self._dump()
        recorded = self._step("recorded", before, 1, "personas", "run", "maker", "--seed", "7", "--count", "1")
        if recorded is None:
            return self._result
        self._served.reset()
        same = self._step("same", before, 1, "replay", "last", "--identity", "same")
        if same is not None:
            self._compare("the same user again", recorded, same)
        self._served.reset()
        self._step("fresh", before, 1, "replay", "all", "--identity", "fresh", "--seed", "8")
        dumps = []
        for at_once in (1, 8):
            self._served.reset()
            given = ("seed", "all", "--seed", "21", "--count", str(many), "--concurrency", str(at_once), "--yes")
            dumps.append(self._step(f"seeded, {at_once} at once", before, many, *given))
        if all(one is not None for one in dumps):
            self._compare("1 and 8 users at once", *dumps)
        return self._result

    def _dump(self) -> Dump:
        return dump(self._served.database, self._journey.of_itself, self._journey.drawn)

    def _learn(self) -> bool:
        journey = self._journey
        who = ("--login", journey.user, "--password-env", PASSWORD_VARIABLE) if journey.user else ("--write",)
        return self._sim(
            "learn", "site", "learn", f"{self._served.url}{journey.start}", "--name", "app", "--out", "sim.toml",
            *who, "--language", journey.language, "--pages", str(journey.pages), "--seconds", "300",
        ) is not None  # fmt: skip

    def _edit(self) -> None:
        """Edit what was learnt, and count the lines; accounts and data are the user's own to write."""
        file = self._folder / "sim.toml"
        learnt = file.read_text("utf-8")
        (self._folder / "learnt.toml").write_text(learnt, "utf-8")
        lines = learnt.splitlines()
        for pattern, instead in self._journey.edits:
            place = next((at for at, line in enumerate(lines) if re.fullmatch(pattern, line)), None)
            if place is None:
                self._result.failures.append(f"no line of what was learnt is '{pattern}'")
            else:
                lines[place : place + 1] = instead.splitlines()
        others = [name for name in self._served.accounts if name != self._journey.user]
        if others:
            place = next(at for at, line in enumerate(lines) if line.startswith("accounts = "))
            lines[place] = f"accounts = [{', '.join(map(_account, others))}]"
        self._result.edited = _changed(learnt.splitlines(), lines)
        file.write_text("\n".join([*lines, "", self._journey.data, ""]), "utf-8")
        for name, text in self._journey.files.items():
            (self._folder / name).write_text(text, "utf-8")
        (self._folder / "personas").mkdir(exist_ok=True)
        persona = {
            "persona": "maker", "about": "Makes what users of the application make.",
            "locale": self._journey.locale, "tasks": list(self._journey.tasks),
        }  # fmt: skip
        (self._folder / "personas" / "maker.yaml").write_text(json.dumps(persona, ensure_ascii=False), "utf-8")

    def _step(self, name: str, before: Dump, users: int, *arguments: str) -> Dump | None:
        """Let users act, and judge what the application holds then; None where they failed."""
        source = ("--source", "recorded.db") if name != "recorded" else ()
        database = "recorded.db" if name == "recorded" else f"{re.sub('[^a-z0-9]+', '-', name)}.db"
        told = self._sim(name, *arguments, *source, "--db", database, "--site", "app", "--json")
        if told is None:
            return None
        self._proven[name] = _proven(json.loads(told))
        after = self._dump()
        rows = {table: sorted(rows.elements()) for table, rows in after.items()}
        (self._folder / f"{database}.rows.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False), "utf-8")
        self._counts[name] = counts = self._counted()
        wrong = [one for one, count in counts.items() if count != self._journey.planned]
        if wrong or len(counts) != users:
            self._result.failures.append(f"{name}: {dict(counts)}, not {self._journey.planned} of each of {users}")
        self._judge_rows(name)
        added = {table: count for table, count in grown(before, after).items() if count % users}
        if added:
            self._tell(f"{name}: tables that have not grown by as many rows for each user: {added}")
        return after

    def _counted(self) -> Mapping[str, int]:
        return {str(row[0]): row[1] for row in self._query(self._journey.counted)}

    def _judge_rows(self, step: str) -> None:
        """See that each thing is one row of the data, with each value in its place, and that no row was taken twice."""
        known = Counter(_told(row) for row in self._journey.rows)
        taken: Counter[str] = Counter()
        for row in self._query(self._journey.landed):
            made = {name: "" if row[name] is None else str(row[name]) for name in row.keys()}  # noqa: SIM118
            if _told(made) in known:
                taken[_told(made)] += 1
                continue
            first = next(iter(made))
            meant = next((one for one in self._journey.rows if one[first] == made[first]), None)
            wrong = [name for name, value in made.items() if meant is None or meant[name] != value]
            self._result.wrong_fields += len(wrong)
            self._result.failures.append(f"{step}: a row has {made}, wrong in {', '.join(wrong)}")
        twice = [row for row, count in taken.items() if count > 1]
        if twice:
            self._result.failures.append(f"{step}: made more than once: {'; '.join(twice)}")

    def _query(self, query: str) -> list[Any]:
        import sqlite3
        from contextlib import closing

        with closing(sqlite3.connect(f"file:{self._served.database}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return connection.execute(query).fetchall()

    def _compare(self, what: str, one: Dump | None, other: Dump | None) -> None:
        assert one is not None
        assert other is not None
        apart = differences(one, other)
        self._result.failures += [f"{what}: {line}" for line in apart[:10]]

    def _sim(self, step: str, *arguments: str) -> str | None:
        """Run a command; None where it failed, which is told."""
        self._tell(f"{step}: sim {' '.join(arguments)}")
        done = subprocess.run(
            [sys.executable, "-c", _SIM, *arguments],
            cwd=self._folder, env=self._environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        (self._folder / f"{re.sub('[^a-z0-9]+', '-', step)}.log").write_text(done.stdout + done.stderr, "utf-8")
        if done.returncode:
            self._result.failures.append(f"{step}: exit {done.returncode}: {done.stderr.strip()[-600:]}")
            return None
        return done.stdout


def _account(name: str) -> str:
    return f'{{ username = "{name}", password = {{ env = "{PASSWORD_VARIABLE}" }} }}'


def _changed(before: Sequence[str], after: Sequence[str]) -> int:
    """Count lines that were changed, added or taken out."""
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return sum(max(old_to - old, new_to - new) for tag, old, old_to, new, new_to in blocks if tag != "equal")


def _told(row: Mapping[str, str]) -> str:
    return json.dumps(dict(sorted(row.items())), ensure_ascii=False)


def _proven(said: Any) -> str:
    """Give how many writes of all users are called proven, of how many."""
    writes = [one for run in said.get("runs", ()) for one in run.get("writes", ())]
    return f"{sum(not one.get('unseen') for one in writes)} of {len(writes)}"
