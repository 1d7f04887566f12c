"""Replaying on pages with generated changes, and what came of it by kind of change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from benchmarks.mutations.generated.catalogue import KINDS
from benchmarks.mutations.generated.draw import Combination, Mutating
from benchmarks.sites.stand import Mode, Replayed, Stand


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of a replay on pages with some changes."""

    site: str
    combination: Combination
    mode: Mode
    replayed: Replayed

    @property
    def wrong_acts(self) -> int:
        """Writes that no honest replay makes."""
        return len(self.replayed.astray)

    @property
    def wrong(self) -> str:
        """What is wrong with it, in a sentence; empty where nothing is."""
        one = self.replayed
        if one.astray:
            return f"{self}: wrong act {one.astray[0]}; the replay says {one.verdict} {one.told}"
        if one.false_green:
            return f"{self}: passed, and the site holds otherwise: {', '.join(one.differences)}"
        return ""

    @property
    def deceived(self) -> bool:
        """Whether it passed where something that was acted on had come to mean something else."""
        return self.replayed.passed and any(KINDS[name].sort == "deceptive" for name in self.replayed.marks if name)

    def __str__(self) -> str:
        """Name it."""
        return f"{self.site}, {self.mode}, {self.combination}"

    def as_dict(self) -> dict[str, Any]:
        """Give it for a file of results: no value that was put in."""
        return {
            "site": self.site,
            "mode": self.mode,
            "seed": self.combination.seed,
            "changes": list(self.combination.names),
            "sort": self.combination.sort,
            "met": sorted(self.replayed.marks),
            "verdict": self.replayed.verdict,
            "told": self.replayed.told,
            "wrong_acts": [f"{one.method} {'/'.join(one.path)}" for one in self.replayed.astray],
            "differences": list(self.replayed.differences),
        }


async def cell(stand: Stand, combination: Combination, mode: Mode) -> Cell:
    """Replay a recording on pages with some changes.

    Args:
        stand: where.
        combination: the changes.
        mode: of the replay.
    """
    return Cell(stand.flow.name, combination, mode, await stand.replay(Mutating(combination), mode))


def table(cells: Sequence[Cell]) -> Table:
    """Lay out the cells by kind of change: a combination counts for each of its kinds that a page has met."""
    shown = Table(
        "change", "sort", "mode", "replays", "met", "passed", "healed", "stopped", "wrong acts", "false green",
        "deceived",
        pad_edge=False,
    )  # fmt: skip
    modes = sorted({one.mode for one in cells}, reverse=True)
    for name, kind in KINDS.items():
        for mode in modes:
            drawn = [one for one in cells if one.mode == mode and name in one.combination.names]
            if drawn:
                met = [one for one in drawn if name in one.replayed.marks]
                shown.add_row(name, kind.sort, mode, str(len(drawn)), str(len(met)), *_counts(met))
    shown.add_section()
    for mode in modes:
        own = [one for one in cells if one.mode == mode]
        met = [one for one in own if one.replayed.marks]
        shown.add_row("all", "", mode, str(len(own)), str(len(met)), *_counts(own))
    return shown


def _counts(cells: Iterable[Cell]) -> tuple[str, ...]:
    told = [*cells]
    verdicts = Counter(one.replayed.verdict for one in told)
    passed, healed = verdicts.pop("passed", 0), verdicts.pop("healed", 0)
    stopped = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    wrong = sum(one.wrong_acts for one in told)
    green = sum(one.replayed.false_green for one in told)
    deceived = sum(one.deceived for one in told)
    return (
        *(str(number or "") for number in (passed, healed)),
        stopped,
        *(str(n or "") for n in (wrong, green, deceived)),
    )
