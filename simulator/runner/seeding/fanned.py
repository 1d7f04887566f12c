"""Many fresh users of a few recorded ones: who begins when, and when nobody else does.

Users are drawn just before they begin, and let go of when their cast is done: what stays of each is what it came to.
The first copy of each cast is a canary: it has to pass, and to be proven, before more of its kind begin. Not
responsible for: performing anybody.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from simulator.config import Site
from simulator.errors import UsageError
from simulator.persona import Identity, Persona
from simulator.persona.draws import Draw
from simulator.recording.reader import Recording
from simulator.replay.bind import Part, PartKey, bind_identity, read_row, shared_variables, values_of
from simulator.replay.learning.agreement import Seen, writes_unseen
from simulator.replay.plan import Plan
from simulator.replay.seeding.casts import Cast, Seat, adding, copies, met_among, population, too_few
from simulator.replay.seeding.own_words import OwnWords, own_words, variable_for
from simulator.runner import events
from simulator.runner.accounts import dealt
from simulator.runner.replays.begun import Begun
from simulator.runner.replays.population import PERFORMED, Member
from simulator.runner.seeding.earlier import Earlier, earlier_seedings
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.seeding.varying import NumberVarying, dealt_more
from simulator.runner.stop import Stop

_SENTENCE = 8
"""Words from which on a text is no name of something."""
_WORDS_NAMED = 6
"""How many texts of its own an error names."""


class Source(NamedTuple):
    """What users are made of."""

    plans: Sequence[Plan]
    seed: str
    site: Site
    email_domain: str | None = None
    reset: bool = False
    """Whether the site is reset before."""

    def part(self, seat: Seat, rows: Mapping[str, int] | None = None) -> Part:
        """Draw the user of a seat.

        Args:
            seat: the user's.
            rows: by data set how many rows the user is dealt at least.
        """
        definition = seat.plan.run.environment.get("persona")
        persona = dealt_more(definition, seat.plan, rows) if rows and definition is not None else None
        part = bind_identity(seat.plan, "fresh", self.seed, email_domain=self.email_domain, seat=seat, persona=persona)
        return Part(part.plan, dealt(part.identity, self.site, seat.number), seat)


class FannedPopulation:
    """The users of a seeding.

    Args:
        fan_out: how many there are, and under which conditions.
        source: what they are made of.
        db: where they land: there it is read whether a canary is proven.
        stop: asks for an early end.
        begun: who had begun before, where a seeding goes on.

    Raises:
        UsageError: there is room for no cast, the same would be said by all, or who was recorded would come again.
        RecordingError: a run holds no persona.
    """

    def __init__(self, fan_out: FanOut, source: Source, db: Path, stop: Stop, begun: Begun | None = None) -> None:
        self.fan_out, self.source, self.begun = fan_out, source, begun
        self.varying = NumberVarying(source.plans, fan_out.numbers, source.seed)
        self.earlier = earlier_of(fan_out, source, db, without=begun.batch if begun else "")
        if begun and begun.shared:
            self.earlier = replace(self.earlier, shared=begun.shared)
        every = numbered(source, fan_out, begun.numbers) if begun else seats_of(fan_out, source, self.earlier)
        self.seats = tuple(seat for seat in every if not (begun and begun.is_over(seat.number)))
        self.halted = ""
        self.pairings: dict[PartKey, dict[str, str]] = {}
        self._db, self._stop = db, stop
        self._every, self._by_copy = _by_copy(every), _by_copy(self.seats)
        self._left = {copy: len(seats) for copy, seats in self._by_copy.items()}
        self._canaries: list[Seat] = []
        self._drawn: dict[int, dict[PartKey, Part]] = {}
        once = next(copies(source.plans, **fan_out.dealing))
        met = met_among(source.plans, fan_out.deals_with)
        before = [Seat(plan, 0, 1, 0, Cast(0, (plan,))) for plan in met]
        self._first = _by_copy((*once, *every))
        first_of = {seat.plan.run.id: seat for seat in reversed((*before, *once, *every))}
        self.parts = [self._part(first_of[plan.run.id]) for plan in source.plans if plan.run.id in first_of]
        self.done = {PartKey(one, 0): PERFORMED for one in self.earlier.shared if 0 not in self._every}
        self.done |= {PartKey(plan.run.original, 0): PERFORMED for plan in met}
        for copy in {0, *self._by_copy}:
            over = [seat for seat in self._every.get(copy, ()) if seat not in self._by_copy.get(copy, ())]
            self.done |= {_key(seat): self._reached(seat) for seat in over}
        self._order = {
            original: Draw(source.seed, "deals_with", original).shuffled(users)
            for original, users in sorted(fan_out.known.items())
        }
        self._since: float | None = None
        self._begun, self._next, self._failed = 0, 0.0, begun.failed() if begun else 0

    @property
    def total(self) -> int:
        """How many users there are."""
        return len(self.seats)

    def waves(self) -> Iterator[Sequence[Member]]:
        """Give the first cast alone, then the first copies of the others, then everybody else."""
        known: dict[int, int] = {}
        for copy, seats in self._every.items():
            known.setdefault(seats[0].cast.number, copy)
        firsts = [copy for number, copy in known.items() if number]
        canaries = [[0, *firsts[:1]] if 0 in self._every else firsts[:1], firsts[1:]]
        rest = [copy for copy in self._by_copy if copy and copy not in firsts]
        for wave in canaries:
            members = self._members(wave)
            self.pairings.update({member.key: {} for member in members})
            self._canaries = [seat for copy in wave for seat in self._every[copy]]
            yield members
        self.pairings.clear()
        self._canaries.clear()
        yield self._members(rest)

    @property
    def _given(self) -> int:
        """How many were given to a cluster before, and are left out: nobody knows what they did."""
        return len(self.begun.given) if self.begun else 0

    def identity(self, seat: Seat) -> Identity:
        """Give who performs a seat."""
        return self._part(seat).identity

    def part(self, seat: Seat) -> Part:
        """Give the part of a seat, as its cast has it."""
        return self._bind(seat)

    def casts(self, wave: Sequence[Member]) -> list[list[Seat]]:
        """Give the seats of a wave, cast by cast; who all share comes with the first one."""
        wanted = {member.key for member in wave}
        found: list[list[Seat]] = []
        for copy, seats in self._by_copy.items():
            own = [seat for seat in seats if _key(seat) in wanted]
            if own and found and not found[-1][0].copy and copy:
                found[-1] += own
            elif own:
                found.append(own)
        return found

    def standing_for(self, seats: Sequence[Seat]) -> list[Seat]:
        """Give users of whom a worker has to know who they are: its own, and one who stands for each recorded run."""
        first = [seat for copy in (0, 1) for seat in self._first.get(copy, ())]
        return list({seat.number: seat for seat in (*first, *seats)}.values())

    def _reached(self, seat: Seat) -> int:
        """Give up to where a user who is over had performed its plan."""
        assert self.begun is not None
        run = self.begun.runs.get(seat.number)
        if run is None:
            return -1
        return PERFORMED if run.status == "passed" else self.begun.reached(seat.number, self._plan(seat))

    def _members(self, wave: Sequence[int]) -> list[Member]:
        return [
            Member(seat.plan.run.id, _key(seat), partial(self._bind, seat))
            for copy in wave
            for seat in self._by_copy.get(copy, ())
        ]

    def _bind(self, seat: Seat) -> Part:
        return self._cast(seat.copy)[_key(seat)]

    def _cast(self, copy: int) -> dict[PartKey, Part]:
        """Give the users of a copy; they are drawn when the first of them is wanted."""
        if copy not in self._drawn:
            self._drawn[copy] = {_key(seat): self._part(seat) for seat in self._every.get(copy, ())}
        return self._drawn[copy]

    def _part(self, seat: Seat) -> Part:
        """Draw a user; who had begun is the one that is recorded, whatever has become of the data since."""
        identity = self.begun.identity(seat.number) if self.begun else None
        if identity:
            return Part(seat.plan, identity, seat)
        return self.source.part(seat, self.varying.rows(seat.plan))

    def _plan(self, seat: Seat) -> Plan:
        """Give what a user performs."""
        return self.varying.fit(self._part(seat))

    def fit(self, part: Part) -> Part:
        """Let a user do what it does as often as the seed has it."""
        return replace(part, plan=self.varying.fit(part))

    def others(self, part: Part) -> Mapping[str, str]:
        """Give what the user of a part knows of its cast, and of those whom all share."""
        assert part.seat is not None
        known = {name: value for one in self.earlier.shared.values() for name, value in one.items()}
        known |= self._met(part.seat.copy)
        for other in (*self._cast(0).values(), *self._cast(part.seat.copy).values()):
            known |= shared_variables(other.run.number, values_of(other, "fresh"), other.identity.naming)
            if self.begun and other.number in self.begun.runs:
                known |= self.begun.known(other.number)
        return known

    def _met(self, copy: int) -> dict[str, str]:
        """Give what a copy knows of the users made before with whom it deals: each copy with others, by the seed."""
        known: dict[str, str] = {}
        for users in self._order.values():
            known |= users[(copy - 1) % len(users)]
        return known

    async def begin(self) -> bool:
        """Wait for the turn of the next user, as the rate and the ramp have it; False where nobody else may begin."""
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        ramped = self._since + self.fan_out.ramp_s * self._begun / max(self.total, 1)
        at = max(now, self._next, ramped)
        self._begun += 1
        self._next = at + self.fan_out.interval_s
        if at > now:
            await self._stop.pause(at - now)
        return not self.halted

    def ended(self, part: Part, run: events.ReplayedRun) -> Sequence[PartKey]:
        """Count what a user came to, and let go of a cast that is done."""
        assert part.seat is not None
        failed = run.drifted and run.verdict != "interrupted" and not self._stop.requested
        self._failed += failed
        if failed and not self.halted:
            if self.fan_out.on_drift == "stop":
                self.halted = f"user {part.number} drifted (--on-drift stop)"
            elif self.fan_out.max_failures.is_exceeded(self._failed, sum(map(len, self._every.values()))):
                self.halted = f"{self._failed} users failed (--max-failures {self.fan_out.max_failures})"
        copy = part.seat.copy
        self._left[copy] -= 1
        if self._left[copy] or not copy:
            return ()
        return list(self._drawn.pop(copy, ()))

    def judge(self, runs: Sequence[events.ReplayedRun]) -> None:
        """See whether the canaries of a wave passed and are proven; nobody else begins where they are not."""
        if self._stop.requested:
            return
        performed = {run.number: run for run in runs}
        for seat in self._canaries:
            if why := self._why_not(seat, performed.get(seat.number)):
                self.halted = f"the first cast has to be proven before others begin: user {seat.number}, {why}"
                return

    def _why_not(self, seat: Seat, run: events.ReplayedRun | None) -> str:
        """Say why a canary is not proven; empty where it is."""
        if run is not None and run.drifted:
            return run.drift.sentence if run.drift else str(run.verdict)
        plan = self._plan(seat)
        if run is not None:
            run_id, pairing = run.run_id, self.pairings.get(_key(seat), {})
        elif self.begun and (row := self.begun.runs.get(seat.number)):
            if row.status != "passed":
                return row.reason or row.ending
            run_id, pairing = row.id, self.begun.pairing(seat.number, plan)
        else:
            return (
                "of whom nobody knows anything: a worker of a cluster was given it"
                if self._given
                else "who never began"
            )
        with Recording.open(self._db) as recording:
            seen = Seen(recording.writes(run_id), recording.effects(run_id))
        lost = writes_unseen(plan, seen, pairing)
        return (
            f"no page showed again what was sent by {', '.join(lost)}, as one did when it was recorded" if lost else ""
        )

    def told(self, runs: Sequence[events.ReplayedRun]) -> events.Seeded:
        """Sum the seeding up, beside what each user came to."""
        times = Counter(seats[0].cast.number for copy, seats in self._by_copy.items() if copy)
        casts = {seat.cast.number: seat.cast for seat in self.seats}
        return events.Seeded(
            asked=self.fan_out.count,
            first=self.seats[0].number if self.seats else 0,
            planned=self.total,
            seed=self.source.seed,
            casts=tuple(events.CastCount(casts[number].personas, times[number]) for number in sorted(times)),
            shared=casts[0].personas if 0 in casts else (),
            left_over=0 if self.begun else left_over(self.fan_out, self.seats, self.earlier),
            passed=sum(not run.drifted for run in runs),
            there=(len(self.earlier.passed) if self.fan_out.ensure else 0) + (self.begun.passed() if self.begun else 0),
            earlier=self.earlier.batches,
            cut_off=sum(run.verdict == "interrupted" for run in runs)
            + (self.earlier.cut_off if self.fan_out.ensure else 0)
            + self._given,
            not_begun=self.total - len(runs),
            halted=self.halted,
        )


def _by_copy(seats: Sequence[Seat]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.copy, []).append(seat)
    return found


def numbered(source: Source, fan_out: FanOut, numbers: Collection[int]) -> tuple[Seat, ...]:
    """Give the users of some numbers: whoever was to be made when a seeding began."""
    wanted, last = frozenset(numbers), max(numbers, default=0)
    dealt = copies(source.plans, **fan_out.dealing)
    found = takewhile(lambda seats: seats[0].number <= last, dealt)
    return tuple(seat for seats in found for seat in seats if seat.number in wanted)


def _key(seat: Seat) -> PartKey:
    return PartKey(seat.plan.run.original, seat.copy)


def earlier_of(fan_out: FanOut, source: Source, db: Path, *, without: str = "") -> Earlier:
    """Find who is there already, where that counts.

    Args:
        fan_out: how many users there are.
        source: what they are made of.
        db: where seedings land.
        without: a batch that does not count, by its id.
    """
    if not fan_out.ensure and (fan_out.first == 1 or not fan_out.shared):
        return Earlier()
    return earlier_seedings(db, fan_out.source(source.plans), source.seed, source.site, without=without)


def seats_of(fan_out: FanOut, source: Source, earlier: Earlier) -> tuple[Seat, ...]:
    """Give the users that are made, once nothing speaks against making them.

    Args:
        fan_out: how many there are.
        source: what they are made of.
        earlier: who is there already.

    Raises:
        UsageError: see :class:`FannedPopulation`.
    """
    dealing = fan_out.dealing
    if fan_out.ensure:
        if source.reset:
            raise UsageError("--ensure adds to what is there, and --reset throws it away: give one of them")
        seats = adding(source.plans, fan_out.count, passed=earlier.passed, begun=earlier.begun, **dealing)
        if not seats and not earlier.passed:
            raise too_few(source.plans, fan_out.count, fan_out.shared, fan_out.deals_with)
    else:
        seats = population(source.plans, fan_out.count, first=fan_out.first, **dealing)
        if not seats:
            raise UsageError(f"no whole cast ends between user {fan_out.first} and user {fan_out.count}")
        if fan_out.shared and seats[0].copy and not earlier.shared:
            raise UsageError(
                "--first leaves out who all share, and no earlier seeding of this recording and seed has made that "
                "user: leave --first out"
            )
    _refuse_recorded(seats, source)
    first = 2 if fan_out.ensure and earlier.begun else fan_out.first
    if not fan_out.keep_words and (found := [one for one in words_of(seats, first=first) if one.is_wording]):
        raise UsageError(_bind_first(found, seats))
    return seats


def left_over(fan_out: FanOut, seats: Sequence[Seat], earlier: Earlier) -> int:
    """Give how many of the users that were asked for make no whole cast."""
    if fan_out.ensure:
        return max(fan_out.count - len(seats) - len(earlier.passed), 0)
    return fan_out.count - seats[-1].number


def words_of(seats: Sequence[Seat], *, first: int = 1) -> list[OwnWords]:
    """Give what more than one user would put in alike, run by run.

    Args:
        seats: of the population. Who is performed once says it once.
        first: the users before this number are there already.
    """
    plans = {seat.plan.run.id: seat.plan for seat in seats if seat.copy}
    times = Counter(seat.plan.run.id for seat in seats)
    again = [plan for run, plan in plans.items() if times[run] > 1 or first > 1]
    return [one for plan in again for one in own_words(plan, answers_of(plan))]


def answers_of(plan: Plan) -> Mapping[str, str]:
    """Give what the persona of a run says to put in fields."""
    definition = plan.run.environment.get("persona")
    return read_row(Persona, definition, plan.run).answers if definition else {}


def _refuse_recorded(seats: Sequence[Seat], source: Source) -> None:
    """See that nobody is drawn who was recorded: the site has that user, unless it is reset."""
    recorded = set()
    for plan in source.plans:
        if plan.run.identity is not None:
            identity = read_row(Identity, plan.run.identity, plan.run)
            recorded.add((identity.persona, identity.seed, identity.number))
    again = [one for one in seats if (one.plan.run.persona, source.seed, one.instance) in recorded]
    if again and not source.reset:
        raise UsageError(
            f"the recorded users were drawn from the seed {source.seed}, too, and user {again[0].number} would be one "
            "of them again: give another --seed"
        )


def _drawn_for(text: str) -> str:
    """Give what could be drawn in the place of a text where no data of the users has anything like it."""
    return "faker.catch_phrase.1" if len(text.split()) < _SENTENCE else "faker.paragraph.1"


def _bind_first(found: Sequence[OwnWords], seats: Sequence[Seat]) -> str:
    users = f"{seats[-1].number} users would put in alike what one recorded user had of its own"
    lines = [f"step {one.place}: '{one.text}'" for one in found[:_WORDS_NAMED]]
    more = [f"and {len(found) - _WORDS_NAMED} more"] if len(found) > _WORDS_NAMED else []
    first = found[0]
    seat = next(one for one in seats if one.plan.run.id == first.run)
    names = list(bind_identity(seat.plan, "fresh", "names", seat=seat).identity.variables())
    variable = variable_for(first.field, names) or _drawn_for(first.text)
    text = first.text.replace("'", "'\\''")
    return "\n".join(
        [
            f"{users}; put variables in their place, or allow it with --keep-words:",
            *(f"  {line}" for line in (*lines, *more)),
            f"  sim runs edit {first.run[-8:]} --bind '{text}'={variable}",
        ]
    )
