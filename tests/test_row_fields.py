"""Which fields name a row is said by its data set, and known from the recording where the data set is not there."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.replay.bind import bind_identity, find_blockers, shared_variables
from simulator.replay.plan import Plan, PlannedStep
from simulator.replay.residue import Recorded
from simulator.row_fields import RowFields, beside, role_of
from tests.replay.rows import action, field, run, step

NAMING = {"boat": RowFields(named=("hull", "yard"), telling=("history",), common=("colour",))}
VALUES = {
    "boat.1.hull": "Crimson Gull",
    "boat.1.yard": "Harland Brothers",
    "boat.1.history": "Rebuilt in a barn",
    "boat.1.colour": "Crimson",
    "boat.1.length": "12 metres",
    "user.2.boat.3.hull": "Patient Otter",
    "user.2.boat.3.yard": "Meyer and Sons",
}


@pytest.mark.parametrize(
    ("variable", "role"),
    [
        ("boat.1.hull", "called"),
        ("user.2.boat.10.yard", "beside"),
        ("boat.1.history", "telling"),
        ("boat.1.colour", "common"),
        ("boat.1.length", ""),
        ("boat.1.title", ""),
        ("book.1.title", "called"),
        ("user.1.book.2.author", "beside"),
        ("book.1.genre", "common"),
        ("identity.city", ""),
        ("user.2.username", ""),
        ("text.message.1", ""),
        ("boat.1.hull.slug", ""),
    ],
)
def test_a_data_set_says_what_a_field_is_and_otherwise_what_it_is_called(variable: str, role: str) -> None:
    assert role_of(variable, NAMING) == role


def test_what_stands_beside_a_name_is_of_the_same_row() -> None:
    assert beside("user.2.boat.3.hull", NAMING) == ["user.2.boat.3.yard"]
    assert beside("book.1.title", {}) == ["book.1.author"]
    assert beside("boat.1.yard", NAMING) == beside("identity.city", NAMING) == []


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("the Crimson Gull of Harland Brothers", "the {{boat.1.hull}} of {{boat.1.yard}}"),
        ("all of Harland Brothers", "all of Harland Brothers"),
        ("/boats/crimson-gull", "/boats/{{boat.1.hull.slug}}"),
        ("Patient Otter (Meyer and Sons)", "{{user.2.boat.3.hull}} ({{user.2.boat.3.yard}})"),
        ("it was Rebuilt in a barn", "it was {{boat.1.history}}"),
        ("Crimson, 12 metres", "Crimson, 12 metres"),
    ],
)
def test_a_row_is_recognised_by_what_it_is_called(text: str, template: str) -> None:
    bindings = Bindings(VALUES, naming=NAMING)
    assert bindings.recognise(text) == template
    assert bindings.render(template) == text
    assert Bindings(VALUES).recognise("the Crimson Gull") == "the Crimson Gull", "a data set that says nothing of it"


def test_a_fresh_user_may_not_say_what_names_a_row() -> None:
    recorded = Recorded(VALUES, NAMING)
    assert [name for name, _ in recorded.look("by HARLAND BROTHERS")] == ["boat.1.yard"]
    assert [name for name, _ in recorded.look("brothers")] == ["boat.1.yard"], "nothing but a part of it"
    assert recorded.look("crimson") == [], "a colour is anybody's"
    assert [name for name, _ in recorded.look("otter")] == ["user.2.boat.3.hull"]
    assert recorded.look("12 metres") == []


def test_others_know_the_fields_that_name_a_row_and_no_more() -> None:
    assert shared_variables(4, VALUES, NAMING) == {
        "user.4.boat.1.hull": "Crimson Gull",
        "user.4.boat.1.yard": "Harland Brothers",
    }


def test_a_recorded_user_brings_along_which_fields_name_its_rows() -> None:
    """No pack with boats is in use: what the recording says decides."""
    from simulator.persona import Persona, draw_identity

    persona = Persona.model_validate({"persona": "sailor", "about": "Sails.", "locale": "en_GB", "tasks": ["register"]})
    drawn = draw_identity(persona, seed="7", number=1).model_dump(mode="json")
    boats = [{"hull": "Crimson Gull", "yard": "Harland Brothers", "length": "12 metres"}]
    said = {"boat": {"named": ["hull", "yard"]}}

    def verdict(text: str, **stored: Any) -> str | None:
        row = run(
            identity={**drawn, "books": [], "messages": [], "boats": boats, **stored},
            environment={"persona": persona.model_dump(mode="json", exclude_unset=True)},
        )
        planned = PlannedStep(step(), (action("fill", field("note"), value=text),), (), ())
        part = bind_identity(Plan(row, (planned,), (), ()), "same", "7")
        return next((report.verdict for report in find_blockers([part], "fresh").values()), None)

    assert verdict("Is the Crimson Gull still there?", naming=said) == "unbound_text"
    assert verdict("Is anything of Harland Brothers there?", naming=said) == "unbound_text"
    assert verdict("Something of 12 metres?", naming=said) is None
    assert verdict("Is the Crimson Gull still there?", naming={}) is None, "a recording that does not say it"
