"""A page takes the focus to another field as one is filled: nothing was put in there, and it is put in once more."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>New</h1><form method=post action=/sent><label>Link <input name=link id=link></label>
<label>Remark <input name=remark id=remark></label><button>Send</button></form>
<script>let left = %s;
remark.addEventListener("focus", () => left-- > 0 && link.focus());</script>"""
FILLED = [
    call("navigate", url="/new"),
    call("fill", selector="Link", value="https://example.org/walks"),
    call("fill", selector="Remark", value="Twelve bridges"),
    call("click", selector="Send"),
]


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("tool", ["fill", "type"])
def test_what_the_focus_was_taken_from_is_filled_once_more(
    run: OneRun, small_site: SmallSite, tool: str, times: int
) -> None:
    small_site.pages["/new"] = FORM % 0
    last = call("fill", selector="Remark", value="Twelve bridges")
    if tool == "type":
        last = call("type_text", selector="Remark", text="Twelve bridges")
    run.record([*FILLED[:2], last, FILLED[3]])
    small_site.pages["/new"] = FORM % times
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed
    sent = {"link": "https://example.org/walks", "remark": "Twelve bridges"}
    assert [fields for _, fields in small_site.posts] == [sent] * 2


def test_a_page_that_always_takes_the_focus_stops_the_replay(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/new"] = FORM % 0
    run.record(FILLED)
    small_site.pages["/new"] = FORM % 99
    replayed = run.replay()
    assert replayed["verdict"] == "target_contradicted", replayed
    assert len(small_site.posts) == 1
