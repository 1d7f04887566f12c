"""Whom and what each user of a batch deals with, planned before anybody acts, by the packs in use.

Not responsible for: any pack's own plan, or carrying it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from simulator.domain import packs_in_use
from simulator.persona.identity import Identity
from simulator.persona.model import Persona


@dataclass(frozen=True, slots=True)
class InteractionPlan:
    """Whom and what one user deals with."""

    number: int
    """The user's place in the batch, from 1."""
    by_pack: Mapping[str, object] = field(default_factory=dict)
    """What each pack has planned, by its name; only the pack itself looks into it."""


def plan_batch(population: Sequence[tuple[Persona, Identity]], seed: str | int) -> Mapping[int, InteractionPlan]:
    """Plan a whole batch: from the seed and the population alone, so that it is the same at any concurrency.

    Args:
        population: persona and identity of each user, in the order of the batch.
        seed: the batch's seed.

    Returns:
        The plan of each user by place in the batch, from 1.
    """
    planned = {pack.name: pack.plan(population, str(seed)) for pack in packs_in_use() if pack.plan}
    return {
        number: InteractionPlan(number, {name: plans[number] for name, plans in planned.items() if number in plans})
        for number in range(1, len(population) + 1)
    }
