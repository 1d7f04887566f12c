"""Lists whose cards are not of one class, or have something between them that shows nothing: an anchor, a rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing

import pytest

from simulator.recording.reader import Recording
from simulator.replay.plan import effects_version
from tests.fakes.messages_api import KEY, call, messages_api
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what is pressed")

__all__ = ["run", "served_site", "small_site"]

LINKS = [(4, "Boats for hire"), (3, "Tide tables"), (2, "The ferry"), (1, "About")]
TOKEN = "0123456789abcdef0123456789abcdef"
CARD = """<div class="item{more}"><h2>{called}</h2><div class=acts>
<span><a href="/links/{number}" aria-label=Edit>e</a></span>
<span><a class=removes href="/links/remove?id={number}&token={token}" aria-label=Remove>x</a></span></div></div>"""
APART = ("<div class=anchor></div>", "<hr>", "<script>0;</script><a name=it></a>")
ASKS = """<script>for (const one of document.querySelectorAll(".removes"))
one.addEventListener("click", (event) => { if (!confirm("Remove it?")) event.preventDefault(); });</script>"""


def links(left: Sequence[tuple[int, str]], between: str) -> str:
    """Write a list; what stands between its cards, or by which class they differ."""
    more = {
        "stripes": {at: " odd" if place % 2 else " even" for place, (at, _) in enumerate(left)},
        "numbers": {at: f" item-{at}" for at, _ in left},
        "<hr>": {4: " private"},
    }.get(between, {})
    cards = [CARD.format(number=at, called=called, token=TOKEN, more=more.get(at, "")) for at, called in left]
    return f"<h1>Links</h1><div>{between.join(cards) if between in APART else ''.join(cards)}</div>{ASKS}"


def serve(site: SmallSite, between: str, *, removes: bool) -> None:
    """Let a site list links; a link beside each removes it, or only leads back."""
    site.pages["/"] = links(LINKS, between)
    site.opens["/links/remove"] = ("/", links(LINKS[1:] if removes else LINKS, between))


@pytest.mark.parametrize("between", [*APART, "stripes", "numbers"])
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


def go_on(run: OneRun) -> tuple[int, str]:
    """Let a model go on after the press, and say at once that all is done."""
    with messages_api(lambda request: call("complete", result="Done.")) as api, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        code, out, said = run.sim("continue", "last", "--db", "a.db", "--from", "3", "--agent", "claude")
    return code, out + said


@pytest.mark.breadth(1)
@pytest.mark.parametrize(("rules", "seen"), [(12, ["disappearance"]), (11, [])])
def test_a_run_is_gone_on_with_by_its_own_rules(
    run: OneRun, small_site: SmallSite, rules: int, seen: list[str]
) -> None:
    """What the beginning does is observed as it was, and the new revision is judged by that."""
    serve(small_site, "stripes", removes=True)
    run.record([call("navigate", url="/"), call("click", selector=".item:nth-of-type(1) .removes")])
    with closing(sqlite3.connect(run.folder / "a.db")) as db, db:
        db.execute("UPDATE run SET environment = json_set(environment, '$.determinism.effects', ?)", (rules,))
        if not seen:
            db.execute("DELETE FROM effect")
            db.execute("DELETE FROM write")
    serve(small_site, "stripes", removes=True)
    code, said = go_on(run)
    assert code == 0, said
    with Recording.open(run.folder / "a.db") as recording:
        revision = max(recording.runs(), key=lambda one: one.revision)
        assert (revision.revision, effects_version(revision)) == (2, rules)
        assert [one.kind for one in recording.effects(revision.id)] == seen


def test_a_run_is_not_gone_on_with_where_the_site_lies(run: OneRun, small_site: SmallSite) -> None:
    serve(small_site, "stripes", removes=True)
    run.record([call("navigate", url="/"), call("click", selector=".item:nth-of-type(1) .removes")])
    serve(small_site, "stripes", removes=False)
    code, said = go_on(run)
    assert code == 1, said
    assert "the site is not as it was recorded, before step 2 was over: postcondition" in said


def test_what_judges_lies_knows_a_link_that_removes(run: OneRun, small_site: SmallSite) -> None:
    proxy = pytest.importorskip("benchmarks.sites.proxy", reason="it serves with the bookshop's server")
    recorded = pytest.importorskip("benchmarks.sites.recorded", reason="it serves with the bookshop's server")
    serve(small_site, "", removes=True)
    run.recording = ("--exchanges", "all")
    run.record([call("navigate", url="/"), call("click", selector=".item:nth-of-type(1) .removes")])
    with Recording.open(run.folder / "a.db") as recording:
        (one,) = recording.runs()
        found = recorded.recorded_writes(
            recording.exchanges(one.id), recording.blobs.read, recording.writes(one.id), recording.effects(one.id)
        )
    assert [(write.method, write.acted, write.fields) for write in found] == [("GET", True, ())]
    asked = ["/links/remove?id=4&token=other", "/links/remove", "/links/4", "/"]
    assert [found[0].is_like(proxy.Asked("GET", target, ())) for target in asked] == [True, False, False, False]
