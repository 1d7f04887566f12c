"""A card is its user's by any name of theirs: a site shows the whole one where they are displayed by a short one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action=/address><label>First name <input name=first></label>
<label>Last name <input name=last></label><label>Street <input name=street></label><button>Continue</button></form>"""
PREVIEW = """<h1>Preview</h1><div class=col> <h2>Sent to</h2> <address>{first} {last} <br> {street}</address> </div>
<div class=col><h2>Paid by</h2><p>Nothing to pay</p></div>"""


@pytest.mark.parametrize("seed", ["128", "124"], ids=["Danny Murphy", "Kieran D., who is Kieran Dean"])
def test_a_short_name_in_the_card_of_its_user_is_there(run: OneRun, small_site: SmallSite, seed: str) -> None:
    lying = dict[str, str]()

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/preview"] = PREVIEW.format(**fields | lying)
        return "/preview"

    small_site.pages["/address"] = FORM
    small_site.answers["/address"] = keep
    # Jonathan Metcalfe, whose last name is long enough to stand in his card by no chance.
    run.recording = ("--seed", "129")
    told = run.record(
        [
            call("navigate", url="/address"),
            call("fill", selector="First name", value="{{identity.first_name}}"),
            call("fill", selector="Last name", value="{{identity.last_name}}"),
            call("fill", selector="Street", value="12 Harbour Row"),
            call("click", selector="Continue"),
        ]
    )
    assert all(one.success for one in told), told
    assert ("echo", "kept", True) in run.effects(), run.effects()
    replayed = run.replay("--identity", "fresh", "--seed", seed)
    assert replayed["verdict"] == "passed", (replayed["drift"], replayed["writes"])
    lying["last"] = "Nobody"
    replayed = run.replay("--identity", "fresh", "--seed", seed)
    assert replayed["verdict"] == "postcondition", (replayed["drift"], replayed["writes"])
