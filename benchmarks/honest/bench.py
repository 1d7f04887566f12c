"""Replaying on a site that nobody changes, as the same user and as others, and what came of it.

The site's own database decides. As the same user it has to hold what it held after the first replay, but for what the
site draws. As another one each write has to go where the recorded one went, with the same parts; every table has to
grow by as many rows; and each column that held a value just as it was sent has to hold the value that was sent now.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rich.table import Table

from benchmarks.sites.proxy import Change
from benchmarks.sites.stand import Replayed, Stand

Policy = Literal["same", "fresh"]
POLICIES: tuple[Policy, ...] = ("same", "fresh")


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of one honest replay."""

    site: str
    policy: Policy
    number: int
    restored: bool
    """Whether the site was put back before it; else it began with what the ones before it had left."""
    replayed: Replayed
    proven_first: bool = False
    """Whether another user had proven the recording before, as ``sim prove`` does."""

    @property
    def proven(self) -> int:
        """How many of its writes it calls proven."""
        return sum(one.proven for one in self.replayed.writes)

    @property
    def unseen(self) -> tuple[str, ...]:
        """What it says of the writes that it does not call proven."""
        return tuple(
            f"{one.method} {one.url}: {', '.join(one.unseen)}" for one in self.replayed.writes if not one.proven
        )

    @property
    def wrong(self) -> str:
        """What is wrong with it, in a sentence; empty where nothing is."""
        one = self.replayed
        if not one.passed:
            return f"{self}: {one.verdict}: {one.told}"
        writes = [*(f"wrote {write}" for write in one.astray), *(f"did not write {write}" for write in one.missing)]
        return "; ".join((f"{self}: passed", *writes, *one.differences)) if writes or one.differences else ""

    def __str__(self) -> str:
        """Name it."""
        return f"{self.site}, {self.policy}, {self.number + 1} {'restored' if self.restored else 'on what is there'}"

    def as_dict(self) -> dict[str, Any]:
        """Give it for a file of results: no value that was put in."""
        return {
            "site": self.site,
            "policy": self.policy,
            "restored": self.restored,
            "proven_first": self.proven_first,
            "verdict": self.replayed.verdict,
            "told": self.replayed.told,
            "state_differs": list(self.replayed.differences),
            "writes": len(self.replayed.writes),
            "proven": self.proven,
            "unseen": list(self.unseen),
        }


async def cell(stand: Stand, policy: Policy, number: int, *, restored: bool) -> Cell:
    """Replay strictly on the site as it is.

    Args:
        stand: where.
        policy: as whom.
        number: which one it is of its policy, from 0: what fresh users are drawn from.
        restored: whether the site is put back before it.
    """
    if policy == "same":
        return Cell(stand.flow.name, policy, number, True, await stand.replay(Change()))
    replayed = await stand.replay_fresh(f"fresh {number}", restored=restored)
    return Cell(stand.flow.name, policy, number, restored, replayed, proven_first=stand.proven is not None)


def table(cells: Sequence[Cell]) -> Table:
    """Lay out what came of each site and policy, with what was told of the writes."""
    shown = Table("site", "as", "recording", "site before", "green", "writes proven", "not seen again", pad_edge=False)
    for site, policy in dict.fromkeys((one.site, one.policy) for one in cells):
        own = [one for one in cells if (one.site, one.policy) == (site, policy)]
        told = sorted({f"{one.proven} of {len(one.replayed.writes)}" for one in own})
        unseen = dict.fromkeys(text for one in own for text in one.unseen)
        shown.add_row(
            site,
            policy,
            "proven first" if own[-1].proven_first else "as recorded",
            "restored" if own[-1].restored else "as the one before left it",
            f"{sum(not one.wrong for one in own)} of {len(own)}",
            ", ".join(told),
            "; ".join(unseen),
        )
    return shown
