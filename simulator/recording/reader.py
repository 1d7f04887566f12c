"""Reads a recording without touching it. Not responsible for: planning a replay, or following it live."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Self

from simulator.recording.blobs import Blobs, Pages
from simulator.recording.database import reading
from simulator.recording.parsing import (
    ACTION,
    ACTOR,
    BATCH,
    CREATED,
    DEPENDENCY,
    EFFECT,
    EXCHANGE,
    LLM_CALL,
    RUN,
    STEP,
    VARIABLE,
    VARIABLE_USE,
    WRITE,
)
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
from simulator.recording.tables import INTERRUPTED, Tables


class Recording:
    """A recording opened for reading; made by :meth:`open`.

    Args:
        source: the open file.
        path: its path, for messages.

    Attributes:
        tables: its rows as SQLite holds them.
        blobs: its pictures, bodies and files, by their hashes.
        connection: for who copies rows as they are.
    """

    def __init__(self, source: ReadOnly, path: Path) -> None:
        self.path = path
        self._source = source
        self.connection = source.connection
        self.tables = Tables(source.connection, path)
        self.blobs = Blobs(self.tables)
        self._pages = Pages(self.tables)

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """Open a recording for reading; the file and its folder stay as they are.

        A recording of an older schema is migrated on a temporary copy. Which runs are interrupted is found out
        now.

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
        return [_batch(self.tables, row) for row in self.tables.rows("SELECT * FROM batch ORDER BY id")]

    def batch(self, name: str) -> BatchRow:
        """Give one batch.

        Args:
            name: its id, a prefix of it that no other has, the last characters of it, or ``last``.

        Raises:
            RecordingError: there is none, or several.
        """
        return _batch(self.tables, self.tables.named("batch", name))

    def runs(
        self, batch_id: str | None = None, *, kind: RunKind | None = None, limit: int | None = None
    ) -> list[RunRow]:
        """Give runs, oldest first.

        Args:
            batch_id: of this batch only, in the order of their numbers.
            kind: of this kind only.
            limit: only this many, the newest.
        """
        wanted = "WHERE (?1 IS NULL OR batch_id = ?1) AND (?2 IS NULL OR kind = ?2)"
        rows = self.tables.rows(
            f"SELECT * FROM run {wanted} ORDER BY id DESC LIMIT ?3",
            (batch_id, kind, -1 if limit is None else limit),
        )
        runs = [_run(self.tables, row) for row in rows]
        return sorted(runs, key=lambda run: (run.number, run.id)) if batch_id else runs[::-1]

    def run(self, name: str) -> RunRow:
        """Give one run.

        Args:
            name: its id, a prefix of it that no other has, the last characters of it, or ``last``.

        Raises:
            RecordingError: there is none, or several.
        """
        return _run(self.tables, self.tables.named("run", name))

    def actors(self, run_id: str) -> list[ActorRow]:
        """Give a run's actors in the order of their appearance."""
        rows = self.tables.rows("SELECT * FROM actor WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [ACTOR.read(self.path, row) for row in rows]

    def steps(self, run_id: str) -> list[StepRow]:
        """Give a run's steps in order."""
        interrupted = self.tables.is_interrupted(run_id)
        rows = self.tables.rows("SELECT * FROM step WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [STEP.read(self.path, row, **_cut_off(row, interrupted)) for row in rows]

    def actions(self, owner: str) -> list[ActionRow]:
        """Give the actions of a step or of a whole run, in order.

        Args:
            owner: the id of a step or of a run.
        """
        rows = self.tables.rows(
            "SELECT action.*, actor.name AS actor, step.run_id FROM action "
            "JOIN actor ON actor.id = action.actor_id JOIN step ON step.id = action.step_id "
            "WHERE step.id = ?1 OR step.run_id = ?1 ORDER BY step.ordinal, action.ordinal",
            (owner,),
        )
        interrupted = bool(rows) and self.tables.is_interrupted(rows[0]["run_id"])
        return [
            ACTION.read(
                self.path,
                row,
                before=self._pages.read(row["before_page"]),
                after=self._pages.read(row["after_page"]),
                **_cut_off(row, interrupted),
            )
            for row in rows
        ]

    def variables(self, run_id: str) -> list[VariableRow]:
        """Give a run's variables by name."""
        rows = self.tables.rows("SELECT * FROM variable WHERE run_id = ? ORDER BY name", (run_id,))
        return [VARIABLE.read(self.path, row) for row in rows]

    def variable_uses(self, run_id: str) -> list[VariableUseRow]:
        """Give where the templates of a run name variables, in order."""
        rows = self.tables.rows(
            "SELECT variable_use.* FROM variable_use JOIN step ON step.id = variable_use.step_id "
            "WHERE step.run_id = ? ORDER BY step.ordinal, variable_use.rowid",
            (run_id,),
        )
        return [VARIABLE_USE.read(self.path, row) for row in rows]

    def dependencies(self, run_id: str) -> list[DependencyRow]:
        """Give what a run's steps used of other runs, in the order of the steps."""
        rows = self.tables.rows(
            "SELECT step.run_id, dependency.* FROM dependency JOIN step ON step.id = dependency.step_id "
            "WHERE step.run_id = ? ORDER BY step.ordinal, dependency.producer_run, dependency.name",
            (run_id,),
        )
        return [DEPENDENCY.read(self.path, row) for row in rows]

    def writes(self, run_id: str) -> list[WriteRow]:
        """Give what a run sent that can change the site, in order."""
        rows = self.tables.rows(
            "SELECT write.* FROM write JOIN action ON action.id = write.action_id "
            "JOIN step ON step.id = action.step_id "
            "WHERE write.run_id = ? ORDER BY step.ordinal, action.ordinal, write.ordinal",
            (run_id,),
        )
        return [WRITE.read(self.path, row) for row in rows]

    def effects(self, run_id: str) -> list[EffectRow]:
        """Give what was seen again of what a run sent, in the order in which it was seen."""
        rows = self.tables.rows(
            "SELECT effect.* FROM effect JOIN action ON action.id = effect.action_id "
            "JOIN step ON step.id = action.step_id "
            "WHERE effect.run_id = ? ORDER BY step.ordinal, action.ordinal, effect.ordinal",
            (run_id,),
        )
        return [EFFECT.read(self.path, row) for row in rows]

    def created(self, run_id: str) -> list[CreatedRow]:
        """Give what a run made on the site, in order."""
        rows = self.tables.rows("SELECT * FROM created WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [CREATED.read(self.path, row) for row in rows]

    def exchanges(self, run_id: str) -> list[ExchangeRow]:
        """Give what a run's browsers asked of sites, in the order of sending."""
        rows = self.tables.rows(
            "SELECT exchange.*, actor.name AS actor FROM exchange LEFT JOIN actor ON actor.id = actor_id "
            "WHERE exchange.run_id = ? ORDER BY exchange.ordinal",
            (run_id,),
        )
        return [EXCHANGE.read(self.path, row) for row in rows]

    def llm_calls(self, run_id: str) -> list[LlmCallRow]:
        """Give what a run asked of models, in order."""
        interrupted = self.tables.is_interrupted(run_id)
        rows = self.tables.rows("SELECT * FROM llm_call WHERE run_id = ? ORDER BY ordinal", (run_id,))
        return [LLM_CALL.read(self.path, row, **_cut_off(row, interrupted)) for row in rows]


def examine(recording: Recording, run_id: str) -> None:
    """See that every row of a run holds what a reader takes it for, before its rows are copied as they are.

    Raises:
        RecordingError: one does not; it names the place.
    """
    run = recording.run(run_id)
    recording.batch(run.batch_id)
    for rows in (
        recording.actors, recording.steps, recording.actions, recording.variables, recording.variable_uses,
        recording.dependencies, recording.created, recording.writes, recording.effects, recording.exchanges,
        recording.llm_calls,
    ):  # fmt: skip
        rows(run.id)


def _batch(tables: Tables, row: sqlite3.Row) -> BatchRow:
    count = tables.count("SELECT count(*) FROM run WHERE batch_id = ?", (row["id"],))
    return BATCH.read(tables.path, row, runs=count, **_ended(tables, row, "status"))


def _run(tables: Tables, row: sqlite3.Row) -> RunRow:
    count = tables.count("SELECT count(*) FROM step WHERE run_id = ?", (row["id"],))
    return RUN.read(tables.path, row, steps=count, **_ended(tables, row, "status", "verdict"))


def _ended(tables: Tables, row: sqlite3.Row, *columns: str) -> dict[str, str]:
    """Give the columns that read otherwise, as the process that was writing the row has died."""
    return dict.fromkeys(columns, INTERRUPTED) if tables.is_cut_off(row) else {}


def _cut_off(row: sqlite3.Row, interrupted: bool) -> dict[str, str]:
    """Give the status of a row that is pending for good."""
    return {"status": INTERRUPTED} if interrupted and row["status"] == "pending" else {}
