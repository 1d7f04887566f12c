"""Whom and what each user of a batch deals with, planned before anybody acts.

A plan depends on the seed and the population alone, so that a batch leaves the same site behind at any concurrency.
Aims point at users earlier in the batch only: whoever waits, waits for somebody who started before, so nobody waits in
a circle. What its owner withdraws later is never aimed at. Not responsible for: how an aim is found on a site.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from simulator.packs.bookshop.books import books_of
from simulator.packs.bookshop.tasks import (
    CreateMatchup,
    DeleteListing,
    EditListing,
    ListBooks,
    MessageSeller,
    SaveListings,
    Vote,
)
from simulator.persona.draws import Draw
from simulator.persona.identity import Identity
from simulator.persona.model import Persona

T = TypeVar("T")


class BookAim(NamedTuple):
    """A book that a user of the batch lists."""

    user: int
    """The user's place in the batch, from 1."""
    book: int
    """Which of the user's books, from 1."""


class StockAim(NamedTuple):
    """Any listing of the site's stock seller."""

    turn: int
    """Which draw of this user it is, from 1."""


class PairAim(NamedTuple):
    """Two books to pit against each other."""

    first: BookAim
    second: BookAim


class DuelAim(NamedTuple):
    """A matchup that a user of the batch starts, and the book to vote for."""

    user: int
    matchup: int
    pair: PairAim
    vote: int
    """0 for the first book, 1 for the second."""


class StockDuel(NamedTuple):
    """A matchup of the site's stock seller."""

    turn: int
    vote: int


@dataclass(frozen=True, slots=True)
class Interactions:
    """Whom and what one user deals with, by the place of the task among the persona's tasks (from 1)."""

    number: int
    listed: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The user's own books that a ``list_books`` offers."""
    own: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The user's own books that are edited or withdrawn."""
    books: Mapping[int, tuple[BookAim | StockAim, ...]] = field(default_factory=dict)
    pairs: Mapping[int, tuple[PairAim, ...]] = field(default_factory=dict)
    """Fewer than the task wants where there are not enough different pairs."""
    duels: Mapping[int, tuple[DuelAim | StockDuel, ...]] = field(default_factory=dict)


def plan_interactions(population: Sequence[tuple[Persona, Identity]], seed: str | int) -> Mapping[int, Interactions]:
    """Plan a whole batch.

    Args:
        population: persona and identity of each user, in the order of the batch.
        seed: the batch's seed.

    Returns:
        The plan of each user by place in the batch, from 1.
    """
    books: list[BookAim] = []
    duels: list[DuelAim] = []
    plan: dict[int, Interactions] = {}
    titles = {
        BookAim(number, index): book.title
        for number, (_, identity) in enumerate(population, start=1)
        for index, book in enumerate(books_of(identity), start=1)
    }
    for number, (persona, _) in enumerate(population, start=1):
        planner = _Planner(number, persona, str(seed), tuple(books), tuple(duels), titles)
        plan[number] = planner.plan()
        books += [BookAim(number, index) for index in planner.kept]
        duels += planner.started
    return plan


class _Planner:
    """Plans for one user, with what those before will have made."""

    def __init__(
        self,
        number: int,
        persona: Persona,
        seed: str,
        books: tuple[BookAim, ...],
        duels: tuple[DuelAim, ...],
        titles: Mapping[BookAim, str],
    ) -> None:
        self.number = number
        self.started: list[DuelAim] = []
        self._tasks = list(enumerate(persona.tasks, start=1))
        self._seed = seed
        self._books = books
        self._duels = duels
        self._titles = titles
        self._listed, self._own, self.kept = self._shelf()
        self._turns: dict[str, int] = {}

    def plan(self) -> Interactions:
        aims: dict[int, tuple[BookAim | StockAim, ...]] = {}
        pairs: dict[int, tuple[PairAim, ...]] = {}
        duels: dict[int, tuple[DuelAim | StockDuel, ...]] = {}
        done: dict[str, set[object]] = {}
        for place, task in self._tasks:
            draw = Draw(self._seed, "aims", self.number, place)
            taken = done.setdefault(task.task_type, set())
            if isinstance(task, SaveListings | MessageSeller):
                found = _sample(draw, self._books, task.count, taken)
                rest = task.count - len(found)
                aims[place] = (*found, *(StockAim(self._turn(task.task_type)) for _ in range(rest)))
            elif isinstance(task, CreateMatchup):
                pairs[place] = self._pairs(draw, place, task.count, taken)
            elif isinstance(task, Vote):
                drawn = _sample(draw, self._duels, task.count, taken)
                stock = [StockDuel(self._turn(task.task_type), draw.below(2)) for _ in range(task.count - len(drawn))]
                duels[place] = (*(duel._replace(vote=draw.below(2)) for duel in drawn), *stock)
        return Interactions(self.number, self._listed, self._own, aims, pairs, duels)

    def _shelf(self) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]], list[int]]:
        """Follow the user's own listings: what is offered, edited and withdrawn when, and what stays for good."""
        shelf: list[int] = []
        listed: dict[int, tuple[int, ...]] = {}
        own: dict[int, tuple[int, ...]] = {}
        offered = 0
        for place, task in self._tasks:
            if isinstance(task, ListBooks):
                listed[place] = tuple(range(offered + 1, offered + task.count + 1))
                shelf += listed[place]
                offered += task.count
            elif isinstance(task, EditListing):
                own[place] = tuple(shelf[: task.count])
            elif isinstance(task, DeleteListing):
                gone = shelf[-task.count :][::-1]
                own[place] = tuple(gone)
                shelf = [index for index in shelf if index not in gone]
        return listed, own, shelf

    def _pairs(self, draw: Draw, place: int, count: int, taken: set[object]) -> tuple[PairAim, ...]:
        """Pit own books, listed by then, against each other and against those of users before.

        No two pairs have the same titles: nothing would distinguish their matchups.
        """
        offered = {index for at, indices in self._listed.items() if at < place for index in indices}
        mine = [BookAim(self.number, index) for index in self.kept if index in offered]
        others = [*mine, *_sample(draw, self._books, 2 * count + 1, set())]
        possible = [
            PairAim(first, second)
            for first in (mine or others)
            for second in others
            if self._titles[first] != self._titles[second]
        ]
        chosen: list[PairAim] = []
        for pair in draw.shuffled(possible):
            titles = frozenset(self._titles[book] for book in pair)
            if len(chosen) < count and titles not in taken:
                taken.add(titles)
                chosen.append(pair)
        for pair in chosen:
            self.started.append(DuelAim(self.number, len(self.started) + 1, pair, 0))
        return tuple(chosen)

    def _turn(self, task_type: str) -> int:
        self._turns[task_type] = self._turns.get(task_type, 0) + 1
        return self._turns[task_type]


def _sample(draw: Draw, pool: Sequence[T], count: int, taken: set[object]) -> list[T]:
    """Draw up to ``count`` different members that are not taken yet, and take them."""
    left = [one for one in pool if one not in taken]
    found = [left.pop(draw.below(len(left))) for _ in range(min(count, len(left)))]
    taken.update(found)
    return found
