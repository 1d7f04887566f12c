"""Removes batches that nobody needs any more. Not responsible for: deciding which; it keeps what others need."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from simulator.errors import RecordingError
from simulator.recording.database import BUSY_SECONDS, explained, reading
from simulator.recording.dependencies import closure
from simulator.recording.layout import OF_RUN, hashes, hashes_inside
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.rows import RunKind
from simulator.recording.writer import Writer


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was removed."""

    batches: int
    runs: int
    blobs: int
    freed: int
    """Bytes by which the file shrank."""


def prune(
    path: Path, *, keep: int | None = None, older_than: datetime | None = None, kind: RunKind | None = None
) -> Pruned:
    """Remove whole batches and what only they used, and compact the file.

    Batches that go on, and batches that a kept run depends on, are kept in any case. Without ``keep`` and
    ``older_than`` no batch is removed, only blobs and pages that nothing refers to.

    Args:
        path: the recording.
        keep: how many of the newest batches stay.
        older_than: only batches that began before are removed; with a time zone.
        kind: only batches of this kind are removed and counted.

    Raises:
        RecordingError: the recording is missing, locked, or cannot be read or written.
    """
    if not path.exists():
        raise RecordingError(f"{path}: there is no such recording; record one, or name another with --db")
    before = path.stat().st_size
    with Recorder.open(path) as recorder, Recording.open(path) as recording:
        doomed = _doomed(recording, keep, older_than, kind)
        runs = [run.id for batch_id in doomed for run in recording.runs(batch_id)]
        with reading(path):
            blobs = _remove(recorder.writer, doomed, runs)
    with reading(path), contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        connection.execute("VACUUM")
    return Pruned(len(doomed), len(runs), blobs, before - path.stat().st_size)


def _doomed(recording: Recording, keep: int | None, older_than: datetime | None, kind: RunKind | None) -> list[str]:
    if keep is None and older_than is None:
        return []
    batches = recording.batches()
    candidates = [batch for batch in batches if batch.status != "running" and kind in (None, batch.kind)]
    if keep is not None:
        candidates = candidates[: max(0, len(candidates) - keep)]
    if older_than is not None:
        limit = older_than.astimezone(UTC).isoformat(timespec="milliseconds")[:-6]
        candidates = [batch for batch in candidates if batch.started_at < limit]
    doomed = {batch.id for batch in candidates}
    kept = [run for run in recording.runs() if run.batch_id not in doomed]
    needed = {recording.run(id).batch_id for id in closure(recording, [run.id for run in kept])}
    return sorted(doomed - needed)


def _remove(writer: Writer, batches: list[str], runs: list[str]) -> int:
    connection = writer.connection
    # References are checked at the end, all at once, instead of by a search of each child table for each row.
    with explained(writer.path):
        connection.execute("PRAGMA foreign_keys = OFF")
    with writer.transaction():
        for table, which in reversed(OF_RUN.items()):
            connection.executemany(f"DELETE FROM {table} WHERE {which}", [(run_id,) for run_id in runs])
        connection.executemany("DELETE FROM batch WHERE id = ?", [(batch_id,) for batch_id in batches])
        connection.execute(_UNUSED_PROCESSES)
        connection.execute(_UNUSED_PAGES)
        used: set[str] = set()
        for table in (*OF_RUN, "page"):
            cursor = connection.execute(f"SELECT * FROM {table}")
            names = [column[0] for column in cursor.description]
            rows = [dict(zip(names, row, strict=True)) for row in cursor]
            used |= hashes_inside(connection, rows) if table == "llm_call" else hashes(rows)
        unused = {sha256 for (sha256,) in connection.execute("SELECT sha256 FROM blob")} - used
        connection.executemany("DELETE FROM blob WHERE sha256 = ?", [(sha256,) for sha256 in unused])
        broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken:
            raise RecordingError(
                f"{writer.path} is damaged (a row of '{broken[0][0]}' refers to nothing); see 'sim runs verify'"
            )
    return len(unused)


_UNUSED_PROCESSES = """
DELETE FROM process WHERE id NOT IN (SELECT process_id FROM run WHERE process_id IS NOT NULL
                                     UNION SELECT process_id FROM batch WHERE process_id IS NOT NULL)"""
_UNUSED_PAGES = """
DELETE FROM page WHERE sha256 NOT IN (SELECT before_page FROM action WHERE before_page IS NOT NULL
                                      UNION SELECT after_page FROM action WHERE after_page IS NOT NULL)"""
