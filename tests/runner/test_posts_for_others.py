"""A script posts to the address of one thing, and the site changes another one, which it names in its answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

PAGE = """<main></main><script>
const main = document.querySelector("main"), json = { "content-type": "application/json" };
let boats = [];
function draw() {
  main.innerHTML = "<h1>Boats</h1><ul></ul>";
  for (const boat of boats) {
    const row = document.createElement("li"), edit = document.createElement("button");
    edit.textContent = "Edit";
    edit.onclick = () => change(boat);
    row.append(boat.name, " of ", boat.port, " ", edit);
    main.querySelector("ul").append(row);
  }
}
function change(boat) {
  main.innerHTML = "<h1>Edit</h1><form><label>Name <input name=name></label><button>Save</button></form>";
  const form = document.forms[0];
  form.name = "";
  form.elements.name.value = boat.name;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const body = JSON.stringify({ name: form.elements.name.value });
    const told = await (await fetch(`/api/boats/${boat.id}`, { method: "POST", headers: json, body })).json();
    boats = boats.map((one) => (one.id === told.id ? told : one));
    draw();
  };
}
fetch("/api/boats").then((answer) => answer.json()).then((all) => { boats = all; draw(); });
</script>"""


def test_what_is_posted_for_one_thing_is_not_proven_by_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ports = {"4107": "Cork", "4108": "Whitby", "4109": "Brest"}
    start = {one: {"id": one, "name": f"Old boat {one[-1]}", "port": port} for one, port in ports.items()}
    kept: dict[str, dict[str, str]] = {}
    lie: list[str] = []

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/boats":
                return self.tell(list(kept.values()))
            return self.answer(200, PAGE)

        def do_POST(self) -> None:
            at = lie[0] if lie else self.path.rpartition("/")[2]
            kept[at] |= json.loads(self.body())
            self.tell(kept[at])

    def again() -> None:
        kept.clear()
        kept.update({one: dict(boat) for one, boat in start.items()})

    again()
    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("click", selector="li:nth-of-type(1) button"),
                call("fill", selector="Name", value="The patient heron"),
                call("click", selector="Save"),
                call("navigate", url="/"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        again()
        honest = run.replay()
        again()
        lie.append("4108")
        lied = run.replay()

    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    assert kept["4107"]["name"] == "Old boat 7"
    assert lied["verdict"] == "postcondition" or [one["unseen"] for one in lied["writes"]] == [["Name"]], lied
