"""How many users are made of a recording, and under which conditions. Not responsible for: making them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from simulator.errors import UsageError
from simulator.persona import Persona
from simulator.persona.numbers import Numbers, parse_range
from simulator.replay.bind import read_row
from simulator.replay.plan import Plan

_TOLERANCE = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)(%?)", re.ASCII)
_RATE = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)/(s|min|h)", re.ASCII)
_SECONDS = {"s": 1, "min": 60, "h": 3600}
_SPAN = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)(s|min|h)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How many users may fail."""

    most: float
    is_percent: bool = False

    @classmethod
    def parse(cls, text: str) -> Tolerance:
        """Read a number of users, or a share of them, such as ``3`` or ``5%``.

        Raises:
            UsageError: it is not one.
        """
        match = _TOLERANCE.fullmatch(text)
        if not match or (match[2] and float(match[1]) > 100) or (not match[2] and "." in match[1]):
            raise UsageError(f"--max-failures: expected a number of users or a share of them, such as 3 or 5%: {text}")
        return cls(float(match[1]), bool(match[2]))

    def is_exceeded(self, failed: int, total: int) -> bool:
        """Return whether more have failed than may.

        Args:
            failed: how many failed.
            total: how many are made.
        """
        return failed > (self.most * total / 100 if self.is_percent else self.most)

    def __str__(self) -> str:
        return f"{self.most:g}%" if self.is_percent else f"{self.most:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FanOut:
    """How many users are made of the recorded ones."""

    count: int
    """How many there shall be, at most: only whole casts are made."""
    first: int = 1
    """The users before this number are there already."""
    ensure: bool = False
    """Whether those whom an earlier seeding has made count, and only the rest is made."""
    mix: Mapping[str, int] = field(default_factory=dict)
    """By persona how many users it shall have among those of all; none: the casts take turns."""
    shared: tuple[str, ...] = ()
    """Personas, labels or runs that are performed once, for all copies."""
    deals_with: tuple[str, ...] = ()
    """Personas, labels or runs in whose places stand users who were made before: nobody is made of them."""
    known: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict, repr=False)
    """What is known of each of those users, by the first revision of the run that they performed."""
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    """By data set how many segments for its rows a user performs, whatever its persona says."""
    numbers_of: Mapping[str, Mapping[str, Numbers]] = field(default_factory=dict)
    """By persona what its file says of that as it is now; of a persona that is not here what was recorded counts."""
    keep_words: bool = False
    """Whether every user may put in the words that the recorded one had of its own."""
    max_failures: Tolerance = Tolerance(5, is_percent=True)
    """How many users may fail before nobody else begins."""
    on_drift: Literal["stop", "skip"] = "skip"
    """``stop``: nobody else begins once a user has drifted."""
    interval_s: float = 0
    """How long after one user the next one begins, at least, in seconds."""
    ramp_s: float = 0
    """Over how many seconds the starts of all users are spread, evenly."""

    def as_settings(self, plans: Sequence[Plan]) -> dict[str, Any]:
        """Give what of it is stored with the batch: by that a later seeding finds who is there already."""
        return {"seeding": {"count": self.count, **self.source(plans)}}

    def conditions(self) -> dict[str, Any]:
        """Give the conditions under which users begin, as they are stored with the batch."""
        return {
            "first": self.first,
            "ensure": self.ensure,
            "max_failures": str(self.max_failures),
            "on_drift": self.on_drift,
            "interval_s": self.interval_s,
            "ramp_s": self.ramp_s,
        }

    def source(self, plans: Iterable[Plan]) -> dict[str, Any]:
        """Give what decides who user n is, beside the seed."""
        plans = list(plans)
        recorded = {plan.run.persona for plan in plans if numbers_recorded(plan)}
        said = {name: one for name, one in self.numbers_of.items() if one or name in recorded}
        return {
            "runs": sorted(plan.run.original for plan in plans),
            "mix": dict(sorted(self.mix.items())),
            "shared": sorted(self.shared),
            **({"deals_with": sorted(self.deals_with)} if self.deals_with else {}),
            **({"numbers": _written(self.numbers)} if self.numbers else {}),
            **({"numbers_of": {name: _written(one) for name, one in sorted(said.items())}} if said else {}),
        }

    @property
    def dealing(self) -> dict[str, Any]:
        """Give what decides how casts are dealt."""
        return {"mix": self.mix, "shared": self.shared, "met": self.deals_with}


def numbers_recorded(plan: Plan) -> Mapping[str, Numbers]:
    """Give what the persona of a run said when it was recorded of how often its users do what repeats."""
    definition = plan.run.environment.get("persona")
    return parse_range(read_row(Persona, definition, plan.run).numbers) if definition else {}


def _written(numbers: Mapping[str, Numbers]) -> dict[str, str]:
    return {name: str(one) for name, one in sorted(numbers.items())}


def ranges(numbers: Iterable[int]) -> str:
    """Write numbers that ascend as ranges, such as ``1-200,301``."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in found)


def parse_ranges(text: str) -> tuple[int, ...]:
    """Read numbers as :func:`ranges` writes them.

    Raises:
        ValueError: they are not.
    """
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def parse_mix(texts: Sequence[str]) -> dict[str, int]:
    """Read how many users each persona shall have among those of all, such as ``reader=3,seller=1``.

    Raises:
        UsageError: it is not one, or names a persona twice.
    """
    found: dict[str, int] = {}
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, _, number = part.partition("=")
        if not name or not re.fullmatch(r"\d{1,6}", number, re.ASCII) or name in found:
            raise UsageError(f"--mix: expected each persona once with a number, such as reader=3,seller=1: '{part}'")
        found[name] = int(number)
    return found


def parse_rate(text: str) -> float:
    """Read how many users may begin in a time, such as ``5/min``; give the seconds between two.

    Raises:
        UsageError: it is not one.
    """
    match = _RATE.fullmatch(text)
    if not match or not float(match[1]):
        raise UsageError(f"--rate: expected a number of users in a second, minute or hour, such as 5/min: '{text}'")
    return _SECONDS[match[2]] / float(match[1])


def parse_span(text: str) -> float:
    """Read a time, such as ``30s`` or ``2min``; give it in seconds, which a bare number is, too.

    Raises:
        UsageError: it is not one.
    """
    match = _SPAN.fullmatch(text)
    if not match:
        raise UsageError(f"--ramp: expected a time, such as 30s or 2min: '{text}'")
    return float(match[1]) * _SECONDS[match[2] or "s"]
