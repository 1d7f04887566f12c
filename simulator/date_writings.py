r"""How a form asks for a date: by a picture (``MM/DD/YYYY``, ``JJ.MM.AAAA``), an example, or a pattern of figures.

A picture is three runs of one letter each, with one sign between them. The run of four is the year; of the other two
the month comes first where its letter is an m, as it is in nearly all languages, or where the year stands first. So no
language has to be known. Not responsible for: dates in texts (``simulator.meaning.dates``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby, pairwise, product
from typing import NamedTuple

_SIGNS: Mapping[str, str] = {"/": "slash", ".": "dot", "-": "dash", " ": "space", ". ": "dots", "": ""}
_ORDERS = ("dmy", "mdy", "ymd")
_MONTHS = frozenset("mмμ")
_RUNS = re.compile(r"(?<!\w)(?=([^\W\d_]{1,4})(\s?[/.-]\s?|\s)([^\W\d_]{1,4})\2([^\W\d_]{1,4})(?!\w))")
_ONE_WORD = re.compile(r"(?<!\w)[^\W\d_]{8}(?!\w)")
_EXAMPLE = re.compile(r"(?<![\w/.-])(?:(\d{1,2})([/.-]|\. )(\d{1,2})\2\d{4}|\d{4}([/.-]|\. )(\d{2})\4\d{2})(?![\w/-])")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_PROBES = (date(2027, 11, 24), date(2031, 3, 9), date(1990, 12, 31), date(1978, 1, 13))
"""Days that no order but one can mean, and others with a nought before their numbers."""


class DateWriting(NamedTuple):
    """A way in which dates are written in figures."""

    order: str
    """Of ``d``, ``m`` and ``y``."""
    sign: str
    """Between the numbers."""
    padded: bool = True
    """Whether days and months have two figures each."""

    @property
    def name(self) -> str:
        """What it is called in a variable: ``dd_mm_yyyy_dot`` in ``{{tool.1.due.dd_mm_yyyy_dot}}``."""
        runs = [one * 4 if one == "y" else one * (2 if self.padded else 1) for one in self.order]
        return "_".join([*runs, _SIGNS[self.sign]]) if self.sign else "".join(runs)

    @property
    def picture(self) -> str:
        """The picture of it, in English letters."""
        runs = (one * 4 if one == "y" else one * (2 if self.padded else 1) for one in self.order)
        return self.sign.join(runs)

    def write(self, text: str) -> str:
        """Write a date that is given as ``2026-12-31``; any other text stays as it is."""
        found = _ISO.fullmatch(text)
        if found is None:
            return text
        parts = dict(zip("ymd", found.groups(), strict=True))
        return self.sign.join(parts[one] if self.padded else parts[one].lstrip("0") for one in self.order)

    def read(self, text: str) -> str:
        """Give a date that is written so as ``2026-12-31``; empty where it is not."""
        numbers = re.findall(r"\d+", text) if self.sign else []
        if not self.sign and len(text) == sum(4 if one == "y" else 2 for one in self.order):
            ends = [sum(4 if one == "y" else 2 for one in self.order[:at]) for at in range(4)]
            numbers = [text[start:end] for start, end in pairwise(ends)]
        if len(numbers) != len(self.order):
            return ""
        parts = dict(zip(self.order, numbers, strict=True))
        iso = f"{parts['y']}-{parts['m']:0>2}-{parts['d']:0>2}"
        return iso if self.write(iso) == text else ""


WRITINGS: Mapping[str, DateWriting] = {
    one.name: one
    for one in (
        DateWriting(order, sign, padded)
        for order, sign, padded in product(_ORDERS, _SIGNS, (True, False))
        if sign or padded
    )
}
"""All of them, by their names."""


def date_writing(picture: str, *texts: str, pattern: str = "") -> DateWriting | None:
    """Give how a field asks for a date; None where nothing says so, or it may mean several.

    Args:
        picture: what stands in the empty field: a picture or an example.
        texts: what else is said of the field, which may hold a picture.
        pattern: that the field holds a text against.
    """
    for one in (*(found for text in (picture, *texts) for found in _pictures(text)), *_examples(picture)):
        if not pattern or _takes(pattern, one):
            return one
    taken = _taken(pattern)
    return taken[0] if len({(one.order, one.sign) for one in taken}) == 1 else None


def asks_date(pattern: str) -> bool:
    """Return whether a pattern is that of a date in figures: it takes no order whatever, as it would of a number."""
    return 0 < len({one.order for one in _taken(pattern)}) < len(_ORDERS)


def _taken(pattern: str) -> list[DateWriting]:
    """Give the writings that a pattern takes; between dots the day comes first, where the year does not."""
    usual = (one for one in WRITINGS.values() if (one.order, one.sign[:1]) != ("mdy", "."))
    return [one for one in usual if _takes(pattern, one)] if pattern else []


def _pictures(text: str) -> Iterator[DateWriting]:
    said = text.lower()
    for found in _RUNS.finditer(said):
        yield from _picture((found[1], found[3], found[4]), found[2])
    for word in _ONE_WORD.findall(said):
        yield from _picture(tuple("".join(run) for _, run in groupby(word)), "")


def _picture(runs: tuple[str, ...], sign: str) -> Iterator[DateWriting]:
    """Read a picture of which the runs are given, if it is one."""
    letters = [run[0] for run in runs if len(set(run)) == 1]
    lengths = tuple(map(len, runs))
    first = lengths[0] == 4
    short = letters[1:] if first else letters[:2]
    if len(letters) != 3 or sorted(lengths)[1:] not in ([1, 4], [2, 4]) or lengths[1] == 4 or short[0] == short[1]:
        return
    if (not first and letters[2] in short) or _is_alphabet(letters):
        return
    order = "ymd" if first else "mdy" if short[0] in _MONTHS else "dmy"
    sign = sign if sign in _SIGNS else sign.strip()
    yield DateWriting(order, sign, not sign or min(lengths) > 1)


def _examples(text: str) -> Iterator[DateWriting]:
    found = _EXAMPLE.search(text)
    if found is None:
        return
    if found[4] is not None:
        yield DateWriting("ymd", found[4])
        return
    one, other, sign = int(found[1]), int(found[3]), found[2]
    orders = [order for order, month in (("dmy", other), ("mdy", one)) if month <= 12 and (order, sign) != ("mdy", ".")]
    if len(orders) == 1:
        yield DateWriting(orders[0], sign, not (len(found[1]) == 1 or len(found[3]) == 1))


def _is_alphabet(letters: Sequence[str]) -> bool:
    """Return whether letters follow each other as in the alphabet: a picture of any code, such as ``AA-BB-CCCC``."""
    return all(ord(other) - ord(one) == 1 for one, other in pairwise(letters))


def _takes(pattern: str, writing: DateWriting) -> bool:
    """Return whether a pattern takes dates of a writing, and is one of dates: no sign of them may be any other."""
    try:
        written = [writing.write(day.isoformat()) for day in _PROBES]
        takes = re.compile(pattern).fullmatch
        return all(map(takes, written)) and not any(takes(re.sub(r"\d", "x", text)) for text in written)
    except (re.error, RecursionError):
        return False
