"""The migrations of a recording: which there are, which a file has, and applying what it lacks.

The table that they are noted in is that of sqlite-utils, so that its command line and other tools know it. Its library
is not used: loading that takes as long as all tables of a recording, and every command would wait for it. Not
responsible for: what a migration does (``schema``), or when they are applied (``database``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, NamedTuple

TABLE: Final = "_sqlite_migrations"
COLUMNS: Final = frozenset({"migration_set", "name", "applied_at"})
"""Columns that say which migrations a file has."""
_CREATE = (
    f"""CREATE TABLE "{TABLE}" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
)""",
    f"""CREATE UNIQUE INDEX "idx_{TABLE}_migration_set_name"
    ON "{TABLE}" ("migration_set", "name")""",
)

Migrate = Callable[[sqlite3.Connection], None]


class Migration(NamedTuple):
    """One change of the schema."""

    name: str
    run: Migrate


class Migrations:
    """A set of migrations, in order.

    Args:
        name: of the set.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._all: list[Migration] = []

    def __call__(self, function: Migrate) -> Migrate:
        """Add a migration: a function is called as it."""
        self._all.append(Migration(function.__name__, function))
        return function

    @property
    def names(self) -> tuple[str, ...]:
        """What all migrations are called, in order."""
        return tuple(one.name for one in self._all)

    def applied(self, connection: sqlite3.Connection) -> list[str]:
        """Give the migrations that a file has, in the order in which they were applied; nothing is written."""
        exists = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        if connection.execute(exists, (TABLE,)).fetchone() is None:
            return []
        sql = f"SELECT name FROM {TABLE} WHERE migration_set = ? ORDER BY rowid"
        return [str(name) for (name,) in connection.execute(sql, (self.name,))]

    def pending(self, connection: sqlite3.Connection) -> list[str]:
        """Give the migrations that a file lacks, in order; nothing is written."""
        applied = set(self.applied(connection))
        return [name for name in self.names if name not in applied]

    def apply(self, connection: sqlite3.Connection, *, stop_before: str = "") -> None:
        """Apply what a file lacks, within the transaction that the caller has begun.

        Args:
            connection: the open file.
            stop_before: the first migration that is not applied; empty: all are.
        """
        pending = self.pending(connection)
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (TABLE,)).fetchone() is None:
            for statement in _CREATE:
                connection.execute(statement)
        for one in self._all:
            if one.name == stop_before:
                return
            if one.name in pending:
                one.run(connection)
                note = f"INSERT INTO {TABLE} (migration_set, name, applied_at) VALUES (?, ?, ?)"
                connection.execute(note, (self.name, one.name, str(datetime.now(UTC))))
