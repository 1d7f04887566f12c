"""Two texts of a write stand in each other's column of a row that nothing ties: the site has kept one as the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

PAGE = """<h1>Connections</h1><table><thead><tr><th>Name<th>Purpose<th>Host</tr></thead><tbody></tbody></table>
<form><label>Name <input name=name></label> <label>Purpose <input name=purpose></label>
<label>Host <input name=host></label> <button>Save</button></form>
<script>
const form = document.querySelector('form')
async function draw() {
  const all = await (await fetch('/api/connections')).json()
  document.querySelector('tbody').innerHTML = all.map(one =>
    `<tr><td>${one.name}</td><td>${one.purpose}</td><td>${one.host}</td></tr>`).join('')
}
form.onsubmit = async event => {
  event.preventDefault()
  await fetch('/api/connections', {method: 'POST', body: JSON.stringify(Object.fromEntries(new FormData(form)))})
  form.reset()
  draw()
}
draw()
</script>"""


class Site(PageHandler):
    kept: ClassVar[list[dict[str, str]]] = []
    exchanges = False

    @classmethod
    def put_back(cls) -> None:
        cls.kept = [{"name": "old mill", "purpose": "The mill at the weir", "host": "mill.example.org"}]

    def do_GET(self) -> None:
        if self.path.startswith("/api"):
            return self.tell(Site.kept)
        self.answer(200, PAGE if self.path == "/" else "<h1>Elsewhere</h1>")

    def do_POST(self) -> None:
        sent = json.loads(self.body())
        if Site.exchanges and sent["name"].startswith("quay"):
            sent["purpose"], sent["host"] = sent["host"], sent["purpose"]
        Site.kept.append(sent)
        self.tell({"done": True})


@pytest.mark.parametrize("host", ["quay.example.org", "Stones of the quay"])
def test_what_stands_in_the_column_of_another_field_was_kept_as_that(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Site.put_back()
    with run_on(Site, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Name", value="quay-{{identity.username}}"),
                call("fill", selector="Purpose", value="The quay of {{identity.first_name}}"),
                call("fill", selector="Host", value=host),
                call("click", selector="Save"),
                call("wait", seconds=0.3),
                call("fill", selector="Name", value="gate-{{identity.username}}"),
                call("fill", selector="Purpose", value="The gate of {{identity.first_name}}"),
                call("fill", selector="Host", value="gate.example.net"),
                call("click", selector="Save"),
                call("wait", seconds=0.3),
                call("navigate", url="/elsewhere"),
                call("navigate", url="/"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        Site.put_back()
        honest = run.replay()
        Site.put_back()
        monkeypatch.setattr(Site, "exchanges", True)
        lied = run.replay()

    assert (honest["verdict"], honest["writes"][0]["unseen"]) == ("passed", []), honest
    assert (lied["verdict"], bool(lied["writes"][0]["unseen"])) == ("postcondition", True), lied
