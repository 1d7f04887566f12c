"""Whom and what each user of a batch deals with, planned before anybody acts: by packs, and of the site's things.

Not responsible for: any pack's own plan, or carrying it out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from simulator.agent.site_things.known import things_of
from simulator.agent.site_things.plan import Sets, ThingPlan, plan_things
from simulator.config import Site
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
    things: ThingPlan = field(default_factory=ThingPlan)
    """Of the tasks that every site has."""


def sets_of_things(site: Site) -> dict[str, list[str]]:
    """Give the data sets that the things of a site are made of, as a batch keeps them.

    Args:
        site: where the users of the batch act.

    Returns:
        By the name of a thing: the key of its rows, and that of what is written about it.
    """
    return {name: [thing.data, thing.message.data if thing.message else ""] for name, thing in things_of(site).items()}


def plan_batch(
    population: Sequence[tuple[Persona, Identity]], seed: str | int, sets: object = None
) -> Mapping[int, InteractionPlan]:
    """Plan a whole batch: from the seed and the population alone, so that it is the same at any concurrency.

    Args:
        population: persona and identity of each user, in the order of the batch.
        seed: the batch's seed.
        sets: as :func:`sets_of_things` gave them when the batch began, and it kept them; None: the site had no things.

    Returns:
        The plan of each user by place in the batch, from 1.
    """
    planned = {pack.name: pack.plan(population, str(seed)) for pack in packs_in_use() if pack.plan}
    known = sets if isinstance(sets, dict) else {}
    of_things = plan_things(population, str(seed), {name: Sets(*keys) for name, keys in known.items()})
    return {
        number: InteractionPlan(
            number,
            {name: plans[number] for name, plans in planned.items() if number in plans},
            of_things.get(number, ThingPlan()),
        )
        for number in range(1, len(population) + 1)
    }
