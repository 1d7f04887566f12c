"""A visit has a status of its own, whatever page was there before it."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run", "served_site", "small_site"]


def test_a_page_that_was_gone_when_it_was_recorded_has_to_be_gone(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/notes"] = "<h1>Notes</h1>"
    run.record([call("navigate", url="/notes"), call("navigate", url="/notes/kettle"), call("navigate", url="/notes")])
    assert run.replay()["verdict"] == "passed"
    small_site.pages["/notes/kettle"] = "<h1>Iron kettle</h1>"
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
