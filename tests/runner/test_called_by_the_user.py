"""Things that a site calls as its user has called them: their addresses say a variable, and nothing that was drawn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("the same users again, and others")

PAGE = """<h1>Kilns</h1>
<label>Search <input type=search></label>
<ul></ul>
<form><label>Name <input name=name></label> <label>Bricks <input name=bricks></label> <button>Save</button></form>
<script>
const form = document.querySelector('form'), search = document.querySelector('input[type=search]')
const ask = (method, path, body) => fetch(path, {method, body: JSON.stringify(body)})
let edited = ''
async function draw() {
  const sought = new URLSearchParams(location.search).get('name_pattern') || ''
  const all = await (await fetch('/api/kilns')).json()
  const list = document.querySelector('ul')
  list.innerHTML = all.filter(one => one.name.includes(sought)).map(one =>
    `<li>${one.name} (${one.bricks}) <button type=button>Edit kiln</button></li>`).join('')
  for (const row of list.children) row.querySelector('button').onclick = () => {
    edited = row.firstChild.textContent.split(' ')[0]
    form.name.value = edited
  }
}
search.oninput = () => { history.replaceState(null, '', '/?name_pattern=' + search.value); draw() }
form.onsubmit = async event => {
  event.preventDefault()
  const said = {name: form.name.value, bricks: form.bricks.value}
  await (edited ? ask('PATCH', '/api/kilns/' + edited, {bricks: said.bricks}) : ask('POST', '/api/kilns', said))
  edited = ''
  form.reset()
  draw()
}
draw()
</script>"""


def test_another_user_sends_to_what_it_has_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Handler(PageHandler):
        kilns: ClassVar[dict[str, str]] = {"old": "12"}

        def do_GET(self) -> None:
            if self.path.startswith("/api"):
                return self.tell([{"name": name, "bricks": bricks} for name, bricks in Handler.kilns.items()])
            self.answer(200, PAGE)

        def do_POST(self) -> None:
            made = json.loads(self.body())
            Handler.kilns[made["name"]] = made["bricks"]
            self.tell(made)

        def do_PATCH(self) -> None:
            name = self.path.rpartition("/")[2]
            Handler.kilns[name] = json.loads(self.body())["bricks"]
            self.tell({"name": name, "bricks": Handler.kilns[name]})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Name", value="kiln-{{identity.username}}"),
                call("fill", selector="Bricks", value="Red bricks of the quay"),
                call("click", selector="Save"),
                call("fill", selector="Search", value="kiln-{{identity.username}}"),
                call("wait", seconds=0.3),
                call("click", selector="Edit kiln"),
                call("fill", selector="Bricks", value="Grey bricks of the weir"),
                call("click", selector="Save"),
                call("navigate", url="/"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        replayed = run.replay("--identity", "fresh", "--seed", "11")
        with Recording.open(run.folder / "a.db") as recording:
            (one,) = recording.runs()
            drawn = [value.name for value in recording.variables(one.id) if value.name.startswith("site.")]

    assert replayed["verdict"] == "passed", replayed
    assert sorted(Handler.kilns.values()) == ["12", "Grey bricks of the weir", "Grey bricks of the weir"], Handler.kilns
    assert drawn == []
