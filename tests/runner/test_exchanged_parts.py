"""A form whose parts have exchanged what they send, though each looks as it did: a replay stops before it is sent."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

__all__ = ["run"]
FORM = """<h1>New thing</h1><form method=post action=/sent{late}>
<p><label>Title <input name={title}></label></p><p><label>Town <input name={town} value=Leeds></label></p>
<p><label>Kind <select name=kind><option value=r>Repair<option value={w}>Wish<option value={q}>Question
</select></label></p>
<p><label><input type=radio name=state value={open}>Open</label> <label><input type=radio name=state value={shut}>Shut
</label></p>{hidden}<button>Save</button></form>"""
AS_RECORDED = {
    "title": "title", "town": "town", "w": "w", "q": "q", "open": "open", "shut": "shut", "hidden": "", "late": "",
}  # fmt: skip
SENT = {"title": "Oak shelf", "town": "Leeds", "kind": "w", "state": "open"}
LATE = " onpointerdown='if (event.target.matches(`button`)) [title.name, town.name] = [`town`, `title`]'"


@pytest.mark.parametrize(
    ("changed", "stops"),
    [
        ({}, False),
        ({"w": "q", "q": "w"}, True),
        ({"open": "shut", "shut": "open"}, True),
        ({"title": "town", "town": "title"}, True),
        ({"late": LATE}, True),
        ({"hidden": "<input type=hidden name=owner value=somebody-else>"}, True),
        ({"hidden": "<input type=hidden name=csrf value=5f1c9a7b30de4428>"}, False),
    ],
    ids=["nothing", "options", "radios", "names", "names at the press", "hidden word", "hidden token"],
)
def test_what_is_sent_otherwise_is_not_sent(
    run: OneRun, small_site: SmallSite, changed: dict[str, str], stops: bool
) -> None:
    small_site.pages["/"] = FORM.format(**AS_RECORDED)
    run.record(
        [
            call("navigate", url="/"),
            call("fill", selector="Title", value="Oak shelf"),
            call("select", selector="Kind", value="Wish"),
            call("check", selector='role=radio[name="Open"]'),
            call("click", selector='role=button[name="Save"]'),
        ]
    )
    assert [fields for _, fields in small_site.posts] == [SENT]
    small_site.posts.clear()
    small_site.pages["/"] = FORM.format(**AS_RECORDED | changed)
    replayed = run.replay()
    if stops:
        assert replayed["verdict"] == "target_contradicted", replayed
        assert small_site.posts == []
    else:
        assert replayed["verdict"] == "passed", replayed["drift"]
        assert [{name: fields[name] for name in SENT} for _, fields in small_site.posts] == [SENT]
