"""What happened on a bookshop, by its own change log and state; the word of a replay plays no part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from simulator.canonical import canonical_json
from simulator.demo.state import change_log, site_state


class Effect(NamedTuple):
    """Something that a user changed: what, where, and by which fields."""

    name: str
    route: str
    path: str
    fields: str


@dataclass(frozen=True, slots=True)
class Truth:
    """What a bookshop tells of itself."""

    effects: Mapping[str, tuple[Effect, ...]]
    """By the user who did them, in order."""
    state: Mapping[str, Any]

    @classmethod
    def of(cls, database: Path) -> Truth:
        """Read it.

        Raises:
            NotABookshop: there is none in the file.
        """
        effects: dict[str, list[Effect]] = {}
        for row in change_log(database):
            if row["effect"]:
                who = row["who"] or row["fields"].get("username", "")
                effect = Effect(row["effect"]["name"], row["route"], row["path"], canonical_json(row["fields"]))
                effects.setdefault(who, []).append(effect)
        return cls({who: tuple(done) for who, done in effects.items()}, site_state(database))

    def astray(self, recorded: Truth) -> list[Effect]:
        """Give what was done here and not there, at its place in the order of what each user did."""
        return [
            effect
            for who, done in self.effects.items()
            for effect in _not_in_order(done, recorded.effects.get(who, ()))
        ]


def _not_in_order(done: tuple[Effect, ...], recorded: tuple[Effect, ...]) -> list[Effect]:
    astray, place = [], 0
    for effect in done:
        try:
            place = recorded.index(effect, place) + 1
        except ValueError:
            astray.append(effect)
    return astray
