"""A user of a seeding that is killed as its last write is kept: where that is found, it is proven by that."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
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
create = "/new"
list = "/notes"
data = "notes"
fields = {{ title = "Title", text = "Text" }}
[data.notes]
rows = [{rows}]
"""
PERSONA = """persona: writer
about: Writes notes.
locale: en_GB
tasks:
  - create: {thing: note, count: 2}
"""
WHERE = [f"{a} of {b}" for a in ("Low tide", "Old oak", "Red barn", "Tall pine") for b in ("Bray", "Cork", "Down")]
NEW = """<h1>New note</h1><div><label>Title <input id=title></label><label>Text <textarea id=text></textarea></label>
<button id=save>Save</button></div><script>
const send = (method, it) => fetch("/api/notes", {method, body: JSON.stringify(it),
  headers: {"Content-Type": "application/json"}});
const typed = () => ({title: document.getElementById("title").value, text: document.getElementById("text").value});
document.getElementById("title").onchange = () => send("PUT", {title: typed().title});
document.getElementById("save").onclick = async () => { await send("PUT", typed()); location.href = "/notes"; };
</script>"""


@dataclass
class Notes:
    """A site that keeps notes, and lists them without saying what it calls them."""

    called: bool
    """Whether it says so all the same."""
    url: str = ""
    notes: list[dict[str, str]] = field(default_factory=list)
    fatal: int = 0
    """Which note is kept, and its keeping not answered; 0: none."""
    victim: int = 0

    def listed(self) -> str:
        named = " data-note={at}" if self.called else ""
        rows = (f"<li{named.format(at=48211 + at)}><h3>{one['title']}</h3><p>{one['text']}</p></li>"
                for at, one in enumerate(self.notes))  # fmt: skip
        return f"<h1>Notes</h1><a href=/new>New note</a><ul>{''.join(rows)}</ul>"


@pytest.fixture(params=[True, False])
def notes(request: pytest.FixtureRequest) -> Iterator[Notes]:
    site = Notes(request.param)

    class Handler(PageHandler):
        head = "<button>Log out</button>"

        def do_GET(self) -> None:
            pages = {"/notes": site.listed(), "/new": NEW}
            self.answer(200, pages.get(self.path, "<h1>Home</h1><a href=/notes>Notes</a>"))

        def do_PUT(self) -> None:
            if "text" in (sent := json.loads(self.body())):
                site.notes.append(sent)
                if len(site.notes) == site.fatal:
                    os.kill(site.victim, signal.SIGKILL)
            self.tell({})

    with served(Handler) as site.url:
        yield site


def test_what_was_found_to_have_taken_effect_is_proven_by_that(
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
    notes.fatal = 4
    with subprocess.Popen([*command, "--screenshots", "none"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as one:
        notes.victim = one.pid
        said = one.communicate(timeout=200)[0].decode()
    assert one.returncode == -signal.SIGKILL, said
    capsys.readouterr()
    code = main(["runs", "resume", "last", "--db", "b.db", "--concurrency", "1", "--json"])
    out = capsys.readouterr()
    assert code == 0, out
    (resumed,) = (one["writes"] for one in json.loads(out.out)["runs"] if one["number"] == 2)
    assert [(one["inputs"], one["unseen"]) for one in resumed] == [(2, []), (2, [])]
    assert len({one["title"] for one in notes.notes}) == len(notes.notes) == 4
