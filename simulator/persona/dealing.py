"""Deals the rows of data sets to users by seed. Not responsible for: what a pack deals itself."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from simulator.domain import DataSet
from simulator.persona.draws import Draw
from simulator.persona.model import Persona

Dealt = tuple[Mapping[str, Any] | str, ...]


def dealt_rows(data: DataSet, persona: Persona, key: tuple[str, str, int]) -> Dealt:
    """Give what a user is dealt of a data set.

    The rows are shuffled once for a persona, and user n takes the n-th hand of them: users of one persona share none
    until all are dealt; then they are shuffled anew. A hand never holds a row twice.

    Args:
        data: the data set.
        persona: the user's.
        key: of the user's draws: seed, persona, number.
    """
    if data.deal is not None:
        return tuple(data.deal(persona, key))
    size = min(data.count, len(data.rows))
    if not size:
        return ()
    seed, name, number = key
    round_, hand = divmod(number - 1, len(data.rows) // size)
    return _shuffled(data, seed, name, round_)[hand * size : (hand + 1) * size]


@lru_cache(maxsize=64)
def _shuffled(data: DataSet, seed: str, persona: str, round_: int) -> Dealt:
    return tuple(Draw(seed, persona, "rows", data.name, round_).shuffled(data.rows))
