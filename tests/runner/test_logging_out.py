"""Who logs out on the page of a thing sees less of it from then on: that is no deletion of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what is pressed alone")

__all__ = ["run", "served_site", "small_site"]

NEW = "<h1>New</h1><form method=post action=/new><label>Title <input name=title></label><button>Add</button></form>"
OWN = """<a href=/things/48213/edit>Edit</a><form method=post action=/things/48213/delete><button>Delete</button></form>
<form method=post action=/logout><button>Log out</button></form>"""


def test_a_thing_is_still_the_users_own_after_logging_out(run: OneRun, small_site: SmallSite) -> None:
    page, shown = "/things/48213", "<h1>The lamp is out</h1>"

    def make(fields: Mapping[str, str]) -> str:
        small_site.pages[page] = shown + OWN
        return page

    def leave(fields: Mapping[str, str]) -> str:
        small_site.pages |= {page: shown, f"{page}/delete": "<h1>Log in</h1>"}
        return "/"

    small_site.pages |= {"/new": NEW, "/": "<h1>Welcome</h1>"}
    small_site.answers |= {"/new": make, "/logout": leave}
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The lamp is out"),
            call("click", selector="Add"),
            call("click", selector="Log out"),
        ]
    )
    assert all(one.success for one in told), told
    assert "disappearance" not in [kind for kind, _, _ in run.effects()]
    code, out, err = run.sim("runs", "verify-site", "last", "--db", "a.db", "--json")
    assert (code, [one["became"] for one in json.loads(out)["places"]]) == (0, ["shown"]), out + err
