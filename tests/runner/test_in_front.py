"""Words of an agent that fit in a dialog and behind it mean what is in front, as for a person; so does the replay."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action=/kept><input type=hidden name=of value={of}>
<input name=title placeholder="Ticket title"><button>Send</button></form>"""
SHADE = '<div style="position:fixed;inset:0;background:#0008">{}</div>'
OVER = "position:fixed;top:200px;left:200px;background:#fff"
BESIDE = "position:fixed;bottom:0;right:0;width:200px;background:#fff"
DIALOGS = {
    "says that it is modal": SHADE.format(f'<div role=dialog aria-modal=true style="{OVER}">{{}}</div>'),
    "lies over the page": SHADE.format(f'<div role=dialog style="{OVER}">{{}}</div>'),
    "made modal by the browser": "<dialog>{}</dialog><script>document.querySelector('dialog').showModal()</script>",
}


@pytest.mark.breadth(2)
@pytest.mark.parametrize("dialog", DIALOGS.values(), ids=DIALOGS)
def test_what_is_in_front_is_meant(run: OneRun, small_site: SmallSite, dialog: str) -> None:
    kept: list[Mapping[str, str]] = []
    small_site.pages["/desk"] = "<h1>Desk</h1>" + FORM.format(of="page") + dialog.format(FORM.format(of="dialog"))
    small_site.answers["/kept"] = lambda fields: kept.append(fields) or "/thanks"
    told = run.record(
        [
            call("navigate", url="/desk"),
            call("fill", selector="Ticket title", value="The lamp is out"),
            call("click", selector="Send"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed
    assert kept == [{"of": "dialog", "title": "The lamp is out"}] * 2


def test_beside_a_dialog_that_keeps_nobody_off_both_are_meant(run: OneRun, small_site: SmallSite) -> None:
    chat = f'<div role=dialog aria-label=Chat style="{BESIDE}">{FORM.format(of="chat")}</div>'
    small_site.pages["/desk"] = "<h1>Desk</h1>" + FORM.format(of="page") + chat
    told = run.record([call("navigate", url="/desk"), call("click", selector="Send")])
    assert (told[-1].success, told[-1].text.split(":")[0]) == (False, "ambiguous"), told
