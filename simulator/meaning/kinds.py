"""Values that are numbers, moments, or rows of digits, and how a text shows them. Not responsible for: words."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Protocol

from simulator.meaning.dates import Day, Moments, moments, shifted, span
from simulator.meaning.folding import between_words, places
from simulator.meaning.numbers import Figure, number_put, scaled
from simulator.meaning.text import Text

Likeness = Literal["same", "transformed", "beginning"]
"""``same``: it says the same. ``transformed``: so, in another case, typography, grouping or scale. ``beginning``: it is
cut."""


class Kind(Protocol):
    """How values of a kind are recognised."""

    def likeness(self, text: Text) -> Likeness | None:
        """Judge a text that as a whole may stand for the value."""

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the value in a longer text."""

    def contradicts(self, text: Text) -> bool:
        """Return whether a text in which the value was not found says something else of its kind."""


_MOST_WORDS_BESIDE = 4
"""Words that may stand beside a number as its unit: ``21,00 € inkl. MwSt.``"""
_CENTS = frozenset(("", "ct", "cent", "cents", "p", "pence", "c", "¢"))
_WRITTEN_DECIMALS = re.compile(r"\d[.,]\d{1,2}(?!\d)")
_HUNDRED = Decimal(100)
_OF_A_SPAN = 2
"""Numbers of a text that says hours and minutes."""
_LONGEST_OPTION = 9999
"""Whole numbers up to this one may be the value of an option, which a page shows by its words."""


class Number:
    """A number: every way of a locale to write it is the same."""

    def __init__(self, typed_put: str, readings: frozenset[str], percent: bool) -> None:
        self._readings = readings
        self._percent = percent
        self._numbers = [Decimal(reading) for reading in readings]
        self._hundredfold = scaled(readings, _HUNDRED)
        self._hundredth = scaled(readings, 1 / _HUNDRED)
        self._digits = tuple({reading.strip("-0.").replace(".", "") for reading in readings})
        """What has to stand among the digits of a text that shows the number."""
        self._decimals = _WRITTEN_DECIMALS.search(typed_put) is not None
        self._hours = frozenset(map(Fraction, readings)) if not percent else frozenset()

    def likeness(self, text: Text) -> Likeness | None:
        """Judge a text that holds one number, a unit beside it; or hours and minutes, as timesheets write 2.5."""
        if len(text.figures) == _OF_A_SPAN and (shown := span(text.typed)):
            hours, said = shown
            return "transformed" if hours in self._hours and (said or hours.denominator > 1) else None
        if len(text.figures) != 1 or not text.figures[0].readings:
            return None
        figure = text.figures[0]
        beside = [one for one in text.words.split() if not one[-1:].isdecimal()]
        if len(beside) > _MOST_WORDS_BESIDE or not figure.whole:
            return None
        if not self._readings.isdisjoint(figure.readings):
            return "same"
        return "transformed" if self._scaled(figure, " ".join(beside)) else None

    def _scaled(self, figure: Figure, beside: str) -> bool:
        if figure.percent != self._percent:
            return not figure.readings.isdisjoint(self._hundredfold if figure.percent else self._hundredth)
        if self._decimals and figure.plain and beside in _CENTS:
            return not figure.readings.isdisjoint(self._hundredfold)
        return figure.factor > 1 and not self._readings.isdisjoint(scaled(figure.readings, Decimal(figure.factor)))

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the number as one that is no part of another."""
        if not text.digits or not any(digits in text.digits for digits in self._digits):
            return None
        return None if self._readings.isdisjoint(text.numbers) else "same"

    def contradicts(self, text: Text) -> bool:
        """Return whether there are numbers of which none may be this one, or words only."""
        if not text.figures:
            option = not self._decimals and all(
                number == int(number) and 0 <= number <= _LONGEST_OPTION for number in self._numbers
            )
            return not option and not any(char.isnumeric() for char in text.tidy)
        return not any(self._may_be(figure) for figure in text.figures)

    def _may_be(self, figure: Figure) -> bool:
        if not figure.readings.isdisjoint(self._readings):
            return True
        if figure.plain and not figure.readings.isdisjoint(self._hundredfold):
            return True
        for told in map(Decimal, figure.readings):
            if figure.open_end and any(number >= told for number in self._numbers):
                return True
            step = Decimal(1).scaleb(int(told.as_tuple().exponent)) * figure.factor
            if (
                told
                and figure.factor > 1
                and any(abs(number - told * figure.factor) < step for number in self._numbers)
            ):
                return True
        return False


class Moment:
    """A date, a time, or both."""

    def __init__(self, found: Moments) -> None:
        self._days = found.days[0] if found.days else frozenset()
        self._times = found.times[0] if found.times else frozenset()
        self._digits = tuple(
            {str(day.day or "") for day in self._days} or {f"{time.minute:02}" for time in self._times}
        )
        """What has to stand among the digits of a text that shows the moment."""
        self.is_exact = bool(self._days and self._times)
        """It is a minute of a day."""

    def likeness(self, text: Text) -> Likeness | None:
        """Judge a text that states one date, one time, or both."""
        found = text.moments
        if len(found.days) > 1 or len(found.times) > 1 or len(text.words.split()) > 12:
            return None
        return self._seen(found, short=True)

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the moment among those of a text; a date has to state its year."""
        if not text.digits or not any(digits in text.digits for digits in self._digits):
            return None
        return self._seen(text.moments, short=False)

    def _seen(self, found: Moments, *, short: bool) -> Likeness | None:
        found = self._read(found)
        timely = self._timely(found)
        if not self._days:
            return ("transformed" if short and found.days else timely) if timely else None
        day: Likeness | None = None
        if any(not self._days.isdisjoint(days) for days in found.days):
            day = "same"
        elif short and any(_partly(mine, other) for mine in self._days for days in found.days for other in days):
            day = "transformed"
        if not self._times:
            midnight = all(any(time.hour == time.minute == 0 for time in times) for times in found.times)
            return day if midnight or not short or not day else "transformed"
        if found.times:
            known = day == "same" or (short and (day or not (found.days or found.unread)))
            return (timely if day == "same" else timely and "transformed") if known else None
        return day and "transformed"

    def _read(self, found: Moments) -> Moments:
        """Choose what is meant by what may be a date or a time."""
        if not found.either or (self._days and self._times):
            return found
        return found._replace(times=()) if self._days else found._replace(days=())

    def _timely(self, found: Moments) -> Likeness | None:
        """Return whether a time is stated; one without seconds is, where they were put in."""
        best: Likeness | None = None
        for mine in self._times:
            for other in (time for times in found.times for time in times):
                if mine[:2] == other[:2]:
                    if (mine.second or 0) == (other.second or 0):
                        return "same"
                    if other.second is None:
                        best = "transformed"
        return best

    def contradicts(self, text: Text) -> bool:
        """Return whether another date, or another time of that date, is stated; words state none."""
        found = self._read(text.moments)
        if any(shifted(day, time, found) for day in self._days for time in self._times or (None,)):
            return False
        if self._days and found.days:
            near = any(
                mine == other or _partly(mine, other) or _partly(other, mine)
                for mine in self._days for days in found.days for other in days
            )  # fmt: skip
            if not near:
                return True
        elif self._days and not found.times:
            return False
        if not self._times or not found.times:
            return False
        return not any(
            mine[:2] == other[:2] and (mine.second is None or other.second in (None, mine.second))
            for mine in self._times for times in found.times for other in times
        )  # fmt: skip


def _partly(mine: Day, other: Day) -> bool:
    """Return whether a day is stated without its year, or only its month."""
    return (
        other != mine
        and mine.month == other.month
        and other.year in (None, mine.year)
        and other.day in (None, mine.day)
    )


_CODE = re.compile(r"[+(]?[\da-z](?:[\s().\-/]{0,3}[\da-z])+")
_FEWEST_DIGITS = 7
_BETWEEN = r"[\s().\-/]{0,3}"
_SEPARATORS = re.compile(r"[\s().\-/+]+")


class Code:
    """A telephone number, a card's, an ISBN or IBAN: its digits count, not how they are grouped."""

    def __init__(self, typed_put: str) -> None:
        self._typed = typed_put
        self._bare = _SEPARATORS.sub("", typed_put)
        self._world = typed_put.startswith(("+", "00"))
        self._pattern = re.compile(
            r"(?<![\w+])(?<!\d[.,:/-])\+?\(?" + _BETWEEN.join(map(re.escape, self._bare)) + r"(?!\w|[.,:/-]\d)"
        )
        self._digits = sum(map(str.isdecimal, self._bare))

    def likeness(self, text: Text) -> Likeness | None:
        """Judge a text that holds the code and nothing else."""
        if text.typed == self._typed:
            return "transformed"
        if _CODE.fullmatch(text.typed) is None:
            return None
        shown = _SEPARATORS.sub("", text.typed)
        if shown == self._bare:
            return "transformed" if self._grouping(text.typed) else None
        return "transformed" if self._same_line(shown, text.typed.startswith(("+", "00"))) else None

    def _grouping(self, shown: str) -> bool:
        """Return whether what parts the digits is no point of a number: points part several groups."""
        return shown.count(".") != 1 or "." in self._typed

    def _same_line(self, shown: str, world: bool) -> bool:
        """Return whether two telephone numbers differ in no more than how they are called from abroad."""
        if world == self._world or not (shown.isdecimal() and self._bare.isdecimal()):
            return False
        abroad, at_home = (shown, self._bare) if world else (self._bare, shown)
        abroad, at_home = abroad.removeprefix("00"), at_home.removeprefix("0")
        return len(at_home) >= _FEWEST_DIGITS and abroad.endswith(at_home) and 1 <= len(abroad) - len(at_home) <= 3

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the code, however it is grouped."""
        if len(text.digits) < self._digits:
            return None
        if any(between_words(text.typed, *place) for place in places(self._typed, text.typed)):
            return "same"
        found = self._pattern.search(text.typed)
        return "transformed" if found and self._grouping(found.group()) else None

    def contradicts(self, text: Text) -> bool:
        """Say that it does, as it was not found."""
        return True


def code_put(typed_put: str) -> Code | None:
    """Read a typed text as a code; None where it is not one, or one of few digits."""
    if _CODE.fullmatch(typed_put) is None or sum(map(str.isdecimal, typed_put)) < _FEWEST_DIGITS:
        return None
    runs = re.findall(r"[a-z]+", typed_put)
    return Code(typed_put) if all(len(run) <= 4 for run in runs) and len(runs) <= 2 else None


def moment_put(typed_put: str, original: str) -> Moment | None:
    """Read a typed text as a moment; None where it says anything else, or a year in two digits only."""
    if not any(map(str.isdecimal, typed_put)) or len(typed_put) > 60:
        return None
    found = moments(typed_put, original)
    left = [word for word in found.rest.split() if word not in ("t", "z", "at", "of", "de", "um", "à", "am", "pm")]
    if left or len(found.days) > 1 or len(found.times) > 1 or not (found.days or found.times):
        return None
    if found.days and not re.search(r"\d{4}", typed_put):
        return None
    if not found.days and ":" not in typed_put:
        return None
    return Moment(found)


def number_kind(typed_put: str) -> Number | None:
    """Read a typed text as a number; None where it is not one."""
    readings, percent = number_put(typed_put)
    return Number(typed_put, readings, percent) if readings else None
