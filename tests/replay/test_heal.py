"""The rule of healing: one piece of evidence locates alone, another speaks for it, and nothing speaks against it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.bindings import Bindings
from simulator.browser.evidence import Alike, Scope, Target
from simulator.replay.evidence.heal import Candidate, Found, Piece, Refused, Seen, compile_pieces, decide, mended
from simulator.replay.evidence.resolve import compile_query
from tests.replay.rows import field, target

FORM = Scope(kind="form", role="form", name="Sell a book")
PRICE = field("price", label="Price in pounds", id="price", scopes=(FORM,))
BUTTON = target(alike=Alike(role_name=1, submit=1), scopes=(FORM,))
EDIT = target(
    tag="a",
    role="link",
    name="Edit",
    type="",
    form="",
    href="/books/{id}/edit",
    alike=Alike(role_name=2, role_name_scoped=1),
    scope_depth=0,
    scopes=(Scope(kind="card", role="article", texts=("{{book.1.title}}", "Mary Kingsley"), tells=1),),
)
BINDINGS = Bindings({"book.1.title": "Emma", "book.1.condition": "Good"})


def pieces_of(recorded: Target, *, same: bool = True) -> tuple[Piece, ...]:
    return compile_pieces(recorded, BINDINGS.render, same=same)


def judged(recorded: Target, *candidates: Candidate, same: bool = True, **points: list[int]) -> Found | Refused:
    """Decide where each named piece points to some of the candidates, and every other to none."""
    pieces = pieces_of(recorded, same=same)
    assert points.keys() <= {piece.by for piece in pieces}, pieces
    places = tuple(tuple(points.get(piece.by, ())) for piece in pieces)
    return decide(recorded, pieces, Seen(pieces=places, candidates=candidates), BINDINGS.render)


def now(recorded: Target, *against: tuple[str, str, str], known: str = "", **changed: Any) -> Candidate:
    shown = Target.model_validate_json(BINDINGS.render(recorded.model_copy(update=changed).model_dump_json()))
    return Candidate(ref="e1", evidence=shown, against=against, known=known)


def why(verdict: Found | Refused) -> str:
    assert isinstance(verdict, Refused), verdict
    return verdict.why


def agreed(verdict: Found | Refused) -> tuple[str, ...]:
    assert isinstance(verdict, Found), verdict
    return verdict.agreed


def test_the_pieces_are_what_was_unique_and_what_is_weaker() -> None:
    assert [(piece.by, piece.value) for piece in pieces_of(PRICE)] == [
        ("role", "Price in pounds"),
        ("label", "Price in pounds"),
        ("name_attr", "price"),
        ("id", "price"),
    ]
    assert [piece.by for piece in pieces_of(BUTTON)] == ["role"]
    assert [piece.by for piece in pieces_of(EDIT)] == ["role", "href"]


@pytest.mark.parametrize(
    ("changed", "without"),
    [
        ({"id": "f-109"}, "id"),
        ({"autocomplete": "off"}, "autocomplete"),
        ({"value": "42"}, "value"),
    ],
)
def test_what_is_minted_or_not_alone_is_no_piece(changed: dict[str, Any], without: str) -> None:
    assert without not in [piece.by for piece in pieces_of(BUTTON.model_copy(update=changed))]


def test_another_label_is_healed_by_name_and_id() -> None:
    reworded = now(PRICE, name="Asking price", label="Asking price")
    found = judged(PRICE, reworded, name_attr=[0], id=[0])
    assert agreed(found) == ("name attribute 'price'", "id 'price'", "form 'Sell a book'", "form 'post /books/new'")
    assert isinstance(found, Found)
    assert found.lost == ("role and name 'Price in pounds'", "label 'Price in pounds'")


def test_a_renamed_id_and_another_label_are_healed_by_the_name_attribute_in_its_form() -> None:
    found = judged(PRICE, now(PRICE, name="Asking price", label="Asking price", id="nf"), name_attr=[0])
    assert agreed(found) == ("name attribute 'price'", "form 'Sell a book'", "form 'post /books/new'")


def test_being_the_only_button_of_its_form_says_nothing() -> None:
    """Where "Save" has gone, the button that is left may be "Delete"."""
    assert "points to no single element" in why(judged(BUTTON, now(BUTTON, name="Delete")))
    assert [piece.by for piece in pieces_of(BUTTON.model_copy(update={"id": "act"}))] == ["role", "id"]


def test_one_piece_alone_heals_nothing() -> None:
    lone = PRICE.model_copy(update={"scopes": (), "name_attr": ""})
    assert "only its id" in why(judged(lone, now(lone, name="Other"), id=[0]))


def test_nothing_is_healed_where_nothing_is_left() -> None:
    assert why(judged(PRICE)) == "nothing of its evidence is on the page"


def test_a_label_that_moved_to_another_field_stops() -> None:
    author = now(PRICE, ("name", "price", "author"), name_attr="author")
    assert why(judged(PRICE, now(PRICE, label="New"), author, label=[1], name_attr=[0], id=[0])) == (
        "its label 'Price in pounds' points to textbox 'Price in pounds' now"
    )


def test_the_same_label_in_another_form_is_no_conflict() -> None:
    other = now(PRICE, ("form", "post /books/new", "get /search"))
    found = judged(PRICE, now(PRICE, name="Asking price"), other, label=[1], name_attr=[0], id=[0])
    assert isinstance(found, Found)


def test_an_id_on_another_element_stops_wherever_that_is() -> None:
    other = now(PRICE, ("form", "post /books/new", "get /search"))
    assert "id 'price' points to" in why(judged(PRICE, now(PRICE), other, name_attr=[0], id=[1]))


@pytest.mark.parametrize(
    "against",
    [
        ("tag", "input", "textarea"),
        ("role", "textbox", "combobox"),
        ("type", "text", "number"),
        ("name", "price", "price_max"),
        ("form", "post /books/new", "post /books/{id}/delete"),
        ("card", "Emma", "Persuasion"),
        ("place", "dialog", "page"),
    ],
)
def test_what_contradicts_stops_here_too(against: tuple[str, str, str]) -> None:
    assert "points to no single element" in why(judged(PRICE, now(PRICE, against), role=[0], name_attr=[0], id=[0]))


def test_a_form_that_opens_in_a_dialog_is_healed() -> None:
    found = judged(PRICE, now(PRICE, ("place", "page", "dialog")), role=[0], label=[0], name_attr=[0], id=[0])
    assert agreed(found)[0] == "role and name 'Price in pounds'"
    assert isinstance(found, Found)
    assert found.lost == ("place 'page', now 'dialog'",)


def test_several_stop() -> None:
    assert "points to several" in why(judged(PRICE, now(PRICE), now(PRICE, id="b"), name_attr=[0], id=[1]))
    assert "no single" in why(judged(PRICE, now(PRICE), now(PRICE), name_attr=[0, 1], id=[0, 1]))


def test_another_element_of_the_recording_is_never_healed_onto() -> None:
    known = now(PRICE, known="textbox 'Author'")
    assert why(judged(PRICE, known, name_attr=[0], id=[0])).endswith(
        "another element of the recording: textbox 'Author'"
    )


def test_a_link_is_healed_in_the_card_that_shows_what_it_showed() -> None:
    assert agreed(judged(EDIT, now(EDIT, name="Change"), href=[0])) == ("where it leads", "card 'Emma'")
    other = now(EDIT, name="Change", scopes=(Scope(kind="card", role="article", texts=("Persuasion",), tells=1),))
    assert why(judged(EDIT, other, href=[0])) == "link 'Change' does not stand in the card that shows 'Emma'"


def test_one_of_a_group_is_healed_by_what_it_sends_as_long_as_that_stands_for_the_same() -> None:
    radio = field("condition", type="radio", role="radio", label="{{book.1.condition}}", value="good", scopes=(FORM,))
    radio = radio.model_copy(update={"alike": Alike(role_name=1, label=1, name_attr=5)})
    reworded = now(radio, name="Well kept", label="Well kept")
    assert agreed(judged(radio, reworded, value=[0])) == ("value 'good'", "form 'Sell a book'")
    assert "value" not in [piece.by for piece in pieces_of(radio, same=False)]
    other = now(radio, value="worn")
    assert why(judged(radio, other, role=[0])) == "radio 'Good' sends 'worn', not 'good'"


def test_what_a_variable_gave_its_name_is_not_healed_for_another_value() -> None:
    radio = field("condition", type="radio", role="radio", label="{{book.1.condition}}", id="state-good")
    radio = radio.model_copy(update={"test_id": "good", "alike": Alike(test_id=1, role_name=1, label=1, name_attr=5)})
    assert [piece.by for piece in pieces_of(radio)] == ["role", "label", "test_id", "id"]
    assert [piece.by for piece in pieces_of(radio, same=False)] == ["role", "label"]


def test_what_is_healed_onto_is_proven_once_more_when_it_is_acted_on() -> None:
    found = judged(PRICE, now(PRICE, ("place", "page", "dialog"), name="Asking price"), name_attr=[0], id=[0])
    assert isinstance(found, Found)
    query = mended(compile_query(PRICE, BINDINGS.render), found)
    assert (query.by, query.value, query.must["called"]) == ("ref", "e1", "Asking price")
    assert query.must["name_attr"] == "price"


KINDS = ("tag", "role", "type", "name", "form", "card", "place")
AGAINST = st.lists(st.tuples(st.sampled_from(KINDS), st.just("page"), st.sampled_from(["dialog", "x"])), max_size=2)
CANDIDATES = st.lists(st.tuples(AGAINST, st.sampled_from(["", "", "", "link 'Other'"])), min_size=1, max_size=3)


@given(candidates=CANDIDATES, data=st.data())
def test_whatever_a_page_tells_one_uncontradicted_unknown_element_is_healed_onto(
    candidates: list[tuple[list[tuple[str, str, str]], str]], data: st.DataObject
) -> None:
    listed = tuple(
        now(PRICE, *against, known=known).model_copy(update={"ref": f"e{place}"})
        for place, (against, known) in enumerate(candidates)
    )
    pieces = pieces_of(PRICE)
    some = st.lists(st.integers(0, len(listed) - 1), max_size=3, unique=True).map(tuple)
    points = tuple(data.draw(some) for _ in pieces)
    found = decide(PRICE, pieces, Seen(pieces=points, candidates=listed), BINDINGS.render)
    if isinstance(found, Found):
        chosen = listed.index(found.candidate)
        assert len(found.agreed) >= 2
        assert not found.candidate.known
        assert set(found.candidate.against) <= {("place", "page", "dialog")}
        fitting = [place for place, one in enumerate(listed) if set(one.against) <= {("place", "page", "dialog")}]
        alone = [places for places in points if [place for place in places if place in fitting] == [chosen]]
        assert alone
        for piece, places in zip(pieces, points, strict=True):
            others = [place for place in places if place != chosen]
            assert piece.by != "id" or not others
            assert not set(others) & set(fitting)
