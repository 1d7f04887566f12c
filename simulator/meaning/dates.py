"""Dates and times as people and sites write them, in the languages of personas. Not responsible for: relative dates.

Every reading is given: ``03/04/2026`` is a day in March and one in April. A calendar that is not the Gregorian one is
not read, but for the years of Thailand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from functools import cache
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple

from simulator.meaning.month_names import AFTER_NOON, BEFORE_NOON, MONTHS


class Day(NamedTuple):
    """A date, or what is said of one."""

    year: int | None
    month: int
    day: int | None


class Time(NamedTuple):
    """A time of day."""

    hour: int
    minute: int
    second: int | None


class Moments(NamedTuple):
    """The dates and the times of a text, each with all its readings."""

    days: tuple[frozenset[Day], ...] = ()
    times: tuple[frozenset[Time], ...] = ()
    zoned: bool = False
    """It is said in which zone the times are."""
    rest: str = ""
    """What is neither."""
    either: bool = False
    """The one date and the one time are two readings of the same: ``14.07.00``."""
    unread: bool = False
    """Something is written as a date and is none, such as ``0000-00-00``."""


# Behind a time of hours and minutes alone a dash leads to the end of a span: ``09:30-11:00``.
_OFFSET_SIGN = r"(?:(?:utc|gmt)[+-]|\+|(?:(?<=t\d\d:\d\d)|(?<=:\d\d:\d\d)|(?<=\.\d{3})|(?<=\.\d{6}))-)"
_ZONE = (
    rf"\s?(?:z\b|{_OFFSET_SIGN}(?:0?\d|1[0-4])(?::?(?:00|15|30|45))?(?![\d:])"
    r"|(?:utc|gmt|ces?t|ees?t|wes?t|[ecmp][sd]t|bst|ist|jst|msk|ae[sd]t)\b)"
)
_HOURS = (
    "h(?:ou)?rs?|hours?|h|std|stdn|stunden?|uur|heures?|horas?|or[ae]|godz|timer?|tim|timmar|hod|ч|час(?:а|ов)?|год"
    "|時間|시간|小时|小時|時|时|시"
)
_MINUTES = "m|mins?|minutes?|minuten?|minutos?|minut[iyao]?|minuter|мин(?:ут[аы]?)?|хв|分(?:钟|鐘)?|분"
"""What is read as a time of the day may be how long something took: ``10h:30m`` of what was put in as ``10:30``."""
_TIME = re.compile(
    r"(?<![\d:.,])(?P<hour>[01]?\d|2[0-4])"
    r"(?::(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d)(?:[.,]\d+)?)?"
    rf"|\s?(?:{_HOURS})\.?\s?[:,]?\s?(?P<minute4>[0-5]?\d)\s?(?:{_MINUTES})(?![^\W\d_])"
    r"|\.(?P<minute2>[0-5]\d)(?:\.(?P<second2>[0-5]\d))?(?!\.?\d)"
    r"|\s?(?:h|u|時|时|시|点|點)\s?(?P<minute3>[0-5]\d)(?:\s?(?:[分분]|min\b))?"
    r"|(?=\s?[ap]\.?\s?m\b))"
    rf"(?![\d:%])(?P<zone>{_ZONE})?"
)
_SPAN = re.compile(
    rf"(\d{{1,4}}):([0-5]\d)(?:\s?({_HOURS})\.?)?|(\d{{1,4}})\s?({_HOURS})\.?\s?[:,]?\s?([0-5]?\d)\s?(?:{_MINUTES})\.?"
)
_SHORT_HALVES = frozenset(
    (
        "de",
        "du",
        "em",
        "to",
        "in",
        "eh",
        "sa",
        "ch",
        "sf",
        "ym",
        "tk",
        "ap",
        "ip",
        "fm",
        "fh",
        "dop",
        "odp",
        "pop",
        "pg",
        "ptg",
        "rn",
    )
)
"""Halves of a day that are words of other languages."""
_HALVES = "|".join(
    r"\.?\s?".join(map(re.escape, half)) for half in sorted(BEFORE_NOON | AFTER_NOON, key=len, reverse=True)
)
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,4})(\s?[./-]\s?)(\d{1,2})\2(\d{1,4})(?!\d|[./-]\d)")
_POINTED_TIME = re.compile(r"([01]?\d|2[0-3])\.([0-5]\d)\.([0-5]\d)")
_EASTERN = re.compile(r"(?:(\d{2,4})\s?[年년]\s?)?(\d{1,2})\s?[月월](?:\s?(\d{1,2})\s?[日일])?")
_YEAR_MONTH = re.compile(r"(?<![\d./-])(?:(\d{4})[-/](\d{1,2})|(\d{1,2})[-/](\d{4}))(?![\d]|[./-]\d)")
_TOKEN = re.compile(r"\d+|[^\s\d,()/\[\]{}|;:!?\"“”]+")
_STRIPPED = ".-'’׳॰"
_MONTH_AND_NUMBER = ("tháng", "thg")
_FOREIGN_DIGITS = re.compile("[٠-٩۰-۹]")
"""Of languages whose years 1300 to 1500 are those of another calendar."""
_GAP = " ; "
_FIRST_YEAR, _LAST_YEAR = 1000, 2999
_BUDDHIST = 543


def moments(text: str, original: str) -> Moments:
    """Find the dates and times of a text.

    Args:
        text: typed, as :func:`simulator.meaning.folding.typed` gives it.
        original: the text before that, for its digits.
    """
    days: list[frozenset[Day]] = []
    times: list[frozenset[Time]] = []
    zones: list[str] = []
    unclear: list[tuple[frozenset[Day], Time]] = []
    unread: list[str] = []

    def day(read: Callable[[re.Match[str]], Iterator[Day]]) -> Callable[[re.Match[str]], str]:
        def taken(match: re.Match[str]) -> str:
            found = frozenset(read(match))
            if (time := _POINTED_TIME.fullmatch(match[0])) is not None:
                unclear.append((found, Time(int(time[1]), int(time[2]), int(time[3]))))
            elif found:
                days.append(found)
            else:
                unread.append(match[0])
            return _GAP if found or time else match.group()

        return taken

    def time(match: re.Match[str]) -> str:
        times.append(_time(match))
        if match["zone"]:
            zones.append(match["zone"])
        return _GAP

    text = _TIME.sub(time, _NUMERIC.sub(day(_numeric), text))
    if "月" in text or "월" in text:
        text = _EASTERN.sub(day(_eastern), text)
    named, rest = _named(_YEAR_MONTH.sub(day(_year_month), text))
    days.extend(named)
    either = bool(unclear) and not days and not times
    for as_day, as_time in unclear:
        if not times and (days or either):
            times.append(frozenset((as_time,)))
        if as_day and (either or not days):
            days.append(as_day)
    if not original.isascii() and _FOREIGN_DIGITS.search(original):
        days = [found for found in days if not any(1300 <= (one.year or 0) <= 1500 for one in found)]
    return Moments(tuple(days), tuple(times), bool(zones), rest, either and len(days) == len(times) == 1, bool(unread))


def span(text: str) -> tuple[Fraction, bool] | None:
    """Read how long something took, in hours, and whether the text says that it does; None where it says anything else.

    Args:
        text: typed. ``2:30`` may be a time of the day as well.
    """
    found = _SPAN.fullmatch(text)
    if found is None:
        return None
    hours, minutes = found[1] or found[4], found[2] or found[6]
    return Fraction(60 * int(hours) + int(minutes), 60), bool(found[3] or found[5])


def _time(match: re.Match[str]) -> frozenset[Time]:
    hour, text = int(match["hour"]), match.string
    minute = int(match["minute"] or match["minute2"] or match["minute3"] or match["minute4"] or 0)
    told = match["second"] or match["second2"]
    hours = {hour % 24}
    if 1 <= hour <= 12:
        half = _half(text[match.end() : match.end() + 20], text[max(0, match.start() - 20) : match.start()])
        if half in _SHORT_HALVES:
            hours = {hour % 12, hour % 12 + 12}
        elif half:
            hours = {hour % 12 + (12 if half in AFTER_NOON else 0)}
    return frozenset(Time(hour, minute, int(told) if told else None) for hour in hours)


@cache
def _half_after() -> re.Pattern[str]:
    return re.compile(rf"\s?(?:ч\.?\s)?({_HALVES})(?![^\W\d_])")


@cache
def _half_before() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W\d_])({_HALVES})\.?\s?$")


def _half(after: str, before: str) -> str:
    """Give the half of a day that is named beside a time; empty for none."""
    found = _half_after().match(after) or _half_before().search(before)
    return found[1].replace(".", "").replace(" ", "") if found else ""


def _numeric(match: re.Match[str]) -> Iterator[Day]:
    first, second, third = match[1], int(match[3]), match[4]
    if len(first) in (2, 4) and len(third) <= 2:
        yield from _read(first, second, int(third), any_year=match[2] == "-")
    if len(first) <= 2 and len(third) in (2, 4):
        yield from _read(third, second, int(first))
        if match[2].strip() != ".":
            yield from _read(third, int(first), second)


def _read(year: str, month: int, day: int | None, *, any_year: bool = False) -> Iterator[Day]:
    """Give every day that may be meant; a year may be of two digits, of Thailand, or missing.

    Args:
        year: its digits.
        month: its number.
        day: its number; None where none is said.
        any_year: whether the year may be any one: in ``6202-12-24`` nothing else is meant.
    """
    if not 1 <= month <= 12 or not 1 <= (day or 1) <= 31:
        return
    number = int(year or 0)
    if not year:
        yield Day(None, month, day)
    elif len(year) == 2:
        yield from (Day(number + century, month, day) for century in (2000, 1900, 2500 - _BUDDHIST, 2400 - _BUDDHIST))
    elif _FIRST_YEAR <= number <= _LAST_YEAR or (any_year and number > 0):
        yield Day(number, month, day)
        if number > 2300:
            yield Day(number - _BUDDHIST, month, day)


def _eastern(match: re.Match[str]) -> Iterator[Day]:
    if match[1] or match[3]:
        yield from _read(match[1] or "", int(match[2]), int(match[3]) if match[3] else None)


def _year_month(match: re.Match[str]) -> Iterator[Day]:
    yield from _read(match[1] or match[4], int(match[2] or match[3]), None)


def _named(text: str) -> tuple[list[frozenset[Day]], str]:
    """Find the dates with a month's name, by the numbers that stand beside it; give also what is left."""
    tokens = [token.strip(_STRIPPED) for token in _TOKEN.findall(text)]
    found: list[tuple[bool, set[int], frozenset[Day]]] = []
    for at, token in enumerate(tokens):
        months = MONTHS.get(token) or (MONTHS.get(token[1:]) if token.startswith("ב") else None)
        behind = at + 1
        if token in _MONTH_AND_NUMBER and behind < len(tokens) and tokens[behind].isdecimal():
            months, behind = (int(tokens[behind]),), behind + 1
        if not months:
            continue
        before = list(_beside(tokens, range(at - 1, -1, -1)))
        after = list(_beside(tokens, range(behind, len(tokens))))
        pattern = _pattern(before, after, tokens)
        if pattern is not None:
            year, day, taken = pattern
            meant = frozenset(chain.from_iterable(_read(year, month, day) for month in months))
            found.append((not (year and day), {*range(at, behind), *taken}, meant))
    used: set[int] = set()
    days = []
    for _, places, meant in sorted(found, key=itemgetter(0)):  # "mar" is a Tuesday in "mar, 24 de agosto de 2021"
        if meant and used.isdisjoint(places):
            used |= places
            days.append(meant)
    return days, " ".join(token for at, token in enumerate(tokens) if at not in used and token)


def _beside(tokens: list[str], way: range) -> Iterator[int]:
    """Give where the two nearest numbers on a side of a month stand; a short word may stand before each."""
    fillers, numbers = 0, 0
    for at in islice(way, 6):
        if tokens[at].isdecimal():
            yield at
            fillers, numbers = 0, numbers + 1
            if numbers == 2:
                return
        elif len(tokens[at]) <= 5 and tokens[at] not in MONTHS and fillers < 2:
            fillers += 1
        else:
            return


def _pattern(before: list[int], after: list[int], tokens: list[str]) -> tuple[str, int | None, tuple[int, ...]] | None:
    """Return year, day and the places of both among the numbers around a month's name."""

    def is_day(at: int) -> bool:
        return len(tokens[at]) <= 2 and 1 <= int(tokens[at]) <= 31

    def is_year(at: int) -> bool:
        return len(tokens[at]) == 4 and _FIRST_YEAR <= int(tokens[at]) <= _LAST_YEAR

    orders = (
        (before[:1], after[:1]),
        (after[:1], after[1:2]),
        (after[:1], before[:1]),
        (before[:1], before[1:2]),
    )
    for day, year in orders:
        if day and year and is_day(day[0]) and is_year(year[0]):
            return tokens[year[0]], int(tokens[day[0]]), (day[0], year[0])
    if before and after and is_day(before[0]) and len(tokens[after[0]]) == 2 and after[0] - before[0] == 2:
        return tokens[after[0]], int(tokens[before[0]]), (before[0], after[0])
    for day in (before[:1], after[:1]):
        if day and is_day(day[0]):
            return "", int(tokens[day[0]]), (day[0],)
    for year in (after[:1], before[:1]):
        if year and is_year(year[0]):
            return tokens[year[0]], None, (year[0],)
    return None


def shifted(day: Day, time: Time | None, others: Moments) -> bool:
    """Return whether a date and time may be another one of a text that names its zone: clocks of two zones differ."""
    if not others.zoned:
        return False
    here = _instant(day, time or Time(0, 0, None))
    for there in (_instant(d, t) for days in others.days for d in days for times in others.times for t in times):
        if here and there and abs(there - here) <= timedelta(hours=14) and (there - here).seconds % 900 == 0:
            return True
    return False


def _instant(day: Day, time: Time) -> datetime | None:
    try:
        return datetime(day.year or 0, day.month, day.day or 0, time.hour, time.minute)
    except ValueError:
        return None
