"""A search that the site answers by leading to another address is no write: nothing of it is required of a replay."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

FORM = """<h1>Boats</h1><form action=/search role=search><label>Search <input name=query></label>
<button>Search</button></form>"""
SLOW = '<script src="/slow.js"></script>'


def test_a_search_that_redirects_is_no_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/search?"):
                return self.answer(302, "", self.path.replace("/search?", "/found/stored?"))
            if self.path == "/slow.js":  # the page takes a while, so that its answer has come before the action ends
                time.sleep(0.4)
                return self.answer(200)
            self.answer(200, FORM + (SLOW if self.path.startswith("/found") else ""))

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Search", value="Oak and elm boards"),
                call("click", selector='role=button[name="Search"]'),
                call("navigate", url="/"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        replayed = run.replay()

    assert (replayed["verdict"], replayed["writes"]) == ("passed", []), replayed
