"""Damage to files, drawn from a seed: what a stranger, a bad disk or a hand edit may do to them.

One number makes one case, and the same number the same case. ``SIM_FUZZ_SEED`` sets the seed (by default the day), and
a failing case tells its own.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any


def daily_seed() -> int:
    """The seed of today's cases, or the one that is asked for."""
    return int(os.environ.get("SIM_FUZZ_SEED") or datetime.date.today().toordinal())


def nested(depth: int, kind: str = "[") -> str:
    """A JSON text that is nested so deep."""
    return "[" * depth + "]" * depth if kind == "[" else '{"a":' * depth + "1" + "}" * depth


HOSTILE_TEXTS = (
    "", " ", ".", "..", "../../x", "/etc/passwd", "a/b", "a\\b", "\0", "a\0b", "x" * 400, "x" * 100_000, "\ud800",
    "a\udfffb", "é" * 200, "\u202etxt.exe", "{{", "}}", "{{identity.email}}", "{{secret.password}}", "{{nobody.knows}}",
    "{{site.books_1}}", "__import__('os').system('touch /tmp/x')", "'); import os #", '"""', "%s%n", "{0}", "\x1b[2J",
    "http://127.0.0.1:1/", "file:///etc/passwd", "javascript:alert(1)", "//elsewhere.example/", "http://[", "NaN",
    "1e999", "-1", "true", "2026-13-45T99:99:99Z", "<script>", "]]>", "CON", "conftest.py", "test_x.py", "$(id)",
)  # fmt: skip


def odd_value(rng: Random) -> Any:
    """A JSON value that is seldom expected."""
    return rng.choice(
        [
            None, True, False, 0, -1, 1, 2**31, 2**63, 2**63 - 1, -(2**63), 10**30, 10**400, 0.5, -0.0, 1e308, "text",
            [], {}, [[]], [None], [1, 2, 3], {"": None}, {"x": 1, "y": 2}, [["a", "b", "c", "d"]], "5", "[]",
            rng.choice(HOSTILE_TEXTS), [rng.choice(HOSTILE_TEXTS)],
            {rng.choice(HOSTILE_TEXTS): rng.choice(HOSTILE_TEXTS)},
        ]
    )  # fmt: skip


def odd_json(rng: Random) -> str:
    """A text in place of a JSON text: of another shape, or none."""
    return rng.choice(
        [
            json.dumps(odd_value(rng)), "", " ", "{", "[1,", "{'a':1}", "NaN", "Infinity", "1e999", "[1e999]", "nul",
            nested(rng.choice([50, 250, 5000, 100_000])), nested(rng.choice([250, 20_000]), "{"), '"\\ud800"',
            '{"a":"\\udc00"}', "9" * 5000, '{"a":1}{"b":2}', '{"a":1,"a":{}}', "\0", '"\0"', '["\\u0000"]', "true",
        ]
    )  # fmt: skip


def odd_node(value: Any, rng: Random) -> Any:
    """A JSON value with one node of it changed: replaced, removed, doubled or renamed."""
    paths: list[tuple[Any, ...]] = [()]

    def walk(at: Any, path: tuple[Any, ...]) -> None:
        pairs = at.items() if isinstance(at, dict) else enumerate(at) if isinstance(at, list) else ()
        for key, each in pairs:
            paths.append((*path, key))
            walk(each, (*path, key))

    walk(value, ())
    *way, last = rng.choice(paths) or (None,)
    if last is None:
        return odd_value(rng)
    changed = json.loads(json.dumps(value))
    holder = changed
    for key in way:
        holder = holder[key]
    match rng.randrange(5):
        case 0:
            del holder[last]
        case 1 if isinstance(holder, dict):
            holder[rng.choice(HOSTILE_TEXTS)] = holder.pop(last)
        case 2 if isinstance(holder, list):
            holder.insert(last, holder[last])
        case _:
            holder[last] = odd_value(rng)
    return changed


def damaged_bytes(data: bytes, rng: Random) -> bytes:
    """Bytes with some of them changed, lost or doubled."""
    changed = bytearray(data)
    if not changed:
        return rng.randbytes(rng.randrange(1, 200))
    at = rng.randrange(len(changed))
    match rng.randrange(6):
        case 0 | 1:
            for _ in range(rng.choice([1, 1, 2, 8, 64])):
                place = rng.randrange(len(changed))
                changed[place] ^= 1 << rng.randrange(8)
        case 2:
            del changed[at:]
        case 3:
            end = at + rng.choice([1, 16, 512, 4096])
            changed[at:end] = bytes(len(changed[at:end]))
        case 4:
            changed[at:at] = rng.randbytes(rng.choice([1, 3, 100]))
        case _:
            del changed[at : at + rng.choice([1, 7, 1024])]
    return bytes(changed)


def damaged_text(text: str, rng: Random) -> bytes:
    """A text file, damaged line by line, word by word or byte by byte."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    match rng.randrange(7):
        case 0:
            return damaged_bytes(text.encode(), rng)
        case 1:
            del lines[at]
        case 2:
            lines.insert(at, lines[rng.randrange(len(lines))])
        case 3:
            lines[at] = " " * rng.randrange(1, 5) + lines[at]
        case 4:
            key, colon, _ = lines[at].partition(":")
            lines[at] = f"{key}{colon or ':'} {json.dumps(odd_value(rng))}"
        case 5:
            lines[at] = rng.choice(
                ["%YAML 9.9", "---", "...", "&a [*a]", "<<: *b", "!!python/object:x", "\t", "- - - -", "? "]
            )
        case _:
            lines[at] = lines[at].replace(lines[at].strip() or " ", rng.choice(HOSTILE_TEXTS))
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _tables(connection: sqlite3.Connection) -> list[str]:
    names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
    return [name for (name,) in names]


def _loosen(path: Path, rng: Random) -> sqlite3.Connection:
    """Open a recording without what keeps wrong values out of its tables."""
    if rng.random() < 0.4:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA writable_schema = ON")
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, ') STRICT', ')') WHERE type = 'table'")
            connection.execute("PRAGMA writable_schema = RESET")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection


def _a_row(connection: sqlite3.Connection, rng: Random) -> tuple[str, str, sqlite3.Row] | None:
    connection.row_factory = sqlite3.Row
    table = rng.choice(_tables(connection))
    rows = connection.execute(f'SELECT * FROM "{table}"').fetchall()
    if not rows:
        return None
    row = rng.choice(rows)
    return table, rng.choice(row.keys()), row


def _put(connection: sqlite3.Connection, table: str, column: str, row: sqlite3.Row, value: Any) -> str:
    same = " AND ".join(f'"{name}" IS ?' for name in row.keys())  # noqa: SIM118
    connection.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE {same}', (value, *row))
    return f"{table}.{column} = {value!r:.80}"


def column_of_another_kind(connection: sqlite3.Connection, rng: Random) -> str:
    """Put a value that the table takes, and that nobody expects, into a column."""
    found = _a_row(connection, rng)
    if found is None:
        return "nothing"
    table, column, row = found
    value = row[column]
    if isinstance(value, str):
        others: list[Any] = [
            odd_json(rng),
            rng.choice(HOSTILE_TEXTS),
            value[: len(value) // 2],
            value.upper(),
            None,
            7,
            b"a",
        ]
    else:
        others = ["text", "5", 1.5, 0, -1, 2**63 - 1, -(2**63), 10**9, None, b"", b"\xff\xfe", rng.randbytes(40)]
    return _put(connection, table, column, row, rng.choice(others))


def node_of_a_json_column(connection: sqlite3.Connection, rng: Random) -> str:
    """Change one node in a JSON text."""
    for _ in range(40):
        found = _a_row(connection, rng)
        if found and isinstance(found[2][found[1]], str) and found[2][found[1]][:1] in ("{", "["):
            table, column, row = found
            try:
                value = json.loads(row[column])
            except ValueError:
                continue
            return _put(connection, table, column, row, json.dumps(odd_node(value, rng)))
    return "nothing"


def text_that_is_none(connection: sqlite3.Connection, rng: Random) -> str:
    """Put bytes that are no UTF-8 into a column of texts."""
    found = _a_row(connection, rng)
    if found is None:
        return "nothing"
    table, column, row = found
    same = " AND ".join(f'"{name}" IS ?' for name in row.keys())  # noqa: SIM118
    connection.execute(f'UPDATE "{table}" SET "{column}" = CAST(x\'ff80c1\' AS TEXT) WHERE {same}', tuple(row))
    return f"{table}.{column} is no UTF-8"


def without_a_table(connection: sqlite3.Connection, rng: Random) -> str:
    table = rng.choice(_tables(connection))
    connection.execute(f'DROP TABLE "{table}"')
    return f"no table {table}"


def table_of_another_kind(connection: sqlite3.Connection, rng: Random) -> str:
    """Make a table anew without its rules, or with columns of other names, or as a view."""
    table = rng.choice(_tables(connection))
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    connection.execute(f'CREATE TABLE kept AS SELECT * FROM "{table}"')
    connection.execute(f'DROP TABLE "{table}"')
    way = rng.choice(["loose", "renamed", "view", "fewer", "more"])
    if way == "view":
        connection.execute(f'CREATE VIEW "{table}" AS SELECT * FROM kept')
    else:
        names = [f'"{name}"' for name in columns]
        if way == "renamed":
            names[rng.randrange(len(names))] = '"other"'
        if way == "fewer":
            del names[rng.randrange(len(names))]
        if way == "more":
            names.append('"other"')
        connection.execute(f'CREATE TABLE "{table}" ({", ".join(names)})')
        if way in ("loose", "renamed"):
            connection.execute(f'INSERT INTO "{table}" SELECT * FROM kept')
        connection.execute("DROP TABLE kept")
    return f"{table} is {way}"


def rows_lost_or_crossed(connection: sqlite3.Connection, rng: Random) -> str:
    """Remove rows, or let a reference lead elsewhere."""
    found = _a_row(connection, rng)
    if found is None:
        return "nothing"
    table, column, row = found
    same = " AND ".join(f'"{name}" IS ?' for name in row.keys())  # noqa: SIM118
    match rng.randrange(3):
        case 0:
            connection.execute(f'DELETE FROM "{table}" WHERE {same}', tuple(row))
            return f"a row of {table} is gone"
        case 1:
            connection.execute(f'DELETE FROM "{table}"')
            return f"all rows of {table} are gone"
    other = connection.execute(f'SELECT "{column}" FROM "{table}" ORDER BY random() LIMIT 1').fetchone()[0]
    return _put(connection, table, column, row, other)


def hostile_schema(connection: sqlite3.Connection, rng: Random) -> str:
    """Add what acts by itself to the schema."""
    statement = rng.choice(
        [
            "CREATE TRIGGER boom AFTER UPDATE ON sequence BEGIN SELECT RAISE(ABORT, 'boom'); END",
            "CREATE TRIGGER more AFTER INSERT ON batch BEGIN DELETE FROM run; END",
            "CREATE VIEW v_steps AS SELECT load_extension('/tmp/x')",
            "CREATE UNIQUE INDEX one_kind ON run(kind)",
            "INSERT INTO _sqlite_migrations (name, migration_set, applied_at) VALUES (NULL, NULL, NULL)",
            "UPDATE _sqlite_migrations SET name = 'm999_future'",
            "DELETE FROM _sqlite_migrations",
        ]
    )
    connection.execute(statement)
    return statement


IN_TABLES: tuple[tuple[int, Callable[[sqlite3.Connection, Random], str]], ...] = (
    (6, node_of_a_json_column),
    (5, column_of_another_kind),
    (2, rows_lost_or_crossed),
    (1, text_that_is_none),
    (1, without_a_table),
    (1, table_of_another_kind),
    (1, hostile_schema),
)


def damage_recording(path: Path, rng: Random) -> str:
    """Damage a recording file.

    Returns:
        What was done to it, in words.
    """
    if rng.random() < 0.2:
        path.write_bytes(damaged_bytes(path.read_bytes(), rng))
        return "its bytes are damaged"
    (damage,) = rng.choices([each for _, each in IN_TABLES], [weight for weight, _ in IN_TABLES])
    connection = _loosen(path, rng)
    try:
        return damage(connection, rng)
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        return f"{damage.__name__} was not taken: {error!r:.80}"
    finally:
        connection.close()
