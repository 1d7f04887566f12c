"""Replaying while a site lies, and what was told: the table of lies.

The site's own database decides whether a lie made a difference. Three things are failures of this program: the replay
says that the write was proven, whatever its verdict; it passes, although the lie is about a value that a page showed
later in the recorded run; or it passes, and says nothing of the write. Two kinds of lies are told apart: that something
was done twice is not seen by what was put in; and what is only a hidden copy of a field nobody put in, or could see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from benchmarks.lies.generate import KINDS, Lie
from benchmarks.lies.telling import Lying
from benchmarks.sites.stand import Replayed, Stand

_VARIABLE = re.compile(r"\{\{[^}]*\}\}")


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one lie."""

    site: str
    lie: Lie
    arrived: bool
    """Whether the site received something else than the browser sent."""
    untold: str
    """Why it could not be told; empty where it was, or its write was not made."""
    replayed: Replayed
    wrote: tuple[str, ...] = ()
    """What the site held otherwise right after the write than it does where nobody lies."""

    @property
    def differs(self) -> bool:
        """Whether the site holds something else than after an honest replay."""
        return bool(self.replayed.differences)

    @property
    def verdict(self) -> str:
        """``passed`` or ``red``."""
        return "passed" if self.replayed.passed else "red"

    @property
    def green_lie(self) -> bool:
        """Whether it made a difference, and the replay passed."""
        return self.differs and self.replayed.passed

    @property
    def proof(self) -> str:
        """What the replay says of the write: ``proven``, the fields that it did not see again or left, or nothing."""
        write = self.lie.write
        alike = [one for one in self.replayed.writes if write.fits(one.method, _VARIABLE.sub("x", one.url))]
        if write.number >= len(alike):
            return ""
        told = alike[write.number]
        if not told.proven:
            return f"not seen again: {', '.join(told.unseen)}"
        places = set(filter(None, (self.lie.place, self.lie.other)))
        is_left = bool(told.offered and places) and places.isdisjoint(write.put)
        return f"left as offered: {', '.join(told.offered)}" if is_left else "proven"

    @property
    def is_apart(self) -> bool:
        """Whether it is about no value that a user put in or could see: another time the same, or a hidden copy."""
        places = set(filter(None, (self.lie.place, self.lie.other)))
        return self.lie.kind == "doubled" or (bool(places) and places <= self.lie.write.copies)

    @property
    def false_proof(self) -> bool:
        """Whether a lie about a value made a difference, and its write was called proven, whatever the verdict."""
        return bool(self.wrote or self.green_lie) and not self.is_apart and self.proof == "proven"

    @property
    def false_green(self) -> bool:
        """Whether a lie about what a page of the recorded run showed made a difference and passed."""
        kept = self.lie.write.kept
        shown = (
            bool(kept) or self.lie.write.acted
            if self.lie.kind == "swallowed"
            else bool({self.lie.place, self.lie.other} & kept)
        )
        return self.green_lie and not self.is_apart and shown

    @property
    def is_silent(self) -> bool:
        """Whether a lie made a difference and passed, and nothing is said of its write."""
        return self.green_lie and not self.is_apart and not self.proof

    @property
    def wrong(self) -> str:
        """What is wrong with it, in a sentence; empty where nothing is."""
        if self.false_proof:
            return f"{self.site}: {self.lie}: {self.verdict}, and was called proven"
        if self.false_green:
            return f"{self.site}: {self.lie}: passed, though a page shows the value; {self.proof}"
        if self.is_silent:
            return f"{self.site}: {self.lie}: passed, and nothing is said of the write"
        return ""

    @property
    def told(self) -> str:
        """What the replay says."""
        return self.replayed.told or self.replayed.verdict

    def as_dict(self) -> dict[str, Any]:
        """Give it for a file of results: no value that was put in."""
        return {
            "site": self.site,
            "kind": self.lie.kind,
            "write": str(self.lie.write),
            "field": self.lie.field,
            "secret": any(place in self.lie.write.secrets for place in (self.lie.place, self.lie.other)),
            "apart": self.is_apart,
            "arrived": self.arrived,
            "untold": self.untold,
            "state_differs": list(self.replayed.differences),
            "wrote_otherwise": list(self.wrote),
            "verdict": self.verdict,
            "proof": self.proof,
            "told": self.told,
        }


async def cell(stand: Stand, lie: Lie) -> Cell:
    """Replay strictly while the site tells one lie.

    Args:
        stand: where.
        lie: which one.
    """
    change = Lying(lie, stand.answers)
    replayed = await stand.replay(change)
    wrote = () if change.told is None else tuple(stand.differences_after(change.told, lie.write))
    arrived = change.told is not None and stand.proxy.received_otherwise(change.told)
    return Cell(stand.flow.name, lie, arrived, change.untold, replayed, wrote)


def table(cells: Sequence[Cell]) -> Table:
    """Lay out every lie, and their sums by kind."""
    shown = Table("site", "lie", "write", "field", "state differs", "verdict", "proof", "told", pad_edge=False)
    for one in cells:
        differs = ", ".join(one.replayed.differences) or "no"
        shown.add_row(
            one.site, one.lie.kind, str(one.lie.write), one.lie.field, differs, one.verdict, one.proof, one.told
        )
    return shown


def sums(cells: Sequence[Cell]) -> Table:
    """Count the lies by kind."""
    columns = (
        "lie",
        "told",
        "state differs",
        "red",
        "passed",
        "apart",
        "called proven",
        "false green",
        "silent",
        "same, red",
    )
    shown = Table(*columns, pad_edge=False)
    for kind in KINDS:
        own = [one for one in cells if one.lie.kind == kind and one.arrived]
        if own:
            shown.add_row(kind, *_counts(own))
    shown.add_section()
    shown.add_row("all", *_counts([one for one in cells if one.arrived]))
    return shown


def _counts(cells: Sequence[Cell]) -> tuple[str, ...]:
    differ = [one for one in cells if one.differs]
    red = sum(not one.replayed.passed for one in differ)
    idle = sum(not one.differs and not one.replayed.passed for one in cells)
    proven = sum(one.false_proof for one in cells)
    green = sum(one.false_green for one in cells)
    silent = sum(one.is_silent for one in cells)
    apart = sum(one.green_lie and one.is_apart for one in cells)
    return tuple(map(str, (len(cells), len(differ), red, len(differ) - red, apart, proven, green, silent, idle)))
