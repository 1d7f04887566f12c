"""What a replay as another user has to do to a site, by what honest replays of the recorded user did.

Not responsible for: performing them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.sites.honest import Performed, Write
from benchmarks.sites.proxy import State
from simulator.canonical import canonical_json

_TELLING = 4
"""Characters from which on a value stands in a column by no chance."""
_Column = tuple[str, str]
"""A table and one of its columns."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What all users do: what they write, by how many rows each table grows, and where the site keeps what it gets."""

    writes: tuple[Write, ...]
    grown: Mapping[str, int]
    added: Mapping[str, tuple[Mapping[str, Any], ...]]
    """By table the rows that were added. One that all users would add alike is added once: the first comment on a page
    of Isso makes the row of that page."""
    kept: Mapping[tuple[int, str], frozenset[_Column]]
    """By the number of a write and a place in it the columns that hold its value."""

    @classmethod
    def of(cls, pristine: State, first: Performed, second: Performed) -> Pattern:
        """Learn it from two honest replays.

        Args:
            pristine: what the site held before each of them.
            first: one of them.
            second: the other one.
        """
        kept = {key: columns for key, columns in _kept(first).items()}
        other = _kept(second)
        both = {key: columns & other.get(key, frozenset()) for key, columns in kept.items()}
        known = {table: set(map(canonical_json, rows)) for table, rows in pristine.items()}
        added = {
            table: tuple(row for row in rows if canonical_json(row) not in known.get(table, ()))
            for table, rows in first.state.items()
        }
        kept = {key: some for key, some in both.items() if some}
        return cls(first.writes, _growth(pristine, first.state), added, kept)

    def unlike(self, before: State, performed: Performed) -> list[str]:
        """Give what another user's replay did otherwise.

        Args:
            before: what the site held before it.
            performed: what it did.
        """
        shapes, others = [_shape(one) for one in self.writes], [_shape(one) for one in performed.writes]
        if shapes != others:
            return [f"it wrote {', '.join(map(str, performed.writes)) or 'nothing'}"]
        grown = _growth(before, performed.state)
        tables = sorted({*self.grown, *grown})
        there = {table: set(map(canonical_json, rows)) for table, rows in before.items()}
        # A row that is there already, as anybody adds it, may be added once more: an order of the same book is.
        anybodys = {
            table: sum(
                canonical_json(row) in there.get(table, ()) and self._is_anybodys(table, row, performed)
                for row in self.added.get(table, ())
            )
            for table in tables
        }
        rows = [
            f"{table}: {grown.get(table, 0)} rows more, not {most}"
            for table in tables
            if not (most := self.grown.get(table, 0)) - anybodys[table] <= grown.get(table, 0) <= most
        ]
        held = _held(performed.state)
        lost = [
            f"{table}.{column} does not hold {place} of {performed.writes[number].method} number {number + 1}"
            for (number, place), columns in self.kept.items()
            for table, column in sorted(columns)
            if dict(performed.writes[number].parts)[place] not in held.get((table, column), ())
        ]
        return [*rows, *lost]

    def _is_anybodys(self, table: str, row: Mapping[str, Any], performed: Performed) -> bool:
        """Tell whether a row holds nothing that was sent otherwise now."""
        return not any(
            str(row.get(column))
            == dict(self.writes[number].parts)[place]
            != dict(performed.writes[number].parts)[place]
            for (number, place), columns in self.kept.items()
            for at, column in columns
            if at == table
        )


def _kept(performed: Performed) -> dict[tuple[int, str], frozenset[_Column]]:
    held = _held(performed.state)
    return {
        (number, place): frozenset(column for column, values in held.items() if value in values)
        for number, write in enumerate(performed.writes)
        for place, value in write.parts
        if len(value) >= _TELLING
    }


def _held(state: State) -> dict[_Column, set[str]]:
    held: dict[_Column, set[str]] = {}
    for table, column, value in _values(state):
        held.setdefault((table, column), set()).add(value)
    return held


def _values(state: State) -> Iterator[tuple[str, str, str]]:
    for table, rows in state.items():
        for row in rows:
            yield from ((table, column, str(value)) for column, value in row.items() if value is not None)


def _growth(before: State, after: State) -> dict[str, int]:
    return {table: len(after.get(table, ())) - len(before.get(table, ())) for table in {*before, *after}}


def _shape(write: Write) -> tuple[str, int, Sequence[str]]:
    return write.method, len(write.path), sorted(place for place, _ in write.parts)
