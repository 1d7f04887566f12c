"""What a page sends by itself is required once two performances have agreed on it, and not before."""

from __future__ import annotations

import json

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run"]

HALL = "<h1>Hall</h1><button type=button onclick='{script}'>Enter</button>"
TRACKS = """fetch("/track", {method: "POST"})"""


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("agrees", [True, False])
def test_a_request_without_input_is_required_where_two_performances_sent_it(
    run: OneRun, small_site: SmallSite, agrees: bool
) -> None:
    small_site.answers["/track"] = lambda fields: "/thanks"
    tracking, quiet = HALL.format(script=TRACKS), HALL.format(script="0")
    small_site.pages["/"] = tracking
    run.record([call("navigate", url="/"), call("click", selector="Enter")])
    small_site.pages["/"] = quiet
    assert run.replay()["verdict"] == "passed", "it carried nothing"
    small_site.pages["/"] = tracking if agrees else quiet
    code, out, said = run.sim("prove", "last", "--db", "a.db", "--yes", "--json")
    assert code == 0, out + said
    required = [text for one in json.loads(out)["runs"][0]["lessons"] for text in one["required"]]
    assert ("POST /track" in required) == agrees
    small_site.pages["/"] = quiet
    replayed = run.replay()
    assert replayed["verdict"] == ("postcondition" if agrees else "passed"), replayed["drift"]
