"""A site may say in the query of an address what it did: in the same words, of other things, in any order."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("where what was sent is seen")

NOTE = "A clock out of the old kitchen"
FORM = "<form method=post action=/notes><label>Note <input name=note></label><button>Keep</button></form>"


@pytest.mark.parametrize(
    ("says", "passes"),
    [("note, title edited", True), ("note, title refused", False), ("note edited", False)],
)
def test_what_a_site_did_is_said_in_any_order_and_in_no_other_words(
    run: OneRun, small_site: SmallSite, says: str, passes: bool
) -> None:
    small_site.pages |= {"/new": FORM, "/notes": ""}
    said = "title, note edited"

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/notes"] = f"<p>{fields['note']}</p>"
        return f"/notes?message={said.replace(' ', '%20')}&of=all"

    small_site.answers["/notes"] = keep
    told = run.record(
        [call("navigate", url="/new"), call("fill", selector="Note", value=NOTE), call("click", selector="Keep")]
    )
    assert all(one.success for one in told), told
    said = says
    replayed = run.replay()
    assert (replayed["verdict"] == "passed") is passes, replayed
    if not passes:
        assert replayed["drift"]["verdict"] == "postcondition"


@pytest.mark.parametrize(
    ("said", "says", "passes"),
    [
        ("msg 2 created, note 1 edited", "msg 7 created, note 3 edited", True),
        ("note 1 edited, msg 2 created", "msg 2 created, note 4 edited", True),
        ("msg 2 created, note 1 edited", "msg 7 removed, note 3 edited", False),
        ("2 notes kept", "0 notes kept", False),
        ("0 notes left out", "2 notes left out", False),
        ("msg 2 created for 450 crowns", "msg 7 created for 450 crowns", True),
        ("msg 2 created for 450 crowns", "msg 2 created for 451 crowns", False),
        ("msg 2 created", "msg 2 and 3 created", False),
    ],
)
def test_a_number_of_a_message_may_shift_as_the_one_of_a_path_may(
    run: OneRun, small_site: SmallSite, said: str, says: str, passes: bool
) -> None:
    small_site.pages |= {"/new": FORM.replace("<button>", "<label>Price <input name=price></label><button>")}
    say = said

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/notes"] = f"<p>{fields['note']}</p><dl><dt>Price<dd>{fields['price']}</dl>"
        return f"/notes?message={say.replace(' ', '%20')}"

    small_site.answers["/notes"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Note", value=NOTE),
            call("fill", selector="Price", value="450"),
            call("click", selector="Keep"),
        ]
    )
    assert all(one.success for one in told), told
    say = says
    replayed = run.replay()
    assert (replayed["verdict"] == "passed") is passes, replayed
