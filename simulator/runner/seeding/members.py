"""Who the users of a seeding are: drawn just before they begin, and let go of when their cast is done.

Not responsible for: who begins when (``fanned``), or which seats there are (``seats``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from simulator.persona.draws import Draw
from simulator.replay.bind import Part, PartKey, shared_variables, values_of
from simulator.replay.plan import Plan
from simulator.replay.seeding.casts import Seat
from simulator.runner.seeding.earlier import Earlier
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.seeding.seats import Source
from simulator.runner.seeding.varying import NumberVarying

if TYPE_CHECKING:
    from simulator.runner.replays.begun import Begun


class CastMembers:
    """The users of a seeding, by their seats.

    Args:
        fan_out: how many there are, and under which conditions.
        source: what they are made of.
        seats: of everybody, those who are over with them, by their copy of the recorded cast.
        earlier: who is there from earlier seedings.
        begun: who had begun before, where a seeding goes on.
    """

    def __init__(
        self,
        fan_out: FanOut,
        source: Source,
        seats: Mapping[int, Sequence[Seat]],
        earlier: Earlier,
        begun: Begun | None,
    ) -> None:
        self.varying = NumberVarying(source.plans, fan_out, source.seed)
        self._source, self._seats, self._earlier, self._begun = source, seats, earlier, begun
        self._drawn: dict[int, dict[PartKey, Part]] = {}
        self._order = {
            original: Draw(source.seed, "deals_with", original).shuffled(users)
            for original, users in sorted(fan_out.known.items())
        }

    def part(self, seat: Seat) -> Part:
        """Give the user of a seat, as its cast has it."""
        return self._cast(seat.copy)[key_of(seat)]

    def draw(self, seat: Seat) -> Part:
        """Draw the user of a seat; who had begun is the one that is recorded, whatever has become of the data since."""
        identity = self._begun.identity(seat.number) if self._begun else None
        if identity:
            return Part(seat.plan, identity, seat)
        return self._source.part(seat, self.varying.rows(seat.plan))

    def plan(self, seat: Seat) -> Plan:
        """Give what the user of a seat performs, as often as the seed has it."""
        return self.varying.fit(self.draw(seat))

    def others(self, part: Part) -> Mapping[str, str]:
        """Give what the user of a part knows of its cast, and of those whom all share."""
        assert part.seat is not None
        known = {name: value for one in self._earlier.shared.values() for name, value in one.items()}
        known |= self._met(part.seat.copy)
        for other in (*self._cast(0).values(), *self._cast(part.seat.copy).values()):
            known |= shared_variables(other.run.number, values_of(other, "fresh"), other.identity.naming)
            if self._begun and other.number in self._begun.runs:
                known |= self._begun.known(other.number)
        return known

    def let_go(self, copy: int) -> list[PartKey]:
        """Forget the users of a copy that is done; gives who they were."""
        return list(self._drawn.pop(copy, ()))

    def _cast(self, copy: int) -> dict[PartKey, Part]:
        """Give the users of a copy; they are drawn when the first of them is wanted."""
        if copy not in self._drawn:
            self._drawn[copy] = {key_of(seat): self.draw(seat) for seat in self._seats.get(copy, ())}
        return self._drawn[copy]

    def _met(self, copy: int) -> dict[str, str]:
        """Give what a copy knows of the users made before with whom it deals: each copy with others, by the seed."""
        known: dict[str, str] = {}
        for users in self._order.values():
            known |= users[(copy - 1) % len(users)]
        return known


def key_of(seat: Seat) -> PartKey:
    """Give by what the part of a seat is known."""
    return PartKey(seat.plan.run.original, seat.copy)
