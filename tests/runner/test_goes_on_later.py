"""A page that goes on to another one by itself, later than it seemed to have settled.

A busy machine decides whether the recorded click ended on the page before or on the one after: both are where it led.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("the page as it was")

NOTE = "A clock out of the old kitchen"
NEW = """<form><label>Note <input name=note></label><button>Keep</button></form><script>
const rest = (ms) => new Promise((go) => { setTimeout(go, ms); });
document.querySelector("form").onsubmit = async (event) => {
  event.preventDefault();
  const body = new URLSearchParams({ note: event.target.note.value });
  await rest(BEFORE);
  await fetch("/notes", { method: "POST", body });
  await rest(AFTER);
  GO
};</script>"""
LOADS = "location.href = '/kept';"
ROUTES = "history.pushState(null, '', '/thanks'); document.body.innerHTML = '<h1>Thanks</h1>';"


@pytest.fixture
def site(small_site: SmallSite) -> SmallSite:
    """A site that keeps notes, and puts up its thanks once somebody comes for them."""
    notes: list[str] = []

    def take(fields: Mapping[str, str]) -> tuple[int, str]:
        notes.append(fields["note"])
        small_site.pages["/all"] = "<h1>Notes</h1>" + "".join(f"<li>{one}" for one in notes)
        return 200, "{}"

    small_site.answers["/notes"] = take
    small_site.opens["/kept"] = ("/thanks", "<h1>Thanks</h1>")
    return small_site


def put(site: SmallSite, before: int, after: int, go: str) -> None:
    """Put up the page, with what it rests before and after it sends, in milliseconds; nobody was thanked yet."""
    site.pages["/new"] = NEW.replace("BEFORE", str(before)).replace("AFTER", str(after)).replace("GO", go)
    site.pages.pop("/thanks", None)


def record(run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Note", value=NOTE),
            call("click", selector="Keep"),
            call("wait", seconds=2.5),
            call("navigate", url="/all"),
        ]
    )
    assert all(one.success for one in told), told
    assert "/thanks" in told[3].text, told


@pytest.mark.parametrize("go", [LOADS, ROUTES], ids=["loads", "routes"])
@pytest.mark.parametrize("rests", [(0, 0), (0, 1200), (1200, 0)], ids=["at once", "after it sent", "before it sends"])
def test_a_page_that_went_on_later_may_go_on_sooner_and_is_waited_for(
    run: OneRun, site: SmallSite, go: str, rests: tuple[int, int]
) -> None:
    put(site, 1200, 0, go)
    record(run)
    put(site, *rests, go)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    assert ("/thanks" in site.pages) is (go is LOADS)


@pytest.mark.parametrize("go", [LOADS, ROUTES], ids=["loads", "routes"])
def test_a_page_that_goes_on_to_another_one_is_red(run: OneRun, site: SmallSite, go: str) -> None:
    put(site, 1200, 0, go)
    record(run)
    site.pages["/sorry"] = "<h1>We are closed</h1>"
    put(site, 0, 0, go.replace("/thanks", "/sorry").replace("/kept", "/sorry"))
    replayed = run.replay()
    assert (replayed["verdict"], replayed["drift"]["step"]) == ("postcondition", 3), replayed
