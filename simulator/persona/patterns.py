"""A text that fits a pattern of a form's field. Not responsible for: whether the field needs one.

It knows what such patterns are made of as a rule: letters, classes, groups, alternatives and numbers of times. Of what
it does not know (look-ahead, back references) it gives none, rather than a text that may not fit.
"""

from __future__ import annotations

import re
import string

from simulator.persona.draws import Draw

_CLASSES = {"d": string.digits, "w": string.ascii_lowercase + string.digits, "s": " "}
_ANY = string.ascii_lowercase
_MOST = 3
"""How often something is said at most, beyond the least, where a pattern sets no limit."""


class _Unknown(Exception):
    """The pattern holds what is not known here."""


def text_of(pattern: str, draw: Draw) -> str | None:
    """Give a text that fits a whole pattern, drawn; None where none is found.

    Args:
        pattern: a regular expression, as the attribute ``pattern`` of HTML has it.
        draw: of the choices.
    """
    try:
        text = _Writer(pattern.removeprefix("^").removesuffix("$"), draw).write()
        return text if re.fullmatch(pattern, text) else None
    except (_Unknown, re.error, IndexError, ValueError):
        return None


class _Writer:
    """Reads a pattern and writes a text."""

    def __init__(self, pattern: str, draw: Draw) -> None:
        self._pattern = pattern
        self._draw = draw
        self._at = 0

    def write(self) -> str:
        text = self._ways()
        if self._at < len(self._pattern):
            raise _Unknown
        return text

    def _ways(self) -> str:
        ways = [self._sequence()]
        while self._next() == "|":
            self._at += 1
            ways.append(self._sequence())
        return self._draw.choice(ways)

    def _sequence(self) -> str:
        parts: list[str] = []
        while self._next() not in ("", "|", ")"):
            start = self._at
            once = self._atom()
            least, most = self._times()
            after = self._at
            said = [once] if least else []
            for _ in range(least + self._draw.below(most - least + 1) - len(said)):
                self._at = start
                said.append(self._atom())
            self._at = after
            parts += said
        return "".join(parts)

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _atom(self) -> str:
        sign = self._pattern[self._at]
        self._at += 1
        if sign == "(":
            if self._pattern.startswith("?:", self._at):
                self._at += 2
            elif self._next() == "?":
                raise _Unknown
            text = self._ways()
            if self._next() != ")":
                raise _Unknown
            self._at += 1
            return text
        if sign == "[":
            return self._draw.choice(self._class())
        if sign == ".":
            return self._draw.choice(_ANY)
        if sign == "\\":
            return self._draw.choice(self._escaped())
        if sign in "^$*+?{":
            raise _Unknown
        return sign

    def _escaped(self) -> str:
        sign = self._pattern[self._at]
        self._at += 1
        if sign in _CLASSES:
            return _CLASSES[sign]
        if sign.isalnum():
            raise _Unknown
        return sign

    def _class(self) -> str:
        if self._next() == "^":
            raise _Unknown
        found = ""
        while self._next() != "]":
            sign = self._pattern[self._at]
            self._at += 1
            if sign == "\\":
                found += self._escaped()
            elif self._next() == "-" and self._pattern[self._at + 1] != "]":
                last = self._pattern[self._at + 1]
                found += "".join(map(chr, range(ord(sign), ord(last) + 1)))
                self._at += 2
            else:
                found += sign
        self._at += 1
        return found

    def _times(self) -> tuple[int, int]:
        sign = self._next()
        if sign in ("*", "+", "?") and sign:
            self._at += 1
            return {"*": (0, _MOST), "+": (1, 1 + _MOST), "?": (0, 1)}[sign]
        counted = re.match(r"\{(\d+)(,?)(\d*)\}", self._pattern[self._at :])
        if counted is None:
            return 1, 1
        self._at += counted.end()
        least = int(counted[1])
        return least, int(counted[3]) if counted[3] else least + _MOST if counted[2] else least
