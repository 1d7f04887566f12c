"""Writes what strangers' pages say into TOML: as values that are read back as they were, and as comments of one line.

Not responsible for: what is written.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from simulator.canonical import well_formed

Said: TypeAlias = "str | bool | int | float | Sequence[Said] | Mapping[str, Said]"
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ADDRESS = re.compile(r"[^\s@<>()\"']+@[^\s@<>()\"']+\.[^\s@<>()\"']+")
_LONGEST = 160
"""Characters of a text in a comment."""
_SHY = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Kinds of characters that are not seen, or change the order or the lines of those that are."""


def quoted(text: str) -> str:
    """Write a text as a basic string of TOML, on one line, with everything escaped that is not plainly seen."""
    return '"' + "".join(_escaped(char) for char in well_formed(text)) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    if unicodedata.category(char) in _SHY:
        return f"\\u{ord(char):04X}" if ord(char) < 0x10000 else f"\\U{ord(char):08X}"
    return char


def value(said: Said) -> str:
    """Write a value of TOML on one line."""
    if isinstance(said, str):
        return quoted(said)
    if isinstance(said, bool | int | float):
        return json.dumps(said)
    if isinstance(said, Mapping):
        inner = ", ".join(f"{key(name)} = {value(one)}" for name, one in said.items())
        return f"{{ {inner} }}" if inner else "{}"
    return f"[{', '.join(map(value, said))}]"


def key(name: str) -> str:
    """Write a key of TOML."""
    return name if _BARE.fullmatch(name) else quoted(name)


def in_a_line(text: str, longest: int = _LONGEST) -> str:
    """Give a text of a page as it can stand in a comment: one line of characters that are seen, and nobody's address.

    Args:
        text: of a page.
        longest: characters that are kept.
    """
    seen = "".join(" " if unicodedata.category(char) in _SHY else char for char in well_formed(text))
    seen = _ADDRESS.sub("(an e-mail address)", " ".join(seen.split()))
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}…"


def names_somebody(text: str) -> bool:
    """Return whether a text holds an e-mail address, which is nobody's business but its owner's."""
    return _ADDRESS.search(text) is not None


def comment(text: str, *, question: bool = False) -> str:
    """Write a comment of one line; an open question begins with ``# ?``."""
    return f"# {'? ' if question else ''}{in_a_line(text, 400)}"
