"""What a form for something new comes with, and its user leaves, is told apart from what was put in.

What a user put in, or a thing held before, is as ever: proven, red, or not seen again.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what a form had filled")

__all__ = ["run", "served_site", "small_site"]

NEW = """<form method=post action=/new aria-label=Thing><label>Title <input name=title></label>
<label>Kind <select name=kind><option value=1 selected>Tool<option value=2>Garden toy</select></label>
<label>Pieces <input name=pieces type=number value=1></label>
<fieldset><legend>Sent by</legend><label><input type=radio name=by value=p checked> Post</label>
<label><input type=radio name=by value=c> Courier</label></fieldset>
<label><input type=checkbox name=used value=yes checked> Used</label><button>Save</button></form>"""
EDIT = """<form method=post action=/things/48213/edit><label>Title <input name=title value="{title}"></label>
<label><input type=checkbox name=used value=yes checked> Used</label><button>Save</button></form>"""
TICKET = """<h1>Leaking tap</h1><ul>{remarks}</ul><form method=post action=/tickets/48213/remarks enctype={enctype}>
<label>Remark <textarea name=remark></textarea></label>
<fieldset hidden><span>New status</span>
<div><input type=radio id=o name=status value=1 {open}><label for=o>Open</label></div>
<div><input type=radio id=c name=status value=2 {closed}><label for=c>Closed</label></div></fieldset>
<label><input type=checkbox name=public value=1 checked> Public</label>
<label>Time spent <input type=time name=spent></label><button>Send</button></form>"""


def new_thing(small_site: SmallSite, lying: Mapping[str, str]) -> None:
    small_site.pages["/new"] = NEW

    def keep(fields: Mapping[str, str]) -> str:
        kept = {**fields, **lying}
        small_site.pages["/things/48213"] = f"<h1>{kept['title']}</h1><a href=/things/48213/edit>Edit</a>"
        small_site.pages["/things/48213/edit"] = EDIT.format(**kept)
        return "/things/48213"

    small_site.answers["/new"] = small_site.answers["/things/48213/edit"] = keep


def test_what_the_form_of_a_new_thing_came_with_is_told_apart(run: OneRun, small_site: SmallSite) -> None:
    lying = dict[str, str]()
    new_thing(small_site, lying)
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade behind the mill"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), [one.text[:200] for one in told if not one.success]
    replayed = run.replay()
    [write] = replayed["writes"]
    assert (replayed["verdict"], write["unseen"]) == ("passed", []), replayed
    assert write["offered"] == ["Kind", "Pieces", "Sent by", "Used"]
    lying["title"] = "The spade"
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition" or replayed["writes"][0]["unseen"], replayed


def test_what_was_chosen_on_purpose_is_an_input(run: OneRun, small_site: SmallSite) -> None:
    new_thing(small_site, {})
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade behind the mill"),
            call("check", selector='role=radio[name="Courier"]'),
            call("fill", selector="Pieces", value="7"),
            call("check", selector="Used", checked=False),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), [one.text[:200] for one in told if not one.success]
    [write] = run.replay()["writes"]
    assert (sorted(write["unseen"]), write["offered"]) == (["Pieces", "Sent by", "Used"], ["Kind"])


def test_what_a_thing_held_before_is_not_seen_again(run: OneRun, small_site: SmallSite) -> None:
    """No page shows the box of what is there already: a site that lost it would look the same."""
    edited = EDIT.format(title="The spade behind the mill")
    small_site.pages["/things/48213/edit"] = edited

    def keep(fields: Mapping[str, str]) -> str:
        del small_site.pages["/things/48213/edit"]
        small_site.pages["/things/48213"] = f"<h1>{fields['title']}</h1>"
        return "/things/48213"

    small_site.answers["/things/48213/edit"] = keep
    told = run.record(
        [
            call("navigate", url="/things/48213/edit"),
            call("fill", selector="Title", value="The rake behind the barn"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), [one.text[:200] for one in told if not one.success]
    small_site.pages["/things/48213/edit"] = edited
    replayed = run.replay()
    [write] = replayed["writes"]
    assert (replayed["verdict"], write["unseen"], write["offered"]) == ("passed", ["Used"], []), replayed


@pytest.mark.parametrize("enctype", ["application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_form_for_remarks_comes_with_each_time_is_told_apart(
    enctype: str, run: OneRun, small_site: SmallSite
) -> None:
    lying = dict[str, str]()

    def show(remarks: str, status: str) -> None:
        marks = {"open": "checked" * (status == "1"), "closed": "checked" * (status == "2")}
        small_site.pages["/tickets/48213"] = TICKET.format(remarks=remarks, enctype=enctype, **marks)

    def keep(fields: Mapping[str, str]) -> str:
        kept = {**fields, **lying}
        hour, _, minute = kept["spent"].partition(":")
        show(f"<li>{kept['remark']} <small>{hour}h:{minute}m</small>", kept["status"])
        return "/tickets/48213"

    show("", "1")
    small_site.answers["/tickets/48213/remarks"] = keep
    told = run.record(
        [
            call("navigate", url="/tickets/48213"),
            call("fill", selector="Remark", value="The plumber comes on Tuesday."),
            call("fill", selector="Time spent", value="10:30"),
            call("click", selector="Send"),
        ]
    )
    assert all(one.success for one in told), [one.text[:200] for one in told if not one.success]
    show("", "1")
    replayed = run.replay()
    [write] = replayed["writes"]
    assert (replayed["verdict"], write["unseen"]) == ("passed", []), replayed
    assert write["offered"] == ["New status", "Public"]
    for lie in ({"remark": "The plumber"}, {"spent": "11:45"}, {"status": "2"}):
        show("", "1")
        lying.clear()
        lying.update(lie)
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition" or replayed["writes"][0]["unseen"], (lie, replayed)
