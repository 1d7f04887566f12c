"""Ids that sort by time and merge between machines, and the time as recordings hold it.

Not responsible for: what they name, or durations (those are of the monotonic clock).
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

_last = 0


def new_id() -> str:
    """Make a UUIDv7 (RFC 9562, 5.7) that is greater than every one made before in this process.

    The 12 bits after the time count sub-milliseconds, and on where the clock stands still or steps back.
    Must be called from one thread at a time.
    """
    global _last
    millis, nanos = divmod(time.time_ns(), 1_000_000)
    _last = max(_last + 1, millis << 12 | nanos * 4096 // 1_000_000)
    tail = int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    text = f"{_last >> 12:012x}7{_last & 0xFFF:03x}{tail:016x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def wall_time(at_ns: int | None = None) -> str:
    """Give the time as recordings hold it: UTC, ISO 8601 with milliseconds and a ``Z``.

    Args:
        at_ns: when, in nanoseconds since 1970; now by default.
    """
    at = datetime.now(UTC) if at_ns is None else datetime.fromtimestamp(at_ns / 1e9, UTC)
    return at.isoformat(timespec="milliseconds")[:-6] + "Z"


def read_time(text: str) -> str:
    """Refuse what is no time as recordings hold it.

    Raises:
        ValueError: it is not one.
    """
    if datetime.fromisoformat(text).tzinfo is None:
        raise ValueError("expected a time with its zone, such as 2026-05-04T10:11:12.345Z")
    return text
