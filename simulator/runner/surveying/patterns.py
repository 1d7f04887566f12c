"""From the pattern of a field to how values that fit it are made, where it is one row of characters.

Patterns are those of HTML, which are regular expressions of JavaScript, and mean a value as a whole. Not responsible
for: patterns that say more.
"""

from __future__ import annotations

import re
import string

_LONGEST = 40
_SOME = 8
"""Characters where a pattern asks for one at least: few enough for a field, and enough that two users differ."""
_PIECE = re.compile(r"(\\[dw]|\[(?!\^)(?:\\.|[^\\\]\[])+\]|[A-Za-z0-9 _/:@#-]|\\[-./+() ])(?:\{(\d+)(?:,\d*)?\}|(\+))?")
"""A class of characters, or one character, and how often it stands there."""
_MEMBER = re.compile(r"\\[dw]|([A-Za-z0-9])-([A-Za-z0-9])|\\?(.)")
_CLASSES = {r"\d": string.digits, r"\w": string.ascii_letters + string.digits}


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
        made += _made(piece[1], int(piece[2] or (_SOME if piece[3] else 1)))
    fits = end == len(text) and 0 < len(made) <= 6 * _LONGEST
    return made if fits and _compiles(pattern) else ""


def _made(kind: str, times: int) -> str:
    if not 0 < times <= _LONGEST:
        return ""
    letters = _members(kind)
    if letters == string.digits:
        return f"{{{{faker.numerify('{'#' * times}')}}}}"
    if letters:
        return f"{{{{faker.lexify('{'?' * times}', '{letters}')}}}}"
    return "" if kind.startswith("[") else kind.removeprefix("\\") * times


def _members(kind: str) -> str:
    """Give the letters and digits of a class, those of one case where there are several; empty where it is not one."""
    if kind in _CLASSES:
        return _CLASSES[kind]
    found = ""
    for one in _MEMBER.finditer(kind[1:-1]) if kind.startswith("[") else ():
        if one[1]:
            found += "".join(map(chr, range(ord(one[1]), ord(one[2]) + 1)))
        else:
            found += _CLASSES.get(one[0], one[3] or "")
    plain = "".join(dict.fromkeys(char for char in found if char.isascii() and char.isalnum()))
    lower = "".join(char for char in plain if not char.isupper())
    return lower if lower and not lower.isdigit() else plain


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True
