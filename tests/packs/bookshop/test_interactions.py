"""Plans of whole batches: from the seed alone, backwards only, and never at what is gone."""

from __future__ import annotations

import pytest

from simulator.packs.bookshop.interactions import (
    BookAim,
    DuelAim,
    Interactions,
    StockAim,
    StockDuel,
    plan_interactions,
)
from simulator.persona import draw_population, load_personas, mix, starter_personas


def planned(personas, count: int, seed: int = 7) -> dict[int, Interactions]:
    population = list(zip(mix(personas, count), draw_population(personas, count, seed), strict=True))
    return dict(plan_interactions(population, str(seed)))


@pytest.fixture(scope="module")
def starters():
    return list(load_personas(starter_personas()).values())


@pytest.mark.parametrize("seed", range(5))
def test_aims_point_backwards_at_books_that_stay(starters, seed: int) -> None:
    personas = mix(starters, 60)
    plan = planned(starters, 60, seed)
    gone = {
        BookAim(number, book)
        for number, aims in plan.items()
        for place, books in aims.own.items()
        for book in books
        if personas[number - 1].tasks[place - 1].task_type == "delete_listing"
    }
    listed = {BookAim(n, book) for n, aims in plan.items() for books in aims.listed.values() for book in books}
    assert gone
    for number, aims in plan.items():
        books = [aim for found in aims.books.values() for aim in found if isinstance(aim, BookAim)]
        pairs = [book for found in aims.pairs.values() for pair in found for book in pair]
        duels = [aim for found in aims.duels.values() for aim in found if isinstance(aim, DuelAim)]
        assert all(book.user < number for book in books)
        assert all(book.user <= number for book in pairs)
        assert all(duel.user < number for duel in duels)
        aimed = {*books, *pairs, *(book for duel in duels for book in duel.pair)}
        assert aimed <= listed - gone


@pytest.mark.parametrize("seed", range(5))
def test_nobody_does_the_same_thing_twice(starters, seed: int) -> None:
    personas = mix(starters, 60)
    for number, aims in planned(starters, 60, seed).items():
        for task_type in ("save_listings", "message_seller"):
            places = [p for p, task in enumerate(personas[number - 1].tasks, start=1) if task.task_type == task_type]
            found = [aim for place in places for aim in aims.books[place]]
            assert len(found) == len(set(found))
        duels = [aim[:2] for found in aims.duels.values() for aim in found if isinstance(aim, DuelAim)]
        assert len(duels) == len(set(duels))
        pairs = [frozenset(pair) for found in aims.pairs.values() for pair in found]
        assert len(pairs) == len(set(pairs))


def test_nobody_starts_two_matchups_that_read_alike(make_persona) -> None:
    seller = make_persona("register", {"list_books": {"count": 2}}, {"create_matchup": {"count": 3}})
    drawn = draw_population([seller], 2, 7)
    people = [identity.model_copy(update={"books": drawn[0].books}) for identity in drawn]
    aims = plan_interactions([(seller, identity) for identity in people], "7")
    assert [len(aims[number].pairs[3]) for number in (1, 2)] == [1, 1]


def test_a_duel_is_aimed_at_as_its_maker_plans_it(starters) -> None:
    plan = planned(starters, 60)
    for aims in plan.values():
        for duel in (aim for found in aims.duels.values() for aim in found if isinstance(aim, DuelAim)):
            made = [pair for found in plan[duel.user].pairs.values() for pair in found]
            assert made[duel.matchup - 1] == duel.pair


def test_a_plan_follows_from_the_seed(starters) -> None:
    assert planned(starters, 30) == planned(list(reversed(starters)), 30)
    assert planned(starters, 30) != planned(starters, 30, seed=8)


def test_more_users_change_no_plan_of_those_before(starters) -> None:
    few, many = planned(starters, 20), planned(starters, 40)
    assert {number: many[number] for number in few} == few


def test_the_stock_stands_in_where_nobody_came_before(make_persona) -> None:
    shopper = make_persona("register", {"save_listings": {"count": 2}}, "save_listings", {"vote": {"count": 2}})
    aims = planned([shopper], 1)[1]
    assert aims.books == {2: (StockAim(1), StockAim(2)), 3: (StockAim(3),)}
    assert [type(aim) for aim in aims.duels[4]] == [StockDuel, StockDuel]


def test_own_books_are_edited_and_withdrawn_only_while_they_are_for_sale(make_persona) -> None:
    tasks = [{"list_books": {"count": 3}}, {"delete_listing": {"count": 2}}, {"edit_listing": {"count": 2}}]
    aims = planned([make_persona("register", *tasks, {"list_books": {"count": 1}})], 1)[1]
    assert aims.listed == {2: (1, 2, 3), 5: (4,)}
    assert aims.own == {3: (3, 2), 4: (1,)}
