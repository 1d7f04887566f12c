"""What belongs to a run, table by table. Not responsible for: the tables themselves (``schema.py``)."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from simulator.errors import RecordingError

_OF_STEP = "step_id IN (SELECT id FROM step WHERE run_id = ?)"

OF_RUN: Final[dict[str, str]] = {
    "run": "id = ?",
    "actor": "run_id = ?",
    "step": "run_id = ?",
    "action": _OF_STEP,
    "variable": "run_id = ?",
    "variable_use": _OF_STEP,
    "dependency": _OF_STEP,
    "created": "run_id = ?",
    "write": "run_id = ?",
    "effect": "run_id = ?",
    "exchange": "run_id = ?",
    "llm_call": "run_id = ?",
}
"""Tables that hold a run's rows and which those are, each after those that it refers to."""

_HASH = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])")


def rows_of_run(connection: sqlite3.Connection, table: str, run_id: str) -> Iterator[dict[str, Any]]:
    """Give a run's rows of a table in the order in which they were written."""
    cursor = connection.execute(f"SELECT * FROM {table} WHERE {OF_RUN[table]} ORDER BY rowid", (run_id,))
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, row, strict=True))


def hashes(rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """Give every SHA-256 that stands anywhere in rows: the blobs and pages that they may refer to."""
    return {found for row in rows for value in row.values() if isinstance(value, str) for found in _HASH.findall(value)}


def hashes_inside(connection: sqlite3.Connection, calls: Iterable[Mapping[str, Any]]) -> set[str]:
    """Give every SHA-256 that model calls refer to: in their rows, in their requests, and in what those refer to.

    Raises:
        RecordingError: one of these cannot be read.
    """
    found: set[str] = set()
    waiting = hashes(calls)
    while waiting:
        sha256 = waiting.pop()
        found.add(sha256)
        sql = "SELECT encoding, bytes, size FROM blob WHERE sha256 = ? AND media_type = 'application/json'"
        for encoding, data, size in connection.execute(sql, (sha256,)):
            try:
                text = unpack(encoding, data, size).decode("utf-8", "replace")
            except ValueError as error:
                raise RecordingError(f"blob {sha256} {error}; look with 'sim runs verify'") from None
            waiting |= {*_HASH.findall(text)} - found
    return found


MOST_UNPACKED: Final = 256 * 2**20
"""Bytes of a blob beyond which it is stored as it is: so a small file cannot unfold into a huge one."""


def unpack(encoding: str, data: bytes, size: int | None = None) -> bytes:
    """Give a blob's bytes as they were before they were stored.

    Args:
        encoding: how they are stored.
        data: as they are stored.
        size: how many they are; no more than that is unpacked. None: that is not known.

    Raises:
        ValueError: they are not that many, or cannot be unpacked.
    """
    if encoding == "zlib":
        most = MOST_UNPACKED if size is None else size
        if not 0 <= most <= MOST_UNPACKED:
            raise ValueError(f"is said to unfold into {size} bytes; the limit is {MOST_UNPACKED >> 20} MiB")
        try:
            unfolded = zlib.decompressobj()
            data = unfolded.decompress(data, most + 1)
        except zlib.error as error:
            raise ValueError(f"cannot be unpacked ({error})") from None
        if len(data) > most:
            raise ValueError(f"unfolds into more than {most} bytes")
        if not unfolded.eof:
            raise ValueError(f"is cut off after {len(data)} bytes")
    if size not in (None, len(data)):
        raise ValueError(f"has {len(data)} bytes, not {size}")
    return data
