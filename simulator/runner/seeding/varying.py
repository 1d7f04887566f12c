"""How many of the things of a recorded user each fresh one makes, by the seed.

Not responsible for: finding the segments of a run that repeat, or writing a plan with more or fewer of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from simulator.domain.loading import data_sets, things
from simulator.errors import UsageError
from simulator.persona import Persona
from simulator.persona.numbers import Numbers
from simulator.replay.bind import Part, read_row
from simulator.replay.plan import Plan
from simulator.replay.seeding.segments import Segments, fitted, segments_of
from simulator.runner.seeding.fan_out import FanOut, numbers_recorded


class _Varied(NamedTuple):
    """The segments of a run for the rows of a data set, and how many are performed."""

    data: str
    segments: Segments
    numbers: Numbers


class NumberVarying:
    """Gives each user as many segments as the seed has it.

    Args:
        plans: of the recorded users.
        fan_out: says how many.
        seed: what users are drawn from.

    Raises:
        UsageError: there is no such data set, or nobody has segments for its rows that repeat.
    """

    def __init__(self, plans: Sequence[Plan], fan_out: FanOut, seed: str) -> None:
        self._seed = seed
        self._by_run: dict[str, list[_Varied]] = {}
        for data, asked in fan_out.numbers.items():
            self._vary(plans, plans, data, asked)
        for persona in dict.fromkeys(plan.run.persona or "" for plan in plans):
            own = [plan for plan in plans if (plan.run.persona or "") == persona]
            said = fan_out.numbers_of.get(persona)
            for data, asked in (numbers_recorded(own[0]) if said is None else said).items():
                if data not in fan_out.numbers:
                    self._vary(own, plans, data, asked, f"persona '{persona}': ")

    def _vary(self, plans: Sequence[Plan], all_: Sequence[Plan], data: str, asked: Numbers, of: str = "") -> None:
        """Find the segments of runs for the rows of a data set."""
        found: dict[str, Segments] = {}
        for prefix in _prefixes(data, of):
            found |= {plan.run.id: one for plan in plans if (one := segments_of(plan, prefix, all_))}
        if not found:
            raise UsageError(
                f"{of}numbers: {data}: nobody was recorded who does the same steps for one row of '{data}' after the "
                "other, at least twice, so there is nothing to do more or less often"
            )
        for run, segments in found.items():
            self._by_run.setdefault(run, []).append(_Varied(data, segments, asked))

    @property
    def varies(self) -> bool:
        """Whether anybody does something more or less often than was recorded."""
        return bool(self._by_run)

    def rows(self, plan: Plan) -> dict[str, int]:
        """Give how many rows of each data set the users of a run are dealt at least."""
        varied = self._by_run.get(plan.run.id, ())
        return {one.data: one.numbers.most for one in varied if one.segments.once_more}

    def of(self, part: Part) -> dict[str, int]:
        """Give how many segments a user performs, by data set.

        Args:
            part: the user.
        """
        found = {}
        known = part.identity.variables()
        for one in self._by_run.get(part.run.id, ()):
            who = part.identity
            drawn = one.numbers.draw(self._seed, who.persona, who.number, "numbers", one.data)
            first = one.segments.rows[0]
            dealt = 0
            while any(name.startswith(f"{one.segments.prefix}.{first + dealt}.") or
                      name == f"{one.segments.prefix}.{first + dealt}" for name in known):  # fmt: skip
                dealt += 1
            found[one.data] = one.segments.fitting(min(drawn, dealt))
        return found

    def fit(self, part: Part) -> Plan:
        """Give what a user performs."""
        plan, numbers = part.plan, self.of(part)
        # The last segments of the run first: the places of those before stay as they are.
        for one in sorted(self._by_run.get(part.run.id, ()), key=lambda each: -each.segments.blocks[0].start):
            plan = fitted(plan, one.segments, numbers[one.data])
        return plan


def _prefixes(data: str, of: str) -> tuple[str, str]:
    """Give what the variables of the rows of a data set begin with, and those of its texts.

    Raises:
        UsageError: there is no such data set.
    """
    known = data_sets()
    if data not in known:
        raise UsageError(f"{of}numbers: there is no data set '{data}'; known are {', '.join(known) or 'none'}")
    return known[data].name, f"text.{known[data].name}"


def dealt_more(definition: object, plan: Plan, rows: Mapping[str, int]) -> Persona:
    """Give the persona of a run as one whose users are dealt more rows.

    A data set of the project deals as many as the persona says; one of a pack as many as its tasks make.

    Args:
        definition: the persona, as it was recorded.
        plan: of the run.
        rows: by data set how many at least.
    """
    persona = read_row(Persona, definition, plan.run)
    known = data_sets()
    for data, most in rows.items():
        if data not in known:
            continue
        if known[data].deal is None:
            said = persona.data.get(data, known[data].count)
            if isinstance(said, int) and said < most:
                persona = persona.model_copy(update={"data": {**persona.data, data: most}})
            continue
        makers = {thing.made_by for thing in things() if thing.data == data}
        own = [task for task in persona.tasks if task.task_type.rpartition(".")[2] in makers and hasattr(task, "count")]
        lacking = most - sum(getattr(task, "count", 0) for task in own)
        if own and lacking > 0:
            last = own[-1]
            more = last.model_copy(update={"count": getattr(last, "count", 0) + lacking})
            tasks = tuple(more if task is last else task for task in persona.tasks)
            persona = persona.model_copy(update={"tasks": tasks})
    return persona
