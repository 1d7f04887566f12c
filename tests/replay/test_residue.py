"""What a fresh user would say of a recorded one, in any of the ways in which a text can be written."""

from __future__ import annotations

import html
import unicodedata
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.replay.residue import KEEP, Recorded, find_residue
from tests.replay.rows import action, field, step

VALUES = {
    "identity.username": "zoe_miller_4x",
    "identity.email": "zoe.miller@example.org",
    "identity.display_name": "Zoë Miller",
    "identity.first_name": "Zoë",
    "identity.city": "Reading",
    "identity.street": "14 Rue de l'Église",
    "book.1.title": "The Pilgrim's Progress",
    "book.1.author": "John Bunyan",
    "book.1.genre": "Crime",
    "book.1.price": "7.50",
    "book.2.title": "Emma",
    "book.3.title": "True Crime Tales",
    "text.message.1": "Is it still there?",
}
RECORDED = Recorded(VALUES, {})


def names(text: str, *, typed: bool = True) -> list[str]:
    return [name for name, _ in RECORDED.look(text, typed=typed)]


SPELLINGS = {
    "as it is": lambda text: text,
    "in capitals": str.upper,
    "in small letters": str.lower,
    "percent-encoded": lambda text: quote(text, safe=""),
    "as a form sends it": quote_plus,
    "twice percent-encoded": lambda text: quote(quote(text, safe=""), safe=""),
    "with entities": lambda text: html.escape(text).replace("ë", "&euml;"),
    "with curly quotes": lambda text: text.replace("'", "\u2019"),
    "with no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "as a slug": lambda text: "-".join(text.replace("'", "-").split()).lower(),
}


@pytest.mark.parametrize("spelled", SPELLINGS.values(), ids=SPELLINGS)
@pytest.mark.parametrize("name", ["identity.display_name", "identity.street", "book.1.title", "book.1.author"])
def test_a_value_of_several_words_is_found_however_it_is_spelled(name, spelled):
    assert names(f"see {spelled(VALUES[name])}, please") == [name]
    assert names(f"/search?q={spelled(VALUES[name])}&page=2") == [name]


@given(st.sampled_from(sorted(VALUES)), st.text("., !?\n", max_size=3), st.sampled_from(sorted(SPELLINGS)))
def test_a_text_with_a_variable_in_place_of_the_value_holds_nothing(name, between, spelled):
    assert names("I am" + between + "{{" + name + "}}" + between) == []
    assert names(SPELLINGS[spelled]("I am") + between) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I am reading a book", []),
        ("I live in Reading", ["identity.city"]),
        ("READING", ["identity.city"]),
        ("a dilemma, an emma", []),
        ("Have you got Emma?", ["book.2.title"]),
        ("zoe_miller_4x", ["identity.username"]),
        ("mail zoe.miller@example.org", ["identity.email"]),
        ("Zoë", []),
        ("a crime at 7.50", []),
        ("Is it still there?", ["text.message.1"]),
        ("pilgrim", ["book.1.title"]),
        ("/search?q=bunyan", ["book.1.author"]),
        ("/search?q=novels", []),
        ("the", []),
        ("crime", []),
        ("a pilgrim came by", []),
    ],
)
def test_a_common_word_counts_only_as_it_is_written(text, found):
    assert names(text) == found


def test_a_choice_of_a_list_is_no_fragment():
    assert names("Progress", typed=False) == []
    assert names("John Bunyan", typed=False) == ["book.1.author"]


def test_residue_tells_the_step_the_place_and_what_it_would_be():
    typed = action("fill", field("message"), value="Have you got The Pilgrim's Progress?")
    (found,) = find_residue([(step(3), [action("click"), typed])], RECORDED)
    assert (found.place, found.words) == ("4.2, fill 'Message'", ("The Pilgrim's Progress",))
    assert found.suggestion == "Have you got {{book.1.title}}?"


def test_what_is_kept_or_not_said_is_none():
    typed = action("fill", field("message"), value="Zoë Miller")
    assert list(find_residue([(step(flags={KEEP: True}), [typed])], RECORDED)) == []
    assert list(find_residue([(step(), [action("press", value="Zoë Miller")])], RECORDED)) == []


def test_the_name_of_a_file_is_said_where_it_is_given_again():
    named = {"name": "the-pilgrims-progress.png", "sha256": "0"}
    assert (
        list(find_residue([(step(), [action("upload", options=named)])], Recorded({"book.1.title": "Emma"}, {}))) == []
    )
    own = {"name": "john-bunyan.png", "sha256": "0"}
    (found,) = find_residue([(step(), [action("upload", options=own)])], RECORDED)
    assert found.variables == ("book.1.author",)
    drawn = own | {"source": "{{file.cover_1}}"}
    assert list(find_residue([(step(), [action("upload", options=drawn)])], RECORDED)) == []
