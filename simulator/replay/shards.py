"""Splitting the runs of a replay among machines or workers. Not responsible for: performing them.

Runs that depend on each other stay together. Each group goes to whoever has the least to do, the longest group first,
so the same recording is split in the same way everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from simulator.errors import UsageError
from simulator.replay.plan import Plan

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)
_ACTION_S = 0.05
"""What an action takes at least, in seconds: imported runs have no times of their own."""


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several equal shares."""

    number: int
    """From 1."""
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read a share, such as ``2/5``.

        Raises:
            UsageError: it is not one.
        """
        match = _SHARD.fullmatch(text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise UsageError(f"--shard: expected a number and how many there are, such as 2/5, found '{text}'")
        return cls(int(match[1]), int(match[2]))

    def take(self, plans: Sequence[Plan]) -> tuple[Plan, ...]:
        """Give the runs of this share, in their order."""
        return share(plans, self.of)[self.number - 1]


def share(plans: Sequence[Plan], among: int) -> list[tuple[Plan, ...]]:
    """Split runs into shares that take about the same time, and do not depend on each other.

    Args:
        plans: each with those that it depends on.
        among: how many shares; some are empty where there are fewer groups.
    """
    places = {plan.run.id: place for place, plan in enumerate(plans)}
    groups = sorted(groups_of(plans), key=lambda group: (-sum(map(seconds, group)), places[group[0].run.id]))
    shares: list[list[Plan]] = [[] for _ in range(among)]
    loads = [0.0] * among
    for group in groups:
        lightest = loads.index(min(loads))
        shares[lightest] += group
        loads[lightest] += sum(map(seconds, group))
    return [tuple(sorted(one, key=lambda plan: places[plan.run.id])) for one in shares]


def groups_of(plans: Sequence[Plan]) -> list[tuple[Plan, ...]]:
    """Give the runs that depend on each other, directly or not, as groups, in the order of their first runs."""
    joined = {plan.run.original: {plan.run.original} for plan in plans}
    for plan in plans:
        for needed in plan.needs & joined.keys():
            whole = joined[plan.run.original] | joined[needed]
            joined |= dict.fromkeys(whole, whole)
    found = {id(names): names for names in (joined[plan.run.original] for plan in plans)}
    return [tuple(plan for plan in plans if plan.run.original in names) for names in found.values()]


def seconds(plan: Plan) -> float:
    """Estimate how long a replay of a run takes: what its actions took when they were recorded."""
    actions = [action for planned in plan.steps for action in planned.actions]
    took = (max((action.ended_ns or 0) - action.started_ns, 0) / 1e9 for action in actions)
    return sum(max(one, _ACTION_S) for one in took)
