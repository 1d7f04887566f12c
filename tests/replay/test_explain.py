"""A drift says its cause: what covers an element, which dialog is open, which card a candidate stands in."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.action_recorder import PageState
from simulator.browser.views.refusals import Refusal, said_above
from simulator.replay.evidence.explaining import explain
from simulator.replay.evidence.query import Query
from simulator.replay.verify import compare
from tests.replay.rows import page, target

SAVE = Query(by="role", value="Save", role="button", must={"place": "page"})
HELD = Refusal("Please fill in this field", "missing", field="Title", name="title", how="browser")


def seen(**given: Any) -> dict[str, Any]:
    return {"admitted": 0, "candidates": [], "near": [], "elsewhere": [], "opened": [], "stopped": []} | given


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"admitted": 1, "cover": "dialog 'Cookies'"}, "it, but it is covered by dialog 'Cookies'"),
        ({"admitted": 1, "obstacle": "is disabled"}, "it, but it is disabled"),
        (
            {"admitted": 1},
            "it, but it could not be acted on in time (moving, or out of view)",
        ),
        ({"opened": ["Are you sure?"]}, "no such element on the page; a dialog opened: 'Are you sure?'"),
        (
            {"elsewhere": [target(role="link", name="Save", tag="a", form="").model_dump()]},
            "no such element on the page, but link 'Save', in another role",
        ),
    ],
)
def test_a_missing_element_says_why(given: dict[str, Any], found: str) -> None:
    told = explain(SAVE, seen(**given))
    assert (told.verdict, told.found) == ("target_missing", found)


def test_candidates_say_in_which_card_they_stand() -> None:
    cards = [
        {"kind": "card", "role": "row", "name": "", "texts": [name, "12"], "tells": 1} for name in ("Emma", "Dune")
    ]
    alike = [{"evidence": target(name="Delete", form="", scopes=[card]).model_dump(), "against": []} for card in cards]
    told = explain(SAVE, seen(admitted=2, candidates=alike))
    assert told.candidates == ("button 'Delete' in the card 'Emma'", "button 'Delete' in the card 'Dune'")


def judge(now: PageState, before: PageState | None = None, **given: Any) -> tuple[str, str]:
    recorded = page("/books/{{site.books_1}}", requests=given.pop("made", ()))
    given = {"url": "/books/new", "arrived": False, "login_path": None} | given
    wrong, _ = compare(recorded, now, before=before or page(), **given)
    assert wrong is not None
    return wrong.verdict, wrong.found


def test_a_form_that_the_browser_held_back_is_the_cause() -> None:
    """Also where the rules of the recording did not see it: then it says why, and is no mismatch of its own."""
    now = page(refusals=(HELD,))
    assert judge(now) == ("postcondition", "/books/new, which says Title: 'Please fill in this field'")
    stayed = judge(now, arrived=True, stayed=True, url="/books/9")
    assert stayed == ("postcondition", "/books/9 as it was; the page says Title: 'Please fill in this field'")
    assert compare(page(), now, url="/books/new", arrived=True, login_path=None).wrong is None


def test_what_was_refused_before_is_no_cause() -> None:
    assert judge(page(refusals=(HELD,)), page(refusals=(HELD,))) == ("postcondition", "/books/new")


def test_a_collision_is_read_in_a_form_that_came_back_and_by_older_rules() -> None:
    above = said_above((("post /x", ("Welcome.",)),), (("post /x", ("Welcome.", "That title is taken.")),), "post /x")
    assert judge(page(), above=above) == ("data_collision", "'That title is taken.'")
    taken = Refusal("has been taken", "taken", field="Title")
    assert judge(page(refusals=(taken,))) == ("data_collision", "Title: 'has been taken'")


def test_a_dialog_that_opened_is_the_cause() -> None:
    now = page(dialogs=("Are you sure?",))
    assert judge(now) == ("postcondition", "/books/new; a dialog opened: 'Are you sure?'")
    assert judge(now, page(dialogs=("Are you sure?",))) == ("postcondition", "/books/new")


def test_the_status_is_told_as_it_is() -> None:
    made = (("POST", "/api", 200),)
    assert judge(page(requests=(("POST", "/api", 429),)), made=made, arrived=True)[1] == "status 429"
    busy = page(status=429, refusals=(Refusal("Too many requests", "rate_limit"),))
    assert judge(busy, arrived=True) == ("postcondition", "status 429; the page says 'Too many requests'")
    assert judge(page(status=429)) == ("postcondition", "/books/new with status 429")
