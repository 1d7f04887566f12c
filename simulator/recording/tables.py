"""Asks the file of a recording for rows, and knows which of them a dead process left running.

A run that its dead process left running reads as interrupted, and so does what is pending in it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from simulator.errors import RecordingError
from simulator.recording.database import reading
from simulator.recording.process import dead_processes

LAST = "last"
"""Names the newest batch or run."""
INTERRUPTED = "interrupted"


class Tables:
    """The tables of a recording, as SQLite holds them.

    Which processes are dead is asked once, when this is made.

    Args:
        connection: the open file.
        path: its path, for messages.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._connection = connection
        self._dead = frozenset(dead_processes(connection, path))

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Give the rows of a query.

        Raises:
            RecordingError: the file is locked or damaged.
        """
        with reading(self.path):
            return self._connection.execute(sql, values).fetchall()

    def count(self, sql: str, values: Sequence[Any] = ()) -> int:
        """Give the number that a query counts."""
        return int(self.rows(sql, values)[0][0])

    def named(self, table: Literal["batch", "run"], name: str) -> sqlite3.Row:
        """Give the one row that a name means.

        Args:
            table: where it stands.
            name: its id, a prefix of it that no other has, the last characters of it, or ``last``.

        Raises:
            RecordingError: there is none, or several.
        """
        if name == LAST:
            rows = self.rows(f"SELECT * FROM {table} ORDER BY id DESC LIMIT 1")
        else:
            rows = self.rows(
                f"SELECT * FROM {table} WHERE substr(id, 1, ?2) = ?1 OR substr(id, -?2) = ?1 LIMIT 3",
                (name.lower(), len(name) or 99),
            )
        if len(rows) == 1:
            return rows[0]
        if not rows:
            raise RecordingError(f"{self.path} has no {table} '{name}'; 'sim runs list' shows what it has")
        raise RecordingError(f"several {table}s of {self.path} match '{name}'; give more of the id")

    def is_cut_off(self, row: sqlite3.Row) -> bool:
        """Return whether the process that was writing a batch or run has died before its end."""
        return row["status"] == "running" and row["process_id"] in self._dead

    def is_interrupted(self, run_id: str) -> bool:
        """Return whether a run was cut off: what is pending in it stays so."""
        rows = self.rows("SELECT status, process_id FROM run WHERE id = ?", (run_id,))
        return any(map(self.is_cut_off, rows))
