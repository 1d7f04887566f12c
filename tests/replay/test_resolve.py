"""The rule of evidence: what locates, what contradicts, and how a failure is put into words."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.browser.evidence import Alike, Scope, Target
from simulator.errors import TemplateError
from simulator.replay.evidence.explaining import explain
from simulator.replay.evidence.resolve import ScopeQuery, Unprovable, compile_query
from tests.replay.rows import field, target

VALUES = Bindings({"book.1.title": "Emma", "user.2.display_name": "Ben", "user.2.book.1.title": "Ivanhoe"})
FORM = Scope(kind="form", role="form", name="Sell a book")
CARD = Scope(kind="card", role="article", texts=("{{user.2.book.1.title}}", "Walter Scott", "Good"), tells=1)


def query(aimed: Target) -> Any:
    return compile_query(aimed, VALUES.render)


@pytest.mark.parametrize(
    ("given", "by", "value"),
    [
        ({"test_id": "sell"}, "test_id", "sell"),
        ({"test_id": "sell", "alike": Alike(test_id=2, role_name=1)}, "role", "Put it up for sale"),
        ({"alike": Alike(role_name=1)}, "role", "Put it up for sale"),
        ({"name": "", "label": "Cover", "hidden": True}, "label", "Cover"),
        ({"label": "Cover", "hidden": True}, "label", "Cover"),
        ({"name": "", "name_attr": "cover"}, "name_attr", "cover"),
        ({"name": "Sell {{book.1.title}}"}, "role", "Sell Emma"),
        ({"name": "", "caption": "Price", "alike": Alike(caption=1)}, "caption", "Price"),
        (
            {"name": "", "caption": "Price", "name_attr": "price", "alike": Alike(caption=1, name_attr=1)},
            "name_attr",
            "price",
        ),
        ({"name": "", "text": "Sell {{book.1.title}}", "alike": Alike(text=1)}, "text", "Sell Emma"),
        ({"name": "", "picture": "#bin", "alike": Alike(text=1)}, "picture", "#bin"),
        ({"name": "Emma 7 votes", "parts": "Emma", "alike": Alike(role_name=1, parts=1)}, "parts", "Emma"),
        ({"name": "Emma 7 votes", "parts": "Emma", "alike": Alike(role_name=1, parts=2)}, "role", "Emma 7 votes"),
        ({"name": "", "picture": "/cart.svg", "href": "/cart", "alike": Alike(text=1)}, "picture", "/cart.svg"),
    ],
)
def test_the_strongest_unique_evidence_locates(given: dict[str, Any], by: str, value: str) -> None:
    found = query(target(**given))
    assert (found.by, found.value, found.scope) == (by, value, None)


@pytest.mark.parametrize(
    "given",
    [
        {"alike": Alike(role_name=2)},
        {"alike": Alike(role_name=2, role_name_scoped=2), "scopes": [FORM], "scope_depth": 0},
        {"name": "", "id": "sell", "css": "#sell", "position": 0, "text": "Sell"},
        {"name": "", "text": "Sell", "alike": Alike(text=2)},
        {"name": "", "text": "Sell", "alike": Alike(text=1), "hidden": True},
        {"text": "Sell", "alike": Alike(role_name=2, text=1)},
        {"name": "", "caption": "Price", "alike": Alike(caption=2)},
        {"name": "", "picture": "#bin", "alike": Alike(text=2)},
        {"name": "", "picture": "#bin", "alike": Alike(text=1), "hidden": True},
        {"name": "", "picture": "/nobody.png", "href": "/users/{id}", "alike": Alike(text=1)},
        {"unprovable": "a drawing surface"},
    ],
)
def test_without_unique_primary_evidence_nothing_is_proven(given: dict[str, Any]) -> None:
    with pytest.raises(Unprovable):
        query(target(**given))


@pytest.mark.parametrize(
    "given",
    [
        {"test_id": "edit-109"},
        {"name_attr": "item-109"},
        {"name": "Edit #109"},
        {"text": "#109", "alike": Alike(text=1)},
    ],
)
def test_what_the_site_minted_never_locates(given: dict[str, Any]) -> None:
    with pytest.raises(Unprovable):
        query(target(**{"name": "", **given}))


def test_a_minted_name_does_not_contradict() -> None:
    assert "name_attr" not in query(target(name_attr="item-109")).must
    assert query(target(name_attr="save")).must["name_attr"] == "save"


def test_of_several_alike_the_scope_decides() -> None:
    aimed = target(name="Save", alike=Alike(role_name=3, role_name_scoped=1), scopes=(FORM, CARD), scope_depth=1)
    found = query(aimed)
    assert found.scope == ScopeQuery(kind="card", role="article", must=("Ivanhoe",))
    assert [scope.words for scope in found.scopes] == ["Sell a book", "Ivanhoe"]
    assert "in 'Ivanhoe'" in found.words


def test_what_contradicts() -> None:
    assert query(field("price")).must == {
        "tag": "input",
        "role": "textbox",
        "type": "text",
        "name_attr": "price",
        "form": "post /books/new",
        "place": "page",
    }
    in_dialog = target(scopes=(FORM, Scope(kind="dialog", role="dialog", name="Sell a book")))
    assert query(in_dialog).must["place"] == "dialog"
    assert "form" not in query(target(tag="a", role="link", form="")).must


def test_a_link_that_is_known_by_its_picture_leads_where_it_led() -> None:
    cart = {"tag": "a", "role": "link", "form": "", "href": "/cart"}
    assert query(target(**cart, name="", picture="/cart.svg", alike=Alike(text=1))).must["href"] == "/cart"
    assert "href" not in query(target(**cart, name="Cart")).must


def test_id_class_path_position_and_box_have_no_say() -> None:
    plain = query(target())
    told = target(id="b1", css="main > button.x", position=3, box={"x": 1, "y": 2, "width": 3, "height": 4})
    assert query(told) == plain


def test_scopes_that_hold_a_variable_are_required() -> None:
    mixed = Scope(
        kind="card",
        role="li",
        texts=("{{book.1.title}} or {{user.2.book.1.title}}?", "Fair", "by {{user.2.display_name}}, 3 votes"),
        tells=2,
    )
    found = query(target(scopes=(FORM, mixed)))
    (bound,) = found.bound
    assert bound.must == ("Fair",)
    assert bound.holds == ("Emma", "Ivanhoe", "Ben")


def test_a_variable_without_a_value_is_no_query() -> None:
    with pytest.raises(TemplateError, match=r"book\.7\.title"):
        query(target(name="Sell {{book.7.title}}"))


def seen(admitted: int, *candidates: tuple[Target, list[list[str]]], near: tuple[Target, ...] = (), **more: Any) -> Any:
    told = [{"evidence": one.model_dump(), "against": against} for one, against in candidates]
    return {"admitted": admitted, "candidates": told, "near": [one.model_dump() for one in near], **more}


def test_nothing_located_is_missing_and_names_what_is_near() -> None:
    told = explain(query(target()), seen(0, near=(target(name="Sell it"),)))
    assert told.verdict == "target_missing"
    assert told.candidates == ("button 'Sell it' (post /books/new)",)


def test_located_and_contradicted_says_by_what() -> None:
    other = target(form="post /books/9/edit")
    against = [["form", "post /books/new", "post /books/9/edit"]]
    told = explain(query(target(name_attr="go")), seen(0, (other, against)))
    assert told.verdict == "target_contradicted"
    assert told.contradicted == ("form: expected 'post /books/new', found 'post /books/9/edit'",)
    assert sorted(told.agreed) == ["name_attr", "place", "role", "tag", "type"]


def test_several_are_ambiguous() -> None:
    told = explain(query(target()), seen(2, (target(), []), (target(), []), (target(form="x"), [["form", "a", "x"]])))
    assert told.verdict == "target_ambiguous"
    assert len(told.candidates) == 2


def test_an_event_that_was_stopped_is_contradicted() -> None:
    told = explain(query(target()), seen(1, (target(), []), stopped=["click on button 'Other'"]))
    assert (told.verdict, told.found) == ("target_contradicted", "click on button 'Other'")


def test_one_that_could_not_be_acted_on_is_missing() -> None:
    told = explain(query(target()), seen(1, (target(), [])))
    assert told.verdict == "target_missing"
    assert "could not be acted on" in told.found


def test_what_is_called_by_a_variable_is_known_by_its_name_before_its_test_id() -> None:
    alike = Alike(test_id=1, role_name=1)
    option = target(name="{{book.1.title}}", test_id="good", alike=alike)
    assert (query(option).by, query(option).value) == ("role", "Emma")
    assert query(target(test_id="good", alike=alike)).by == "test_id"
    lone = target(name="{{book.1.title}}", test_id="good", alike=Alike(test_id=1, role_name=2))
    assert query(lone).by == "test_id"
