"""Casts and their copies: nobody is torn from who is needed, and user n is the same at any count."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import UsageError
from simulator.replay.seeding.casts import Seat, casts_of, population


def plans(*users: tuple[str, list[int]]) -> list[Any]:
    """Make recorded users, each of a persona and with the places of those that it needs."""
    return [
        SimpleNamespace(
            run=SimpleNamespace(id=f"run-{at}", original=f"run-{at}", number=at + 1, persona=persona, label=None),
            needs=frozenset(f"run-{need}" for need in needs),
            steps=[],
        )
        for at, (persona, needs) in enumerate(users)
    ]


THREE = plans(("seller", []), ("reader", [0]), ("writer", [1]))
TWO_CASTS = plans(("seller", []), ("reader", []), ("friend", [0]))


def names(seats: tuple[Seat, ...]) -> list[tuple[int, str, int, int]]:
    return [(seat.number, seat.plan.run.persona or "", seat.instance, seat.copy) for seat in seats]


def test_a_cast_is_copied_whole_and_the_rest_is_left_over() -> None:
    seats = population(THREE, 200)
    assert len(seats) == 198
    assert Counter(seat.copy for seat in seats) == dict.fromkeys(range(1, 67), 3)
    assert names(seats)[3:6] == [(4, "seller", 2, 2), (5, "reader", 2, 2), (6, "writer", 2, 2)]


def test_casts_take_turns() -> None:
    assert names(population(TWO_CASTS, 6)) == [
        (1, "seller", 1, 1), (2, "friend", 1, 1), (3, "reader", 1, 2),
        (4, "seller", 2, 3), (5, "friend", 2, 3), (6, "reader", 2, 4),
    ]  # fmt: skip


def test_no_smaller_cast_takes_the_place_of_one_that_has_no_room() -> None:
    assert [seat.number for seat in population(TWO_CASTS, 4)] == [1, 2, 3], "user 4 and 5 are of the next cast"


MADE = st.lists(
    st.tuples(st.sampled_from(["seller", "reader", "friend"]), st.lists(st.integers(0, 20), max_size=2)),
    min_size=1,
    max_size=8,
)


@given(MADE, st.integers(8, 60), st.integers(0, 60), st.randoms(use_true_random=False))
def test_user_n_is_the_same_at_any_count(made: Any, count: int, more: int, chance: Any) -> None:
    recorded = plans(
        *((persona, [need % at for need in needs] if at else []) for at, (persona, needs) in enumerate(made))
    )
    personas = sorted({persona for persona, _ in made})
    mix = {name: chance.randint(0, 4) for name in personas} if chance.random() < 0.5 else {}
    mix = mix if any(mix.values()) else {}
    try:
        some = population(recorded, count, mix=mix)
    except UsageError as error:
        assert "no room for one cast" in str(error)  # noqa: PT017
        return
    many = population(recorded, count + more, mix=mix)
    assert names(many)[: len(some)] == names(some)
    assert [seat.number for seat in many] == list(range(1, len(many) + 1))
    rest = population(recorded, count + more, first=count + 1, mix=mix)
    assert names(some) + names(rest) == names(many), "what was made, and what is added, is the whole"
    for copy in {seat.copy for seat in many}:
        cast = [seat for seat in many if seat.copy == copy]
        assert {need for seat in cast for need in seat.plan.needs} <= {seat.plan.run.original for seat in cast}
    assert len({(seat.plan.run.persona, seat.instance) for seat in many}) == len(many), "each identity is drawn once"


def test_a_mix_gives_each_persona_its_share() -> None:
    alone = plans(("reader", []), ("seller", []), ("reader", []))
    seats = population(alone, 40, mix={"reader": 3, "seller": 1})
    assert Counter(seat.plan.run.persona for seat in seats) == {"reader": 30, "seller": 10}
    assert Counter(seat.plan.run.id for seat in seats) == {"run-0": 15, "run-2": 15, "run-1": 10}
    assert {seat.plan.run.persona for seat in population(alone, 9, mix={"reader": 1, "seller": 0})} == {"reader"}


def test_a_mix_comes_as_near_as_casts_allow() -> None:
    seats = population(TWO_CASTS, 60, mix={"seller": 1, "friend": 1, "reader": 4})
    assert Counter(seat.plan.run.persona for seat in seats) == {"seller": 10, "friend": 10, "reader": 40}


@pytest.mark.parametrize(
    ("mix", "said"),
    [
        ({"reader": 1, "seller": 1}, "does not say how many there shall be of friend"),
        ({"reader": 1, "seller": 1, "friend": 1, "nobody": 1}, "--mix nobody: no user of that persona"),
        ({"reader": 0, "seller": 0, "friend": 0}, "wants nobody"),
    ],
)
def test_a_mix_that_cannot_be_is_refused(mix: dict[str, int], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        population(TWO_CASTS, 6, mix=mix)


def test_who_is_shared_is_performed_once_and_met_by_every_copy() -> None:
    recorded = plans(("admin", []), ("reader", [0]), ("reader", [0]))
    seats = population(recorded, 7, shared=["admin"])
    assert names(seats)[:3] == [(1, "admin", 1, 0), (2, "reader", 1, 1), (3, "reader", 2, 2)]
    assert len(seats) == 7
    assert {seat.copy_of("run-0") for seat in seats} == {0}
    assert seats[4].copy_of("run-1") == seats[4].copy
    once, casts = casts_of(recorded, ["admin"])
    assert (len(once.plans), len(casts)) == (1, 2), "who only shares somebody is no cast"
    assert len(casts_of(recorded)[1]) == 1


def test_who_uses_what_a_copy_makes_cannot_be_shared() -> None:
    with pytest.raises(UsageError, match=r"user 2, reader, uses what user 1, seller, makes"):
        population(THREE, 9, shared=["reader"])
    with pytest.raises(UsageError, match="nobody is left"):
        population(plans(("admin", [])), 9, shared=["admin"])
    with pytest.raises(UsageError, match="none of the recorded users is called so; there are seller, reader, friend"):
        population(TWO_CASTS, 9, shared=["boss"])


def test_a_count_without_room_for_a_cast_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--count 2 has no room for one cast.*3 \(seller, reader, writer\)"):
        population(THREE, 2)
