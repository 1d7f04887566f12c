"""Lists between whose cards stands something that shows nothing: an anchor, a rule, a script."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.sites.proxy import Asked
from benchmarks.sites.recorded import recorded_writes
from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what is pressed")

__all__ = ["run", "served_site", "small_site"]

LINKS = [(4, "Boats for hire"), (3, "Tide tables"), (2, "The ferry"), (1, "About")]
TOKEN = "0123456789abcdef0123456789abcdef"
CARD = """<div class="item{more}"><h2>{called}</h2><div class=acts>
<span><a href="/links/{number}" aria-label=Edit>e</a></span>
<span><a class=removes href="/links/remove?id={number}&token={token}" aria-label=Remove>x</a></span></div></div>"""
ASKS = """<script>for (const one of document.querySelectorAll(".removes"))
one.addEventListener("click", (event) => { if (!confirm("Remove it?")) event.preventDefault(); });</script>"""


def links(left: Sequence[tuple[int, str]], between: str) -> str:
    more = {4: " private"} if "anchor" in between else {}
    cards = [CARD.format(number=at, called=called, token=TOKEN, more=more.get(at, "")) for at, called in left]
    return f"<h1>Links</h1><div>{between.join(cards)}</div>{ASKS}"


def serve(site: SmallSite, between: str, *, removes: bool) -> None:
    """Let a site list links; a link beside each removes it, or only leads back."""
    site.pages["/"] = links(LINKS, between)
    site.opens["/links/remove"] = ("/", links(LINKS[1:] if removes else LINKS, between))


@pytest.mark.parametrize("between", ["<div class=anchor></div>", "<hr>", "<script>0;</script><a name=it></a>", ""])
@pytest.mark.parametrize("removes", [True, False])
def test_what_a_link_removes_has_to_be_gone(run: OneRun, small_site: SmallSite, between: str, *, removes: bool) -> None:
    serve(small_site, between, removes=True)
    told = run.record([call("navigate", url="/"), call("click", selector=".item:nth-of-type(1) .removes")])
    assert all(one.success for one in told), told
    serve(small_site, between, removes=removes)
    replayed = run.replay()
    assert replayed["verdict"] == ("passed" if removes else "postcondition"), replayed["drift"]
    unseen = [] if removes else ["link 'Remove'"]
    assert [one["unseen"] for one in replayed["writes"]] == [unseen], replayed["writes"]


def test_what_judges_lies_knows_a_link_that_removes(run: OneRun, small_site: SmallSite) -> None:
    serve(small_site, "", removes=True)
    run.recording = ("--exchanges", "all")
    run.record([call("navigate", url="/"), call("click", selector=".item:nth-of-type(1) .removes")])
    with Recording.open(run.folder / "a.db") as recording:
        (one,) = recording.runs()
        found = recorded_writes(
            recording.exchanges(one.id), recording.blobs.read, recording.writes(one.id), recording.effects(one.id)
        )
    assert [(write.method, write.acted, write.fields) for write in found] == [("GET", True, ())]
    asked = ["/links/remove?id=4&token=other", "/links/remove", "/links/4", "/"]
    assert [found[0].is_like(Asked("GET", target, ())) for target in asked] == [True, False, False, False]
