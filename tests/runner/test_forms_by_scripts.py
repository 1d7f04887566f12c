"""A script that sends the form of a button, as it sends all of them: what the button is for is asked for still."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was pressed is seen")

PAGE = """<main><h1>Lamp</h1><p>By the door.<form method=post action=/things/4107/pin><button>Pin</button></form>
<form method=post action=/things/4107/archive><button>Archive</button></form></main>
<script>document.addEventListener("submit", async (event) => { event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target));
  const answer = await fetch(event.target.action, {method: "POST", body});
  document.body.innerHTML = await answer.text(); });
fetch("/things/4107/seen", {method: "POST"});</script>"""


def test_a_press_whose_form_names_the_thing_of_the_page_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, PAGE if self.path == "/things/4107" else "<h1>Home</h1>")

        def do_POST(self) -> None:
            self.body()
            self.answer(200, PAGE.partition("<script>")[0])

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        run = OneRun(tmp_path, url, capsys)
        run.record([call("navigate", url="/things/4107"), call("click", selector="Archive"), call("navigate", url="/")])
        replayed = run.replay()
    told = [(one["url"], one["unseen"]) for one in replayed["writes"]]
    assert (replayed["verdict"], told) == ("passed", [("/things/{{site.things_1}}/archive", ["button 'Archive'"])]), (
        replayed
    )
