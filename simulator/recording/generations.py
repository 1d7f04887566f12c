"""Names of actors over the generations of a run: each time it is resumed, its actors act in new browser contexts.

Not responsible for: storing them. To a replay, those of two generations are different actors.
"""

from __future__ import annotations

_AGAIN = "~"
"""Stands between an actor's name and the generation, from the second on."""


def name_in(name: str, generation: int) -> str:
    """Give the name that an actor is stored by.

    Args:
        name: as the run's steps call it.
        generation: from 1.
    """
    return name if generation == 1 else f"{name}{_AGAIN}{generation}"


def plain_name(actor: str) -> str:
    """Give the name by which a run's steps call an actor, in whichever generation it acted."""
    name, again, generation = actor.rpartition(_AGAIN)
    return name if again and generation.isdigit() else actor


def generation_of(actor: str) -> int:
    """Give the generation that an actor acted in, from 1."""
    return 1 if plain_name(actor) == actor else int(actor.rpartition(_AGAIN)[2])
