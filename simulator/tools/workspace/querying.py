"""Asks a SQLite file of a run's folder. Not responsible for: which file.

Nothing is judged by a statement's text. The connection is read-only, and SQLite asks an authorizer before each thing
that a statement does: reading rows and calling functions are allowed, and so are a few pragmas that only read.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from simulator.errors import ToolError

ROWS_LIMIT = 200
CELL_LIMIT = 2_000
"""Characters of one value that are shown."""
TIME_LIMIT_S = 10.0
_VALUE_LIMIT = 1_000_000
_READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE})
_TELLING = frozenset({"table_list", "table_info", "table_xinfo", "index_list", "index_info", "foreign_key_list"})


@dataclass(frozen=True, slots=True)
class Rows:
    """The answer to a query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    cut: bool
    """Whether there are more rows."""


def ask(path: Path, query: str, parameters: Sequence[JsonValue] | Mapping[str, JsonValue]) -> Rows:
    """Run one statement that only reads. Blocks; meant for a thread.

    Args:
        path: the database.
        query: one SQL statement.
        parameters: its values, by place or by name.

    Raises:
        ToolError: it is no database, the statement is wrong or would change something, or it takes too long.
    """
    deadline = time.monotonic() + TIME_LIMIT_S
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=TIME_LIMIT_S)) as connection:
            connection.text_factory = lambda data: data.decode(errors="replace")
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _VALUE_LIMIT)
            connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
            connection.set_authorizer(_authorize)
            cursor = connection.execute(query, parameters)
            found = cursor.fetchmany(ROWS_LIMIT + 1)
            columns = tuple(column[0] for column in cursor.description or ())
    except sqlite3.Error as error:
        raise _as_tool_error(error, path) from None
    except (sqlite3.Warning, ValueError, OverflowError) as error:
        raise ToolError("invalid_input", f"{path.name}: {error}") from None
    rows = tuple(tuple(map(_cell, row)) for row in found[:ROWS_LIMIT])
    return Rows(columns, rows, cut=len(found) > ROWS_LIMIT)


def _authorize(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    allowed = action in _READING or (action == sqlite3.SQLITE_PRAGMA and first in _TELLING)
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _as_tool_error(error: sqlite3.Error, path: Path) -> ToolError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY):
        return ToolError("not_allowed", f"{path.name} is only read: {error}")
    if code == sqlite3.SQLITE_INTERRUPT:
        return ToolError("timeout", f"the query on {path.name} was stopped after {TIME_LIMIT_S:g} s; narrow it")
    if code == sqlite3.SQLITE_NOTADB:
        return ToolError("unavailable", f"{path.name} is no SQLite database")
    return ToolError("invalid_input", f"{path.name}: {error}")


def _cell(value: object) -> JsonValue:
    if isinstance(value, bytes):
        return f"[{len(value)} bytes]"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, str) and len(value) > CELL_LIMIT:
        return f"{value[:CELL_LIMIT]}[cut: {len(value)} characters]"
    return value  # type: ignore[return-value]
