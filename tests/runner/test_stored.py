"""What the browser itself keeps and shows again is no proof that the site kept anything.

The pages ask for more than their HTML says, as pages that scripts draw do: nothing else tells the two apart.
"""

from __future__ import annotations

import sqlite3

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run"]

NOTE = "A clock out of the old kitchen"
NEW = """<form method=post action=/notes><label>Note <input name=note></label><button>Keep</button></form>
<script>document.querySelector("form").onsubmit = (e) => {{ const note = e.target.note.value; {keep} }}</script>"""
KEPT = {
    "a list in the local storage": (
        "localStorage.notes = JSON.stringify([{id: 7, note}])",
        "<ul></ul><script>for (const one of JSON.parse(localStorage.notes || '[]')) "
        "document.querySelector('ul').insertAdjacentHTML('beforeend', `<li>Note: <b>${one.note}</b>`)</script>",
    ),
    "a field from the session storage": (
        "sessionStorage.note = note",
        "<label>Note <input name=note></label>"
        "<script>document.querySelector('input').value = sessionStorage.note || ''</script>",
    ),
    "a field from a cookie": (
        "document.cookie = `note=${encodeURIComponent(note)}`",
        "<label>Note <input name=note></label><script>document.querySelector('input').value = "
        "decodeURIComponent(/note=([^;]*)/.exec(document.cookie)?.[1] || '')</script>",
    ),
}


@pytest.mark.parametrize("how", [*KEPT, "nowhere"])
def test_what_comes_out_of_the_browsers_own_stores_proves_nothing(run: OneRun, small_site: SmallSite, how: str) -> None:
    keep, shows = KEPT.get(how, ("", ""))
    asks = "<script>fetch('/stats')</script>"
    small_site.pages |= {"/new": NEW.format(keep=keep), "/thanks": "<h1>Thanks</h1>", "/stats": ""}
    small_site.pages["/all"] = f"<h1>Notes</h1>{shows}{asks}"

    def swallow(fields: object) -> str:
        if how == "nowhere":
            small_site.pages["/all"] = f"<ul><li>Note: <b>{NOTE}</b></ul>{asks}"
        return "/thanks"

    small_site.answers["/notes"] = swallow
    doing = [call("fill", selector="Note", value=NOTE), call("click", selector="Keep")]
    look = [call("navigate", url=url) for url in ("/new", "/all", "/new", "/all")]
    told = run.record([call("navigate", url="/new"), *doing, *look])
    assert all(one.success for one in told), told
    with sqlite3.connect(run.folder / "a.db") as db:
        strengths = {strength for (strength,) in db.execute("SELECT strength FROM effect")}
    assert ("kept" in strengths) is (how == "nowhere"), strengths
