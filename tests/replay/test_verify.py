"""What an action led to, compared with what it led to when it was recorded: every verdict, its cause first."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.action_recorder import PageState
from simulator.replay.verify import compare, new_errors
from tests.replay.rows import page

LISTED = page("/books/{{site.books_1}}", requests=())
SAVE = ("POST", "/books/{id}/save", 200)


def judge(recorded: PageState, now: PageState, url: str, arrived: bool) -> tuple[str, str, str] | None:
    found = compare(recorded, now, url=url, arrived=arrived, login_path="/account/login").wrong
    return found and (found.verdict, found.expected, found.found)


def test_the_same_again_is_no_mismatch() -> None:
    assert judge(LISTED, page("/books/{{site.books_1}}", title="other words"), "/books/9", True) is None


@pytest.mark.parametrize(
    ("now", "url", "arrived", "verdict", "found"),
    [
        (page("/books/9", status=500), "/books/9", True, "site_error", "status 500 at /books/9"),
        (page("/x", status=503), "/x", False, "site_error", "status 503 at /x"),
        (page(requests=(("POST", "/books/new", 500),)), "/books/new", False, "site_error", "status 500"),
        (page(requests=(("POST", "/books/new", 0),)), "/books/new", False, "site_error", "no answer"),
        (page("/account/login?next=1"), "/account/login?next=1", False, "session_lost", "the login page"),
        (page("/books/new", "Username is taken"), "/books/new", False, "data_collision", "'Username is taken'"),
        (page("/books/9", "It already exists"), "/books/9", True, "data_collision", "'It already exists'"),
        (page("/books/new"), "/books/new", False, "postcondition", "/books/new"),
        (page(), "/books/new", False, "postcondition", "/books/new"),
        (
            page("/books/new", "Give a price"),
            "/books/new",
            False,
            "postcondition",
            "/books/new, which says 'Give a price'",
        ),
        (page("/books/9", status=404), "/books/9", True, "postcondition", "status 404"),
        (page("/books/9", "Something is wrong"), "/books/9", True, "postcondition", "'Something is wrong'"),
    ],
)
def test_what_differs_is_told(now: PageState, url: str, arrived: bool, verdict: str, found: str) -> None:
    mismatch = judge(LISTED, now, url, arrived)
    assert mismatch is not None
    assert (mismatch[0], mismatch[2]) == (verdict, found)


def test_who_was_sent_to_log_in_when_recorded_has_lost_nothing() -> None:
    recorded = page("/account/login")
    assert judge(recorded, page("/account/login"), "/account/login", True) is None
    mismatch = judge(page("/account/login?step=2"), page("/account/login"), "/account/login", False)
    assert mismatch is not None
    assert mismatch[0] == "postcondition"


def test_errors_that_were_recorded_are_expected() -> None:
    failing = page("/books", status=500, requests=(("GET", "/ads", 0), ("POST", "/count", 502)))
    assert judge(failing, failing, "/books", True) is None
    shown = page("/books/new", "Give a price")
    assert judge(shown, shown, "/books/new", True) is None


@pytest.mark.parametrize(
    ("requests", "found"),
    [
        ((SAVE,), None),
        ((("GET", "/other", 200), SAVE), None),
        ((), "no such request"),
        ((("GET", "/books/{id}/save", 200),), "no such request"),
        ((("POST", "/books/{id}/save", 403),), "status 403"),
        ((("POST", "/books/{id}/report", 200),), "no such request"),
    ],
)
def test_the_writing_requests_that_it_caused_are_required(requests: tuple[Any, ...], found: str | None) -> None:
    recorded = page("/books/{{site.books_1}}", requests=(SAVE, ("GET", "/badge", 200)))
    mismatch = judge(recorded, page("/books/9", requests=requests), "/books/9", True)
    assert mismatch == (found and ("postcondition", "POST /books/{id}/save with status 200", found))


def test_a_request_that_was_sent_twice_is_required_twice() -> None:
    recorded = page("/books/9", requests=(SAVE, SAVE))
    assert judge(recorded, page("/books/9", requests=(SAVE, SAVE)), "/books/9", True) is None
    assert judge(recorded, page("/books/9", requests=(SAVE,)), "/books/9", True) is not None


def test_a_dialog_of_the_browser_that_was_not_there_is_a_mismatch() -> None:
    asked = page("/books/{{site.books_1}}", notes=("Saved", "confirm: Delete 12?"))
    assert judge(asked, page("/books/9", notes=("confirm: Delete 9?",)), "/books/9", True) is None
    assert judge(asked, page("/books/9"), "/books/9", True) is None
    assert judge(LISTED, page("/books/9", notes=("Confirm: this is only a note",)), "/books/9", True) is None
    twice = page("/books/9", notes=("confirm: Delete 9?", "confirm: Really?"))
    assert judge(asked, twice, "/books/9", True) == (
        "postcondition", "no more dialogs of the browser than when it was recorded", "a dialog, 'Really?' (confirm)",
    )  # fmt: skip
    assert judge(LISTED, page("/books/9", notes=("alert: Out of stock",)), "/books/9", True) is not None


def test_a_new_error_of_a_script_fails_nothing_and_is_the_cause_of_what_fails() -> None:
    recorded = page(notes=("console: TypeError: no 12",))
    fine = page(notes=("Saved", "console: TypeError: no 34", "console: Uncaught ReferenceError: basket"))
    assert new_errors(recorded, fine) == ("Uncaught ReferenceError: basket",)
    assert judge(recorded, fine, "/books/new", True) is None
    broken = page("/books/new", "It did not work", notes=fine.notes)
    assert judge(recorded, broken, "/books/new", True) == (
        "site_error",
        "no error on the page",
        "'It did not work'; new in the page's console: 'Uncaught ReferenceError: basket'",
    )
    known = page("/books/new", "It did not work", notes=recorded.notes)
    assert judge(recorded, known, "/books/new", True) == ("postcondition", "no error on the page", "'It did not work'")


@pytest.mark.parametrize(
    ("was", "now", "same"),
    [
        ("Added", "Added", True),
        ("Added", "Failed", False),
        ("Added", "Could not add: the list is full", False),
        ("Emma has been added to your basket", "Kim has been added to your basket", True),
        ("'Emma' was saved", "'A lamp for the garden' was saved", True),
        ("Your total is now £7.00", "Your total is now £12.50", True),
        ("The payment was accepted", "The payment was not accepted", False),
        ("{{identity.display_name}} was invited", "{{identity.display_name}} could not be invited", False),
        ("保存しました", "保存できません", False),
    ],
)
def test_an_alert_that_says_something_else_is_an_error(was: str, now: str, same: bool) -> None:
    mismatch = judge(page("/books", was), page("/books", now), "/books", True)
    assert mismatch == (None if same else ("postcondition", f"no error on the page but '{was}'", f"'{now}'"))


def test_what_was_looked_at_is_told_up_to_what_is_wrong() -> None:
    each = ("failure", "address", "status", "refusal", "dialog")
    recorded = page("/books/{{site.books_1}}", requests=(SAVE, SAVE, ("GET", "/books", 200)))
    again = page("/books/9", requests=(SAVE, SAVE))

    def checks(now: PageState, **more: Any) -> tuple[str, ...]:
        return compare(recorded, now, url="/books/9", arrived=True, login_path=None, **more).checks

    assert checks(again) == (*each, "request", "request")
    assert checks(again, stayed=False) == (*each, "load", "request", "request")
    assert checks(again, stayed=True) == (*each, "load")
    assert checks(page("/books/9", requests=(SAVE,))) == (*each, "request", "request")
    assert checks(page("/books/9", "Something is wrong")) == each[:4]
    assert checks(page("/books/9", status=500)) == ("failure",)
    unknown = compare(page(status=0), page(), url="/", arrived=True, login_path=None)
    assert unknown == (None, ("failure", "address", "refusal", "dialog"))


def test_a_question_that_has_to_be_asked_is_a_check_of_its_own() -> None:
    recorded = page(notes=("confirm: Sure?",))

    def checks(asks: bool) -> tuple[str, ...]:
        return compare(recorded, recorded, url="/", arrived=True, login_path=None, asks=asks).checks

    assert checks(True).count("dialog") == checks(False).count("dialog") + 1 == 2
