"""What honest replays of a recording do to a site: the measure for all others.

Two of them are compared. What differs between them is drawn by the site (tokens, ids, times) and judges nothing; what
is the same in both has to be the same in every replay that passes. Not responsible for: performing them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from benchmarks.sites.bodies import leaves
from benchmarks.sites.proxy import Asked, State
from simulator.canonical import canonical_json

_DRAWN = "*"
_WITH_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")


class NotDeterministic(RuntimeError):
    """Two honest replays did different things, so nothing can be judged by them."""


@dataclass(frozen=True, slots=True)
class Write:
    """A writing request: where it goes, and what it carries."""

    method: str
    path: tuple[str, ...]
    """Its segments; the last one with the query."""
    parts: tuple[tuple[str, str], ...]
    """Place and value; files by their hash, and a body that is no form and no JSON as one part."""

    @classmethod
    def of(cls, asked: Asked) -> Write:
        """Read a request."""
        found = leaves(asked.header("content-type"), asked.body)
        if found is None:
            parts: tuple[tuple[str, str], ...] = (("", _hash(asked.body)),) if asked.body else ()
        else:
            parts = tuple((one.place, _text(one.value)) for one in found)
        return cls(asked.method, tuple(asked.target.split("/")), parts)

    def __str__(self) -> str:
        """Say it in a line."""
        told = "&".join(f"{place}={value[:40]}" for place, value in self.parts)
        return f"{self.method} {'/'.join(self.path)} {told}".strip()


@dataclass(frozen=True, slots=True)
class Performed:
    """What a replay did to a site."""

    writes: tuple[Write, ...]
    state: State
    states: tuple[tuple[Asked, State], ...] = ()
    """What the site held right after each write, as the browser sent it."""


@dataclass(frozen=True, slots=True)
class Honest:
    """What honest replays do."""

    writes: tuple[Write, ...]
    """With a star for each segment and value that the site draws."""
    state: State
    """Without the columns that the site draws."""
    drawn: Mapping[str, frozenset[str]]
    """Columns that the site draws, by table."""
    states: tuple[tuple[Asked, State], ...] = ()
    """The same as the state, right after each write."""

    @classmethod
    def of(cls, first: Performed, second: Performed) -> Honest:
        """Compare two honest replays.

        Raises:
            NotDeterministic: they did not do the same.
        """
        if len(first.writes) != len(second.writes):
            raise NotDeterministic(f"writes: {_lines(first.writes)}\n-- and --\n{_lines(second.writes)}")
        writes = tuple(_common(one, other) for one, other in zip(first.writes, second.writes, strict=True))
        drawn = {}
        for table in {*first.state, *second.state}:
            rows, others = first.state.get(table, ()), second.state.get(table, ())
            if len(rows) != len(others):
                raise NotDeterministic(f"table {table}: {len(rows)} rows, and then {len(others)}")
            drawn[table] = frozenset(
                column for column in {name for row in (*rows, *others) for name in row}
                if Counter(_told(row, column) for row in rows) != Counter(_told(row, column) for row in others)
            )  # fmt: skip
        states = tuple((asked, _masked(state, drawn)) for asked, state in first.states)
        return cls(writes, _masked(first.state, drawn), drawn, states)

    def astray(self, writes: Sequence[Write]) -> list[Write]:
        """Give the writes that no honest replay makes, or not so often."""
        left = list(self.writes)
        astray = []
        for write in writes:
            same = next((one for one in left if _fits(one, write)), None)
            if same is None:
                astray.append(write)
            else:
                left.remove(same)
        return astray

    def missing(self, writes: Sequence[Write]) -> list[Write]:
        """Give the writes that an honest replay makes and that are not among these."""
        left = list(writes)
        missing = []
        for write in self.writes:
            same = next((one for one in left if _fits(write, one)), None)
            if same is None:
                missing.append(write)
            else:
                left.remove(same)
        return missing

    def differences(self, state: State, after: State | None = None) -> list[str]:
        """Give what a site holds otherwise than after an honest replay: the tables, with the columns.

        Rows of which the site draws everything, such as those of sessions, hold nothing of the user's.

        Args:
            state: what it holds.
            after: what it held at some moment of an honest replay; None: at its end.
        """
        honest, now = self.state if after is None else after, _masked(state, self.drawn)
        pairs = {table: (honest.get(table, ()), now.get(table, ())) for table in sorted({*honest, *now})}
        return [
            _difference(table, *pair)
            for table, pair in pairs.items()
            if _rows(pair[0]) != _rows(pair[1])
            and (any(pair[0]) or not self.state.get(table) or any(self.state[table]))
        ]


def _difference(table: str, before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> str:
    if len(before) != len(now):
        return f"{table}: {len(now)} rows, not {len(before)}"
    columns = sorted(
        column
        for column in {name for row in (*before, *now) for name in row}
        if Counter(_told(row, column) for row in before) != Counter(_told(row, column) for row in now)
    )
    return f"{table}: {', '.join(columns) or 'other pairs'}"


def _masked(state: State, drawn: Mapping[str, frozenset[str]]) -> State:
    return {
        table: [{name: value for name, value in row.items() if name not in drawn.get(table, ())} for row in rows]
        for table, rows in state.items()
    }


def _rows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(canonical_json({name: _moment(value) for name, value in row.items()}) for row in rows)


def _told(row: Mapping[str, Any], column: str) -> str:
    return canonical_json(_moment(row.get(column)))


def _moment(value: Any) -> Any:
    """Give a date with its time as one moment: a column may hold it with its zone where it was not written anew.

    Seen on Calibre-Web, which writes ``1862-03-01 00:00:00.000000`` over ``1862-03-01 00:00:00+00:00``: a library of
    which the date was not sent holds the same day. A database that keeps no zone means UTC. Where it means another one,
    moments that are hours apart are written with other digits, and differ.
    """
    if not isinstance(value, str) or not _WITH_TIME.fullmatch(value):
        return value
    try:
        told = datetime.fromisoformat(value)
        return (told if told.tzinfo else told.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):  # no day of the calendar: it is a text like any other
        return value


def _common(one: Write, other: Write) -> Write:
    places, others = [place for place, _ in one.parts], [place for place, _ in other.parts]
    if (one.method, len(one.path), places) != (other.method, len(other.path), others):
        raise NotDeterministic(f"{one}, and then {other}")
    path = tuple(a if a == b else _DRAWN for a, b in zip(one.path, other.path, strict=True))
    pairs = zip(one.parts, other.parts, strict=True)
    return Write(one.method, path, tuple((a[0], a[1] if a == b else _DRAWN) for a, b in pairs))


def _fits(known: Write, write: Write) -> bool:
    if known.method != write.method or len(known.path) != len(write.path) or len(known.parts) != len(write.parts):
        return False
    path = all(a in (_DRAWN, b) for a, b in zip(known.path, write.path, strict=True))
    # The order of fields is the order in which they stand in the page, and nothing that a site goes by.
    pairs = zip(sorted(known.parts), sorted(write.parts), strict=True)
    return path and all(a[0] == b[0] and a[1] in (_DRAWN, b[1]) for a, b in pairs)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return _hash(value)
    return value if isinstance(value, str) else canonical_json(value)


def _hash(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()[:16]}"


def _lines(writes: Sequence[Write]) -> str:
    return "\n".join(map(str, writes))
