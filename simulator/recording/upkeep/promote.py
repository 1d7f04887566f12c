"""Copies runs into a small recording that is fit to be committed. Not responsible for: choosing the runs."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.errors import RecordingError
from simulator.recording.database import connect, explained, reading, transaction
from simulator.recording.dependencies import closure
from simulator.recording.layout import OF_RUN, hashes, hashes_inside, rows_of_run
from simulator.recording.reader import Recording, examine
from simulator.recording.schema import MIGRATIONS
from simulator.recording.stamps import new_id

_PAGE_SIZE = 1024
"""Bytes. Small pages waste less on many small tables: the file is committed."""
_PENDING = {"running", "pending"}


@dataclass(frozen=True, slots=True)
class Promoted:
    """What a promotion came to."""

    added: tuple[str, ...]
    """Runs that were copied, oldest first, producers that others need included."""
    present: tuple[str, ...]
    """Runs that the destination held already."""
    size: int
    """Bytes of the destination."""


def promote(source: Path, runs: Sequence[str], destination: Path) -> Promoted:
    """Copy runs, and all runs that they depend on, with everything that belongs to them.

    The destination is replaced as a whole or not at all. It is compact and has no ``-wal`` beside it; the same
    source and runs make the same file, and runs that it holds already stay as they are.

    Args:
        source: the recording to copy from; left as it is.
        runs: names of runs, as :meth:`Recording.run` takes them.
        destination: a new recording, or one to add to.

    Raises:
        RecordingError: a run is missing or still going on, or a file cannot be read or written.
        StorageFull: the disk takes no more.
    """
    if not destination.name or destination.is_dir():
        raise RecordingError(f"{destination} is a folder; name a file in it to promote to")
    draft = destination.with_name(f".{destination.name}.{new_id()}")
    if destination.with_name(f"{destination.name}-wal").exists():
        raise RecordingError(f"{destination} is being written to by another program; promote to another file")
    with Recording.open(source) as recording:
        needed = closure(recording, [recording.run(name).id for name in runs])
        present = _present(destination)
        added = [run_id for run_id in needed if run_id not in present]
        if added:
            try:
                with explained(destination):
                    destination.parent.mkdir(parents=True, exist_ok=True)
                    if destination.exists():
                        shutil.copyfile(destination, draft)
                    with contextlib.closing(connect(draft, called=destination)) as target:
                        if not present:
                            _copy_migration_times(recording, target)
                        copy_runs(recording, added, target)
                        target.execute("PRAGMA journal_mode = DELETE")
                        target.execute(f"PRAGMA page_size = {_PAGE_SIZE}")
                        target.execute("VACUUM")
                    draft.replace(destination)
            finally:
                for suffix in ("", "-wal", "-shm", "-journal"):
                    draft.with_name(draft.name + suffix).unlink(missing_ok=True)
    return Promoted(tuple(added), tuple(run_id for run_id in needed if run_id in present), destination.stat().st_size)


def _present(destination: Path) -> set[str]:
    if not destination.exists():
        return set()
    with Recording.open(destination) as recording:
        return {run.id for run in recording.runs()}


def copy_runs(recording: Recording, run_ids: Sequence[str], target: sqlite3.Connection) -> None:
    """Copy runs into another recording, in a transaction of its own.

    Args:
        recording: the source.
        run_ids: those that they depend on have to be there, or among them.
        target: an open and migrated recording.

    Raises:
        RecordingError: a run is still going on.
    """
    with transaction(target):
        _copy(recording, run_ids, target)


def _copy(recording: Recording, run_ids: Sequence[str], target: sqlite3.Connection) -> None:
    source = recording.connection
    for batch_id in sorted({recording.run(run_id).batch_id for run_id in run_ids}):
        _refuse_running(recording.batch(batch_id).status, "batch", batch_id)
        insert(target, "batch", map(_ended, _all(recording, "SELECT * FROM batch WHERE id = ?", batch_id)))
    with reading(recording.path):
        rows: dict[str, list[dict[str, Any]]] = {
            table: [row for run_id in run_ids for row in rows_of_run(source, table, run_id)] for table in OF_RUN
        }
    for run in rows["run"]:
        _refuse_running(recording.run(run["id"]).status, "run", run["id"])
        examine(recording, run["id"])
    with reading(recording.path):
        found = hashes(row for some in rows.values() for row in some) | hashes_inside(source, rows["llm_call"])
    pages = [row for key in sorted(found) for row in _all(recording, "SELECT * FROM page WHERE sha256 = ?", key)]
    found |= hashes(pages)
    for key in sorted(found):
        if recording.blobs.media_type(key) is not None:
            recording.blobs.read(key)  # read here, so that damage does not spread
        insert(target, "blob", _all(recording, "SELECT * FROM blob WHERE sha256 = ?", key))
    insert(target, "page", pages)
    for table, some in rows.items():
        insert(target, table, map(_ended, some))
    target.execute(
        "UPDATE sequence SET value = max(value, coalesce((SELECT max(change) FROM ("
        "SELECT change FROM batch UNION ALL SELECT change FROM run UNION ALL SELECT change FROM step "
        "UNION ALL SELECT change FROM action UNION ALL SELECT change FROM created)), 0))"
    )


def _copy_migration_times(recording: Recording, target: sqlite3.Connection) -> None:
    """Take the times of the migrations from the source, so that the same source makes the same file."""
    table = MIGRATIONS.migrations_table
    for row in _all(recording, f"SELECT name, applied_at FROM {table} WHERE migration_set = ?", MIGRATIONS.name):
        target.execute(
            f"UPDATE {table} SET applied_at = :applied_at WHERE name = :name AND migration_set = :set",
            row | {"set": MIGRATIONS.name},
        )


def _refuse_running(status: str, what: str, id: str) -> None:
    if status == "running":
        raise RecordingError(f"the {what} {id} is still going on; promote it when it has ended")


def _ended(row: Mapping[str, Any]) -> dict[str, Any]:
    """Write a row as it reads once its process is gone."""
    changed = dict(row)
    if "process_id" in changed:
        changed["process_id"] = None
    if changed.get("status") in _PENDING:
        changed["status"] = "interrupted"
        if "verdict" in changed:
            changed["verdict"] = "interrupted"
    return changed


def _all(recording: Recording, sql: str, value: str) -> list[dict[str, Any]]:
    with reading(recording.path):
        return [dict(row) for row in recording.connection.execute(sql, (value,))]


def insert(target: sqlite3.Connection, table: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Insert rows by column names; those that are there already stay.

    Raises:
        RecordingError: a row does not fit into the table, or belongs to nothing that is there.
    """
    for row in rows:
        marks = ", ".join("?" * len(row))
        try:
            target.execute(
                f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks}) ON CONFLICT DO NOTHING", tuple(row.values())
            )
        except sqlite3.IntegrityError as error:
            raise RecordingError(
                f"{table} {next(iter(row.values()))}: it cannot be copied ({error}); look with 'sim runs verify'"
            ) from error
