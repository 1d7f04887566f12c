"""From the pattern of a field to how values that fit it are made, where it is one row of characters.

Patterns are those of HTML, which are regular expressions of JavaScript, and mean a value as a whole. Not responsible
for: patterns that say more.
"""

from __future__ import annotations

import re

_LONGEST = 40
_CLASS = (
    r"\\d|\[(?:0-9|a-z|A-Z|A-Za-z|a-zA-Z|a-z0-9|A-Z0-9|0-9a-f|0-9A-F|a-f0-9|A-F0-9)\]|[A-Za-z0-9 _/:@#-]|\\[-./+() ]"
)
_PIECE = re.compile(rf"({_CLASS})(?:\{{(\d+)(?:,\d*)?\}}|(\+))?")
_LETTERS = {
    "a-z": "abcdefghijklmnopqrstuvwxyz",
    "A-Z": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "0-9a-f": "0123456789abcdef",
    "0-9A-F": "0123456789ABCDEF",
    "a-f0-9": "0123456789abcdef",
    "A-F0-9": "0123456789ABCDEF",
}


def made_by(pattern: str) -> str:
    r"""Give what makes values that fit a pattern; empty where it is not one row of characters.

    Args:
        pattern: such as ``[A-Z]{3}-\d{4}``.
    """
    text = pattern.removeprefix("^").removesuffix("$")
    made, end = "", 0
    for piece in _PIECE.finditer(text):
        if piece.start() != end:
            return ""
        end = piece.end()
        made += _made(piece[1], int(piece[2] or (3 if piece[3] else 1)))
    fits = end == len(text) and 0 < len(made) <= 6 * _LONGEST
    return made if fits and _compiles(pattern) else ""


def _made(kind: str, times: int) -> str:
    if not 0 < times <= _LONGEST:
        return ""
    if kind in (r"\d", "[0-9]"):
        return f"{{{{faker.numerify('{'#' * times}')}}}}"
    if kind.startswith("["):
        letters = _LETTERS.get(kind[1:-1], _LETTERS["A-Z" if kind.startswith("[A-Z") else "a-z"])
        return f"{{{{faker.lexify('{'?' * times}', '{letters}')}}}}"
    return kind.removeprefix("\\") * times


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
