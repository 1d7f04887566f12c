"""Opening recording files: pragmas, migrations, and SQLite's errors in a person's words.

Not responsible for: what is in the tables.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from sqlite_utils.db import Database

from simulator.errors import RecordingError, SimulatorError, StorageFull
from simulator.recording.schema import MIGRATIONS

BUSY_SECONDS: Final = 10.0
"""How long a writer waits for another process to finish its transaction."""

CHECKPOINT_PAGES: Final = 4000
"""Pages in the log before a commit moves them into the file, which waits for the disk: 16 MB."""

_MIGRATIONS_TABLE: Final = MIGRATIONS.migrations_table
_MIGRATION_COLUMNS: Final = frozenset({"migration_set", "name", "applied_at"})
_WRITE_ERRORS: Final = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
}
_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS}


def explain(error: Exception, path: Path) -> SimulatorError | None:
    """Give the error that says in a sentence what SQLite or the system met; None where it is a bug of ours."""
    if isinstance(error, OSError):
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            return _full(path)
        return RecordingError(f"{path}: {error.strerror or error}; check the path and its permissions")
    if not isinstance(error, sqlite3.DatabaseError):
        return None
    code = getattr(error, "sqlite_errorcode", 0)
    if code in _WRITE_ERRORS:
        return _full(path)
    match code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return RecordingError(
                f"{path} is locked by another program for more than {BUSY_SECONDS:.0f} s; "
                "close it there, or record to another file with --db"
            )
        case sqlite3.SQLITE_NOTADB:
            return RecordingError(f"{path} is not a recording (not an SQLite file); choose another with --db")
        case sqlite3.SQLITE_CORRUPT:
            return RecordingError(f"{path} is damaged ({error}); restore a copy of it")
        case sqlite3.SQLITE_READONLY:
            return RecordingError(f"{path} cannot be written to; check its permissions and its folder's")
        case sqlite3.SQLITE_CANTOPEN:
            return RecordingError(f"{path} cannot be opened; check the path and its permissions")
        case sqlite3.SQLITE_IOERR:
            return RecordingError(f"{path} cannot be read or written ({error}); check the disk that holds it")
    return None


def _full(path: Path) -> StorageFull:
    return StorageFull(f"{path} cannot grow: the disk is full or a size limit is reached; free some space")


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise whatever SQLite meets while it reads a file as an error of the file: what it is asked is always the same.

    A file may say anything of itself: SQLite reports a schema that it cannot read, or a text that is not one, without a
    code that would name the file's damage.
    """
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeError) as error:  # the last where SQLite quotes the file in its complaint
        told = explain(error, path)
        raise told or RecordingError(f"{path} cannot be read as a recording ({error}); restore a copy of it") from error


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Raise the errors of SQLite and the system as errors of the program."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        told = explain(error, path)
        if told is None:
            raise
        raise told from error


def connect(path: Path, *, called: Path | None = None) -> sqlite3.Connection:
    """Open a recording for writing, making or migrating it where that is needed.

    Of an older recording a copy stays beside the file, named after the first migration that it lacked.

    Args:
        path: the file.
        called: what errors call it, when it is not what somebody named.

    Raises:
        RecordingError: it is locked, foreign, newer than this program, damaged or not writable.
        StorageFull: the disk takes no more.
    """
    with explained(called or path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _create(path)
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            with reading(called or path):
                connection.execute("PRAGMA trusted_schema = OFF")
                refuse_foreign(connection, called or path)
                if not missing_migrations(connection, called or path):
                    refuse_altered(connection, called or path, writing=True)
            _enable_wal(connection)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            with reading(called or path):
                migrate(connection, path, keep_copy=True)
            refuse_altered(connection, called or path, writing=True)
        except BaseException:
            connection.close()
            raise
    return connection


def _create(path: Path) -> None:
    """Make an empty recording that is whole from the moment others see it: who reads it meets no half of a schema.

    On a disk without hard links the caller makes it in place.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        with draft.open("wb") as file:
            file.write(_schema().empty)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
    finally:
        draft.unlink(missing_ok=True)


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL, trying again while others do the same: SQLite's own wait does not cover the switch."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def missing_migrations(connection: sqlite3.Connection, path: Path) -> list[str]:
    """Return which migrations a recording lacks.

    Raises:
        RecordingError: it has some that this program does not know.
    """
    applied = {str(migration.name) for migration in MIGRATIONS.applied(wrap(connection))}
    if unknown := sorted(applied.difference(_schema().migrations)):
        raise RecordingError(
            f"{path} was made by a newer simulator (its schema has {', '.join(unknown)}); "
            "update this one, or choose another file with --db"
        )
    return [name for name in _schema().migrations if name not in applied]


def refuse_foreign(connection: sqlite3.Connection, path: Path, *, empty: bool = True) -> None:
    """Refuse an SQLite file of another program.

    Args:
        connection: the open file.
        path: its path, for the message.
        empty: whether a file without any table is accepted.

    Raises:
        RecordingError: it is not a recording.
    """
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if (tables or not empty) and _MIGRATIONS_TABLE not in tables:
        raise RecordingError(f"{path} is an SQLite file but not a recording; choose another with --db")
    columns = {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (_MIGRATIONS_TABLE,))}
    if tables and not columns >= _MIGRATION_COLUMNS:
        raise RecordingError(
            f"{path} is damaged: the columns of its table '{_MIGRATIONS_TABLE}' are not those of a recording; "
            "choose another with --db"
        )


_MOST_CHANGES: Final = 2**62


class _Column(NamedTuple):
    name: str
    type: str
    required: int
    key: int
    hidden: int


def _tables(connection: sqlite3.Connection) -> dict[str, tuple[_Column, ...]]:
    """Give the columns of each table that SQLite holds itself, without those of SQLite and of the migrations."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND sql LIKE 'CREATE TABLE%'"
    )
    columns = 'SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)'
    return {name: tuple(_Column(*row) for row in connection.execute(columns, (name,))) for (name,) in names.fetchall()}


class _Schema(NamedTuple):
    """What the migrations of this program make."""

    migrations: tuple[str, ...]
    tables: Mapping[str, tuple[_Column, ...]]
    sql: frozenset[tuple[str, str]]
    """The name of each table, index and the like, and how it is made."""
    empty: bytes
    """The file of a recording that holds nothing."""


@cache
def _schema() -> _Schema:
    with Database(memory=True) as db:
        names = tuple(str(migration.name) for migration in MIGRATIONS.pending(db))
        MIGRATIONS.apply(db)
        return _Schema(names, _tables(db.conn), _sql(db.conn), db.conn.serialize())


def _sql(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    own = "SELECT name, sql FROM sqlite_master WHERE name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*'"
    return frozenset((name, sql) for name, sql in connection.execute(own).fetchall())


def refuse_altered(connection: sqlite3.Connection, path: Path, *, writing: bool) -> None:
    """Refuse a recording whose tables are not those that the migrations made.

    Args:
        connection: the open file, migrated.
        path: its path, for the message.
        writing: whether it is to be written to: then it may have no triggers either, which would write, too.

    Raises:
        RecordingError: they are not.
    """
    with reading(path):
        found = _tables(connection)
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for table, columns in _schema().tables.items():
        if table not in found:
            raise RecordingError(f"{path} is damaged: it has no table '{table}'; restore a copy of it")
        if found[table] != columns:
            wrong = sorted({column.name for column in {*found[table]} ^ {*columns}})
            names = f": {', '.join(name[:40] for name in wrong)}" if wrong else ", in another order"
            raise RecordingError(
                f"{path} is damaged: the columns of its table '{table}' are not those of a recording{names}; "
                "restore a copy of it"
            )
    if not writing:
        return
    with reading(path):
        last = connection.execute("SELECT id, value FROM sequence").fetchall()
    if len(last) != 1 or last[0][0] != 1 or not isinstance(last[0][1], int) or not 0 <= last[0][1] < _MOST_CHANGES:
        raise RecordingError(
            f"{path} is damaged: its table 'sequence' does not hold the number of the last change; restore a copy of it"
        )
    if triggers:
        raise RecordingError(
            f"{path} has the trigger '{triggers[0][0]}', which would write with every change; drop it first"
        )


def is_whole(connection: sqlite3.Connection) -> bool:
    """Return whether a recording has the very tables that the migrations made, and rows that belong together.

    What such a file does not take is a mistake of this program; what another one does not take is not.
    """
    try:
        return (
            _sql(connection) == _schema().sql
            and not connection.execute("PRAGMA foreign_key_check").fetchone()
            and connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
        )
    except (sqlite3.Error, UnicodeError):
        return False


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what is written inside as one piece, or nothing of it, whatever ends it; others wait meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def migrate(connection: sqlite3.Connection, path: Path, *, keep_copy: bool) -> None:
    """Bring a recording to this program's schema, in one transaction that others wait for."""
    if not missing_migrations(connection, path):
        return
    with transaction(connection):
        missing = missing_migrations(connection, path)
        old = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        if missing and old and keep_copy:
            _keep_copy(path, path.with_name(f"{path.stem}.before-{missing[0]}{path.suffix}"))
        MIGRATIONS.apply(wrap(connection))


def _keep_copy(path: Path, copy: Path) -> None:
    """Copy what is committed; the caller holds the write lock, so it is the file as it was."""
    draft = copy.with_name(f".{copy.name}.{os.getpid()}")
    with (
        contextlib.closing(sqlite3.connect(path)) as source,
        contextlib.closing(sqlite3.connect(draft)) as target,
    ):
        source.backup(target)
    draft.replace(copy)


def wrap(connection: sqlite3.Connection) -> Database:
    """Give a connection as sqlite-utils knows it, without changing it."""
    return Database(connection, recursive_triggers=False, execute_plugins=False)
