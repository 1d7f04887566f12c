"""Numbers as people and sites write them, in any locale. Not responsible for: dates, and numbers that are names.

``1.234`` is two numbers until something else says which: every reading is given, and whoever compares takes any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from simulator.meaning.folding import unspaced

_TOKEN = re.compile(r"\d+(?:(?:[.,'·٫٬]| (?=\d{3}(?!\d))|, (?=\d\d(?!\d)))\d+)*")
_CURRENCY = (
    "eur|usd|gbp|chf|jpy|cny|inr|aud|cad|nzd|sek|nok|dkk|isk|pln|czk|huf|ron|bgn|try|uah|rub|brl|mxn|ars|clp|cop|zar"
    "|krw|thb|vnd|idr|myr|sgd|hkd|ils|aed|sar|egp|kr|rs|rp|rm|ft|lei|fr|kn|zł|kč|лв|руб|r"
)
_CURRENCY_BEFORE = re.compile(rf"(?:^|[^\w])(?:{_CURRENCY}|x|nr|no)$")
"""What may stand before a number without a space. Any other letters make it a part of a name."""
_LETTERS_AFTER = re.compile(r"[^\W\d_]{1,5}(?![\w])")
_MINUS = re.compile(rf"(?:^|[^\w)])-\s?(?:[^\W\d_]{{0,3}}[^\w\s.,/:-]{{1,2}}|(?:{_CURRENCY})\.?)?\s?$")
_MINUS_BEFORE_SIGN = re.compile(rf"(?:^|\s)(?:{_CURRENCY})\.?-$|[^\w\s.,/:)-]-$")
_APART = re.compile(r"-\s\S*\s?$")
"""A minus that may as well be a dash."""
_PERCENT_AFTER = re.compile(r"\s?[%٪]")
_PERCENT_BEFORE = re.compile(r"%\s?$")
_THOUSANDS = re.compile(r"\s?(k|m|mio|mn|tsd|mrd)\b\.?")
_FACTOR = {"k": 1000, "tsd": 1000, "mrd": 10**9}
_OF = re.compile(r"\s?(?:/|(?:out\s)?of|von|sur|su|di|de|van|av|af|z|ze|из|із|din|από|sobre)\s?$")
_UNIT = rf"(?:[a-z]{{0,3}}[^\w\s.,+/:;!?*()\[\]{{}}<>=#@&|\\~^_%'\"-]|(?:{_CURRENCY})\.?)"
_WHOLE = re.compile(rf"{_UNIT}?\s?[+-]?\s?{_UNIT}?\s?\d[\d.,'·٫٬ ]*\s?(?:{_UNIT}|%)?(?:\s?[-]{{1,2}})?")
_BETWEEN_DIGITS = re.compile(r"\D+")
_UNSPACED = re.compile(r"[^ ]+")
_ZEROS = re.compile(r"0\d")


class Figure(NamedTuple):
    """One number in a text."""

    readings: frozenset[str]
    """Each in its one form: no zeros that say nothing, a point, a minus."""
    whole: bool
    """It is a number by itself, not a part of a range, a date, a version or a name."""
    percent: bool
    factor: int
    """What it counts: 1000 in ``1.2k``; else 1."""
    plain: bool
    """Only digits, without a sign of a currency."""
    start: int
    end: int
    open_end: bool
    """A plus follows, as in ``99+``."""


def readings(token: str) -> frozenset[str]:
    """Give every number that some locale writes as this token of digits and signs between them; none is no number."""
    if token.isdecimal():
        return frozenset((_one_form(token, ""),))
    found = set()
    groups = _BETWEEN_DIGITS.split(token)
    seps = [char for char in token if not char.isdecimal()]
    last = seps[-1]
    if "" in groups:
        return frozenset()
    others = set(seps[:-1])
    if last in ".,·٫" and last not in others and len(others) <= 1 and _grouped(groups[:-1]):
        found.add(_one_form("".join(groups[:-1]), groups[-1]))
    if len(set(seps)) == 1 and _grouped(groups) and groups[0] != "0" and len(groups) > 1:
        found.add(_one_form("".join(groups), ""))
    return frozenset(found)


def _grouped(groups: list[str]) -> bool:
    """Return whether groups of digits are those of a number: threes, or twos before the last three as in India."""
    if len(groups) == 1:
        return True
    sizes = [len(group) for group in groups[1:-1]]
    ends = 1 <= len(groups[0]) <= 3 and len(groups[-1]) == 3
    return ends and (all(size == 3 for size in sizes) or all(size == 2 for size in sizes))


def _one_form(whole: str, decimals: str) -> str:
    whole, decimals = whole.lstrip("0") or "0", decimals.rstrip("0")
    return f"{whole}.{decimals}" if decimals else whole


def figures(text: str) -> Iterator[Figure]:
    """Give the numbers of a typed text, in order; what ends a name, as in ``A21``, is not one."""
    for match in _TOKEN.finditer(text):
        token, start = match.group(), match.start()
        parts = [(token, start)]
        if " " in token and not readings(token.replace(", ", ",")):
            parts = [(part.group(), start + part.start()) for part in _UNSPACED.finditer(token)]
        for part, at in parts:
            if at and text[at - 1].isalpha() and _is_part(text[max(0, at - 8) : at], ""):
                continue  # m2, CO2, A21
            yield _figure(text, part.rstrip(","), at, at + len(part))


def _figure(text: str, token: str, start: int, end: int) -> Figure:
    before, after = text[max(0, start - 8) : start], text[end : end + 8]
    found = readings(token)
    if before.endswith((".", ",")) and not before[-2:-1].isalnum():
        found = frozenset((_one_form("0", token),)) if token.isdecimal() else found
    whole = bool(found) and not _is_part(before, after)
    if found and (_MINUS.search(before) or _MINUS_BEFORE_SIGN.search(before)):
        minus = frozenset("-" + reading for reading in found if reading != "0")
        found = found | minus if _APART.search(before) else minus or found
    elif found and before.endswith("(") and after.startswith(")"):
        found |= {"-" + reading for reading in found}
    many = _THOUSANDS.match(after)
    return Figure(
        found,
        whole,
        bool(_PERCENT_AFTER.match(after) or _PERCENT_BEFORE.search(before)),
        _FACTOR.get(many[1], 10**6) if many else 1,
        token.isdecimal(),
        start,
        end,
        after.startswith("+"),
    )


def _is_part(before: str, after: str) -> bool:
    """Return whether a number is a part of something longer, by what stands around it."""
    last, next_ = before[-1:], after[:1]
    beyond = before[-2:-1]
    if last.isalpha():
        joined = _CURRENCY_BEFORE.search(before) is None and not unspaced(last)
    elif beyond.isalpha():
        joined = last in "-/_" and _MINUS_BEFORE_SIGN.search(before) is None
    else:
        joined = last == "_" or (beyond.isdecimal() and last in "-.:/,'")
    if joined:
        return True
    if next_.isalpha() and next_.isascii():
        return _LETTERS_AFTER.match(after) is None
    return next_ == "_" or (next_ in ("-", ".", ":", "/") and after[1:2].isdecimal())


def rated(text: str, found: list[Figure]) -> list[Figure]:
    """Give the numbers of a text without the most that there could be: ``4 / 5`` and ``4 out of 5`` are a 4."""
    if len(found) == 2 and _OF.fullmatch(text[found[0].end : found[1].start]):
        return [found[0]._replace(whole=True)]
    return found


def number_put(text: str) -> tuple[frozenset[str], bool]:
    """Read a typed text that is nothing but a number, a currency or a percent sign beside it.

    Returns:
        Its readings, none where it is something else, and whether it is a percentage. A number that begins with a
        nought, such as a postal code, is not one.
    """
    if not any(map(str.isdecimal, text)) or _WHOLE.fullmatch(text) is None:
        return frozenset(), False
    found = list(figures(text))
    if len(found) != 1 or _ZEROS.match(text, found[0].start):
        return frozenset(), False
    return found[0].readings, found[0].percent


def scaled(numbers: frozenset[str], by: Decimal) -> frozenset[str]:
    """Multiply each of some numbers."""
    return frozenset(form_of(Decimal(number) * by) for number in numbers)


def form_of(number: Decimal) -> str:
    """Write a number in its one form."""
    sign, text = ("-", f"{-number:f}") if number < 0 else ("", f"{number:f}")
    return sign + _one_form(*text.split(".", 1)) if "." in text else sign + text
