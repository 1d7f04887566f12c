"""What asks back draws the rows behind it anew, or hides them: what is said there is for the row that was pressed."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is pressed alone")

PAGE = """<h1>Variables</h1>
<table><thead><tr><th>Key</th><th>Value</th><th></th></tr></thead><tbody></tbody></table><div id=asked></div>
<script>
const asked = document.querySelector('#asked')
let rows = []
function ask(key) {
  asked.innerHTML = `<div role=dialog aria-modal=true><h2>Remove</h2><p>You are about to remove <b>${key}</b>.</p>
    <button type=button>Yes, remove</button></div>`
  asked.querySelector('button').onclick = async () => {
    asked.innerHTML = ''
    document.querySelector('table').removeAttribute('aria-hidden')
    await fetch('/api/variables/' + key, {method: 'DELETE'})
    load()
  }
}
function draw() {
  document.querySelector('tbody').innerHTML = rows.map(({key, value}) =>
    `<tr><td>${key}</td><td>${value}</td><td><button type=button>Remove</button></td></tr>`).join('')
  document.querySelectorAll('tbody button').forEach((button, at) => {
    button.onclick = () => { ask(rows[at].key); BEHIND }
  })
}
async function load() {
  rows = await (await fetch('/api/variables')).json()
  draw()
}
load()
</script>"""


class Site(PageHandler):
    rows: ClassVar[dict[str, str]] = {}
    loses = False
    behind = ""

    @classmethod
    def put_back(cls) -> None:
        cls.rows = {"tide_table": "spring", "oil_shed": "under the mat", "rope_walk": "tarred hemp"}

    def do_GET(self) -> None:
        if self.path.startswith("/api"):
            return self.tell([{"key": key, "value": value} for key, value in Site.rows.items()])
        self.answer(200, PAGE.replace("BEHIND", Site.behind) if self.path == "/" else "<h1>Elsewhere</h1>")

    def do_DELETE(self) -> None:
        if not Site.loses:
            del Site.rows[self.path.rpartition("/")[2]]
        self.answer(204)


@pytest.mark.parametrize("behind", ["draw()", "document.querySelector('table').setAttribute('aria-hidden', 'true')"])
def test_the_row_that_was_pressed_is_gone(
    behind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Site.put_back()
    monkeypatch.setattr(Site, "behind", behind)
    with run_on(Site, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("click", selector="tbody tr:nth-of-type(2) button"),
                call("click", selector="Yes, remove"),
                call("wait", seconds=0.3),
                call("navigate", url="/elsewhere"),
                call("navigate", url="/"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        effects = run.effects()
        Site.put_back()
        honest = run.replay()
        Site.put_back()
        monkeypatch.setattr(Site, "loses", True)
        lied = run.replay()

    assert ("disappearance", "kept", True) in effects
    assert (honest["verdict"], honest["writes"][0]["unseen"]) == ("passed", []), honest
    assert (lied["verdict"], "still listed" in str(lied["drift"])) == ("postcondition", True), lied
