"""What was sent is looked for where it is likeliest to be seen, and what says nothing of it does not count."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

NEW = """<form method=post action=/new><label>Title <input name=title></label>
<label>Remark <input name=remark></label><button>Save</button></form>"""
EDIT = """<form method=post action=/things/48213/edit><label>Remark <input name=remark></label><button>Save</button>
</form><a href=/things/48213>Back</a>"""
TITLE, REMARK, ANOTHER = "The spade behind the mill", "Somebody has mended its handle", "Nobody has mended its blade"


def test_what_changes_a_thing_is_looked_for_where_the_thing_was_shown(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages |= {"/new": NEW, "/things/48213/edit": EDIT, "/list": "<h1>All things</h1>"}
    small_site.pages |= {f"/about/{word}": f"<h1>About {word}</h1>" for word in ("us", "you", "them", "it", "all")}

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/things/48213"] = f"<h1>{TITLE}</h1><dl><dt>Remark<dd>{fields['remark']}</dl>"
        return "/things/48213" if "title" in fields else "/list"

    small_site.answers |= {"/new": keep, "/things/48213/edit": keep}
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="Remark", value=REMARK),
            call("click", selector="Save"),
            *(call("navigate", url=f"/about/{word}") for word in ("us", "you", "them", "it", "all")),
            call("navigate", url="/things/48213/edit"),
            call("fill", selector="Remark", value=ANOTHER),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[], []]), replayed


EDITOR = """<form method=post action=/new aria-label=Thing><label>Title <input name=title></label>
<div id=body contenteditable aria-label=Body style="min-height:2em"></div><input type=hidden name=body>
<button>Save</button></form><script>document.forms[0].onsubmit = (event) => {
const text = document.getElementById("body").innerText.trim();
event.target.body.value = JSON.stringify({ blocks: [{ key: "un20z", text, type: "unstyled", ranges: [] }], map: {} });
};</script>"""


def test_what_an_editor_sends_as_a_document_in_a_field_is_carried_by_that_field(
    run: OneRun, small_site: SmallSite
) -> None:
    body, lost = f"{TITLE} was made by hand, and is as good as new.", dict[str, str]()
    small_site.pages["/new"] = EDITOR

    def keep(fields: Mapping[str, str]) -> str:
        said = json.loads(fields["body"])["blocks"][0]["text"]
        text = html.escape(lost.get("body", said))
        small_site.pages["/things/48213"] = f"<h1>{fields['title']}</h1><div>{text}</div>"
        return "/things/48213"

    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="#body", value=body),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    with Recording.open(run.folder / "a.db") as recording:
        (write,) = recording.writes(recording.runs()[0].id)
    assert sorted(one.part for one in write.carried) == ["body.blocks.0.text", "title"]
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    lost["body"] = f"{TITLE} was made by a machine."
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("postcondition", [["Body"]])


SHELF = """<form method=post action=/shelves/48213/add><label>Title <input name=title></label>
<label>Kind <select name=kind><option value=1 selected>Tool<option value=2>Garden toy</select></label>
<label><input type=checkbox name=used> Used</label><button>Save</button></form>"""


def test_the_empty_form_for_the_next_thing_says_nothing_against_the_last_one(
    run: OneRun, small_site: SmallSite
) -> None:
    small_site.pages |= {"/shelves/48213/add": SHELF, "/shelves/48213": "<h1>Shelf</h1>"}

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/things/771"] = (
            f"<h1>{fields['title']}</h1><dl><dt>Kind<dd>Garden toy</dl>"
            "<label><input type=checkbox checked disabled> Used</label>"
        )
        small_site.pages["/shelves/48213"] = f"<h1>Shelf</h1><a href=/things/771>{fields['title']}</a>"
        return "/shelves/48213"

    small_site.answers["/shelves/48213/add"] = keep
    told = run.record(
        [
            call("navigate", url="/shelves/48213"),
            call("navigate", url="/shelves/48213/add"),
            call("fill", selector="Title", value=TITLE),
            call("select", selector="Kind", label="Garden toy"),
            call("check", selector="Used"),
            call("click", selector="Save"),
            call("click", selector=TITLE),
            call("navigate", url="/shelves/48213/add"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


WATCHED = """<h1>The spade behind the mill</h1><script>fetch("/here/48213", { method: "POST" });</script>"""


def test_what_a_page_sends_of_its_own_accord_is_no_write_of_the_link_to_it(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages |= {"/list": f"<ul><li><a href=/things/48213>{TITLE}</a></ul>", "/things/48213": WATCHED}
    small_site.answers["/here/48213"] = lambda fields: (204, "")
    told = run.record([call("navigate", url="/list"), call("click", selector=TITLE), call("navigate", url="/list")])
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"]) == ("passed", []), replayed


def test_the_sign_of_a_required_field_is_no_part_of_its_name(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/form"] = """<nav><a href="#title">Title*</a> <a href="#kind">Kind *</a></nav>
<form method=post action=/sent><label>Title* <input id=title name=title></label>
<label>Kind * <select id=kind name=kind><option>Tool<option>Toy</select></label><button>Send</button></form>"""
    told = run.record(
        [
            call("navigate", url="/form"),
            call("fill", selector="Title", value=TITLE),
            call("select", selector="Kind", label="Toy"),
            call("click", selector="Send"),
        ]
    )
    assert all(one.success for one in told), told
    assert small_site.posts[-1][1] == {"title": TITLE, "kind": "Toy"}


ON_SHELF = """<h1>Note 4711</h1><form method=post action=/notes/4711/edit><label>Shelf <select name=shelf><option>Work
<option>Garden</select></label><button>Save</button></form><a href=/notes>Notes</a>"""
ROWS = """<h1>Notes</h1><table><tr><th>Note<th>Shelf</tr>{rows}</table>"""
ROW = "<tr><td><a href=/notes/{number}>{title}</a><td>{shelf}</tr>"


def test_the_row_of_another_thing_proves_nothing_of_what_many_have(run: OneRun, small_site: SmallSite) -> None:
    others = ROW.format(number=4801, title="Fences", shelf="Garden") + ROW.format(
        number=4802, title="Ink", shelf="Work"
    )
    small_site.pages |= {"/notes/4711/edit": ON_SHELF, "/notes": ROWS.format(rows=others), "/saved": "<h1>Saved</h1>"}

    def keep(fields: Mapping[str, str]) -> str:
        own = ROW.format(number=4711, title="Pumps", shelf=fields["shelf"])
        small_site.pages["/notes?page=2"] = ROWS.format(rows=own + others.replace("480", "490"))
        return "/saved"

    small_site.answers["/notes/4711/edit"] = keep
    told = run.record(
        [
            call("navigate", url="/notes/4711/edit"),
            call("select", selector="Shelf", label="Garden"),
            call("click", selector="Save"),
            call("navigate", url="/notes"),
        ]
    )
    assert all(one.success for one in told), told
    assert ("echo", "kept", False) not in run.effects()
    assert run.replay()["writes"][0]["unseen"] == ["Shelf"]
