"""Whose things each user of a batch deals with, planned before anybody acts.

Not responsible for: finding one on a site. A plan depends on the seed and the population alone, so that a batch leaves
the same site behind at any concurrency. Aims point at things of users before, or at the user's own where nobody before
made any: nobody waits in a circle. What its owner deletes is never aimed at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simulator.persona.draws import Draw
from simulator.persona.identity import Identity
from simulator.persona.model import Persona
from simulator.persona.thing_tasks import (
    BrowseThings,
    CommentThings,
    CreateThing,
    DeleteThing,
    EditThing,
    ReactToThings,
    ThingTask,
)
from simulator.tools.pages.vocabulary import normal, says


class Aim(NamedTuple):
    """A thing that a user of the batch makes."""

    user: int
    """The user's place in the batch, from 1."""
    row: int
    """Which of the rows of that user it is made of, from 1."""


class Change(NamedTuple):
    """A change of one of the user's own things."""

    row: int
    """Of which row the thing is made."""
    to: int
    """The row that the new values are of."""


@dataclass(frozen=True, slots=True)
class ThingPlan:
    """What one user makes and deals with, by the place of the task among the persona's tasks (from 1)."""

    made: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Rows of which things are made."""
    changed: Mapping[int, tuple[Change, ...]] = field(default_factory=dict)
    deleted: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Rows of which the things are made that go."""
    aims: Mapping[int, tuple[Aim, ...]] = field(default_factory=dict)
    texts: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Rows or texts that are written about the aims."""


class Sets(NamedTuple):
    """The data sets of a thing, by the keys under which their rows are stored with a user."""

    rows: str
    texts: str = ""


def plan_things(
    population: Sequence[tuple[Persona, Identity]], seed: str, sets: Mapping[str, Sets]
) -> Mapping[int, ThingPlan]:
    """Plan a whole batch.

    Args:
        population: persona and identity of each user, in the order of the batch.
        seed: the batch's seed.
        sets: what things of the site are made of, by their names.

    Returns:
        The plan of each user that deals with things, by place in the batch, from 1.
    """
    there: dict[str, list[Aim]] = {}
    plans: dict[int, ThingPlan] = {}
    people = {number: identity for number, (_, identity) in enumerate(population, start=1)}
    for number, (persona, _) in enumerate(population, start=1):
        if any(isinstance(task, ThingTask) for task in persona.tasks):
            planner = _Planner(number, persona, seed, sets, there, people)
            plans[number] = planner.plan()
            for name, rows in planner.kept.items():
                there.setdefault(name, []).extend(Aim(number, row) for row in rows)
    return plans


class _Planner:
    """Plans for one user, with what those before leave behind."""

    def __init__(
        self,
        number: int,
        persona: Persona,
        seed: str,
        sets: Mapping[str, Sets],
        there: Mapping[str, Sequence[Aim]],
        people: Mapping[int, Identity],
    ) -> None:
        self._number = number
        self._seed = seed
        self._sets = sets
        self._there = there
        self._people = people
        self._tasks = [(at, task) for at, task in enumerate(persona.tasks, start=1) if isinstance(task, ThingTask)]
        self.kept: dict[str, list[int]] = {}
        """Rows of the things that stay, by the name of the thing."""

    def plan(self) -> ThingPlan:
        made, changed, deleted = self._own()
        aims: dict[int, tuple[Aim, ...]] = {}
        texts: dict[int, tuple[int, ...]] = {}
        written: Counter[str] = Counter()
        done: dict[tuple[str, str], set[Aim]] = {}
        for at, task in self._tasks:
            if not isinstance(task, BrowseThings | ReactToThings | CommentThings):
                continue
            which = task.button or "" if isinstance(task, ReactToThings) else ""
            taken = done.setdefault((f"{task.task_type}|{which}", task.thing), set())
            aims[at] = self._sample(at, task, made, taken)
            if isinstance(task, CommentThings):
                key = self._of(task).texts
                texts[at] = tuple(range(written[key] + 1, written[key] + len(aims[at]) + 1))
                written[key] += task.count
        return ThingPlan(made, changed, deleted, aims, texts)

    def _of(self, task: ThingTask) -> Sets:
        return self._sets.get(task.thing) or Sets(f"{task.thing}s")

    def _own(self) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[Change, ...]], dict[int, tuple[int, ...]]]:
        """Follow the user's own things: which are made, changed and deleted when, and what stays."""
        made: dict[int, tuple[int, ...]] = {}
        changed: dict[int, tuple[Change, ...]] = {}
        deleted: dict[int, tuple[int, ...]] = {}
        used: Counter[str] = Counter()
        changes: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for _, task in self._tasks:
            total[self._of(task).rows] += task.count if isinstance(task, CreateThing) else 0
        for at, task in self._tasks:
            key, own = self._of(task).rows, self.kept.setdefault(task.thing, [])
            match task:
                case CreateThing():
                    made[at] = tuple(range(used[key] + 1, used[key] + task.count + 1))
                    used[key] += task.count
                    own += made[at]
                case EditThing():
                    first = total[key] + changes[key] + 1
                    changed[at] = tuple(Change(row, first + place) for place, row in enumerate(own[: task.count]))
                    changes[key] += task.count
                case DeleteThing():
                    deleted[at] = tuple(own[-task.count :][::-1])
                    self.kept[task.thing] = [row for row in own if row not in deleted[at]]
        return made, changed, deleted

    def _sample(
        self, at: int, task: ThingTask, made: Mapping[int, tuple[int, ...]], taken: set[Aim]
    ) -> tuple[Aim, ...]:
        """Draw things of users before; the user's own, of those made by then, where nobody before has any."""
        before = self._there.get(task.thing, ())
        by_then = {row for place, rows in made.items() if place < at for row in rows}
        own = [Aim(self._number, row) for row in self.kept.get(task.thing, ()) if row in by_then]
        words = normal(getattr(task, "query", None) or "").split()
        pool = [aim for aim in (before or own) if aim not in taken and self._holds(aim, task, words)]
        found = Draw(self._seed, "things", self._number, at).shuffled(pool)[: task.count]
        taken.update(found)
        return tuple(found)

    def _holds(self, aim: Aim, task: ThingTask, words: Sequence[str]) -> bool:
        """Return whether the row of a thing says all words of a query."""
        if not words:
            return True
        rows = self._people[aim.user].dealt().get(self._of(task).rows, ())
        row = rows[aim.row - 1] if aim.row <= len(rows) else None
        said = normal(" ".join(map(str, [row] if row is None or isinstance(row, str) else row.values().values())))
        return all(says(said, word) for word in words)
