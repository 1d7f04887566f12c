"""Identities: pure functions of (seed, persona, number), unique, and shaped by the persona's traits."""

import json
import re
import subprocess
import sys
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.packs.bookshop.prose import message, message_text
from simulator.persona import (
    Identity,
    Persona,
    alternative_email,
    alternative_username,
    draw_identity,
    draw_population,
)
from simulator.persona.handles import EMAIL_LENGTH, USERNAME_LENGTH, email, persona_code, username
from simulator.persona.identity import EMAIL_DOMAINS

DRAW_IN_ANOTHER_PROCESS = """
import json, sys
from simulator.persona import draw_identity, load_personas, starter_personas
personas = load_personas(starter_personas())
numbers = (3, 1)
drawn = {
    name: [draw_identity(personas[name], seed=7, number=n).model_dump(mode="json") for n in numbers]
    for name in sorted(personas, reverse=True)
}
print(json.dumps(drawn))
"""

PLACE_IN_ANOTHER_PROCESS = """
import json
from simulator.persona.locales import known_locales
from simulator.persona.names import draw_name, draw_place
drawn = {name: [[draw_name(name, 7, n), draw_place(name, 7, n)] for n in range(3)] for name in known_locales()}
print(json.dumps(drawn))
"""


def changed(persona: Persona, /, **values: object) -> Persona:
    return Persona.model_validate({**persona.model_dump(), **values})


def traits(persona: Persona, /, **values: object) -> Persona:
    return changed(persona, traits={**persona.traits.model_dump(), **values})


def test_an_identity_is_the_same_in_another_process_order_and_hash_seed(starters):
    here = {name: [draw_identity(persona, seed="7", number=n) for n in (3, 1)] for name, persona in starters.items()}
    for hash_seed in ("1", "4711"):
        output = subprocess.run(
            [sys.executable, "-c", DRAW_IN_ANOTHER_PROCESS],
            env={"PYTHONHASHSEED": hash_seed, "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONUTF8": "1"},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        there = {name: [Identity.model_validate(one) for one in drawn] for name, drawn in json.loads(output).items()}
        assert there == here


@pytest.mark.table
def test_every_locale_draws_the_same_in_another_process():
    drawn = []
    for hash_seed in ("1", "2"):
        env = {"PYTHONHASHSEED": hash_seed, "PYTHONUTF8": "1"}
        command = [sys.executable, "-W", "error", "-c", PLACE_IN_ANOTHER_PROCESS]
        drawn.append(json.loads(subprocess.run(command, env=env, capture_output=True, check=True).stdout))
    first, second = drawn
    assert len(first) > 50
    assert [name for name in first if first[name] != second[name]] == []
    assert all(
        all(value.strip() for pair in people for part in pair for value in part[:2]) for people in first.values()
    )


def test_known_values_stay_as_they_are(starters):
    """A change here changes every seed's people: bump it knowingly, with a line in the changelog."""
    one = draw_identity(starters["collector"], seed=7, number=1)
    assert one.username == "victoria19d03yrfr"
    assert one.email == "victoria.marshall.19d03yrfr@example.org"
    assert [book.title for book in one.books] == [
        "The Innocence of Father Brown",
        "The Valley of Fear",
        "The Moonstone",
    ]


def test_seed_persona_and_number_each_make_another_person(seller):
    first = draw_identity(seller, seed=7, number=1)
    others = [
        draw_identity(seller, seed=8, number=1),
        draw_identity(seller, seed=7, number=2),
        draw_identity(changed(seller, persona="vendor"), seed=7, number=1),
    ]
    assert len({first.username, *(other.username for other in others)}) == 4
    assert len({first.email, *(other.email for other in others)}) == 4
    assert first == draw_identity(seller, seed="7", number=1)


def test_changing_a_trait_or_task_changes_no_other_field(seller):
    before = draw_identity(seller, seed=7, number=1)
    after = draw_identity(traits(seller, typo_rate=0.2), seed=7, number=1)
    unchanged = set(Identity.model_fields) - {"traits", "books", "messages"}
    assert before.model_dump(include=unchanged) == after.model_dump(include=unchanged)
    assert [(book.title, book.price) for book in before.books] == [(book.title, book.price) for book in after.books]
    quiet = draw_identity(changed(seller, tasks=["register", "vote"]), seed=7, number=1)
    assert before.model_dump(include=unchanged) == quiet.model_dump(include=unchanged)


def test_an_identity_survives_being_stored(starters):
    for persona in starters.values():
        one = draw_identity(persona, seed="a seed", number=12)
        assert Identity.model_validate(one.model_dump(mode="json")) == one
        assert Identity.model_validate_json(one.model_dump_json()) == one


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_all_people_of_a_mix_have_usernames_and_addresses_of_their_own(seller, count):
    locales = ["en_GB", "de_DE", "ja_JP", "el_GR", "ru_RU"]
    personas = [
        changed(seller, persona=f"kind{n}", locale=locale, tasks=["register"], weight=n + 1)
        for n, locale in enumerate(locales)
    ]
    people = draw_population(personas, count, seed=7)
    usernames = {one.username for one in people}
    emails = {one.email for one in people}
    assert (len(usernames), len(emails)) == (count, count)
    assert all(re.fullmatch(r"[a-z][a-z0-9]{2,19}", name) for name in usernames)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9.]*@example\.(com|net|org)", address) for address in emails)
    assert max(map(len, usernames)) <= USERNAME_LENGTH
    assert max(map(len, emails)) <= EMAIL_LENGTH


PERSON = st.tuples(st.text(max_size=30), st.text(max_size=30), st.sampled_from("abcdef"), st.integers(1, 10**9 - 1))


@given(PERSON, PERSON, st.text(max_size=5))
def test_handles_tell_persona_and_number_apart_whatever_the_names(one, other, seed):
    for make in (username, lambda *who: email(*who, domain="example.com")):
        first, second = make(*one, seed), make(*other, seed)
        assert 3 <= len(first) <= EMAIL_LENGTH
        assert first.isascii()
        if one[2:] != other[2:]:
            assert first != second


@given(PERSON, st.integers(0, 500), st.integers(0, 500))
def test_each_further_attempt_gives_another_handle(one, attempt, other):
    assert (username(*one, "7", attempt) == username(*one, "7", other)) == (attempt == other)


def test_alternatives_are_those_of_no_one_else(seller):
    people = draw_population([seller], 200, seed=7)
    names = {one.username for one in people}
    for attempt in (1, 2, 3):
        names |= {alternative_username(one, attempt) for one in people}
    assert len(names) == 800
    assert len({alternative_email(one, n) for one in people for n in (1, 2)} | {one.email for one in people}) == 600


def test_names_in_another_script_give_ascii_handles(starters):
    one = draw_identity(starters["night_reader"], seed=7, number=1)
    assert not one.first_name.isascii()
    assert one.username.startswith(one.ascii_first_name.lower())
    assert one.display_name == f"{one.last_name} {one.first_name}"


def test_the_number_has_a_range(seller):
    with pytest.raises(ValueError, match="expected an instance number from 1"):
        draw_identity(seller, seed=7, number=0)


def test_the_domain_of_addresses_can_be_given(seller):
    one = draw_identity(seller, seed=7, number=1, email_domain="staging.example.edu")
    assert one.email.endswith("@staging.example.edu")
    assert alternative_email(one, 1).endswith("@staging.example.edu")
    assert draw_identity(seller, seed=7, number=1).email.split("@")[1] in EMAIL_DOMAINS


def test_variables_hold_every_value_by_name(seller):
    one = draw_identity(seller, seed=7, number=1)
    values = one.variables()
    assert values["identity.email"] == one.email
    assert values["identity.city"] == one.city
    assert values["book.3.title"] == one.books[2].title
    assert values["book.1.year"] == str(one.books[0].year)
    assert values["text.message.2"] == one.messages[1]
    assert "book.4.title" not in values
    assert all(isinstance(value, str) for value in values.values())


def test_messages_are_about_a_listing_and_end_in_their_variable(starters):
    for persona in starters.values():
        one = draw_identity(persona, seed=7, number=1)
        for n in (1, 2, 9):
            text = message_text(one, n, "Bleak House")
            assert "Bleak House" in text
            assert text.endswith(message(one, n))
            assert one.first_name in text
            assert text == message_text(one, n, "Bleak House")


def test_the_words_before_a_message_are_the_same_for_the_whole_persona(seller):
    one, other = (draw_identity(seller, seed=7, number=n) for n in (1, 2))
    assert message_text(one, 1, "Emma").removesuffix(message(one, 1)) == "About “Emma”: "
    assert message_text(other, 1, "Emma").removesuffix(message(other, 1)) == "About “Emma”: "


def test_a_given_text_is_what_is_sent(seller):
    task = {"message_seller": {"count": 2, "text": "Is it {still} there?"}}
    one = draw_identity(changed(seller, tasks=["register", task, "message_seller"]), seed=7, number=1)
    assert one.messages[:2] == ("Is it {still} there?", "Is it {still} there?")
    assert len(one.messages) == 3


def test_prices_keep_to_the_tastes(seller):
    tastes = {"price": {"min": 2.25, "max": 3.10, "currency": "GBP"}}
    for n in range(1, 60):
        for book in draw_identity(changed(seller, tastes=tastes), seed=7, number=n).books:
            for price in (book.price, book.new_price):
                assert re.fullmatch(r"\d+\.\d\d", price)
                assert Decimal("2.25") <= Decimal(price) <= Decimal("3.10")
            assert book.new_price != book.price


def test_skipping_optional_fields_follows_the_trait(seller):
    people = [draw_identity(seller, seed=7, number=n) for n in range(1, 401)]
    skipped = sum(one.skips("bio") for one in people)
    assert 150 < skipped < 250
    assert [one.skips("bio") for one in people] == [one.skips("bio") for one in people]
    assert [one.skips("bio") for one in people] != [one.skips("phone") for one in people]
    assert not any(draw_identity(traits(seller, skips_optional=0.0), seed=7, number=n).skips("bio") for n in (1, 2, 3))
    assert all(draw_identity(traits(seller, skips_optional=1.0), seed=7, number=n).skips("bio") for n in (1, 2, 3))


def test_description_length_follows_the_trait(seller):
    lengths = {}
    for kind in ("short", "normal", "long"):
        one = [draw_identity(traits(seller, description_length=kind), seed=7, number=n) for n in range(1, 20)]
        lengths[kind] = sum(len(book.description) for who in one for book in who.books)
    assert lengths["short"] * 1.3 < lengths["normal"]
    assert lengths["normal"] * 1.5 < lengths["long"]


def test_descriptions_of_one_person_differ(starters):
    for persona in starters.values():
        for n in range(1, 30):
            books = draw_identity(persona, seed=7, number=n).books
            assert len({book.description for book in books}) == len(books)


def test_slips_are_made_in_running_text_only(seller):
    careful = [draw_identity(seller, seed=7, number=n) for n in range(1, 40)]
    careless = [draw_identity(traits(seller, typo_rate=0.15), seed=7, number=n) for n in range(1, 40)]
    words = slipped = 0
    for before, after in zip(careful, careless, strict=True):
        exact = {"username", "email", "display_name", "city", "bio"}
        assert before.model_dump(include=exact) == after.model_dump(include=exact)
        for book, copy in zip(before.books, after.books, strict=True):
            assert (book.title, book.author, book.price) == (copy.title, copy.author, copy.price)
            assert (book.title in book.description) == (copy.title in copy.description)
            pairs = list(zip(book.description.split(), copy.description.split(), strict=True))
            words += sum(len(word) > 4 for word, _ in pairs)
            slipped += sum(word != other for word, other in pairs)
    assert 0.08 < slipped / words < 0.25


def test_persona_codes_have_a_fixed_width():
    assert {len(persona_code(f"persona-{n}")) for n in range(2000)} == {4}
