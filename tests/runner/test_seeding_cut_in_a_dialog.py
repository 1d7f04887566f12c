"""A seeding that is killed as a dialog opens, or as the button beside its form has saved, and gone on with."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("a run that was cut off goes on", quick=1)]
SIM = Path(sys.executable).with_name("sim")
SECTION = """packs = []
[site.small]
base_url = "{url}"
disposable = true
[site.small.things.note]
create = "New note"
list = "/notes"
data = "notes"
fields = {{ title = "Title", text = "Text" }}
edit = {{ fields = ["text"], by = "Change" }}
[data.notes]
rows = [{rows}]
"""
PERSONA = """persona: writer
about: Writes notes.
locale: en_GB
tasks:
  - create: {thing: note, count: 2}
  - edit: note
"""
WHERE = [f"{a} of {b}" for a in ("Low tide", "Old oak", "Red barn", "Tall pine") for b in ("Bray", "Cork", "Down")]
APP = """<main id=main></main><script>
const ask = async (method, at, it) => (await fetch(at, {method, body: it && JSON.stringify(it),
  headers: {"Content-Type": "application/json"}})).json();
const go = (at) => { history.pushState({}, "", at); return draw(); };
const fields = "<label>Title <input name=title></label><label>Text <textarea name=text></textarea></label>";
const text = (one) => location.pathname === "/notes" ? `<p>${one.text}</p>` : "";
async function draw() {
  const [, , number, view] = location.pathname.split("/");
  if (!number) {
    const all = await ask("GET", "/api/notes");
    main.innerHTML = `<h1>Notes</h1><button id=begin>New note</button>
      <ul>${all.map((one) => `<li><a href="/notes/${one.id}/view">${one.title}</a>${text(one)}</li>`).join("")}</ul>`;
    begin.onclick = async () => {
      const draft = await ask("POST", "/api/notes", {title: "Unnamed"});
      if (OPENED) ask("GET", `/api/tabs/${draft.id}`);
      main.insertAdjacentHTML("beforeend", `<div role=dialog aria-label="New note"><button id=save>Save</button>
        <form onsubmit="return false">${fields}</form></div>`);
      save.onclick = async () => {
        const [title, text] = ["title", "text"].map((one) => document.querySelector(`[name=${one}]`).value);
        await ask("PATCH", `/api/notes/${draft.id}`, {title, text});
        MOVED
      };
    };
    return;
  }
  const it = await ask("GET", `/api/notes/${number}`);
  if (view === "change") {
    main.innerHTML = `<h1>${it.title}</h1><form id=form><label>Text <textarea name=text>${it.text}</textarea></label>
      <button>Save</button></form>`;
    form.onsubmit = async (event) => { event.preventDefault();
      await ask("PATCH", `/api/notes/${number}`, {text: form.elements.text.value}); go(`/notes/${number}/view`); };
    return;
  }
  main.innerHTML = `<h1>${it.title}</h1><p>${it.text}</p><a href="/notes/${number}/change">Change</a>`;
  if (!location.search) history.replaceState({}, "", `?tab=${(await ask("GET", `/api/tabs/${number}`)).id}`);
}
draw();</script>"""
WAYS = {
    "the dialog is asked for": "go(`/notes/${draft.id}/view`);",
    "the dialog has opened": "go(`/notes/${draft.id}/view`);",
    "nobody hears of it": "go(`/notes/${draft.id}/view`);",
    "the page stays": "await ask('GET', `/api/tabs/${draft.id}`); go(`/notes/${draft.id}/view`);",
    "the page has gone on": "go(`/notes/${draft.id}/view`);",
}


@dataclass
class Notes:
    """A site that keeps notes, and kills whoever shall be killed as it asks for the tab of one."""

    way: str
    url: str = ""
    notes: dict[int, dict[str, str]] = field(default_factory=dict)
    fatal: int = 0
    """The tab of which note is not answered any more; 0: of none."""
    victim: int = 0
    db: Path = Path()

    def asked(self, number: int) -> None:
        """Kill, once what the site had answered is in the recording, and where the page has gone on that, too."""
        if number != self.fatal:
            return
        self.fatal = 0
        heard = "SELECT 1 FROM write WHERE method = 'PATCH' AND status = 200 AND carried LIKE '%title%' AND url LIKE ?"
        gone_on = (
            "SELECT 1 FROM action JOIN page ON page.sha256 = after_page JOIN write ON write.action_id = action.id "
            "WHERE kind = 'click' AND page.url LIKE '%/view' AND carried LIKE '%title%' AND EXISTS (SELECT 1 FROM "
            "variable WHERE variable.run_id = write.run_id AND value = ?)"
        )
        opened = "SELECT 1 FROM action WHERE kind = 'click' AND status = 'done' AND target LIKE '%New note%'"
        opened += " LIMIT 1 OFFSET 2"
        asks = {"the page stays": (heard, f"%/{number}"), "the page has gone on": (gone_on, str(number))}
        asked = asks.get(self.way, (opened,))
        while self.way not in ("the dialog is asked for", "nobody hears of it"):
            with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as recording:
                if recording.execute(asked[0], asked[1:]).fetchone():
                    break
            threading.Event().wait(0.01)
        os.kill(self.victim, signal.SIGKILL)


@pytest.fixture(params=WAYS)
def notes(request: pytest.FixtureRequest) -> Iterator[Notes]:
    site = Notes(request.param)
    opens = "true" if site.way == "the dialog has opened" else "false"

    class Handler(PageHandler):
        head = "<button>Log out</button>"

        def do_GET(self) -> None:
            last = self.path.rpartition("/")[2]
            if self.path == "/api/notes":
                self.tell([{"id": number, **one} for number, one in site.notes.items()])
            elif self.path.startswith("/api/notes/"):
                self.tell({"id": int(last), **site.notes[int(last)]})
            elif self.path.startswith("/api/tabs/"):
                site.asked(int(last))
                self.tell({"id": "grid"})
            else:
                self.answer(200, APP.replace("MOVED", WAYS[site.way]).replace("OPENED", opens))

        def do_POST(self) -> None:
            site.notes[number := len(site.notes) + 41] = {"text": "", **json.loads(self.body())}
            if site.way == "the dialog is asked for":
                site.asked(number)
            self.tell({"id": number})

        def do_PATCH(self) -> None:
            number = int(self.path.rpartition("/")[2])
            site.notes[number] |= (sent := json.loads(self.body()))
            if site.way == "nobody hears of it" and "title" in sent:
                site.asked(number)
            self.tell({"id": number, **site.notes[number]})

    with served(Handler) as site.url:
        yield site


def test_a_user_who_was_killed_in_a_dialog_goes_on(
    notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the notes")
    rows = ", ".join(f'{{ title = "{one}", text = "We heard of {one} in May." }}' for one in WHERE)
    (tmp_path / "sim.toml").write_text(SECTION.format(url=notes.url, rows=rows), "utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "writer.yaml").write_text(PERSONA, "utf-8")
    assert main(["personas", "run", "writer", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    notes.notes.clear()
    command = [SIM, "seed", "a.db", "--count", "2", "--seed", "5", "--concurrency", "1", "--yes", "--db", "b.db"]
    notes.fatal, notes.db = 43, tmp_path / "b.db"
    with subprocess.Popen([*command, "--screenshots", "none"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as one:
        notes.victim = one.pid
        said = one.communicate(timeout=200)[0].decode()
    assert one.returncode == -signal.SIGKILL, said
    assert len(notes.notes) == 3
    capsys.readouterr()
    code = main(["runs", "resume", "last", "--db", "b.db", "--concurrency", "1", "--json"])
    out = capsys.readouterr()
    assert code == 0, out
    (resumed,) = (one["writes"] for one in json.loads(out.out)["runs"] if one["number"] == 2)
    inputs = [(one["inputs"], one["unseen"]) for one in resumed if one["inputs"]]
    assert inputs == [(2, []), (2, []), (1, [])], "what took effect is proven by where that was seen"
    presses = [one["unseen"] for one in resumed if not one["inputs"]]
    # Where nothing was in question, nobody looked for what had made it empty.
    assert presses == [[]] * (1 if notes.way == "the page has gone on" else 2), "what had made it empty is proven, too"
    titles = [one["title"] for one in notes.notes.values() if one["title"] != "Unnamed"]
    assert len(titles) == len({*titles}) == 4, titles
    # What was drafted for a dialog that is gone stays empty.
    assert len(notes.notes) - len(titles) == ("dialog" in notes.way)
