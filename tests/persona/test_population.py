"""Populations: the mix by weight, and the dealing of books within a batch."""

from collections import Counter

import pytest

from simulator.errors import PersonaError
from simulator.packs.bookshop.catalogue import catalogue
from simulator.persona import Persona, draw_identity, draw_population, mix
from simulator.persona.handles import persona_code, refuse_shared_codes


def persona(name: str, weight: float = 1, **values: object) -> Persona:
    base = {"persona": name, "about": name, "locale": "en_GB", "weight": weight, "tasks": ["register"]}
    return Persona.model_validate(base | values)


def names(personas: list[Persona], count: int) -> list[str]:
    return [one.persona for one in mix(personas, count)]


def test_twenty_places_of_three_to_one_are_fifteen_and_five():
    assert Counter(names([persona("a", 3), persona("b", 1)], 20)) == {"a": 15, "b": 5}


@pytest.mark.parametrize("weights", [(3, 1), (1, 1, 1), (5, 2, 0.5), (1, 10, 3, 3, 2)])
def test_every_beginning_is_near_the_weights(weights):
    personas = [persona(f"p{n}", weight) for n, weight in enumerate(weights)]
    places = names(personas, 200)
    for length in range(1, 201):
        taken = Counter(places[:length])
        for n, weight in enumerate(weights):
            assert abs(taken[f"p{n}"] - length * weight / sum(weights)) <= 1.5


def test_a_larger_batch_only_adds_people(starters):
    small = draw_population(starters.values(), 12, seed=7)
    assert draw_population(starters.values(), 30, seed=7)[:12] == small


def test_the_order_of_the_personas_does_not_matter(starters):
    backwards = list(starters.values())[::-1]
    assert draw_population(backwards, 20, seed=7) == draw_population(starters.values(), 20, seed=7)


def test_a_person_of_a_population_is_the_one_drawn_alone(starters):
    for one in draw_population(starters.values(), 20, seed=7):
        assert one == draw_identity(starters[one.persona], seed=7, number=one.number)


def test_a_persona_given_twice_and_no_persona_are_refused():
    with pytest.raises(PersonaError, match="'a' is given 2 times"):
        mix([persona("a"), persona("a")], 3)
    with pytest.raises(PersonaError, match="at least one persona"):
        mix([], 3)


def test_personas_with_one_code_are_refused():
    owners: dict[str, str] = {}
    for n in range(100_000):
        name = f"p{n}"
        other = owners.setdefault(persona_code(name), name)
        if other != name:
            break
    else:
        pytest.fail("found no two names with one code")
    with pytest.raises(PersonaError, match="would get the same usernames; rename one"):
        refuse_shared_codes([other, "elsewhere", name])
    with pytest.raises(PersonaError, match="would get the same usernames"):
        draw_population([persona(name), persona(other)], 2, seed=7)


def test_twenty_people_of_the_starters_list_different_books(starters):
    for seed in range(10):
        titles = [book.title for one in draw_population(starters.values(), 20, seed) for book in one.books]
        assert len(titles) >= 40
        assert len(set(titles)) >= len(titles) - 1


def test_people_of_one_persona_share_no_title_until_the_catalogue_is_used_up():
    seller = persona("seller", tasks=["register", {"list_books": {"count": 3}}])
    people = draw_population([seller], len(catalogue()) // 3, seed=7)
    titles = [book.title for one in people for book in one.books]
    assert len(set(titles)) == len(titles) == len(catalogue()) // 3 * 3
    again = draw_identity(seller, seed=7, number=len(people) + 1)
    assert len({book.title for book in again.books}) == 3
    assert again.books[0].title != people[0].books[0].title


def test_another_seed_deals_another_hand():
    seller = persona("seller", tasks=["register", {"list_books": {"count": 5}}])
    first, second = (draw_identity(seller, seed=seed, number=1) for seed in (7, 8))
    assert {book.title for book in first.books} != {book.title for book in second.books}


def test_tastes_language_and_query_decide_what_is_dealt():
    task = {"list_books": {"count": 4}}
    crime = draw_identity(persona("a", tastes={"genres": ["Crime"]}, tasks=[task]), seed=7, number=1)
    assert {book.genre for book in crime.books} == {"Crime"}
    german = draw_identity(persona("a", locale="de_DE", tasks=[task]), seed=7, number=1)
    assert {book.language for book in german.books} == {"de"}
    query = {"list_books": {"count": 4, "query": "Sherlock Holmes"}}
    asked = draw_identity(persona("a", tastes={"genres": ["Crime"]}, tasks=[query]), seed=7, number=1)
    assert sum("Sherlock Holmes" in book.title for book in asked.books) == 2


def test_more_books_than_the_catalogue_holds_are_dealt_all_the_same():
    tasks = [{"list_books": {"count": 100}}] * 4
    assert len(draw_identity(persona("a", tasks=tasks), seed=7, number=2).books) == 400


def test_a_persona_with_free_text_has_books_at_hand():
    assert len(draw_identity(persona("a", tasks=[{"do": "Sell something."}]), seed=7, number=1).books) == 3
    assert draw_identity(persona("a"), seed=7, number=1).books == ()
