"""From the users that were recorded to as many as are wanted: casts, and their copies. Not responsible for: values.

A *cast* is what is performed together: users who depend on each other. Casts are dealt one after another, so that a
population is the beginning of every larger one: user n is the same at any count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import takewhile

from simulator.errors import UsageError
from simulator.recording.rows import RunRow
from simulator.replay.plan import Plan
from simulator.replay.shards import groups_of


@dataclass(frozen=True, slots=True)
class Cast:
    """Users who depend on each other, as they were recorded."""

    number: int
    """Its place among the casts of the recording, from 1; 0 for those that are performed once."""
    plans: tuple[Plan, ...]
    """Theirs, in the order in which they were recorded."""
    shared: frozenset[str] = frozenset()
    """First revisions of the runs that are not performed for each copy: they are once, for all, or were before."""

    @property
    def personas(self) -> tuple[str, ...]:
        """The persona of each user."""
        return tuple(plan.run.persona or "" for plan in self.plans)


@dataclass(frozen=True, slots=True)
class Seat:
    """The place of a user in a population."""

    plan: Plan
    """Of the recorded run that the user performs; copies have one plan."""
    number: int
    """The user's place in the population, from 1."""
    instance: int
    """Which user of its persona it is, from 1: its identity is drawn by that."""
    copy: int
    """Which of all copies of casts it belongs to, from 1; 0 for a user that all copies share."""
    cast: Cast

    def copy_of(self, original: str) -> int:
        """Give the copy in which this user meets a recorded one: its own, or 0 for who is shared.

        Args:
            original: the first revision of the other's run.
        """
        return 0 if original in self.cast.shared else self.copy


def casts_of(
    plans: Sequence[Plan], shared: Sequence[str] = (), met: Sequence[str] = ()
) -> tuple[Cast, tuple[Cast, ...]]:
    """Part recorded users into casts.

    Args:
        plans: theirs, with those that they depend on.
        shared: who is performed once: personas, labels or runs.
        met: who is not performed, as such users were made before: personas, labels or runs.

    Returns:
        Those who are performed once, and the casts of the others, in the order of their first users.

    Raises:
        UsageError: a name means nobody, nobody is left, or who is performed once depends on who is not.
    """
    for called, names in (("--shared", shared), ("deals_with", met)):
        for name in names:
            if not any(_means(name, plan.run) for plan in plans):
                raise UsageError(f"{called} {name}: none of the recorded users is called so; {_known(plans)}")
    before = met_among(plans, met)
    once = [plan for plan in plans if any(_means(name, plan.run) for name in shared) and plan not in before]
    originals = frozenset(plan.run.original for plan in (*once, *before))
    for plan in once:
        for other in plans:
            if other.run.original in plan.needs - originals:
                raise UsageError(
                    f"--shared: user {plan.run.number}, {plan.run.persona}, uses what user {other.run.number}, "
                    f"{other.run.persona}, makes, and so cannot be performed once for all; share that one, too"
                )
    rest = [plan for plan in plans if plan.run.original not in originals]
    if not rest:
        named = " and ".join(called for called, names in (("--shared", shared), ("deals_with", met)) if names)
        raise UsageError(f"{named} names every recorded user, and nobody is left to be made more of")
    groups = groups_of(rest)
    return Cast(0, tuple(once), originals), tuple(Cast(at, each, originals) for at, each in enumerate(groups, start=1))


def met_among(plans: Sequence[Plan], met: Sequence[str]) -> list[Plan]:
    """Give the recorded users in whose places stand others that were made before.

    Args:
        plans: of the recorded users.
        met: personas, labels or runs.
    """
    return [plan for plan in plans if any(_means(name, plan.run) for name in met)]


def copies(
    plans: Sequence[Plan],
    *,
    mix: Mapping[str, int] | None = None,
    shared: Sequence[str] = (),
    met: Sequence[str] = (),
) -> Iterator[tuple[Seat, ...]]:
    """Deal casts without end: first those who are performed once, where there are any, then copy after copy.

    Args:
        plans: of the recorded users.
        mix: by persona how many users it shall have among those of all; none: the casts take turns.
        shared: who is performed once: personas, labels or runs.
        met: who is not performed, as such users were made before.

    Raises:
        UsageError: as for :func:`casts_of`; or the mix names a persona that was not recorded, not all, or nobody.
    """
    once, casts = casts_of(plans, shared, met)
    if mix:
        _check_mix(mix, casts)
    instances: Counter[str] = Counter()
    number = 0
    order = _by_mix(casts, mix) if mix else _in_turn(casts)
    for copy, cast in enumerate([once], start=0) if once.plans else ():
        seats = _seated(cast, number, copy, instances)
        number += len(seats)
        yield seats
    for copy, cast in enumerate(order, start=1):
        seats = _seated(cast, number, copy, instances)
        number += len(seats)
        yield seats


def population(
    plans: Sequence[Plan],
    count: int,
    *,
    first: int = 1,
    mix: Mapping[str, int] | None = None,
    shared: Sequence[str] = (),
    met: Sequence[str] = (),
) -> tuple[Seat, ...]:
    """Give the users of a population: whole casts, as many as there is room for.

    Args:
        plans: of the recorded users.
        count: how many users there are at most.
        first: the users before this number are there already: a cast that ends before it is left out.
        mix: see :func:`copies`.
        shared: see :func:`copies`.
        met: see :func:`copies`.

    Raises:
        UsageError: as for :func:`copies`; or there is room for no cast.
    """
    dealt = copies(plans, mix=mix, shared=shared, met=met)
    whole = [*takewhile(lambda seats: seats[-1].number <= count, dealt)]
    if not any(seats[0].copy for seats in whole):
        raise too_few(plans, count, shared, met)
    return tuple(seat for seats in whole for seat in seats if seats[-1].number >= first)


def adding(
    plans: Sequence[Plan],
    count: int,
    *,
    passed: Collection[int],
    begun: Collection[int],
    mix: Mapping[str, int] | None = None,
    shared: Sequence[str] = (),
    met: Sequence[str] = (),
) -> tuple[Seat, ...]:
    """Give the users that a population lacks. A cast of which anybody had begun is not made again, whole or not.

    Args:
        plans: of the recorded users.
        count: how many users there shall be, with those who passed.
        passed: numbers of those who did.
        begun: numbers of all who had begun, those who passed included.
        mix: see :func:`copies`.
        shared: see :func:`copies`.
        met: see :func:`copies`.

    Raises:
        UsageError: as for :func:`copies`; or a user that all share had begun, and did not pass.
    """
    known, there = frozenset(begun), len(passed)
    found: list[Seat] = []
    for seats in copies(plans, mix=mix, shared=shared, met=met):
        if any(seat.number in known for seat in seats):
            if not seats[0].copy and not all(seat.number in passed for seat in seats):
                raise UsageError("--shared: who all share was begun before, and did not pass: give another --seed")
            continue
        if there + len(found) + len(seats) > count:
            break
        found += seats
    return tuple(found)


def too_few(plans: Sequence[Plan], count: int, shared: Sequence[str] = (), met: Sequence[str] = ()) -> UsageError:
    """Say that there is room for no cast."""
    once, casts = casts_of(plans, shared, met)
    told = ", ".join(casts[0].personas)
    more = f", after {len(once.plans)} that all share" if once.plans else ""
    return UsageError(
        f"--count {count} has no room for one cast: users who depend on each other are made together, and the first "
        f"cast has {len(casts[0].plans)} ({told}){more}"
    )


def _seated(cast: Cast, before: int, copy: int, instances: Counter[str]) -> tuple[Seat, ...]:
    seats = []
    for number, plan in enumerate(cast.plans, start=before + 1):
        persona = plan.run.persona or ""
        instances[persona] += 1
        seats.append(Seat(plan, number, instances[persona], copy, cast))
    return tuple(seats)


def _in_turn(casts: Sequence[Cast]) -> Iterator[Cast]:
    while True:
        yield from casts


def _by_mix(casts: Sequence[Cast], mix: Mapping[str, int]) -> Iterator[Cast]:
    """Deal the cast that brings the shares of all personas nearest to the mix; of several the one dealt least.

    Which one that is depends on those before alone, never on how many are wanted.
    """
    usable = [cast for cast in casts if any(mix[persona] for persona in cast.personas)]
    taken: Counter[str] = Counter()
    dealt: Counter[int] = Counter()
    whole = sum(mix.values())

    def distance(cast: Cast) -> tuple[Fraction, int, int]:
        then = taken + Counter(cast.personas)
        users = then.total()
        off = sum((Fraction(then[name], users) - Fraction(part, whole)) ** 2 for name, part in mix.items())
        return Fraction(off), dealt[cast.number], cast.number

    while True:
        best = min(usable, key=distance)
        taken.update(best.personas)
        dealt[best.number] += 1
        yield best


def _check_mix(mix: Mapping[str, int], casts: Sequence[Cast]) -> None:
    recorded = dict.fromkeys(persona for cast in casts for persona in cast.personas)
    for name in mix:
        if name not in recorded:
            raise UsageError(f"--mix {name}: no user of that persona was recorded; there are {', '.join(recorded)}")
    if absent := [name for name in recorded if name not in mix]:
        raise UsageError(f"--mix does not say how many there shall be of {', '.join(absent)}; 0 is a number, too")
    if not any(mix.values()):
        raise UsageError("--mix wants nobody: give one of the personas a number above 0")


def _means(name: str, run: RunRow) -> bool:
    ids = [one for one in (run.id, run.original) if one.startswith(name) or one.endswith(name)]
    return name in (run.persona, run.label) or bool(ids)


def _known(plans: Sequence[Plan]) -> str:
    return f"there are {', '.join(dict.fromkeys(plan.run.persona or plan.run.id for plan in plans))}"
