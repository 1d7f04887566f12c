"""A site says its own address in a query, as a page of log-in does: whichever address it has, it is the same place."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is checked")

FORM = """<h1>Who are you?</h1><form method=post action="{action}"><label>Name <input name=who></label>
<button>Go on</button></form>"""


@pytest.mark.parametrize("is_quoted", [False, True])
def test_the_same_site_at_another_address_leads_back_to_itself(
    is_quoted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            own = f"http://{self.headers['Host']}/desk?sort=name"
            if self.path == "/":
                return self.answer(302, "", f"/enter?next={quote(own, safe='') if is_quoted else own}")
            self.answer(200, FORM.format(action="/enter") if self.path.startswith("/enter") else "<h1>Desk</h1>")

        def do_POST(self) -> None:
            self.body()
            self.answer(303, "", f"/desk?from=http://{self.headers['Host']}")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run, served(Handler) as elsewhere:
        told = run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Name", value="Anna of the quay"),
                call("click", selector="Go on"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        here = run.replay()
        there = run.replay("--base-url", elsewhere)

    assert (here["verdict"], there["verdict"]) == ("passed", "passed"), (here, there)


def test_another_place_of_the_own_address_is_another_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Handler(PageHandler):
        desk = "desk"

        def do_GET(self) -> None:
            if self.path == "/":
                return self.answer(302, "", f"/enter?next=http://{self.headers['Host']}/{Handler.desk}")
            self.answer(200, FORM.format(action="/enter"))

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        run.record([call("navigate", url="/")])
        Handler.desk = "cellar"
        replayed = run.replay()

    assert replayed["verdict"] == "postcondition", replayed
