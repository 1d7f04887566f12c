"""What a form had filled, and its user left as it was, is sent with the rest: a page shows whether it was kept."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what a form had filled")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action=/new aria-label=Thing><label>Title <input name=title></label>
<label>Kind of thing <select name=kind><option value=1>Tool<option value=2 selected>Garden toy<option value=3>Book
</select></label><label>Condition <input name=state value="A little worn"></label>
<label>Pieces <input name=pieces type=number value=1></label>
<label><input type=checkbox name=used value=yes checked> Used</label><button>Save</button></form>"""
KINDS = {"1": "Tool", "2": "Garden toy", "3": "Book", "": ""}
PAGE = """<h1>{title}</h1><dl><dt>Kind of thing<dd>{kind}<dt>Condition<dd>{state}<dt>Pieces<dd>{pieces}</dl>"""


def test_what_was_left_as_it_was_is_red_where_the_thing_shows_it_otherwise(run: OneRun, small_site: SmallSite) -> None:
    lying = dict[str, str]()
    small_site.pages["/new"] = FORM

    def keep(fields: Mapping[str, str]) -> str:
        kept = {**dict.fromkeys(("title", "kind", "state", "pieces"), ""), **fields} | lying
        small_site.pages["/things/48213"] = PAGE.format(**{**kept, "kind": KINDS[kept["kind"]]})
        return "/things/48213"

    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade that stood behind the mill"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["Used"]]), replayed
    for lie in ({"kind": "3"}, {"state": "worn A little"}, {"pieces": "2"}, {"state": ""}):
        lying.clear()
        lying.update(lie)
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition", (lie, replayed["verdict"], replayed["writes"])
        assert all(len(one["unseen"]) == 2 for one in replayed["writes"]), (lie, replayed["writes"])


def test_a_secret_is_looked_for_nowhere(run: OneRun, small_site: SmallSite) -> None:
    """A site that shows what it must not show proves nothing by it."""
    small_site.pages["/new"] = (
        "<form method=post action=/new><label>Title <input name=title></label>"
        "<label>Key <input name=key type=password></label><button>Save</button></form>"
    )

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/things/48213"] = "<h1>{title}</h1><dl><dt>Key<dd>{key}</dl>".format(**fields)
        return "/things/48213"

    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade that stood behind the mill"),
            call("fill", selector="Key", value="{{secret.password}}"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    assert "state" not in [kind for kind, _, _ in run.effects()]
