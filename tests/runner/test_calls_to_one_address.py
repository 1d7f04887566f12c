"""An application that calls its site by JSON-RPC: all goes to one address, and the page numbers the calls itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

PAGE = """<h1>Parties</h1><form id=form><label>Name <input name=name></label><label>Town <input name=town></label>
<label>Kind <select name=kind><option>club<option>school</select></label>
<button>Save</button></form><p role=status id=says></p><table id=all></table><script>
let number = 0;
const ask = async (method, params) => {
  const answer = await (await fetch("/rpc", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({jsonrpc: "2.0", id: ++number, method, params})})).json();
  says.textContent = answer.error ? answer.error[1] : "";
  return answer.result;
};
const draw = async () => {
  const found = await ask("party.read", [["name", "town"]]);
  if (AGAIN) await ask("party.read", [["id"]]);
  all.replaceChildren(...found.map((one) => {
    const row = document.createElement("tr");
    row.dataset.id = one.id;
    row.innerHTML = "<td></td><td><button>Delete</button></td>";
    row.children[0].textContent = one.name;
    row.querySelector("button").onclick = async () => { await ask("party.delete", [[one.id]]); draw(); };
    return row; })); };
form.onsubmit = async (event) => {
  event.preventDefault();
  const made = await ask("party.create", [{name: form.name.value, town: form.town.value, kind: form.kind.value}]);
  if (made) { form.reset(); draw(); } };
form.town.onchange = () => AGAIN && ask("party.on_change", [{town: form.town.value}]);
draw();
</script>"""


@dataclass
class Site:
    """Parties, and what is done to what is put in."""

    url: str = ""
    parties: dict[int, dict[str, Any]] = field(default_factory=dict)
    lie: str = ""
    asks_again: bool = True
    """Whether a view asks once more than it has to."""

    def fill(self, lie: str = "", *, asks_again: bool = True) -> None:
        self.parties = {
            number: {"id": number, "name": name, "town": "Ely", "kind": "club"}
            for number, name in ((3, "Old Moor Society"), (4, "Castle Hills Club"))
        }
        self.lie, self.asks_again = lie, asks_again

    def called(self, method: str, params: Any) -> dict[str, Any]:
        """Answer a call."""
        if method == "party.create":
            if not params[0]["town"]:
                return {"error": ["UserError", "A town is needed."]}
            made = {"id": 5, **params[0]} | ({"town": "Ripon"} if self.lie == "town" else {})
            self.parties[5] = made
            return {"result": {"id": 5}}
        if method == "party.delete" and self.lie != "kept":
            for one in params[0]:
                self.parties.pop(one, None)
        return {"result": [*self.parties.values()] if method == "party.read" else True}


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    made.fill()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, PAGE.replace("AGAIN", json.dumps(made.asks_again)))

        def do_POST(self) -> None:
            said = json.loads(self.body())
            self.tell({"jsonrpc": "2.0", "id": said["id"], **made.called(said["method"], said["params"])})

    with served(Handler) as url:
        made.url = url
        yield made


@pytest.fixture
def run(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def test_what_is_deleted_by_a_call_is_proven_and_red_where_it_is_still_there(run: OneRun, site: Site) -> None:
    run.record(
        [
            call("navigate", url="/"),
            call("click", selector='tr[data-id="4"] button'),
            call("navigate", url="/"),
        ]
    )
    assert list(site.parties) == [3], run.told
    site.fill(asks_again=False)
    honest = run.replay()
    assert honest["verdict"] == "passed", honest
    assert [(one["url"], one["unseen"]) for one in honest["writes"]] == [("/rpc", [])]
    site.fill("kept")
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "Castle Hills Club" in str(replayed["drift"]), replayed


def test_what_a_call_gives_later_tells_of_what_another_call_has_written(run: OneRun, site: Site) -> None:
    run.record(
        [
            call("navigate", url="/"),
            call("fill", selector="Name", value="Walkers of the Wye"),
            call("click", selector="Save"),
            call("fill", selector="Town", value="Whitby"),
            call("select", selector="Kind", value="school"),
            call("click", selector="Save"),
            call("navigate", url="/"),
        ]
    )
    site.fill(asks_again=False)
    honest = run.replay()
    assert honest["verdict"] == "passed", honest
    # A call that was answered with an error has written nothing.
    (write,) = honest["writes"]
    assert write["inputs"] == 3, write
    site.fill("town")
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "Ripon" in str(replayed["drift"]), replayed
