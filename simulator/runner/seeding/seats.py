"""Who the users of a seeding are: their seats, once nothing speaks against making them.

Not responsible for: when anybody begins (``fanned``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from simulator.config import Site
from simulator.errors import UsageError
from simulator.persona import Beside, DealtBefore, Identity, Persona
from simulator.replay.bind import Part, bind_identity, read_row
from simulator.replay.plan import Plan
from simulator.replay.seeding.casts import Seat, adding, copies, population, too_few
from simulator.replay.seeding.own_words import OwnWords, own_words, variable_for
from simulator.runner.accounts import dealt
from simulator.runner.seeding.earlier import Earlier, earlier_seedings
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.seeding.varying import dealt_more

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
    before: Sequence[DealtBefore] = ()
    """Users whose rows the site may hold already."""
    beside: Sequence[Beside] = ()
    """The personas of those who are made."""

    def part(self, seat: Seat, rows: Mapping[str, int] | None = None) -> Part:
        """Draw the user of a seat.

        Args:
            seat: the user's.
            rows: by data set how many rows the user is dealt at least.
        """
        definition = seat.plan.run.environment.get("persona")
        persona = dealt_more(definition, seat.plan, rows) if rows and definition is not None else None
        part = bind_identity(
            seat.plan,
            "fresh",
            self.seed,
            email_domain=self.email_domain,
            seat=seat,
            persona=persona,
            before=self.before,
            beside=self.beside,
        )
        return Part(
            part.plan, dealt(part.identity, self.site, seat.number, {one.username for one in self.before}), seat
        )


def numbered(source: Source, fan_out: FanOut, numbers: Collection[int]) -> tuple[Seat, ...]:
    """Give the users of some numbers: whoever was to be made when a seeding began."""
    wanted, last = frozenset(numbers), max(numbers, default=0)
    dealt = copies(source.plans, **fan_out.dealing)
    found = takewhile(lambda seats: seats[0].number <= last, dealt)
    return tuple(seat for seats in found for seat in seats if seat.number in wanted)


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
