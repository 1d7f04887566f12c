"""Opens a recording so that neither the file nor its folder changes. Not responsible for: what is in it.

SQLite itself would leave ``-wal`` and ``-shm`` files beside a file in WAL mode even when it only reads it.
So such a file is read in place only while a writer's own ``-wal`` and ``-shm`` are there; else a temporary
copy is read.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import quote

from simulator.errors import RecordingError
from simulator.recording.database import (
    BUSY_SECONDS,
    migrate,
    missing_migrations,
    reading,
    refuse_altered,
    refuse_foreign,
)
from simulator.scratch import scratch_folder


@dataclass(slots=True)
class ReadOnly:
    """An open recording that is only read, and the copy it is read from where there is one."""

    connection: sqlite3.Connection
    copy: contextlib.ExitStack | None = None
    """Removes the copy."""

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a recording for reading.

        Raises:
            RecordingError: it is missing, not a recording, newer than this program, locked or damaged.
        """
        with reading(path):
            if not path.is_file():
                raise RecordingError(f"{path}: there is no such recording; record one, or name another with --db")
            if not _readable_in_place(path):
                return cls._open_copy(path, None)
            connection = _connect(path, "ro")
            try:
                refuse_foreign(connection, path, empty=False)
                if not missing_migrations(connection, path):
                    refuse_altered(connection, path, writing=False)
                    return cls(connection)
                copied = cls._open_copy(path, connection)
            except sqlite3.OperationalError as error:
                connection.close()
                if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
                    return cls._open_copy(path, None)
                raise
            except BaseException:
                connection.close()
                raise
            connection.close()
            return copied

    @classmethod
    def _open_copy(cls, path: Path, source: sqlite3.Connection | None) -> Self:
        """Open a temporary copy, migrated: of an open recording, or of files that no connection reads."""
        with contextlib.ExitStack() as stack:
            copy = stack.enter_context(scratch_folder()) / "recording.db"
            if source is None:
                shutil.copyfile(path, copy)
                for suffix in ("-wal", "-journal"):
                    with contextlib.suppress(FileNotFoundError):
                        shutil.copyfile(_beside(path, suffix), _beside(copy, suffix))
            connection = stack.enter_context(contextlib.closing(_connect(copy, "rwc")))
            if source is not None:
                source.backup(connection)
            refuse_foreign(connection, path, empty=False)
            migrate(connection, path, keep_copy=False)
            refuse_altered(connection, path, writing=False)
            connection.execute("PRAGMA query_only = ON")
            return cls(connection, stack.pop_all())

    def close(self) -> None:
        """Close the file, and remove the copy."""
        self.connection.close()
        if self.copy is not None:
            self.copy.close()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _readable_in_place(path: Path) -> bool:
    if _beside(path, "-wal").exists() and _beside(path, "-shm").exists():
        # Not even the header may be read here other than through SQLite: if this process is the writer, to close
        # any other descriptor of the file would drop its locks, and others would take the log away from under it
        # (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
        return True
    with path.open("rb") as file:
        header = file.read(20)
    return header[18:20] != b"\x02\x02" and not _beside(path, "-journal").exists()


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
