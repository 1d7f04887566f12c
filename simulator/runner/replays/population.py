"""Who performs the runs of a replay: each run its one user, or many users of a seeding. Not responsible for: acting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from simulator.replay.bind import Part, PartKey, shared_variables, values_of
from simulator.replay.plan import IdentityPolicy
from simulator.runner import events
from simulator.runner.batch_session import BatchSession

if TYPE_CHECKING:
    from simulator.replay.seeding.casts import Seat

PERFORMED = 2**31
"""The place after every step of a run."""


class Member(NamedTuple):
    """One user of a population."""

    run: str
    """Id of the run that it performs."""
    key: PartKey
    bind: Callable[[], Part]
    """Draws who it is, just before it begins."""


class Population(Protocol):
    """Who performs the runs of a replay."""

    @property
    def parts(self) -> Sequence[Part]:
        """Every run once: what of it is the same for all who perform it."""
        ...

    @property
    def total(self) -> int:
        """How many users perform them."""
        ...

    @property
    def halted(self) -> str:
        """Why nobody else begins; empty while users may begin."""
        ...

    @property
    def done(self) -> Mapping[PartKey, int]:
        """Up to where somebody has performed before what others depend on, by the place of a step in the recording."""
        ...

    @property
    def pairings(self) -> dict[PartKey, dict[str, str]]:
        """Has an entry for each part of which it is wanted what each recorded action has become, by its id."""
        ...

    def waves(self) -> Iterator[Sequence[Member]]:
        """Give the users who may act at the same time, wave by wave, in the order in which they begin."""
        ...

    def fit(self, part: Part) -> Part:
        """Give what the user of a part performs of its run."""
        ...

    def others(self, part: Part) -> Mapping[str, str]:
        """Give what the user of a part knows of the others from the beginning, by variable."""
        ...

    async def begin(self) -> bool:
        """Wait until the next user may begin; False where nobody else may."""
        ...

    def ended(self, part: Part, run: events.ReplayedRun) -> Sequence[PartKey]:
        """Take note of what a user came to; gives those for whom nobody waits any more."""
        ...

    def judge(self, runs: Sequence[events.ReplayedRun]) -> None:
        """Take note of what the users of a wave came to."""
        ...


class Elsewhere(Protocol):
    """Performs casts of a seeding in other processes."""

    async def perform(
        self, batch: BatchSession, population: Any, casts: Sequence[Sequence[Seat]]
    ) -> list[events.ReplayedRun]:
        """Perform casts, and put what was recorded of them into the recording of the batch.

        Args:
            batch: that they belong to.
            population: of the seeding.
            casts: each with the seats of its users.

        Raises:
            SimulatorError: nobody can perform them.
        """
        ...


class RecordedPopulation:
    """The users of a replay that performs every run once, all in one wave.

    Args:
        parts: the runs.
        policy: who performs them.
    """

    halted = ""
    done: Mapping[PartKey, int] = MappingProxyType({})

    def __init__(self, parts: Sequence[Part], policy: IdentityPolicy) -> None:
        self.parts = parts
        self.pairings: dict[PartKey, dict[str, str]] = {}
        self._others = _shared(parts, policy)

    @property
    def total(self) -> int:
        """How many users perform them."""
        return len(self.parts)

    def waves(self) -> Iterator[Sequence[Member]]:
        """Give all users at once."""
        yield [Member(part.run.id, part.key, partial(Part, part.plan, part.identity)) for part in self.parts]

    def fit(self, part: Part) -> Part:
        """Have it performed as it was recorded."""
        return part

    def others(self, part: Part) -> Mapping[str, str]:
        """Give what the user of a part knows of the others of its batch, and of whom else they depend on."""
        return self._others[part.run.batch_id]

    async def begin(self) -> bool:
        """Let everybody begin at once."""
        return True

    def ended(self, part: Part, run: events.ReplayedRun) -> Sequence[PartKey]:
        """Go on, whatever came of it."""
        return ()

    def judge(self, runs: Sequence[events.ReplayedRun]) -> None:
        """Go on, whatever came of them."""


def _shared(parts: Sequence[Part], policy: IdentityPolicy) -> Mapping[str, Mapping[str, str]]:
    """Give what the users of each batch know of each other, and of whom else they depend on, by batch."""
    by_run = {part.run.original: part for part in parts}
    known = {
        part.key: shared_variables(part.run.number, values_of(part, policy), part.identity.naming) for part in parts
    }
    shared: dict[str, dict[str, str]] = {}
    for part in parts:
        here = shared.setdefault(part.run.batch_id, {})
        for other in (part, *(by_run[one] for one in by_run if one in part.plan.needs)):
            here.update(known[other.key])
    return shared
