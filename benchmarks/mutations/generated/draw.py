"""Drawing combinations of changes by seed, and the proxy's part in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from benchmarks.mutations.generated.catalogue import KINDS, Sort
from benchmarks.sites.bodies import renamed
from benchmarks.sites.proxy import Answered, Ask, Asked, Change
from benchmarks.sites.recorded import RecordedWrite

_MOST = 3
"""Changes in one combination."""
_UNDONE = ("rename-names", "exchange-names")
"""Changes that a site has made on both of its ends: the names that its forms send are those that it reads."""


@dataclass(frozen=True, slots=True)
class Combination:
    """Changes that come together."""

    seed: int
    changes: tuple[Mapping[str, Any], ...]
    """Each with its ``name`` and ``seed``, and what was drawn for its kind."""

    @property
    def names(self) -> tuple[str, ...]:
        """The kinds."""
        return tuple(str(one["name"]) for one in self.changes)

    @property
    def sort(self) -> Sort:
        """The worst sort of its kinds."""
        sorts = {KINDS[name].sort for name in self.names}
        return next(one for one in ("deceptive", "bait", "harmless") if one in sorts)

    def __str__(self) -> str:
        """Say what is changed."""
        return f"{self.seed}: {' + '.join(self.names)}"


def combination(seed: int, writes: Sequence[RecordedWrite]) -> Combination:
    """Draw a combination: the same one for the same seed and the same recording.

    Every kind comes first once in as many seeds as there are kinds, so that consecutive seeds miss none.

    Args:
        seed: any whole number.
        writes: of the recording.
    """
    chance = Random(f"combination {seed}")
    kinds = list(KINDS.values())
    first = kinds[seed % len(kinds)]
    # One that deceives hides another one that does: what a replay stops at is then nobody's merit.
    rest = [kind for kind in kinds if kind is not first and (kind.sort == "harmless" or first.sort == "harmless")]
    more = chance.sample(rest, chance.randint(0, _MOST - 1))
    deceiving = [kind for kind in more if kind.sort != "harmless"][1:]
    changes = []
    for kind in (first, *(one for one in more if one not in deceiving)):
        params = kind.draw(chance, writes)
        if params is not None:
            changes.append({"name": kind.name, "seed": chance.getrandbits(31), **params})
    return Combination(seed, tuple(_compatible(changes)))


def single(name: str, seed: int, writes: Sequence[RecordedWrite]) -> Combination:
    """Draw one change of a kind, alone; it has no changes where the recording allows none."""
    chance = Random(f"{name} {seed}")
    params = KINDS[name].draw(chance, writes)
    return Combination(seed, () if params is None else ({"name": name, "seed": chance.getrandbits(31), **params},))


def _compatible(changes: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Leave out what would change names that another one has changed: nobody could undo that."""
    names = 0
    for one in changes:
        names += (touches := "names" in one or "pair" in one)
        if not touches or names == 1:
            yield one


@cache
def _script() -> str:
    folder = files(__package__) / "page"
    return "".join(folder.joinpath(name).read_text("utf-8") for name in sorted(one.name for one in folder.iterdir()))


class Mutating(Change):
    """Changes every document, and undoes in requests what the site would have changed on its own end.

    Args:
        combination: the changes.
    """

    rewrites = True

    def __init__(self, combination: Combination) -> None:
        super().__init__()
        self._changes = json.dumps(combination.changes).replace("<", "\\u003c")
        self._undone = [one for one in combination.changes if one["name"] in _UNDONE]

    async def write(self, asked: Asked, ask: Ask) -> Answered:
        """Ask the site by the names that it knows."""
        for one in self._undone:
            # As it is with a site's own names: known at its address, whatever form they come from.
            if one["name"] in self.marks and RecordedWrite("POST", one["path"], 0, (), (), True).is_like(asked):
                back = {new: old for old, new in one["names"].items()}
                asked = replace(asked, body=renamed(asked.header("content-type"), asked.body, back))
        return await ask(asked)

    def document(self, asked: Asked, html: str) -> str:
        """Put the script before everything else."""
        script = f"<script data-generated>{{const CHANGES = {self._changes};\n{_script()}}}</script>"
        place = html.lower().find("<head>")
        if place >= 0:
            return html[: place + 6] + script + html[place + 6 :]
        # A document without a head has one all the same: it begins after its type.
        end = html.find(">") + 1 if html.lstrip().lower().startswith("<!doctype") else 0
        return html[:end] + script + html[end:]
