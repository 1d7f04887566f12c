"""A request says itself where to return to: what that address holds is no id of what was sent.

Nor is something gone because an address to which nothing had led is answered with 404.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("which thing a write is to")

SENT_TO = "/pin?url=/pins?page_size%3D10"
FORM = f"""<form method=post action="{SENT_TO}"><label>Title <input name=title></label>
<label>Maker <input name=maker></label><button>Pin</button></form>"""
ROW = """<li>{title}, by {maker} <form method=post action=/remove><input type=hidden name=id value=48213>
<input type=hidden name=url value="/pins?page_size=10"><button>Remove {title}</button></form>"""


def serve(site: SmallSite, *, removes: bool = True) -> None:
    """Keep one pin in a list that is shown in tens."""
    rows: list[str] = []

    def show() -> None:
        site.pages["/pins"] = f"<h1>Pins</h1>{FORM}<ul>{''.join(rows)}<li>A lamp, by nobody</ul>"

    def keep(sent: Mapping[str, str]) -> str:
        rows.append(ROW.format(**sent))
        show()
        return "/pins?page_size=10"

    def remove(sent: Mapping[str, str]) -> str:
        if not removes:
            return f"/remove/{sent['id']}"
        rows.clear()
        show()
        return "/pins?page_size=10"

    show()
    site.answers |= {SENT_TO: keep, "/remove": remove}


PIN = [
    call("navigate", url="/pins"),
    call("fill", selector="Title", value="Walks along the river"),
    call("fill", selector="Maker", value="Bartlett and sons"),
    call("click", selector="role=button[name=Pin]"),
    call("navigate", url="/pins?page_size=10"),
]


def test_what_an_address_to_return_to_holds_is_no_id(run: OneRun, small_site: SmallSite) -> None:
    serve(small_site)
    run.record(PIN)
    with Recording.open(run.folder / "a.db") as recording:
        effects = [one for each in recording.runs() for one in recording.effects(each.id)]
    assert effects
    assert not any("10" in one.thing.ids for one in effects), effects
    serve(small_site)
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("passed", []), replayed


def test_an_address_that_nothing_led_to_shows_nothing_gone(run: OneRun, small_site: SmallSite) -> None:
    serve(small_site)
    run.record([*PIN, call("click", selector="Remove Walks along the river"), call("navigate", url="/pins")])
    serve(small_site)
    assert run.replay()["verdict"] == "passed"
    serve(small_site, removes=False)
    replayed = run.replay()
    assert replayed["verdict"] != "passed", replayed
    assert replayed["writes"][1]["unseen"] != [], replayed
