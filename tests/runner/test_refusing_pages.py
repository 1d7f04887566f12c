"""A site that refuses with a page of its own: what that says stands in the reason, however the page marks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what a site refuses")

SLOW = "You have opened three accounts today. Come back tomorrow."
JOIN = """<nav><a href=/>Home</a></nav><h1>Join</h1>{}<form method=post action=/join>
<label>Name <input name=name></label><button>Join</button></form>"""
ASKED = [call("navigate", url="/join"), call("fill", selector="Name", value="Anna"), call("click", selector="Join")]


@pytest.fixture
def run(
    tmp_path: Path, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    small_site.pages |= {"/join": JOIN.format(""), "/thanks": "<h1>Thanks</h1>"}
    small_site.answers["/join"] = lambda fields: "/thanks"
    return OneRun(tmp_path, small_site.url, capsys)


@pytest.mark.parametrize(
    ("status", "page"),
    [
        (200, JOIN.format(f"<div role=alert>{SLOW}</div>")),
        (200, JOIN.format(f"<p>{SLOW}</p>")),
        (200, f"<nav><a href=/>Home</a></nav><h1>One moment</h1><div class=box><b>{SLOW}</b></div>"),
        (403, f"<main><p>{SLOW}</p><p>Yours, the desk</p></main>"),
    ],
    ids=["alert", "above the form", "a page of its own", "a status"],
)
def test_the_reason_quotes_the_site(run: OneRun, small_site: SmallSite, status: int, page: str) -> None:
    run.record(ASKED)
    small_site.answers["/join"] = lambda fields: (status, page)
    again = run.replay()
    assert again["verdict"] == "postcondition"
    assert SLOW in again["drift"]["found"]
    assert "Home" not in again["drift"]["found"]


def test_a_page_at_another_address_is_told_by_its_words(run: OneRun, small_site: SmallSite) -> None:
    run.record(ASKED)
    small_site.answers["/join"] = lambda fields: "/wait"
    again = "<form><button>Again</button></form>"
    small_site.pages["/wait"] = f"<header>The desk</header><h1>One moment</h1><p>{SLOW}</p>{again}"
    assert run.replay()["drift"]["found"] == f"/wait, which shows 'One moment {SLOW}'"
