"""Rows of data sets, from CSV, JSON Lines, YAML and SQLite, with values that are checked where they stand.

Not responsible for: dealing rows to users.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, NamedTuple

from simulator.domain.data.making import Rule
from simulator.text_file import UnreadableFile, place, read_text
from simulator.toml_file import shown
from simulator.yaml_source import Located, SourceError, parse_source

Kind = Literal["text", "number", "whole number", "true or false", "date", "file", "picture"]
FILES = ("file", "picture")
"""Kinds of which a value is the name of a file that its user has."""
Scalar = str | int | float | bool | None
SUFFIXES = (".csv", ".jsonl", ".yaml", ".yml")
SIZE_LIMIT = 8 << 20
"""Bytes in the largest file that is read."""
_FIELD = re.compile(r"[a-z][a-z0-9_]*")
_CELL = re.compile(r'"((?:[^"]|"")*)"|([^",\r\n]*)')
_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class WrongRow(Exception):
    """A data file cannot be used: why, with the place."""


class Cell(NamedTuple):
    """A value, and where it stands."""

    value: Scalar
    line: int
    column: int


class Row(NamedTuple):
    """Values by field, or a single text; and where it begins."""

    cells: Mapping[str, Cell] | Cell
    line: int
    column: int


Rows = list[dict[str, Scalar]] | list[str]
"""Rows by field, or texts."""


def read_rows(path: Path, kinds: Mapping[str, Kind], rules: Sequence[Rule] = ()) -> Rows:
    """Read a data file.

    Every row has the fields of the first one. What nobody says the kind of is of the kind that it has in the first row;
    in a CSV file it is text.

    Args:
        path: the file.
        kinds: what fields hold. A ``file`` is named relative to the folder of this one, and has to be there.
        rules: what has to hold of every row.

    Returns:
        Rows, or texts where the file is a list of these.

    Raises:
        WrongRow: with the first mistake: file, line, column, and what was expected.
    """
    try:
        text = read_text(path, SIZE_LIMIT)
        rows = list(
            _CSV(text).rows() if path.suffix == ".csv" else _jsonl(text) if path.suffix == ".jsonl" else _yaml(text)
        )
        if not rows:
            raise WrongValue(1, 1, "expected at least one row, found none")
        return checked_rows(rows, kinds, rules, path.parent)
    except UnreadableFile as error:
        raise WrongRow(f"{path}:{error.line}:{error.column}: {error.message}") from None
    except SourceError as error:
        raise WrongRow(f"{path}:{error.position.line}:{error.position.column}: {error.message}") from None
    except WrongValue as error:
        raise WrongRow(f"{path}:{error.line}:{error.column}: {error.said}") from None


def read_table(path: Path, table: str, kinds: Mapping[str, Kind], rules: Sequence[Rule] = ()) -> Rows:
    """Read a table of an SQLite database, in the order in which its rows were written.

    Args:
        path: the database; it is not written to.
        table: its name.
        kinds: see :func:`read_rows`.
        rules: what has to hold of every row.

    Raises:
        WrongRow: with the first mistake: file, number of the row, and what was expected.
    """
    if not path.is_file():
        raise WrongRow(f"{path}: there is no such file")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            names = [str(name) for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
            if table not in names:
                near = get_close_matches(table, names, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(names) or 'none'}"
                raise WrongRow(f"{path}: there is no table '{table}'; {hint}")
            quoted = table.replace('"', '""')
            found = connection.execute(f'select * from "{quoted}"')
            fields = [str(one[0]) for one in found.description]
            rows = [
                Row(
                    {name: Cell(_stored(value, number), number, 1) for name, value in zip(fields, values, strict=True)},
                    number,
                    1,
                )
                for number, values in enumerate(found, start=1)
            ]
        if not rows:
            raise WrongValue(1, 1, f"expected at least one row in '{table}', found none")
        return checked_rows(rows, kinds, rules, path.parent)
    except sqlite3.Error as error:
        raise WrongRow(f"{path}: cannot be read as an SQLite database ({error})") from None
    except WrongValue as error:
        raise WrongRow(f"{path}: row {error.line} of '{table}': {error.said}") from None


def _stored(value: object, row: int) -> Scalar:
    if isinstance(value, bytes):
        raise WrongValue(row, 1, "expected a text or a number, found bytes")
    return value if isinstance(value, str | int | float) else None


class WrongValue(Exception):
    """A value is not what was expected.

    Args:
        line: where it is, from 1.
        column: from 1.
        said: what was expected.
    """

    def __init__(self, line: int, column: int, said: str) -> None:
        super().__init__(said)
        self.line, self.column, self.said = line, column, said


def checked_rows(rows: Sequence[Row], kinds: Mapping[str, Kind], rules: Sequence[Rule], folder: Path) -> Rows:
    """Give the values of rows, each of the kind that its field has.

    Args:
        rows: at least one.
        kinds: what fields hold, where it is not what they do in the first row.
        rules: what has to hold of every row.
        folder: what files are named relative to.

    Raises:
        WrongValue: the first mistake.
    """
    first = rows[0].cells
    if isinstance(first, Cell):
        return [_text(row) for row in rows]
    for name, cell in first.items():
        if not _FIELD.fullmatch(name):
            raise WrongValue(
                cell.line, cell.column, f"expected a name of small letters, digits and '_', found {name!r}"
            )
    known = {name: kinds.get(name) or _kind_of(name, rows) for name in first}
    for name in kinds.keys() - first.keys():
        raise WrongValue(
            rows[0].line, rows[0].column, f"expected the field '{name}', which its section names, found none"
        )
    values = [_values(row, known, folder) for row in rows]
    for rule in rules:
        if set(rule.fields()) <= known.keys():
            for row, one in zip(rows, values, strict=True):
                if not rule.holds(one):
                    said = ", ".join(f"{name} {shown(one[name])}" for name in rule.fields())
                    raise WrongValue(row.line, row.column, f"expected {rule}, found {said}")
    return values


def _text(row: Row) -> str:
    if not isinstance(row.cells, Cell) or not isinstance(row.cells.value, str) or not row.cells.value.strip():
        raise WrongValue(row.line, row.column, "expected a text, as the first one is")
    return row.cells.value


def _values(row: Row, kinds: Mapping[str, Kind], folder: Path) -> dict[str, Scalar]:
    if isinstance(row.cells, Cell):
        raise WrongValue(
            row.line, row.column, f"expected a row with {', '.join(kinds)}, found {shown(row.cells.value)}"
        )
    for name, cell in row.cells.items():
        if name not in kinds:
            near = get_close_matches(name, kinds, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"the first row has {', '.join(kinds)}"
            raise WrongValue(cell.line, cell.column, f"unknown field '{name}'; {hint}")
    for name in kinds:
        if name not in row.cells:
            raise WrongValue(row.line, row.column, f"expected the field '{name}', as the first row has, found none")
    return {name: _value(name, row.cells[name], kind, folder) for name, kind in kinds.items()}


def _kind_of(name: str, rows: Sequence[Row]) -> Kind:
    """Give what a field holds in the first row that has a value there."""
    cells = (row.cells[name].value for row in rows if not isinstance(row.cells, Cell) and name in row.cells)
    value = next((one for one in cells if one is not None), None)
    if isinstance(value, bool):
        return "true or false"
    return "number" if isinstance(value, int | float) else "text"


def _value(name: str, cell: Cell, kind: Kind, folder: Path) -> Scalar:
    if cell.value is None or (cell.value == "" and kind != "text"):
        return None
    if kind == "picture":
        raise WrongValue(cell.line, cell.column, f"{name}: a picture is drawn: write it under 'make', not into rows")
    if kind == "file" and isinstance(cell.value, str):
        if not is_below(folder, cell.value):
            raise WrongValue(
                cell.line, cell.column, f"{name}: expected a file below {folder}, found {shown(cell.value)}"
            )
        if not (folder / cell.value).is_file():
            raise WrongValue(cell.line, cell.column, f"{name}: there is no file {folder / cell.value}")
    try:
        return as_kind(cell.value, kind)
    except ValueError as error:
        raise WrongValue(cell.line, cell.column, f"{name}: {error}") from None


def is_below(folder: Path, name: str) -> bool:
    """Return whether a name leads to something below a folder: no name leads out of it, also not by a link."""
    try:
        return not Path(name).is_absolute() and (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


def as_kind(value: str | int | float | bool, kind: Kind) -> Scalar:
    """Read a value as one of a kind: a text as the number that it says.

    Raises:
        ValueError: it is not one: what was expected.
    """
    try:
        match kind:
            case "text" | "file" | "picture" if isinstance(value, str):
                return value
            case "number" if not isinstance(value, bool):
                number = value if isinstance(value, int | float) else _number(value)
                if math.isfinite(number):
                    return number
            case "whole number" if not isinstance(value, bool | float):
                return int(value)
            case "true or false":
                return value if isinstance(value, bool) else _WORDS[str(value).lower()]
            case "date" if isinstance(value, str):
                return date.fromisoformat(value).isoformat()
    except (ValueError, KeyError, OverflowError):
        pass  # reported below
    wanted = {"text": "text", "true or false": "true or false", "date": "a date such as 2026-05-01"}
    raise ValueError(f"expected {wanted.get(kind, f'a {kind}')}, found {shown(value)}")


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        return float(text)


class _CSV:
    """Comma-separated values as RFC 4180 has them; the first line names the fields.

    The csv module of Python gives no columns.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def rows(self) -> Iterator[Row]:
        names = self._line()
        for at, cell in enumerate(names):
            if cell.value in [one.value for one in names[:at]]:
                raise WrongValue(cell.line, cell.column, f"the field {cell.value!r} is there twice")
        while self._at < len(self._text):
            cells = self._line()
            if len(cells) == 1 and not cells[0].value:
                continue  # an empty line
            if len(cells) != len(names):
                raise WrongValue(cells[0].line, cells[0].column, f"expected {len(names)} values, found {len(cells)}")
            yield Row({str(name.value): cell for name, cell in zip(names, cells, strict=True)}, *cells[0][1:])

    def _line(self) -> list[Cell]:
        cells: list[Cell] = []
        while True:
            found = _CELL.match(self._text, self._at)
            assert found is not None
            value = found[2] if found[1] is None else found[1].replace('""', '"')
            cells.append(Cell(value.strip(), *place(self._text, self._at)))
            self._at = found.end()
            after = self._text[self._at : self._at + 1]
            if after not in ("", ",", "\r", "\n"):
                raise WrongValue(
                    *place(self._text, self._at), 'expected a comma or the end of the line after a value in "…"'
                )
            self._at += 2 if self._text.startswith("\r\n", self._at) else 1
            if after != ",":
                return cells


def _jsonl(text: str) -> Iterator[Row]:
    for line, written in enumerate(text.splitlines(), start=1):
        if not written.strip():
            continue
        try:
            value = json.loads(written)
        except (ValueError, RecursionError) as error:
            column = error.colno if isinstance(error, json.JSONDecodeError) else 1
            raise WrongValue(line, column, "expected a line of JSON: an object, or a text") from None
        start = len(written) - len(written.lstrip()) + 1
        if not isinstance(value, dict):
            yield Row(Cell(_scalar(value, line, start), line, start), line, start)
            continue
        cells = {}
        for name, one in value.items():
            found = re.search(rf"{re.escape(json.dumps(name, ensure_ascii=False))}\s*:\s*", written)
            column = found.end() + 1 if found else start
            cells[name] = Cell(_scalar(one, line, column), line, column)
        yield Row(cells, line, start)


def _yaml(text: str) -> Iterator[Row]:
    whole = parse_source(text)
    if not isinstance(whole.value, list):
        raise WrongValue(*whole.position, "expected a list of rows, or of texts")
    for number in range(len(whole.value)):
        one = whole.children[number]
        if isinstance(one.value, dict):
            yield Row({name: _cell(one.children[name]) for name in one.value}, *one.position)
        else:
            yield Row(_cell(one), *one.position)


def _cell(one: Located) -> Cell:
    return Cell(_scalar(one.value, *one.position), *one.position)


def _scalar(value: object, line: int, column: int) -> Scalar:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise WrongValue(line, column, "expected one value, found several")
