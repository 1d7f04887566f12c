"""What a run took away again, as it was observed: nothing of that is looked for, or cleaned up.

Not responsible for: whether it is gone now (``acts``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from simulator.bindings import Bindings
from simulator.recording.rows import EffectRow


@dataclass(frozen=True, slots=True)
class Removal:
    """One thing that was seen to be gone."""

    write_id: str
    order: int
    """Place of the write among those of the run."""
    ids: frozenset[str]
    called: str
    addresses: frozenset[str]
    """Its own ones."""

    def takes(self, order: int, ids: Collection[str], texts: Collection[str], url: str = "") -> bool:
        """Return whether it took away what a write before it had made or changed.

        What the site calls a thing decides where both have that; a title alone may be that of two.

        Args:
            order: place of that write among those of the run.
            ids: what the site calls the thing; empty where it is not known.
            texts: what was put into it.
            url: where the thing was seen, without variables.
        """
        if order >= self.order:
            return False
        if url in self.addresses or not self.ids.isdisjoint(ids):
            return True
        return not (self.ids and ids) and bool(self.called) and self.called in texts


def removals(effects: Iterable[EffectRow], writes: Iterable[str], bindings: Bindings) -> list[Removal]:
    """Give what a run took away.

    What has gone from a list was not taken away where its own page shows what was put in with that: a note that closes
    it.

    Args:
        effects: of the run.
        writes: the ids of its writes, in order.
        bindings: its variables.
    """
    order: Mapping[str, int] = {write_id: place for place, write_id in enumerate(writes)}
    effects = list(effects)
    noted = {one.write_id for one in effects if one.kind == "echo" and one.keyed and one.strength == "kept"}
    found = []
    for one in effects:
        if one.kind != "disappearance" or (one.by == "card" and one.write_id in noted):
            continue
        own = [one.thing.at, *([one.url] if one.by == "address" else [])]
        found.append(
            Removal(
                one.write_id,
                order[one.write_id],
                frozenset(map(bindings.shown, one.thing.ids)),
                bindings.shown(one.thing.called),
                frozenset(bindings.shown(address) for address in own if address),
            )
        )
    return found
