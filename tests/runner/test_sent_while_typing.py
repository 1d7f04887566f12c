"""What a page sends while one types or leaves a field: it takes nothing of the write that sends the same as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

TITLE, PLACE = "Bellows from the old forge", "Left of the kitchen door"
FORM = """<h1>New</h1><form method=post action=/things id=form>
<label>Title <input name=title id=title></label><label>Place <input name=place id=place></label>
<button>Save</button></form><p id=said></p><script>
const send = (path, fields) => fetch(path, {{method: "POST", body: new URLSearchParams(fields)}});
const both = () => ({{title: title.value, place: place.value}});
{script}</script>"""
CHECKS = 'title.{event} = () => send("/validate", {{title: title.value}});'
BY_SCRIPT = """form.onsubmit = async (event) => { event.preventDefault();
  await send("/validate", {title: title.value}); const it = await send("/things", both()); location.href = it.url; };"""
SAVES = """for (const field of [title, place]) field.oninput = () => { send("/draft", both());
  setTimeout(() => send("/draft", both()), 60); };"""
THING = "<h1>{title}</h1><dl><dt>Place</dt><dd>{place}</dd></dl><a href=/new>New</a>"


class Register:
    """Keeps things that are put in on a page, and may keep something else."""

    def __init__(self, site: SmallSite, script: str) -> None:
        self.site, self.lying = site, dict[str, str]()
        site.pages["/new"] = FORM.format(script=script)
        site.answers |= {"/validate": lambda fields: (200, "fine"), "/things": self.keep, "/draft": self.draft}

    def keep(self, fields: Mapping[str, str]) -> str:
        self.site.pages["/things/48213"] = THING.format(**{**fields, **self.lying})
        return "/things/48213"

    def draft(self, fields: Mapping[str, str]) -> tuple[int, str]:
        self.site.pages["/mine"] = THING.format(**{**fields, **self.lying})
        return 204, ""


def made(replayed: dict[str, Any]) -> list[tuple[str, int, bool]]:
    return [(one["url"], one["inputs"], not one["unseen"]) for one in replayed["writes"]]


PUT_IN = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Place", value=PLACE),
]


@pytest.mark.parametrize(
    "script",
    [CHECKS.format(event="oninput"), CHECKS.format(event="onchange"), BY_SCRIPT],
    ids=["as one types", "as one leaves", "before it saves"],
)
def test_a_validation_takes_nothing_of_the_save(run: OneRun, small_site: SmallSite, script: str) -> None:
    site = Register(small_site, script)
    told = run.record([*PUT_IN, call("click", selector="Save")])
    assert all(one.success for one in told), told
    assert [path for path, _ in small_site.posts].count("/validate") >= 1
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [("/things", 2, True)]), replayed
    for lie in ({"title": "Bellows"}, {"place": "Somewhere"}):
        site.lying = lie
        replayed = run.replay()
        assert (replayed["verdict"], made(replayed)) == ("postcondition", [("/things", 2, False)]), (lie, replayed)


DRAFTS = 'place.oninput = () => send("/draft", {place: place.value});'


def test_what_a_site_refused_while_one_typed_need_not_be_sent_again(run: OneRun, small_site: SmallSite) -> None:
    site = Register(small_site, DRAFTS)
    small_site.answers["/draft"] = lambda fields: (409, "There is no such draft.")
    told = run.record([*PUT_IN, call("click", selector="Save")])
    assert all(one.success for one in told), told
    assert ("/draft", {"place": PLACE}) in small_site.posts
    # The clock of another performance may send none.
    small_site.pages["/new"] = FORM.format(script="")
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [("/things", 2, True)]), replayed
    site.lying = {"place": "Somewhere"}
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("postcondition", [("/things", 2, False)]), replayed


def test_of_what_is_saved_as_one_types_the_last_counts(run: OneRun, small_site: SmallSite) -> None:
    site = Register(small_site, SAVES)
    small_site.pages["/mine"] = "<h1>Nothing yet</h1>"
    told = run.record([*PUT_IN, call("navigate", url="/mine")])
    assert all(one.success for one in told), told
    small_site.pages["/mine"] = "<h1>Nothing yet</h1>"
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [("/draft", 2, True)]), replayed
    site.lying = {"place": "Somewhere"}
    small_site.pages["/mine"] = "<h1>Nothing yet</h1>"
    assert made(run.replay()) == [("/draft", 2, False)]
