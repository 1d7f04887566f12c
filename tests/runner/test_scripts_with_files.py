"""What a script sends with a file, and the only member of a list: the site may lose it, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

KEY = "wx3aecg3hiysade"
PAGE = """<div id=app></div><script>
const $ = (one) => app.querySelector(one), $$ = (all) => [...app.querySelectorAll(all)];
let things, one, file;
const list = async () => {
  things = (await (await fetch("/api/repairs")).json()).items;
  app.innerHTML = `<h1>Repairs</h1><table>` + things.map((one) =>
    `<tr><td class=name>${one.title}</td><td>${one.trades.join(" ")}</td></tr>`).join("")
    + `</table><button class=new>New repair</button>`;
  $$(".name").forEach((cell, at) => { cell.onclick = () => edit(things[at]); });
  $(".new").onclick = () => edit({ title: "", trades: [] });
};
const edit = (record) => {
  one = structuredClone(record); file = undefined;
  app.innerHTML = `<h1>Repair</h1><div class=panel><label>Title <input name=title></label>
    <label>Cost <input name=cost></label><label>Photo <input type=file name=photo></label>
    <span class=chosen></span><button class=pick>Trade</button>
    <div class=menu hidden><button>joiner</button><button>painter</button><button>plumber</button></div>
    <button class=save>Save</button></div>`;
  $("[name=title]").value = one.title; $("[name=cost]").value = one.cost || "";
  $(".chosen").textContent = one.trades.join(" ");
  $("[type=file]").onchange = ({ target }) => { file = target.files[0]; };
  $(".pick").onclick = () => { $(".menu").hidden = false; };
  $$(".menu button").forEach((each) => { each.onclick = () => {
    one.trades = [each.textContent]; $(".chosen").textContent = one.trades[0]; $(".menu").hidden = true; } });
  $(".save").onclick = async () => {
    one.title = $("[name=title]").value; one.cost = $("[name=cost]").value;
    const path = "/api/repairs" + (one.id ? "/" + one.id : ""), method = one.id ? "PATCH" : "POST";
    let body = JSON.stringify(one), headers = { "content-type": "application/json" };
    if (file) { body = new FormData(); SENDS; body.append("photo", file); headers = {}; }
    await fetch(path, { method, body, headers });
    list();
  };
};
list();
</script>"""
WAYS = {
    "in a part of its own": "for (const [key, value] of Object.entries(one)) body.append(key, value)",
    "in JSON in a part": "body.append('@json', JSON.stringify(one))",
}


@dataclass
class Repairs:
    """What the site keeps, and in which kind of request it loses the trades."""

    sends: str
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    loses: str = ""

    def again(self, loses: str = "") -> None:
        self.kept, self.loses = {}, loses

    def write(self, method: str, sent: dict[str, Any]) -> None:
        trades = sent.get("trades", [])
        sent["trades"] = trades if isinstance(trades, list) else [trades]
        if self.loses == method:
            sent["trades"] = []
        self.kept[KEY] = {**self.kept.get(KEY, {}), **sent, "id": KEY}


@pytest.fixture(params=WAYS)
def repairs(request: pytest.FixtureRequest) -> Repairs:
    return Repairs(WAYS[request.param])


@pytest.fixture
def run(
    repairs: Repairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/repairs":
                return self.tell({"items": list(repairs.kept.values())})
            self.answer(200, PAGE.replace("SENDS", repairs.sends) if self.path == "/repairs" else "<h1>Home</h1>")

        def write(self) -> None:
            kind, body = str(self.headers["Content-Type"]), self.body()
            sent = json.loads(body) if kind.endswith("json") else texts_of(kind, body)
            repairs.write(self.command, sent)
            self.tell(repairs.kept[KEY])

        do_POST = do_PATCH = write

    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "roof.txt").write_text("The roof leaks at the third beam.\n", "utf-8")
    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        run.site = '[data.photos]\nrows = [{ file = "files/roof.txt" }]\nfields = { file = "file" }\ncount = 1\n'
        run.tasks = "  - do: Try the page, and {{photo.1.file}}."
        yield run


def texts_of(kind: str, body: bytes) -> dict[str, Any]:
    """Give what a form with a file says, without the file."""
    found: dict[str, Any] = {}
    for part in message_from_bytes(f"Content-Type: {kind}\n\n".encode() + body).get_payload():
        name = str(part.get_param("name", header="Content-Disposition"))  # type: ignore[union-attr]
        text = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
        if name == "@json":
            found |= json.loads(text)
        elif name != "photo":
            found[name] = text
    return found


def steps() -> list[Reply]:
    return [
        call("navigate", url="/repairs"),
        call("click", selector="New repair"),
        call("fill", selector="Title", value="Leaking roof"),
        call("fill", selector="Cost", value="48.50"),
        call("click", selector=".pick"),
        call("click", selector="role=button[name='plumber']"),
        call("upload_file", selector="Photo", name="{{photo.1.file}}"),
        call("click", selector="Save"),
        call("navigate", url="/"),
        call("navigate", url="/repairs"),
        call("click", selector="css=td.name"),
        call("fill", selector="Cost", value="52.25"),
        call("click", selector="Save"),
        call("navigate", url="/"),
        call("navigate", url="/repairs"),
    ]


@pytest.mark.parametrize("loses", ["POST", "PATCH"])
def test_what_is_chosen_beside_a_file_is_shown_again(repairs: Repairs, run: OneRun, loses: str) -> None:
    told = run.record(steps())
    assert all(one.success for one in told), told
    kept = dict(repairs.kept)
    assert kept[KEY]["trades"] == ["plumber"]
    repairs.again()
    replayed = run.replay()
    assert (replayed["verdict"], repairs.kept) == ("passed", kept)
    made, changed = replayed["writes"]
    assert (made["inputs"], made["unseen"], changed["unseen"]) == (4, ["Photo"], []), replayed
    repairs.again(loses)
    replayed = run.replay()
    assert replayed["verdict"] != "passed", replayed["writes"]
