"""Reads a recording without touching it. Not responsible for: planning a replay, or following it live.

A run that its dead process left running reads as interrupted, and so does what is pending in it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from simulator.browser.action_recorder import PageState
from simulator.canonical import sha256 as digest
from simulator.errors import RecordingError
from simulator.recording.database import reading
from simulator.recording.layout import unpack
from simulator.recording.parsing import (
    ACTION,
    ACTOR,
    BATCH,
    BLOB,
    CREATED,
    DEPENDENCY,
    EFFECT,
    EXCHANGE,
    LLM_CALL,
    PAGE,
    RUN,
    STEP,
    VARIABLE,
    VARIABLE_USE,
    WRITE,
    Misfit,
    refusal,
)
from simulator.recording.process import dead_processes
from simulator.recording.readonly import ReadOnly
from simulator.recording.rows import (
    ActionRow,
    ActorRow,
    BatchRow,
    CreatedRow,
    DependencyRow,
    EffectRow,
    ExchangeRow,
    LlmCallRow,
    RunKind,
    RunRow,
    StepRow,
    VariableRow,
    VariableUseRow,
    WriteRow,
)

LAST = "last"
"""Names the newest batch or run."""


class Recording:
    """A recording opened for reading; made by :meth:`open`.

    Args:
        source: the open file.
        path: its path, for messages.
    """

    def __init__(self, source: ReadOnly, path: Path) -> None:
        self.path = path
        self._source = source
        self.connection = source.connection
        self._pages: dict[str, PageState] = {}
        """By hash: the page after an action is most often the one before the next."""
        self._dead = frozenset(dead_processes(source.connection, path))

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a recording for reading; the file and its folder stay as they are.

        A recording of an older schema is migrated on a temporary copy. Which runs are interrupted is told as
        of now.

        Args:
            path: the file.

        Raises:
            RecordingError: it is missing, not a recording, newer than this program, locked or damaged.
        """
        path = Path(path)
        source = ReadOnly.open(path)
        try:
            with reading(path):
                return cls(source, path)
        except BaseException:
            source.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def batches(self) -> list[BatchRow]:
        """Give all batches, oldest first."""
        return [self._batch(row) for row in self._rows("SELECT * FROM batch ORDER BY id")]

    def batch(self, name: str) -> BatchRow:
        """Give one batch.

        Args:
            name: its id, a prefix of it that no other has, the last characters of it, or ``last``.

        Raises:
            RecordingError: there is none, or several.
        """
        return self._batch(self._find("batch", name))

    def runs(
        self, batch_id: str | None = None, *, kind: RunKind | None = None, limit: int | None = None
    ) -> list[RunRow]:
        """Give runs, oldest first.

        Args:
            batch_id: of this batch only, in the order of their numbers.
            kind: of this kind only.
            limit: only the newest so many.
        """
        wanted = "WHERE (?1 IS NULL OR batch_id = ?1) AND (?2 IS NULL OR kind = ?2)"
        rows = self._rows(
            f"SELECT * FROM run {wanted} ORDER BY id DESC LIMIT ?3",
            (batch_id, kind, -1 if limit is None else limit),
        )
        runs = [self._run(row) for row in rows]
        return sorted(runs, key=lambda run: (run.number, run.id)) if batch_id else runs[::-1]

    def run(self, name: str) -> RunRow:
        """Give one run.

        Args:
            name: its id, a prefix of it that no other has, the last characters of it, or ``last``.

        Raises:
            RecordingError: there is none, or several.
        """
        return self._run(self._find("run", name))

    def actors(self, run_id: str) -> list[ActorRow]:
        """Give a run's actors in the order of their appearance."""
        rows = self._rows("SELECT * FROM actor WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [ACTOR.read(self.path, row) for row in rows]

    def steps(self, run_id: str) -> list[StepRow]:
        """Give a run's steps in order."""
        interrupted = self._interrupted(run_id)
        rows = self._rows("SELECT * FROM step WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [STEP.read(self.path, row, **_cut_off(row, interrupted)) for row in rows]

    def ordinal(self, step_id: str) -> int:
        """Give the place of a step in its run.

        Raises:
            RecordingError: there is no such step.
        """
        for row in self._rows("SELECT ordinal FROM step WHERE id = ?", (step_id,)):
            return int(row["ordinal"])
        raise RecordingError(f"{self.path} has no step {step_id}; look with 'sim runs verify'")

    def actions(self, owner: str) -> list[ActionRow]:
        """Give the actions of a step or of a whole run, in order.

        Args:
            owner: the id of a step or of a run.
        """
        rows = self._rows(
            "SELECT action.*, actor.name AS actor, step.run_id FROM action "
            "JOIN actor ON actor.id = action.actor_id JOIN step ON step.id = action.step_id "
            "WHERE step.id = ?1 OR step.run_id = ?1 ORDER BY step.ordinal, action.ordinal",
            (owner,),
        )
        interrupted = bool(rows) and self._interrupted(rows[0]["run_id"])
        return [
            ACTION.read(
                self.path,
                row,
                before=self._page(row["before_page"]),
                after=self._page(row["after_page"]),
                **_cut_off(row, interrupted),
            )
            for row in rows
        ]

    def variables(self, run_id: str) -> list[VariableRow]:
        """Give a run's variables by name."""
        rows = self._rows("SELECT * FROM variable WHERE run_id = ? ORDER BY name", (run_id,))
        return [VARIABLE.read(self.path, row) for row in rows]

    def variable_uses(self, run_id: str) -> list[VariableUseRow]:
        """Give where the templates of a run name variables, in order."""
        rows = self._rows(
            "SELECT variable_use.* FROM variable_use JOIN step ON step.id = variable_use.step_id "
            "WHERE step.run_id = ? ORDER BY step.ordinal, variable_use.rowid",
            (run_id,),
        )
        return [VARIABLE_USE.read(self.path, row) for row in rows]

    def dependencies(self, run_id: str) -> list[DependencyRow]:
        """Give what a run's steps used of other runs, in the order of the steps."""
        rows = self._rows(
            "SELECT step.run_id, dependency.* FROM dependency JOIN step ON step.id = dependency.step_id "
            "WHERE step.run_id = ? ORDER BY step.ordinal, dependency.producer_run, dependency.name",
            (run_id,),
        )
        return [DEPENDENCY.read(self.path, row) for row in rows]

    def closure(self, run_ids: Sequence[str]) -> list[str]:
        """Give runs and all runs that they depend on, directly or not, oldest first."""
        found: set[str] = set()
        waiting = list(run_ids)
        while waiting:
            run_id = waiting.pop()
            if run_id not in found:
                found.add(run_id)
                waiting += [needed.producer_run for needed in self.dependencies(run_id)]
        return sorted(found)

    def writes(self, run_id: str) -> list[WriteRow]:
        """Give what a run sent that can change the site, in order."""
        rows = self._rows(
            "SELECT write.* FROM write JOIN action ON action.id = write.action_id "
            "JOIN step ON step.id = action.step_id "
            "WHERE write.run_id = ? ORDER BY step.ordinal, action.ordinal, write.ordinal",
            (run_id,),
        )
        return [WRITE.read(self.path, row) for row in rows]

    def effects(self, run_id: str) -> list[EffectRow]:
        """Give what was seen again of what a run sent, in the order in which it was seen."""
        rows = self._rows(
            "SELECT effect.* FROM effect JOIN action ON action.id = effect.action_id "
            "JOIN step ON step.id = action.step_id "
            "WHERE effect.run_id = ? ORDER BY step.ordinal, action.ordinal, effect.ordinal",
            (run_id,),
        )
        return [EFFECT.read(self.path, row) for row in rows]

    def created(self, run_id: str) -> list[CreatedRow]:
        """Give what a run made on the site, in order."""
        rows = self._rows("SELECT * FROM created WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [CREATED.read(self.path, row) for row in rows]

    def exchanges(self, run_id: str) -> list[ExchangeRow]:
        """Give what a run's browsers asked of sites, in the order of sending."""
        rows = self._rows(
            "SELECT exchange.*, actor.name AS actor FROM exchange LEFT JOIN actor ON actor.id = actor_id "
            "WHERE exchange.run_id = ? ORDER BY exchange.ordinal",
            (run_id,),
        )
        return [EXCHANGE.read(self.path, row) for row in rows]

    def llm_calls(self, run_id: str) -> list[LlmCallRow]:
        """Give what a run asked of models, in order."""
        interrupted = self._interrupted(run_id)
        rows = self._rows("SELECT * FROM llm_call WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [LLM_CALL.read(self.path, row, **_cut_off(row, interrupted)) for row in rows]

    def blob(self, sha256: str) -> bytes:
        """Give a blob's bytes.

        Raises:
            RecordingError: it is not there, or is not what its hash says.
        """
        for row in self._rows("SELECT * FROM blob WHERE sha256 = ?", (sha256,)):
            blob = BLOB.read(self.path, row)
            try:
                data = unpack(blob.encoding, blob.bytes, blob.size)
            except ValueError as error:
                raise refusal(self.path, BLOB.name(row), Misfit(["bytes"], str(error))) from None
            if digest(data) != blob.sha256:
                raise refusal(self.path, BLOB.name(row), Misfit(["bytes"], f"they hash to {digest(data)}"))
            return data
        raise RecordingError(f"{self.path} has no blob {sha256}; look with 'sim runs verify'")

    def media_type(self, sha256: str) -> str | None:
        """Give a blob's media type, or None where it is not there."""
        for row in self._rows(_BLOB_FACTS, (sha256,)):
            return BLOB.read(self.path, row).media_type
        return None

    def size(self, sha256: str | None) -> int | None:
        """Give a blob's size in bytes, or None where it is not there."""
        for row in self._rows(_BLOB_FACTS, (sha256,)):
            return BLOB.read(self.path, row).size
        return None

    def examine(self, run_id: str) -> None:
        """See that every row of a run holds what a reader takes it for, before its rows are copied as they are.

        Raises:
            RecordingError: one does not; it names the place.
        """
        run = self.run(run_id)
        self.batch(run.batch_id)
        for rows in (
            self.actors, self.steps, self.actions, self.variables, self.variable_uses, self.dependencies,
            self.created, self.writes, self.effects, self.exchanges, self.llm_calls,
        ):  # fmt: skip
            rows(run.id)

    def counts(self) -> dict[str, int]:
        """Give the number of rows of each table."""
        names = [row["name"] for row in self._rows(_TABLES)]
        return {name: self._count(f'SELECT count(*) FROM "{name}"') for name in names}

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        with reading(self.path):
            return self.connection.execute(sql, values).fetchall()

    def _count(self, sql: str, values: Sequence[Any] = ()) -> int:
        return int(self._rows(sql, values)[0][0])

    def _find(self, table: Literal["batch", "run"], name: str) -> sqlite3.Row:
        if name == LAST:
            rows = list(self._rows(f"SELECT * FROM {table} ORDER BY id DESC LIMIT 1"))
        else:
            rows = list(
                self._rows(
                    f"SELECT * FROM {table} WHERE substr(id, 1, ?2) = ?1 OR substr(id, -?2) = ?1 LIMIT 3",
                    (name.lower(), len(name) or 99),
                )
            )
        if len(rows) == 1:
            return rows[0]
        if not rows:
            raise RecordingError(f"{self.path} has no {table} '{name}'; 'sim runs list' shows what it has")
        raise RecordingError(f"several {table}s of {self.path} match '{name}'; give more of the id")

    def _interrupted(self, run_id: str) -> bool:
        rows = self._rows("SELECT status, process_id FROM run WHERE id = ?", (run_id,))
        return any(row["status"] == "running" and row["process_id"] in self._dead for row in rows)

    def _batch(self, row: sqlite3.Row) -> BatchRow:
        count = self._count("SELECT count(*) FROM run WHERE batch_id = ?", (row["id"],))
        return BATCH.read(self.path, row, runs=count, **self._ended(row, "status"))

    def _run(self, row: sqlite3.Row) -> RunRow:
        count = self._count("SELECT count(*) FROM step WHERE run_id = ?", (row["id"],))
        return RUN.read(self.path, row, steps=count, **self._ended(row, "status", "verdict"))

    def _ended(self, row: sqlite3.Row, *columns: str) -> dict[str, str]:
        """Give the columns that read otherwise, as the process that was writing the row has died."""
        dead = row["status"] == "running" and row["process_id"] in self._dead
        return dict.fromkeys(columns, INTERRUPTED) if dead else {}

    def _page(self, sha256: str | None) -> PageState | None:
        if sha256 is None:
            return None
        if sha256 not in self._pages:
            rows = self._rows("SELECT * FROM page WHERE sha256 = ?", (sha256,))
            if not rows:
                return None
            self._pages[sha256] = PAGE.read(self.path, rows[0])
        return self._pages[sha256]


INTERRUPTED = "interrupted"
_BLOB_FACTS = "SELECT sha256, media_type, size, encoding, x'' AS bytes FROM blob WHERE sha256 = ?"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' ORDER BY name"


def _cut_off(row: sqlite3.Row, interrupted: bool) -> dict[str, str]:
    """Give the status of a row that is pending for good."""
    return {"status": INTERRUPTED} if interrupted and row["status"] == "pending" else {}
