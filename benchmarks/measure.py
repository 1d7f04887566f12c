"""Samples, their ratios and the table of them. Not responsible for: what is measured."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import nan
from statistics import median, quantiles
from typing import Any, NamedTuple, TypeVar

from rich.table import Table

Cost = TypeVar("Cost")
Side = Callable[[], Awaitable[Cost]]
"""Does one thing once, and gives its cost."""


class Rounds(NamedTuple):
    """How often the sides of a row are measured."""

    pairs: int
    quick: bool = False
    """Only to see that the row works: no round before those that count, and fewer users where there are many."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much something may cost."""

    limit: float
    of: str = "ratio"
    """``ratio``: our cost over the alternative's; ``ours``: our cost itself."""
    at_least: bool = False
    """Whether more is better."""

    def met(self, row: Row) -> bool:
        """Tell whether a row's median keeps to it."""
        value = row.ratio if self.of == "ratio" else median(row.ours)
        return value >= self.limit if self.at_least else value <= self.limit

    def words(self, unit: str) -> str:
        """Say it for a table."""
        return f"{'>=' if self.at_least else '<='} {self.limit:g}{'x' if self.of == 'ratio' else ' ' + unit}"


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison: samples of both sides, taken in turns."""

    name: str
    what: str
    alternative: str
    unit: str
    ours: Sequence[float]
    theirs: Sequence[float]
    """Empty where the alternative could not be had; :attr:`alternative` then says why."""
    budget: Budget | None = None

    @property
    def ratios(self) -> list[float]:
        """Our cost over the alternative's, for each pair."""
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True)] if self.theirs else []

    @property
    def ratio(self) -> float:
        """The median of the pairs' ratios; not a number where there are none."""
        return median(self.ratios) if self.theirs else nan

    @property
    def spread(self) -> tuple[float, float]:
        """The quartiles of the pairs' ratios; the only ratio twice where there is one."""
        ratios = self.ratios
        if len(ratios) < 2:
            return self.ratio, self.ratio
        low, _, high = quantiles(ratios, n=4, method="inclusive")
        return low, high

    @property
    def met(self) -> bool | None:
        """Whether the budget is met; None where there is none, or nothing to compare with."""
        return self.budget.met(self) if self.budget and (self.theirs or self.budget.of == "ours") else None

    def as_dict(self) -> dict[str, Any]:
        """Give everything, for a file."""
        low, high = self.spread
        return {
            "row": self.name,
            "what": self.what,
            "alternative": self.alternative,
            "unit": self.unit,
            "pairs": len(self.ours),
            "ours_median": median(self.ours),
            "alternative_median": median(self.theirs) if self.theirs else None,
            "ratio_median": self.ratio if self.theirs else None,
            "ratio_quartiles": [low, high] if self.theirs else None,
            "ratio_range": [min(self.ratios), max(self.ratios)] if self.theirs else None,
            "budget": self.budget.words(self.unit) if self.budget else None,
            "met": self.met,
            "ours": list(self.ours),
            "theirs": list(self.theirs),
        }


async def interleave(rounds: Rounds, *sides: Side[Cost]) -> list[list[Cost]]:
    """Measure several sides in turns, after one round that does not count.

    Args:
        rounds: how many; a quick one has none before.
        sides: what is measured.

    Returns:
        The samples of each side.
    """
    taken: list[list[Cost]] = [[] for _ in sides]
    before = 0 if rounds.quick else 1
    for number in range(before + rounds.pairs):
        for samples, side in zip(taken, sides, strict=True):
            cost = await side()
            if number >= before:
                samples.append(cost)
    return taken


def table(rows: Sequence[Row]) -> Table:
    """Lay out rows for people."""
    shown = Table("row", "ours", "alternative", "ratio", "quartiles", "range", "pairs", "budget", "met", pad_edge=False)
    for row in rows:
        low, high = row.spread
        ratios = row.ratios
        compared = (
            (f"{row.ratio:.2f}x", f"{low:.2f}..{high:.2f}", f"{min(ratios):.2f}..{max(ratios):.2f}") if ratios else ()
        )
        shown.add_row(
            row.name,
            f"{_amount(median(row.ours), row.unit)}\n[dim]{row.what}",
            f"{_amount(median(row.theirs), row.unit) if row.theirs else '-'}\n[dim]{row.alternative}",
            *(compared or ("-", "-", "-")),
            str(len(ratios)),
            row.budget.words(row.unit) if row.budget else "-",
            {None: "-", True: "yes", False: "[bold]NO"}[row.met],
        )
    return shown


def _amount(value: float, unit: str) -> str:
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"
