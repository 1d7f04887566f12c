"""For how many users the rows of a data set suffice, by the things that they make and write about.

Not responsible for: refusing a persona whose users get too few, which is done where a run is put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from simulator.agent.site_things.known import rows_needed, things_of
from simulator.config import Site
from simulator.domain import DataSet, Thing, data_sets
from simulator.errors import ConfigError
from simulator.persona.dealing import rows_in
from simulator.persona.model import Persona
from simulator.persona.thing_tasks import CommentThings, CreateThing, EditThing, ThingTask


@dataclass(frozen=True, slots=True)
class Use:
    """What each user of a persona takes of a data set."""

    data: str
    persona: str
    things: tuple[str, ...]
    """For which things: ``ticket``, ``comment on ticket``."""
    each: int
    """Rows of each user: as many as its tasks take, or as the persona says."""
    users: int | None
    """For how many users the rows suffice before one is dealt again; None: for any number."""
    lacking: int
    """How many rows more the set, or the persona's own number, had to have for the tasks of a single user."""


def uses_of(personas: Iterable[Persona], sites: Iterable[Site]) -> list[Use]:
    """Give what the things of sites take of the data sets of a project, by persona.

    A persona does not name its site. What it takes is counted on the site whose things take the most of a data set.

    Args:
        personas: of the project.
        sites: its sections.
    """
    known = [things_of(site) for site in sites]
    sets = data_sets()
    found: dict[tuple[str, str], Use] = {}
    for persona in personas:
        for things in known:
            for key, needed in rows_needed(persona, things).items():
                data = sets.get(key)
                if data is None or data.deal is not None or not isinstance(persona.data.get(key, 0), int):
                    continue  # it is missing, which a run reports; or a pack, or the persona itself, has the rows
                use = _use(persona, data, needed, _takers(persona, things, key))
                before = found.get((key, persona.persona))
                if before is None or before.each < use.each:
                    found[key, persona.persona] = use
    return [*found.values()]


def _use(persona: Persona, data: DataSet, needed: int, takers: tuple[str, ...]) -> Use:
    each = persona.data.get(data.key, needed)
    if not data.rows:
        return Use(data.key, persona.persona, takers, each, None, max(0, needed - each))
    try:
        there = len(rows_in(data, persona.locale))
    except ConfigError:  # none is in the language of the persona
        there = 0
    hand = min(each, there)
    bounded = data.unique and not data.weight
    users = (there // hand if bounded else None) if hand else 0
    return Use(data.key, persona.persona, takers, each, users if hand >= needed else 0, max(0, needed - hand))


def _takers(persona: Persona, things: Mapping[str, Thing], key: str) -> tuple[str, ...]:
    """Name what a persona's tasks take rows of a data set for."""
    named = []
    for task in persona.tasks:
        thing = things.get(task.thing) if isinstance(task, ThingTask) else None
        if isinstance(task, CreateThing | EditThing) and thing and thing.data == key:
            named.append(thing.name)
        elif isinstance(task, CommentThings) and thing and thing.message and thing.message.data == key:
            named.append(f"comment on {thing.name}")
    return tuple(dict.fromkeys(named))
