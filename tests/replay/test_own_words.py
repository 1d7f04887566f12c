"""What every fresh user would put in alike: texts of a recorded user's own, and nothing that varies or only asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simulator.browser.effects.model import Carried
from simulator.browser.evidence import Scope
from simulator.canonical import EFFECTS
from simulator.recording.rows import WriteRow
from simulator.replay.effects.expected import Expected
from simulator.replay.plan import Plan, PlannedStep
from simulator.replay.residue import KEEP
from simulator.replay.seeding.own_words import own_words, variable_for
from tests.replay.rows import action, field, run, step, target


def plan(*actions: Any, flags: dict[str, Any] | None = None, carried: Any = ()) -> Plan:
    write = WriteRow(
        "write", "run-1", "action", 0, "document", "POST", "/tools", "", 200, "",
        tuple(Carried("title", one.id) for one in carried),
    )  # fmt: skip
    planned = PlannedStep(step(flags=flags or {}), tuple(actions))
    return Plan(run(), (planned,), (), (), expected=Expected(writes={"action": [write]}, version=EFFECTS))


def found(*actions: Any, **given: Any) -> list[tuple[str, bool]]:
    return [(one.text, one.is_wording) for one in own_words(plan(*actions, **given))]


def test_a_text_of_its_own_is_found_with_its_place() -> None:
    (one,) = own_words(plan(action("fill", field("title"), value="Border spade")))
    assert (one.place, one.text, one.field, one.is_wording) == ("1.1, fill 'Title'", "Border spade", "Title", True)
    assert found(action("type", None, value="{{lb}}braces}} in it")) == [("{{braces}} in it", True)]


@pytest.mark.parametrize(
    "value",
    [
        "{{tool.1.title}}",
        "About {{user.1.book.2.title}}",
        "{{text.message.1}}",
        "{{secret.password}}",
        "{{clock.today}}",
        " - ",
        "",
    ],
)
def test_what_varies_and_what_says_nothing_is_none(value: str) -> None:
    assert found(action("fill", field("title"), value=value)) == []


def test_a_time_makes_no_text_another_for_each_user() -> None:
    assert found(action("fill", field("title"), value="Spade of {{clock.today}}")) == [
        ("Spade of {{clock.today}}", True)
    ]


def test_numbers_dates_choices_and_files_are_values_that_stop_nobody() -> None:
    price = field("price", type="number", role="spinbutton")
    day = field("day", type="date")
    country = field("country", role="combobox")
    picture = action("upload", field("picture", type="file"), options={"name": "spade.png", "sha256": "0" * 64})
    assert found(
        action("fill", price, value="18.50"),
        action("fill", day, value="2026-05-01"),
        action("fill", country, value="Germany"),
        action("fill", field("count"), value="12"),
        picture,
    ) == [("18.50", False), ("2026-05-01", False), ("Germany", False), ("12", False), ("spade.png", False)]
    dealt = action("upload", field("picture"), options={"name": "a.png", "source": "{{file.cover_1}}"})
    assert found(dealt, action("select", field("genre"), value="Crime")) == []


def test_who_only_searches_makes_nothing_twice() -> None:
    asks = action("fill", field("q", form="get /search"), value="spades")
    assert found(asks) == []
    assert found(asks, carried=[asks]) == [("spades", True)], "a script may send what the form does not"
    assert found(action("fill", field("q", type="search"), value="spades")) == []
    inside = Scope(kind="landmark", role="search", name="", texts=())
    assert found(action("fill", field("q", scopes=(inside,)), value="spades")) == []
    assert found(action("fill", target(tag="input", role="searchbox", form=""), value="spades")) == []


def test_what_is_settled_is_said_by_everybody() -> None:
    said = action("fill", field("title"), value="Border spade")
    assert found(said, flags={KEEP: True}) == []
    made = plan(said)
    assert list(own_words(replace(made), {"Title": "Border spade"})) == [], "the persona says so"


def test_a_variable_is_proposed_by_the_name_of_the_field() -> None:
    names = ["identity.title", "tool.1.title", "tool.1.price", "tool.2.title"]
    assert variable_for("Title", names) == "tool.1.title"
    assert variable_for("Asking price", names) == "tool.1.price"
    assert variable_for("Colour", names) == ""
