"""A thing that was chosen in a form has a page of its own: that this page shows what it is called says nothing."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what was put in")

__all__ = ["run", "served_site", "small_site"]

FORM = """<h1>New tag</h1><form method=post action=/tags/new><label>Name <input name=name></label>
<label>Board <select name=board><option value="">None<option value=41>Harbour figures</select></label>
<button>Save</button></form>"""
SCRIPT = """<h1>New tag</h1><div role=dialog aria-label="New tag"><label>Name <input id=name></label>
<label>Board <select id=board><option value="">None<option value=41>Harbour figures</select></label>
<button>Save</button></div><script>document.querySelector("button").onclick = () => {
  const value = (id) => document.getElementById(id).value;
  fetch("/tags/new", {method: "POST", headers: {"content-type": "application/x-www-form-urlencoded"},
    body: new URLSearchParams({name: value("name"), board: value("board")})}).then(() => { location = "/tags" })
}</script>"""

DRAWN = """<h1>New tag</h1><div role=dialog aria-label="New tag"><label>Name <input id=name></label>
<label for=board>Board</label><input id=board role=combobox aria-expanded=false aria-controls=boards readonly>
<div role=listbox id=boards hidden><div role=option>Harvest</div><div role=option>Harbour figures</div></div>
<button>Save</button></div><script>
const at = (id) => document.getElementById(id), list = at("boards"), numbers = {"Harvest": 40, "Harbour figures": 1};
at("board").onclick = () => { list.hidden = false; at("board").setAttribute("aria-expanded", "true") };
list.onclick = (event) => {
  at("board").value = event.target.textContent; list.hidden = true; at("board").setAttribute("aria-expanded", "false");
};
document.querySelector("button").onclick = () => {
  fetch("/tags/new", {method: "POST", headers: {"content-type": "application/json"},
    body: JSON.stringify({name: at("name").value, objects: [["board", numbers[at("board").value]]]})})
    .then(() => { document.querySelector("[role=dialog]").remove() })
}</script>"""


@pytest.mark.parametrize(("form", "number"), [(FORM, 41), (SCRIPT, 41), (DRAWN, 1)], ids=["form", "script", "drawn"])
def test_the_page_of_what_was_chosen_proves_nothing(run: OneRun, small_site: SmallSite, form: str, number: int) -> None:
    small_site.pages |= {
        "/tags/new": form,
        f"/boards/{number}": "<h1>Harbour figures</h1><p>Ships that came, and ships that went.</p>",
        "/tags": "<h1>Tags</h1>",
    }

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/tags"] = "<h1>Tags</h1><ul><li>Harvest of the whole coast</ul>"
        return "/tags"

    small_site.answers["/tags/new"] = keep
    told = run.record(
        [
            call("navigate", url="/tags/new"),
            call("fill", selector="Name", value="Harvest of the whole coast"),
            call("select", selector="Board", label="Harbour figures"),
            call("click", selector="Save"),
            call("navigate", url="/tags"),
            call("navigate", url=f"/boards/{number}"),
        ]
    )
    assert all(one.success for one in told), told
    (write,) = run.replay()["writes"]
    assert write["unseen"] == ["Board"], write
