"""What an application's own database holds, but for what it draws: keys, tokens and times.

A row that names another one holds that one in place of its key, so that two dumps tell whether the same things belong
to the same people. Not responsible for: which tables count.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from simulator.canonical import canonical_json, is_generated

Dump = Mapping[str, Counter[str]]
"""By table its rows, each as canonical JSON, with how often it is there."""
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[ T.]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?")
_STAMP = re.compile(r"\d{14}(?:\.\d+)?")
_IN_TEXT = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b|(?<=/)\d+(?=/|$|[\"?#])")
_OF_ROWS = re.compile(r"(?:^|_)(?:id|pk|uuid|token|hash|key|password)$")
_EPOCH = range(1_600_000_000, 2_200_000_000)
_TOKEN = 12
"""Characters of the shortest text that counts as drawn by how it looks: a user may write a number."""
_DEPTH = 2
"""How far from a row those are followed that it names."""


def dump(database: Path, without: Sequence[str] = (), drawn: Collection[str] = ()) -> Dump:
    """Read every table.

    Args:
        database: of SQLite.
        without: how the names of tables begin that the application keeps for itself, such as sessions.
        drawn: columns that say in which order rows came.
    """
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        reader = _Reader(connection, frozenset(drawn))
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        tables = [name for (name,) in names.fetchall() if not name.startswith(tuple(without))]
        return {table: Counter(map(canonical_json, reader.rows(table))) for table in tables}


def differences(one: Dump, other: Dump) -> list[str]:
    """Give in a line each what two dumps do not have in common: the table, and rows that one has more often."""
    told = []
    for table in sorted({*one, *other}):
        first, second = one.get(table, Counter()), other.get(table, Counter())
        told += [f"{table}: only before: {row}" for row in (first - second).elements()]
        told += [f"{table}: only after: {row}" for row in (second - first).elements()]
    return told


def grown(before: Dump, after: Dump) -> dict[str, int]:
    """Give by how many rows each table has grown, without those that have not."""
    counts = {table: rows.total() - before.get(table, Counter()).total() for table, rows in after.items()}
    return {table: count for table, count in counts.items() if count}


class _Reader:
    def __init__(self, connection: sqlite3.Connection, drawn: frozenset[str]) -> None:
        self._connection = connection
        self._drawn = drawn
        self._known: dict[str, tuple[frozenset[str], Mapping[str, tuple[str, str]]]] = {}

    def rows(self, table: str) -> list[dict[str, Any]]:
        return [self._plain(table, row, _DEPTH) for row in self._connection.execute(f'SELECT * FROM "{table}"')]

    def _plain(self, table: str, row: sqlite3.Row, depth: int) -> dict[str, Any]:
        own, leads = self._shape(table)
        told: dict[str, Any] = {}
        for name in row.keys():  # noqa: SIM118 (a row of SQLite iterates over its values)
            if name in leads:
                told[name] = self._named(*leads[name], row[name], depth)
            elif name not in own | self._drawn:
                told[name] = _masked(name, row[name])
        return told

    def _named(self, table: str, column: str, value: Any, depth: int) -> Any:
        if value is None or not depth:
            return value if value is None else "*"
        found = self._connection.execute(f'SELECT * FROM "{table}" WHERE "{column}" = ?', (value,)).fetchone()
        return self._plain(table, found, depth - 1) if found else "missing"

    def _shape(self, table: str) -> tuple[frozenset[str], Mapping[str, tuple[str, str]]]:
        """Give the columns that are a row's own key, and those that name a row of another table."""
        if table not in self._known:
            columns = self._connection.execute(f'PRAGMA table_info("{table}")').fetchall()
            own = frozenset(one["name"] for one in columns if one["pk"])
            leads = {
                one["from"]: (one["table"], one["to"] or "rowid")
                for one in self._connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
            }
            self._known[table] = own - leads.keys(), leads
        return self._known[table]


def _masked(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int | float) and (int(value) in _EPOCH or _OF_ROWS.search(name)):
        return "*"
    if not isinstance(value, str):
        return value
    if _OF_ROWS.search(name) or (len(value) >= _TOKEN and is_generated(value)) or _STAMP.fullmatch(value):
        return "*"
    return _IN_TEXT.sub("*", _MOMENT.sub("*", value))
