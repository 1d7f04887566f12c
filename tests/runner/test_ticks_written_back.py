"""A framework may write into the attribute of a box that it is ticked, once it is: it chooses its thing still."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is pressed alone")

PAGE = """<h1>Variables</h1>
<table><thead><tr><th></th><th>Key</th><th>Value</th></tr></thead><tbody></tbody></table>
<div id=bar hidden><button type=button>Delete what is ticked</button></div>
<script>
const ticked = new Set()
const bar = document.querySelector('#bar')
async function draw() {
  const rows = await (await fetch('/api/variables')).json()
  const body = document.querySelector('tbody')
  ticked.clear()
  bar.hidden = true
  body.innerHTML = rows.map(({key, value}) =>
    `<tr><td><input type=checkbox></td><td>${key}</td><td>${value}</td></tr>`).join('')
  ;[...body.children].forEach((row, at) => {
    row.querySelector('input').onchange = ({target}) => {
      target.checked ? ticked.add(rows[at].key) : ticked.delete(rows[at].key)
      target.defaultChecked = target.checked
      bar.hidden = !ticked.size
    }
  })
}
bar.querySelector('button').onclick = async () => {
  await fetch('/api/variables', {method: 'PATCH', body: JSON.stringify({action: 'delete', keys: [...ticked]})})
  draw()
}
draw()
</script>"""


class Site(PageHandler):
    rows: ClassVar[dict[str, str]] = {}
    loses = False

    @classmethod
    def put_back(cls) -> None:
        cls.rows = {"tide_table": "spring", "oil_shed": "under the mat", "rope_walk": "tarred hemp"}

    def do_GET(self) -> None:
        if self.path.startswith("/api"):
            return self.tell([{"key": key, "value": value} for key, value in Site.rows.items()])
        self.answer(200, PAGE)

    def do_PATCH(self) -> None:
        for key in json.loads(self.body())["keys"]:
            if not (Site.loses and key == "tide_table"):
                del Site.rows[key]
        self.tell({"done": True})


def test_all_that_is_ticked_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Site.put_back()
    with run_on(Site, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("check", selector="tbody tr:nth-of-type(1) input"),
                call("check", selector="tbody tr:nth-of-type(2) input"),
                call("click", selector="Delete what is ticked"),
                call("wait", seconds=0.3),
                call("navigate", url="/"),
                call("wait", seconds=0.3),
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
