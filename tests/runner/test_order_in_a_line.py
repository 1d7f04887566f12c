"""A line says two texts of a write one behind the other, and calls neither: where they are exchanged, none was kept."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what tells a value of another field")

FORM = """<h1>New pin</h1><form method=post action=/pin><label>Title <input name=title></label>
<label>Maker <input name=maker></label><button>Pin</button></form>"""
PIN = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Walks along the river"),
    call("fill", selector="Maker", value="Bartlett and sons"),
    call("click", selector="role=button[name=Pin]"),
    call("navigate", url="/pins"),
]


def serve(site: SmallSite, *, own_page: bool, lies: bool = False) -> None:
    """Keep one pin, and show it on a page of its own or in a list."""

    def keep(sent: Mapping[str, str]) -> str:
        said = [sent["title"], sent["maker"]]
        one, other = reversed(said) if lies else said
        at = "/pins/48213" if own_page else "/pins"
        site.pages[at] = f"<h1>Pins</h1><ul><li><b>{one}</b> <i>{other}</i><li><b>A lamp</b> <i>Nobody</i></ul>"
        site.pages["/pins"] = site.pages[at]
        return at

    site.pages |= {"/new": FORM, "/pins": "<h1>Pins</h1>"}
    site.answers["/pin"] = keep


@pytest.mark.parametrize("own_page", [True, False])
def test_texts_that_are_exchanged_in_a_line_are_not_called_proven(
    run: OneRun, small_site: SmallSite, own_page: bool
) -> None:
    turns = PIN if not own_page else [*PIN[:4], call("navigate", url="/pins/48213")]
    serve(small_site, own_page=own_page)
    run.record(turns)
    serve(small_site, own_page=own_page)
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("passed", []), replayed
    serve(small_site, own_page=own_page, lies=True)
    replayed = run.replay()
    assert set(replayed["writes"][0]["unseen"]) == {"Title", "Maker"}, replayed
    assert (replayed["verdict"] == "passed") is not own_page, replayed
