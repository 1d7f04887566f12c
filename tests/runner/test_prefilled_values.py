"""What a form had filled and nobody touched is required where the page of its thing showed it, and no form does."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what a form had filled")

__all__ = ["run", "served_site", "small_site"]

FORM = """<h1>New</h1><form method=post action=/things><label>Title <input name=title></label>
<label>Place <input name=place value="Under the old oak stairs"></label>
<label>Remark <input name=remark value="Ask at the door"></label><button>Save</button></form>"""
THING = "<h1>{title}</h1><dl><dt>Place</dt><dd>{place}</dd></dl><p>{remark}</p>"


@pytest.mark.parametrize(
    ("lie", "red"), [({}, False), ({"place": ""}, True), ({"place": "Somewhere"}, True), ({"remark": ""}, True)]
)
def test_what_nobody_touched_is_required_where_its_page_showed_it(
    run: OneRun, small_site: SmallSite, lie: dict[str, str], red: bool
) -> None:
    lying = dict[str, str]()
    small_site.pages["/new"] = FORM

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/things/48213"] = THING.format(**{**fields, **lying})
        return "/things/48213"

    small_site.answers["/things"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="Bellows from the old forge"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    lying.update(lie)
    replayed = run.replay()
    assert (replayed["verdict"], bool(replayed["writes"][0]["unseen"])) == (
        ("postcondition", True) if red else ("passed", False)
    ), replayed


USER = """<h1>{title}</h1><form method=post action=/things><input type=hidden name=id value=48213>
<label>Title <input name=title value="{title}"></label><label>Roles <input name=roles value="{roles}"></label>
<button>Save</button></form><table><tr><th>Date</th><th>Visitor</th></tr><tr><td>today</td><td>nobody</td></tr></table>"""


@pytest.mark.parametrize(("lie", "red"), [({}, False), ({"roles": ""}, True), ({"roles": "Guest"}, True)])
def test_a_word_of_the_page_does_not_stand_for_a_field_of_its_own_form(
    run: OneRun, small_site: SmallSite, lie: dict[str, str], red: bool
) -> None:
    """The form of the thing tells of its field what is kept: a heading that says the same tells nothing."""
    lying = dict[str, str]()
    small_site.pages["/new"] = """<h1>New</h1><form method=post action=/things><label>Title <input name=title></label>
    <label>Roles <input name=roles value=Visitor></label><button>Save</button></form>"""

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/things/48213"] = USER.format(**{**fields, **lying})
        return "/things/48213"

    small_site.answers["/things"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="Bellows from the old forge"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    lying.update(lie)
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == (
        ("postcondition", ["Roles"]) if red else ("passed", [])
    ), replayed
