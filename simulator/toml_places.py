"""Where each key and value of a TOML text stands. Not responsible for: what they mean.

:mod:`tomllib` gives no positions. This reads a text that it has accepted, so only the shape is followed here.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, NamedTuple

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PART = r"""(?:"(?:\\.|[^"\\])*"|'[^']*'|[A-Za-z0-9_-]+)"""
_KEY = re.compile(rf"{_PART}(?:[ \t]*\.[ \t]*{_PART})*")
_STRING = re.compile(r'''"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?'{3,5}|"(?:\\.|[^"\\])*"|'[^']*\'''', re.DOTALL)
_PLAIN = re.compile(r"[^,\]}\n#]+")

_DEEPEST = 32
"""Parts of a key whose beginnings are places, too; one with more is none of ours."""

Path = tuple[str, ...]


class Place(NamedTuple):
    """Line and column, from 1, of a key and of its value; for a table, both are where its name stands."""

    key: tuple[int, int]
    value: tuple[int, int]


def positions(text: str) -> dict[Path, Place]:
    """Find where everything stands.

    Args:
        text: valid TOML.

    Returns:
        Places by path, for example ``("site", "bookshop", "base_url")``. The empty path is the whole text.
        Elements of lists have the number as last part of their path.
    """
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._places: dict[Path, Place] = {(): Place((1, 1), (1, 1))}
        self._elements: dict[Path, int] = {}
        """Of each array of tables, the number of its last element."""

    def scan(self) -> dict[Path, Place]:
        table: Path = ()
        self._skip()
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                opening = 0
                while self._text[self._at] == "[":
                    self._at += 1
                    opening += 1
                self._skip()
                start = self._here()
                table = self._placed(self._key())
                self._note((), table, start, start)
                if opening == 2:
                    number = self._elements[table] = self._elements.get(table, -1) + 1
                    table = (*table, str(number))
                    self._note((), table, start, start)
                self._skip()
                while self._text[self._at : self._at + 1] == "]":
                    self._at += 1
            else:
                self._pair(table)
            self._skip()
        return self._places

    def _placed(self, key: Path) -> Path:
        """Give the path of a table: what stands within an array of tables is of its last element."""
        path: Path = ()
        for number, part in enumerate(key):
            path = (*path, part)
            if path in self._elements and number < len(key) - 1:
                path = (*path, str(self._elements[path]))
        return path

    def _here(self) -> tuple[int, int]:
        start = self._text.rfind("\n", 0, self._at) + 1
        return self._text.count("\n", 0, self._at) + 1, self._at - start + 1

    def _skip(self) -> None:
        match = _BLANK.match(self._text, self._at)
        assert match is not None
        self._at = match.end()

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        assert match is not None, f"not the TOML that was expected: {self._text[self._at : self._at + 20]!r}"
        self._at = match.end()
        return match.group()

    def _key(self) -> Path:
        node: Any = tomllib.loads(self._take(_KEY) + "=0")
        path: list[str] = []
        while isinstance(node, dict):
            part, node = next(iter(node.items()))
            path.append(part)
        return tuple(path)

    def _note(self, table: Path, key: Path, at: tuple[int, int], value: tuple[int, int]) -> None:
        for length in range(1, min(len(key), _DEEPEST)):
            self._places.setdefault((*table, *key[:length]), Place(at, at))
        self._places[(*table, *key)] = Place(at, value)

    def _pair(self, table: Path) -> None:
        start = self._here()
        key = self._key()
        self._skip()
        self._at += 1  # the equals sign
        self._skip()
        self._note(table, key, start, self._here())
        self._value((*table, *key))

    def _value(self, path: Path) -> None:
        if (opening := self._text[self._at]) in "[{":
            self._at += 1
            self._skip()
            number = 0
            while self._text[self._at] not in "]}":
                if opening == "{":
                    self._pair(path)
                else:
                    here = self._here()
                    self._places[(*path, str(number))] = Place(here, here)
                    self._value((*path, str(number)))
                    number += 1
                self._skip()
                if self._text[self._at] == ",":
                    self._at += 1
                    self._skip()
            self._at += 1
        else:
            self._take(_STRING if opening in "\"'" else _PLAIN)
