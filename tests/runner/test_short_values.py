"""A value of a few characters, at a place that is tied to what was written: it is there, or something else is."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("where what was sent is seen")

TITLE = "The spade behind the mill"
TEAMS = ("Nobody", "Gardeners of the northern parks", "Ops")
NEW = "<form method=post action=/new><label>Title <input name=title></label>{}<button>Save</button></form>"
TEAM = "<form method=post><label>Team <select name=team>{}</select></label><button>Save</button></form>".format(
    "".join(f"<option>{team}" for team in TEAMS)
)
JOBS = f"""
[data.jobs]
rows = [{{ title = "{TITLE}", team = "{TEAMS[1]}" }}, {{ title = "The rake under the bridge", team = "{TEAMS[2]}" }}]
count = 1
"""


def test_a_short_option_of_a_fresh_user_is_as_good_as_the_long_one_that_was_recorded(
    run: OneRun, small_site: SmallSite
) -> None:
    """The page of the thing is looked at beside the user's windows alone: it says the option, and calls it nothing."""
    kept: dict[str, str] = {}

    def new(fields: Mapping[str, str]) -> str:
        page = f"/jobs/{48213 + len(small_site.posts)}"
        shown = f"<h1>{fields['title']}</h1><a href={page}/edit>Edit</a><p>{{}}</p>"

        def edit(given: Mapping[str, str]) -> str:
            small_site.pages[page] = shown.format(kept.get("team", given["team"]))
            return "/list"

        small_site.pages |= {page: shown.format(TEAMS[0]), f"{page}/edit": TEAM}
        small_site.answers[f"{page}/edit"] = edit
        return page

    small_site.pages |= {"/new": NEW.format(""), "/list": "<h1>All jobs</h1>"}
    small_site.answers["/new"] = new
    run.site = JOBS
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="{{job.1.title}}"),
            call("click", selector="Save"),
            call("click", selector="Edit"),
            call("select", selector="Team", label="{{job.1.team}}"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    assert small_site.posts[-1][1] == {"team": TEAMS[1]}
    fresh = run.replay("--identity", "fresh", "--seed", "8")
    assert small_site.posts[-1][1] == {"team": TEAMS[2]}
    # Three letters stand anywhere: nobody says that they prove it.
    assert (fresh["verdict"], [one["unseen"] for one in fresh["writes"]]) == ("passed", [[], ["Team"]]), fresh
    kept["team"] = TEAMS[0]
    fresh = run.replay("--identity", "fresh", "--seed", "8")
    assert (fresh["verdict"], [one["unseen"] for one in fresh["writes"]]) == ("postcondition", [[], ["Team"]]), fresh


@pytest.mark.parametrize("visited", [True, False], ids=["visited", "looked at"])
def test_a_short_value_that_stands_elsewhere_on_the_page_is_not_at_its_place(
    run: OneRun, small_site: SmallSite, visited: bool
) -> None:
    kept: dict[str, str] = {}

    def keep(fields: Mapping[str, str]) -> str:
        copies = kept.get("copies", fields["copies"])
        small_site.pages["/things/48213"] = f"<h1>{TITLE}</h1><dl><dt>Copies<dd>{copies}</dl><p>5 remarks</p>"
        return "/things/48213" if visited else "/list"

    copies = "<label>Copies <input name=copies></label>"
    small_site.pages |= {"/new": NEW.format(copies), "/list": f"<a href=/things/48213>{TITLE}</a>"}
    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="Copies", value="5"),
            call("click", selector="Save"),
            call("navigate", url="/things/48213"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    kept["copies"] = "1"
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("postcondition", [["Copies"]])
    assert "'1' instead" in f"{replayed['drift']['found']}", replayed


@pytest.mark.parametrize("name", ["quantity[41]", "lines[41][quantity]", "order.lines[0].quantity"])
def test_a_short_value_of_a_field_whose_name_has_steps_is_kept_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, name: str
) -> None:
    row = "<tr><td>The spade<td><label>How many <input name='{}' value={}></label></tr>"
    page = "<h1>Basket</h1><form method=post action=/set><table>{}</table><button>Update</button></form>"
    other = name.replace("41", "42").replace("0", "1")
    kept, lost = {"now": "1"}, False

    def show() -> None:
        rows = row.format(other, 3) + row.format(name, kept["now"])
        small_site.pages["/"] = page.format(rows)

    def keep(fields: Mapping[str, str]) -> str:
        kept["now"] = "1" if lost else fields[name]
        show()
        return "/"

    small_site.answers["/set"] = keep
    show()
    fill = call("fill", selector=f"[name='{name}']", value="5")
    told = run.record([call("navigate", url="/"), fill, call("click", selector="Update"), call("navigate", url="/")])
    assert all(one.success for one in told), told
    assert kept["now"] == "5"
    for lost in (False, True):
        kept["now"] = "1"
        show()
        replayed = run.replay()
        assert replayed["verdict"] == ("postcondition" if lost else "passed"), replayed
        assert [(one["inputs"], bool(one["unseen"])) for one in replayed["writes"]] == [(1, lost)], replayed


TIMED = """<h1>Sweep the quay</h1>
<form method=post action=/things/41203/time>
<label>Hours <input name=hours></label><button>Log</button></form>
<table><tr><th>Comment<th>Hours<tr><td>Oiled the chain<td>{shown}</table>"""


@pytest.mark.parametrize("kept", ["2:30", "2:20"])
def test_hours_are_seen_where_they_are_shown_as_hours_and_minutes(
    run: OneRun, small_site: SmallSite, kept: str
) -> None:
    def show(shown: str) -> str:
        small_site.pages["/things/41203"] = TIMED.format(shown=shown)
        return "/things/41203"

    show("")
    small_site.pages["/about"] = "<h1>About</h1>"
    small_site.answers["/things/41203/time"] = lambda fields: show("2:30")
    there, away, back = (call("navigate", url=url) for url in ("/things/41203", "/about", "/things/41203"))
    told = run.record([there, call("fill", selector="Hours", value="2.5"), call("click", selector="Log"), away, back])
    assert all(one.success for one in told), told
    show("")
    small_site.answers["/things/41203/time"] = lambda fields: show(kept)
    replayed = run.replay()
    assert replayed["verdict"] == ("passed" if kept == "2:30" else "postcondition"), replayed["drift"]
    assert [bool(one["unseen"]) for one in replayed["writes"]] == [kept != "2:30"]
