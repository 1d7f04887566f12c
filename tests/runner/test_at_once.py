"""What a replay could not find again is told in the moment in which it is done; a healthy page frightens nobody."""

from __future__ import annotations

import json

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("proven when it is recorded")

__all__ = ["run"]

ROWS = """<h1>Stock</h1><div>{rows}</div>"""
ALIKE = "<div><span>{0}</span> <button type=button onclick='this.dataset.done=1'>Keep</button></div>"
HEALTHY = """<h1>Stock</h1><form action=/sent method=post><label>Title <input name=title></label>
<label>Kind <select name=kind><option>tool<option>toy</select></label><label><input type=checkbox name=urgent> Urgent
</label><button>Save</button></form><table><tr><td>Spade<td><button type=button>Keep</button>
<tr><td>Rake<td><button type=button>Keep</button></table><nav aria-label=Main><a href=/thanks>Thanks</a></nav>"""


def lost(run: OneRun) -> list[str]:
    shown = run.sim("runs", "show", "last", "--db", "a.db", "--json")[1]
    return list(json.loads(shown)["run"]["summary"].get("not_found_again", []))


def test_what_cannot_be_found_again_is_told_at_once(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = ROWS.format(rows=2 * ALIKE.format("Spade"))
    code, out, said = run.begin(
        [
            call("navigate", url="/"),
            call("click", selector="div:nth-child(2) > button"),
            call("click", selector="h1"),
        ]
    )
    assert code == 0, said
    told = run.told[1]
    assert told.success
    assert "Done, but a replay could not find button 'Keep' again" in told.text
    assert "a control that has a name of its own" in told.text
    assert "could not find" not in run.told[0].text
    assert "a replay could not find again\n          user 1, button 'Keep'" in out
    assert len(lost(run)) == 1
    assert run.replay()["verdict"] == "target_ambiguous"


def test_a_healthy_page_frightens_nobody(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = HEALTHY
    told = run.record(
        [
            call("navigate", url="/"),
            call("click", selector="tr:nth-child(2) button"),
            call("fill", selector="Title", value="Border spade"),
            call("select_option", selector="Kind", value="toy"),
            call("check", selector="Urgent"),
            call("press_keys", keys=["Tab"]),
            call("click", selector="Save"),
        ]
    )
    assert [one.text for one in told if "could not find" in one.text] == []
    assert lost(run) == []
    assert run.replay()["verdict"] == "passed"
