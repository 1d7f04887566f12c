"""Numbers, ids and paths as a person reads them. Not responsible for: computing them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path

_UNSHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
"""Categories of Unicode: control, format, surrogates, private use, line and paragraph separators."""
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


def harmless(text: str) -> str:
    """Write a text without what moves a terminal's cursor, changes its colours or turns its writing around."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if one not in "\n\t" and unicodedata.category(one) in _UNSHOWN else one for one in text)


def one_line(text: str) -> str:
    """Write a text on one line, as :func:`harmless` does."""
    return harmless(" ".join(text.split()))


def lost_lines(lost: Mapping[str, int]) -> list[str]:
    """Say, for a summary, who missed events and how many."""
    if not lost:
        return []
    return ["", *(f"lost      {counted(number, 'event')} to {name}" for name, number in lost.items())]


def counted(number: int, thing: str) -> str:
    """Write how many there are of a thing, such as ``1 user`` or ``20 users``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def short_path(path: Path) -> str:
    """Write a path as seen from the working folder, where it is in there."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
