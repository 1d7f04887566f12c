"""A press without an input that sends a whole form: what the form had filled is compared with what the thing's own form
shows later.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what a form had filled")

__all__ = ["run"]

PATH = "/walks/4821"
FIRST = {"title": "Along the river Wye", "people": "12"}
FORM = f"""<h1>A walk</h1><form method=post action={PATH}/%s><label>Title <input name=title value="%s"></label>
<label>People <input name=people value="%s"></label><button>%s</button></form><a href=/walks>Walks</a>"""
BY_SCRIPT = """<script>
document.querySelector('form').onsubmit = async event => {
  event.preventDefault()
  const form = event.target
  await fetch(form.action, {method: 'POST', body: new URLSearchParams(new FormData(form))})
  location = '/walks'
}
</script>"""
TURNS = [call("navigate", url=PATH), call("click", selector="Publish"), call("navigate", url=PATH)]


class Walk:
    """A walk that is published by what its form sends."""

    def __init__(self, site: SmallSite, script: str = "") -> None:
        self.site, self.script = site, script
        self.kept: dict[str, str] = {}
        self.lying: dict[str, str] = {}
        site.pages["/walks"] = "<h1>Walks</h1>"
        site.answers |= {f"{PATH}/publish": self.publish, f"{PATH}/revert": self.revert}
        self.reset()

    def reset(self, **draft: str) -> None:
        """Put it back, with what is not published of it yet."""
        self.show(FIRST | draft, "publish")

    def publish(self, fields: Mapping[str, str]) -> str:
        self.show({**fields, **self.lying}, "revert")
        return "/walks"

    def revert(self, fields: Mapping[str, str]) -> str:
        self.show(FIRST, "publish")
        return "/walks"

    def show(self, kept: Mapping[str, str], to: str) -> None:
        self.kept = dict(kept)
        self.site.pages[PATH] = FORM % (to, kept["title"], kept["people"], to.title()) + self.script


@pytest.mark.parametrize("script", ["", BY_SCRIPT], ids=["document", "script"])
@pytest.mark.parametrize("lie", [{"people": "99"}, {"title": "Over the fells"}, {"people": ""}], ids=str)
def test_what_a_press_sends_is_red_where_the_form_holds_something_else(
    run: OneRun, small_site: SmallSite, script: str, lie: dict[str, str]
) -> None:
    walk = Walk(small_site, script)
    told = run.record(TURNS)
    assert all(one.success for one in told), told
    walk.reset()
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    walk.lying = lie
    walk.reset()
    lied = run.replay()
    assert (lied["verdict"], [bool(one["unseen"]) for one in lied["writes"]]) == ("postcondition", [True]), lied


def test_a_press_whose_form_nobody_came_back_to_has_it_looked_at(run: OneRun, small_site: SmallSite) -> None:
    walk = Walk(small_site)
    told = run.record([*TURNS[:2], call("navigate", url="/walks")])
    assert all(one.success for one in told), told
    walk.lying = {"people": "99"}
    walk.reset()
    lied = run.replay()
    assert (lied["verdict"], [bool(one["unseen"]) for one in lied["writes"]]) == ("postcondition", [True]), lied


def test_a_press_that_keeps_nothing_of_its_form_is_proven_by_how_it_stands(run: OneRun, small_site: SmallSite) -> None:
    walk = Walk(small_site)
    walk.show(FIRST | {"people": "15"}, "revert")
    turns = [call("navigate", url=PATH), call("click", selector="Revert"), call("navigate", url=PATH)]
    told = run.record(turns)
    assert all(one.success for one in told), told
    for _ in range(2):
        walk.show(FIRST | {"people": "15"}, "revert")
        replayed = run.replay()
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
        assert walk.kept == FIRST


TELLING = """<h1>%s</h1><form onsubmit="return false"><label>Title <input name=title value="%s"></label></form>
<button onclick="fetch('/api/%s', {method: 'POST', body: new URLSearchParams({%s})})">Publish</button>"""


@pytest.mark.parametrize(
    ("address", "says", "told"),
    [
        ("walks/4821/publish", "title: document.querySelector('input').value", [["button 'Publish'"]]),
        ("presses/4821", "pressed: 1", []),
    ],
    ids=["the whole form", "a count"],
)
def test_a_press_that_sends_the_form_of_its_page_is_told(
    run: OneRun, small_site: SmallSite, address: str, says: str, told: list[list[str]]
) -> None:
    """No page ever shows that it was published: that is told, whatever was kept of it."""
    title = FIRST["title"]
    small_site.pages[PATH] = TELLING % (title, title, address, says)
    small_site.pages["/walks"] = "<h1>Walks</h1>"
    small_site.answers[f"/api/{address}"] = lambda fields: (200, "{}")
    results = run.record([*TURNS[:2], call("navigate", url="/walks")])
    assert all(one.success for one in results), results
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", told), replayed
