"""The rule of evidence from the command line: what a drift says is its cause, and what a run goes on from."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run"]

CARD = (
    "<li><h3>{}</h3><p>{}</p><form method=post action=/sent><input type=hidden name=of value={}>"
    "<button>Take</button></form></li>"
)
SHELF = "<h1>Shelf</h1><ul>{}</ul>"
MINE, OTHER = CARD.format("Emma", "by Jane Austen", 1), CARD.format("Emma", "a film", 2)
OVER = "position:fixed;inset:0;background:#fff;z-index:9"
TAKE = "<button>Take</button>"
CAUSES = {
    "the card": (SHELF.format(OTHER), "target_missing", "in the card 'Emma'", "by Jane Austen"),
    "another role": (
        SHELF.format(MINE.replace(TAKE, "<a href=/take>Take</a>") + OTHER.replace(TAKE, "")),
        "target_missing", "link 'Take'", "in another role",
    ),
    "what covers it": (
        SHELF.format(MINE + OTHER) + f"<section aria-label=Survey style='{OVER}'>Tell us</section>",
        "target_missing", "is covered by region 'Survey'", "",
    ),
    "a dialog": (
        f"<div role=dialog aria-label='Are you sure?' style='{OVER}'><button>Yes</button></div>",
        "target_missing", "a dialog opened: 'Are you sure?'", "",
    ),
}  # fmt: skip


@pytest.mark.table
def test_a_drift_says_its_cause(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/shelf"] = SHELF.format(MINE + OTHER)
    first = "li:first-of-type button"
    told = run.record([call("navigate", url="/shelf"), call("click", selector=first)])
    assert all(one.success for one in told), told
    assert run.replay()["verdict"] == "passed"
    small_site.posts.clear()
    for name, (page, verdict, *said) in CAUSES.items():
        small_site.pages["/shelf"] = page
        drift: dict[str, Any] = run.replay()["drift"]
        assert drift["verdict"] == verdict, (name, drift)
        for words in said:
            assert words in str(drift), (name, drift)
    assert small_site.posts == []


STARS = """<style>i {{ display: inline-block; width: 20px; height: 20px; background: #fc0 }}</style>
<h1>Review</h1><form method=post action=/sent><p>Your rating</p><div>{}</div>
<input type=hidden name=rating value=0><label>Words <input name={}></label><button>Send</button></form>
<script>for (const [at, star] of document.querySelectorAll("i").entries())
  star.onclick = () => {{ document.querySelector("[name=rating]").value = {}; }}</script>"""


@pytest.mark.parametrize(
    ("page", "verdict", "sent"),
    [
        (STARS.format("<i></i>" * 5, "words", "at + 1"), "passed", [{"rating": "4", "words": "Good"}]),
        (STARS.format("<i></i>" * 5, "body_text", "at + 1"), "passed", [{"rating": "4", "body_text": "Good"}]),
        (STARS.format("<i></i>" * 5, "words", "5 - at"), "postcondition", []),
        (STARS.format("<i></i>" * 10, "words", "at + 1"), "target_missing", []),
    ],
    ids=["same", "a field renamed", "another order", "another scale"],
)
def test_a_star_is_known_by_its_place_and_what_it_sets(
    run: OneRun, small_site: SmallSite, page: str, verdict: str, sent: list[dict[str, str]]
) -> None:
    small_site.pages["/review"] = STARS.format("<i></i>" * 5, "words", "at + 1")
    told = run.record([
        call("navigate", url="/review"),
        call("click", selector="i:nth-of-type(4)"),
        call("fill", selector="Words", value="Good"),
        call("click", selector="role=button[name='Send']"),
    ])  # fmt: skip
    assert all(one.success for one in told), told
    small_site.posts.clear()
    small_site.pages["/review"] = page
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed["drift"]
    assert [fields for _, fields in small_site.posts] == sent


def test_a_text_of_the_user_is_known_again_in_the_evidence(run: OneRun, small_site: SmallSite) -> None:
    """As Django's admin lists what was added last: a fresh user finds their own there."""
    small_site.answers["/sent"] = lambda fields: "/lists"
    small_site.pages["/new"] = (
        "<form method=post action=/sent><label>Name <input name=name></label><button>Add</button></form>"
    )
    listed = "<h1>Lists</h1><ul><li><a href='/lists/{0}'>{1}</a></li><li><a href=/lists/9>Writers of Bath</a></li></ul>"
    small_site.answers["/sent"] = lambda fields: _lists(small_site, listed, fields["name"])
    told = run.record([
        call("navigate", url="/new"),
        call("fill", selector="Name", value="Readers of {{identity.city}}"),
        call("click", selector="Add"),
        call("click", selector="li:first-of-type a"),
    ])  # fmt: skip
    assert all(one.success for one in told), told
    action = run.actions()[-1]
    assert action.target is not None
    assert action.target.name == "Readers of {{identity.city}}"
    replayed = run.replay("--identity", "fresh", "--seed", "3")
    assert replayed["verdict"] == "passed", replayed["drift"]


def _lists(site: SmallSite, listed: str, name: str) -> str:
    site.pages["/lists"] = listed.format(4, name)
    site.pages["/lists/4"] = "<h1>A list</h1>"
    return "/lists"


SELL = "<h1>Sell</h1><form method=post action=/sent><label>{}</label><button>Send</button></form>"
LISTED = "<select name=genre><option value=''>-</option>{}</select>"


@pytest.mark.table
def test_a_field_that_became_a_list_is_healed_onto_its_one_equal_option(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/sell"] = SELL.format("Genre <input name=genre>")
    told = run.record([
        call("navigate", url="/sell"),
        call("fill", selector="Genre", value="Crime"),
        call("click", selector="Send"),
    ])  # fmt: skip
    assert all(one.success for one in told), told
    small_site.posts.clear()
    small_site.pages["/sell"] = SELL.format(
        "Genre " + LISTED.format("<option value=c1>Crime<option value=c2>True crime")
    )
    assert run.replay()["verdict"] == "target_missing"
    healed = run.replay("--mode", "heal")
    assert (healed["verdict"], healed["heals"][0]["kind"]) == ("healed", "target"), healed["drift"]
    code, out, said = run.sim("replay", healed["revision"], "--source", "b.db", "--db", "b.db")
    assert code == 0, out + said
    assert [fields for _, fields in small_site.posts] == [{"genre": "c1"}] * 2
    small_site.pages["/sell"] = SELL.format("Genre " + LISTED.format("<option value=c1>Crimes<option value=c2>Romance"))
    assert run.replay("--mode", "heal")["verdict"] == "target_missing"
    assert len(small_site.posts) == 2
