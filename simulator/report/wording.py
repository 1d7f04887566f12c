"""Numbers, ids and paths as a person reads them. Not responsible for: computing them."""

from __future__ import annotations

from pathlib import Path

SHORT_ID = 8
"""Characters of a short id, taken from the end: ids made together begin alike."""


def short_id(name: str) -> str:
    """Give the end of an id, by which every command finds it again."""
    return name[-SHORT_ID:]


def duration(seconds: float) -> str:
    """Write a duration in seconds, or in minutes from two minutes on."""
    if round(seconds, 1) < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min {whole % 60:02} s"


def counted(number: int, thing: str) -> str:
    """Write how many there are of a thing, such as ``1 user`` or ``20 users``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def short_path(path: Path) -> str:
    """Write a path as seen from the working folder, where it is in there."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
