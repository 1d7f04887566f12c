"""Cards of one user that a word beside a variable tells from each other: ``Boats of Leeds``, ``Tides of Leeds``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from simulator.browser.evidence import Scope
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run", "served_site", "small_site"]

MAKES = "<form method=post action=/make><label>Title <input name=title></label><button>Make</button></form>"
REMOVES = "<form method=post action=/things/{at}/remove><button>Remove</button></form>"
ROW = "<tr><td>{}</td><td>{}</td></tr>"
CARD = "<div class=card><div title=name>{}</div>{}</div>"


def serve(site: SmallSite, box: str, shown: Sequence[tuple[int, str]]) -> None:
    """Let a site list what is made there, on two pages; on one of them things can be removed.

    Args:
        site: that one.
        box: around a thing that can be removed.
        shown: which of these there are, and what is said behind the title of each.
    """
    titles: list[str] = []

    def make(fields: Mapping[str, str]) -> str:
        titles.append(fields["title"])
        site.pages["/"] = MAKES + "".join(f"<p>{one}</p>" for one in titles)
        said = [(at, titles[at] + more) for at, more in shown if at < len(titles)]
        rows = "".join(box.format(text, REMOVES.format(at=40 + at)) for at, text in said)
        site.pages["/things"] = f"<table>{rows}</table>" if box == ROW else rows
        return "/"

    site.pages["/"] = MAKES
    site.answers |= {"/make": make} | {f"/things/{at}/remove": lambda _: "/" for at in (40, 41)}


WORDS, ONE = "{} of {{{{identity.city}}}}", "{}_{{{{identity.username}}}}"


@pytest.mark.parametrize(
    ("title", "box", "before", "now", "acts"),
    [
        (WORDS, ROW, ((0, ""), (1, "")), ((1, ""), (0, "")), True),
        (ONE, CARD, ((0, ""), (1, "")), ((1, ""), (0, "")), True),
        (ONE, ROW, ((0, ""), (1, "")), ((1, ""),), False),
        (WORDS, CARD, ((0, ""), (1, "")), ((1, ""),), False),
        # What counts, or says when, may be otherwise.
        (WORDS, ROW, ((0, ", 2 votes"), (1, "")), ((0, ", 1 vote"), (1, "")), True),
        (ONE, CARD, ((0, " 5 minutes ago"), (1, "")), ((0, " yesterday"), (1, "")), True),
    ],
    ids=["another order", "another order of cards", "gone", "gone among cards", "counted", "a time"],
)
def test_a_card_is_known_by_the_words_beside_a_variable(
    run: OneRun,
    small_site: SmallSite,
    title: str,
    box: str,
    before: Sequence[tuple[int, str]],
    now: Sequence[tuple[int, str]],
    *,
    acts: bool,
) -> None:
    serve(small_site, box, before)
    makes = [
        one
        for word in ("Boats", "Tides")
        for one in (call("fill", selector="Title", value=title.format(word)), call("click", selector="Make"))
    ]
    told = run.record(
        [
            call("navigate", url="/"),
            *makes,
            call("navigate", url="/things"),
            call("click", selector="[action='/things/40/remove'] button"),
        ]
    )
    assert all(one.success for one in told), told
    serve(small_site, box, now)
    small_site.posts.clear()
    replayed = run.replay()
    assert [path for path, _ in small_site.posts if path != "/make"] == ["/things/40/remove"] * acts, replayed["drift"]
    assert (replayed["verdict"] == "passed") == acts, replayed["drift"]


def test_what_is_kept_is_beside_a_variable() -> None:
    texts = ["Boats of {{identity.city}} and {{secret.password}}", "Like new"]
    kept = ["boats", "of", "leeds", "and", "rosebud", "like", "new"]
    assert Scope.model_validate({"kind": "card", "words": texts, "stems": kept}).stems == ("boats", "of", "and")


def test_another_user_has_other_values_beside_the_same_words(run: OneRun, small_site: SmallSite) -> None:
    serve(small_site, ROW, ((0, ""), (1, "")))
    makes = [call("fill", selector="Title", value=WORDS.format("Boats")), call("click", selector="Make")]
    others = [call("fill", selector="Title", value=WORDS.format("Tides")), call("click", selector="Make")]
    removes = [call("navigate", url="/things"), call("click", selector="[action='/things/40/remove'] button")]
    told = run.record([call("navigate", url="/"), *makes, *others, *removes])
    assert all(one.success for one in told), told
    serve(small_site, ROW, ((1, ""), (0, "")))
    replayed = run.replay("--identity", "fresh", "--seed", "11")
    assert replayed["verdict"] == "passed", replayed["drift"]
