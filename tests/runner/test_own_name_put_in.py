"""Who puts in its own name: where another one stood beside its name when it was recorded, it stands there twice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

FORM = """<h1>New ticket</h1><form method=post action=/tickets>
<label>Owner <input name=owner></label><button>Open</button></form>"""
USERS = ("annette", "bernhardine")
"""In the order in which they act: the site knows who is logged in."""
SITE = """
accounts = [
  { username = "annette", password = { env = "OWN_PW" } },
  { username = "bernhardine", password = { env = "OWN_PW" } },
]
[data.owners]
count = 1
rows = [{ name = "carlotta" }, { name = "bernhardine" }]
"""


def users(run: OneRun) -> list[Mapping[str, str]]:
    """Give who was recorded, and who performed it."""
    found = []
    for name in ("a.db", "b.db"):
        with Recording.open(run.folder / name) as recording:
            found += [one.identity or {} for one in recording.runs()]
    return found


@pytest.mark.parametrize("lies", [False, True])
def test_a_name_of_ones_own_needs_no_name_beside_it(
    run: OneRun, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, lies: bool
) -> None:
    kept: list[Mapping[str, str]] = []

    def keep(fields: Mapping[str, str]) -> str:
        address = f"/tickets/{4821 + len(kept)}"
        owner = "gustav" if lies and kept else fields["owner"]
        small_site.pages[address] = (
            f"<h1>Ticket</h1><ul><li><b>Opened for {owner}</b> by {USERS[len(kept)]}</li><li><b>Waiting</b></li></ul>"
        )
        kept.append(fields)
        return address

    monkeypatch.setenv("OWN_PW", "a password of the tests")
    small_site.pages["/tickets/new"] = FORM
    small_site.answers["/tickets"] = keep
    run.site = SITE
    told = run.record(
        [
            call("navigate", url="/tickets/new"),
            call("fill", selector="Owner", value="{{owner.1.name}}"),
            call("click", selector="Open"),
            call("navigate", url="/"),
            call("navigate", url="/tickets/4821"),
        ],
        toolsets=["browser"],
    )
    assert all(one.success for one in told), told
    fresh = run.replay("--identity", "fresh", "--seed", "5")
    assert [one["owner"] for one in kept] == ["carlotta", "bernhardine"]
    assert [one["username"] for one in users(run)] == [*USERS]
    [write] = fresh["writes"]
    proven = fresh["verdict"] == "passed" and not write["unseen"]
    assert proven is not lies, fresh
    assert lies or fresh["verdict"] == "passed", fresh["drift"]
