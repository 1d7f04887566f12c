"""What is pressed without an input on sites that answer any address with 200, or of which nothing is seen at all."""

from __future__ import annotations

import sqlite3

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what is pressed alone")

__all__ = ["run"]

START = """<h1>Drafts</h1><form method=post action=/drafts><button>New draft</button></form>
<ul><li>Old one <form method=post action=/drafts/41/pin><button>Pin</button></form>
<li>Other one <form method=post action=/drafts/42/pin><button>Pin</button></form></ul>
<script>addEventListener("click", () => fetch("/track", {method: "POST", body: JSON.stringify({id: 41})}), true)
</script>"""
DRAFT = '<h1>Draft</h1><form method=post action="/drafts/48213/send"><button>Send</button></form>'
NOTHING = '<link rel=canonical href="/drafts/48213"><h1>Nothing here</h1><a href="/login?next=/drafts/48213">Log in</a>'


@pytest.mark.parametrize(("page", "seen"), [(DRAFT, True), (NOTHING, False)], ids=["its own page", "a soft 404"])
def test_an_address_alone_shows_no_new_thing(run: OneRun, small_site: SmallSite, page: str, seen: bool) -> None:
    small_site.pages |= {"/": START, "/drafts/48213": DRAFT}
    small_site.answers |= {"/drafts": lambda fields: "/drafts/48213", "/track": lambda fields: (204, "")}
    told = run.record([call("navigate", url="/"), call("click", selector="New draft"), call("navigate", url="/")])
    assert all(one.success for one in told), told
    with sqlite3.connect(run.folder / "a.db") as db:
        assert db.execute("SELECT kind, strength, by FROM effect").fetchall() == [("appearance", "kept", "address")]
    small_site.pages["/drafts/48213"] = page
    replayed = run.replay()
    assert [(one["url"], not one["unseen"]) for one in replayed["writes"]] == [("/drafts", seen)], replayed


@pytest.mark.table
def test_what_was_asked_for_and_nobody_saw_is_told(run: OneRun, small_site: SmallSite) -> None:
    """The page looks as before; what counts presses is no write of the user's."""
    small_site.pages["/"] = START
    small_site.answers |= {"/drafts/42/pin": lambda fields: "/", "/track": lambda fields: (204, "")}
    told = run.record([call("navigate", url="/"), call("click", selector="li:nth-of-type(2) button")])
    assert all(one.success for one in told), told
    for _ in range(2):
        replayed = run.replay()
        assert replayed["verdict"] == "passed", replayed
        assert [(one["url"], one["unseen"]) for one in replayed["writes"]] == [("/drafts/42/pin", ["button 'Pin'"])], (
            replayed
        )
