"""What a seeding would do, before it does anything. Not responsible for: doing it, or putting it into words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from simulator.browser.launch.pool import default_concurrency
from simulator.recording.reader import Recording
from simulator.replay.bind import NOT_OWN
from simulator.replay.plan import Plan
from simulator.replay.residue import said
from simulator.replay.seeding.casts import Seat
from simulator.replay.seeding.own_words import OwnWords
from simulator.replay.shards import seconds
from simulator.runner.events import CastCount
from simulator.runner.replays.choosing import choose, source_of
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.proving import what_is_sent
from simulator.runner.seeding.seats import Source, earlier_of, left_over, seats_of, words_of
from simulator.runner.seeding.varying import NumberVarying
from simulator.template import placeholders, stem_of

_SHOWN = 5
"""How many users are shown."""
_DRAWN = 2_000
"""Of how many users it is counted how often a value of the data comes again."""
_OTHERS = (*NOT_OWN, "identity", "choice", "user", "lb")
"""Groups of variables that are not dealt from data."""


@dataclass(frozen=True, slots=True)
class ShownUser:
    """One of the users that would be made."""

    number: int
    persona: str
    username: str
    email: str
    display_name: str
    values: Mapping[str, str]
    """What it would put in of the data that it is dealt, by variable."""
    numbers: Mapping[str, int]
    """How often it does what varies in number, by data set."""


@dataclass(frozen=True, slots=True)
class DataUse:
    """How far a field of a data set goes."""

    field: str
    """Such as ``ticket.title``."""
    dealt: int
    """How many values the users would put in."""
    different: int
    """How many of them differ."""


@dataclass(frozen=True, slots=True)
class Left:
    """What copies of one recorded user leave on the site."""

    users: int
    persona: str
    sent: tuple[str, ...]
    """What each of them sends."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a seeding would do."""

    site: str
    base_url: str
    disposable: bool
    seed: str
    asked: int
    users: int
    left_over: int
    there: int
    """How many of earlier seedings are counted."""
    cut_off: int
    """How many had begun in earlier ones, and are not made again."""
    casts: tuple[CastCount, ...]
    shown: tuple[ShownUser, ...]
    leaves: tuple[Left, ...]
    data: tuple[DataUse, ...]
    counted: int
    """Of how many users :attr:`data` is counted."""
    alike: tuple[OwnWords, ...]
    """What all users of a run would put in alike."""
    concurrency: int
    seconds: float
    """About how long it would take."""


def preview(options: ReplayOptions) -> Preview:
    """Find what a seeding would do.

    Args:
        options: of the replay, with its fan-out.

    Raises:
        UsageError: it would not begin; see :class:`~simulator.runner.seeding.fanned.FannedPopulation`.
        RecordingError: there is no such run or batch.
    """
    fan_out = options.fan_out
    assert fan_out is not None, "a seeding comes with how many users it makes"
    with Recording.open(options.source) as recording:
        chosen = choose(recording, options)
    source = source_of(options, chosen)
    earlier = earlier_of(fan_out, source, options.db)
    seats = seats_of(fan_out, source, earlier)
    copies = Counter(cast.number for cast in {seat.copy: seat.cast for seat in seats if seat.copy}.values())
    casts = {seat.cast.number: seat.cast for seat in seats}
    drawn = seats[:_DRAWN]
    varying = NumberVarying(source.plans, fan_out, source.seed)
    users = [_shown(seat, source, varying) for seat in drawn]
    times = Counter(seat.plan.run.id for seat in seats)
    plans = {seat.plan.run.id: seat.plan for seat in seats}
    concurrency = max(1, min(options.concurrency or default_concurrency(), len(seats)))
    return Preview(
        site=chosen.site.name,
        base_url=options.base_url or chosen.site.base_url,
        disposable=chosen.site.disposable,
        seed=chosen.seed,
        asked=fan_out.count,
        users=len(seats),
        left_over=left_over(fan_out, seats, earlier),
        there=len(earlier.passed) if fan_out.ensure else 0,
        cut_off=earlier.cut_off if fan_out.ensure else 0,
        casts=tuple(CastCount(casts[number].personas, copies[number]) for number in sorted(copies)),
        shown=tuple(users[:_SHOWN]),
        leaves=tuple(Left(times[run], plan.run.persona or "", what_is_sent(plan)) for run, plan in plans.items()),
        data=tuple(_data(users)),
        counted=len(drawn),
        alike=tuple(words_of(seats, first=fan_out.first)),
        concurrency=concurrency,
        seconds=_seconds(seats, concurrency, fan_out.interval_s, fan_out.ramp_s),
    )


def _shown(seat: Seat, source: Source, varying: NumberVarying) -> ShownUser:
    part = source.part(seat, varying.rows(seat.plan))
    identity = part.identity
    values = identity.variables()
    own = {name: values[name] for name in _dealt(varying.fit(part)) if name in values}
    numbers = varying.of(part)
    return ShownUser(
        seat.number, identity.persona, identity.username, identity.email, identity.display_name, own, numbers
    )


def _dealt(plan: Plan) -> list[str]:
    """Give the variables of data that a run puts in, in order."""
    texts = (said(action) for step in plan.steps for action in step.actions)
    names = (stem_of(name) for text in texts for name in placeholders(text))
    return list(dict.fromkeys(name for name in names if name.partition(".")[0] not in _OTHERS))


def _data(users: Sequence[ShownUser]) -> Iterator[DataUse]:
    by_field: dict[str, list[str]] = {}
    for user in users:
        for name, value in user.values.items():
            field = ".".join(part for part in name.split(".") if not part.isdigit())
            by_field.setdefault(field, []).append(value)
    for field, values in by_field.items():
        yield DataUse(field, len(values), len(set(values)))


def _seconds(seats: Sequence[Seat], concurrency: int, interval_s: float, ramp_s: float) -> float:
    """Estimate how long it takes: the first cast alone, and the others as many at once as may act."""
    if not seats:
        return 0
    first = next(seat.copy for seat in seats if seat.copy)
    alone = max(seconds(seat.plan) for seat in seats if seat.copy in (0, first))
    together = sum(seconds(seat.plan) for seat in seats) / concurrency
    return max(alone + together, interval_s * len(seats), ramp_s)
