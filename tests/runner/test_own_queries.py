"""A page that writes the query of its own address anew once it is there: at once, or a moment later."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run", "served_site", "small_site"]

LIST = """<h1>Changes</h1><p>Nothing yet</p><script>
setTimeout(() => history.replaceState(null, "", "?days=7&limit=50"), DELAY);</script>"""
START = "<h1>Start</h1><form method=post action=/open><button>Open</button></form>"
LONG = 60_000


def pages(site: SmallSite, delay: int, leads_to: str = "/changes") -> None:
    site.pages |= {"/start": START, "/changes": LIST.replace("DELAY", str(delay))}
    site.answers["/open"] = lambda _: leads_to


@pytest.mark.parametrize("press", [False, True], ids=["a visit", "a press"])
@pytest.mark.parametrize(("recorded", "now"), [(LONG, 0), (0, 1500)], ids=["later then", "later now"])
def test_a_page_that_writes_its_own_query_anew_is_where_it_was_recorded(
    run: OneRun, small_site: SmallSite, recorded: int, now: int, press: bool
) -> None:
    pages(small_site, recorded)
    way = [call("navigate", url="/start"), call("click", selector="Open")] if press else []
    told = run.record(way or [call("navigate", url="/changes")])
    assert all(one.success for one in told), told
    address = run.actions()[-1].after.url
    assert address == ("/changes" if recorded else "/changes?days=7&limit=50")
    pages(small_site, now)
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed
    if press and recorded:
        # The site itself leads there: that is another answer.
        pages(small_site, LONG, "/changes?refused=1")
        assert run.replay()["verdict"] == "postcondition"
        # A script that goes to another path shows something else.
        pages(small_site, 0)
        small_site.pages["/changes"] = small_site.pages["/changes"].replace("?days", "/elsewhere?days")
        assert run.replay()["verdict"] == "postcondition"
