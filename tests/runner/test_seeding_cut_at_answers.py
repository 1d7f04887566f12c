"""A seeding that is killed between the answer to a write and the page that it leads to, and gone on with."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("a run that was cut off goes on", quick=1)]
SIM = Path(sys.executable).with_name("sim")
KEY = "the key of the notes"
SECTION = """packs = []
[site.small]
base_url = "{url}"
disposable = true
logged_in = {{ role = "button", name = "Log out" }}
[site.small.things.note]
create = "/notes/new"
data = "notes"
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
FORM = "<h1>New note</h1><form method=post action=/notes/new{place}><label>Title <input name=title required></label><button>Save</button></form>"  # noqa: E501


@dataclass
class Notes:
    """A site that keeps notes, and kills whoever shall be killed as it asks for a page of one."""

    place: str
    """What stands behind the address of the form: the browser keeps it behind the address that the answer leads to."""
    url: str = ""
    titles: list[str] = field(default_factory=list)
    fatal: int = 0
    """The page of which note is not answered any more; 0: of none."""
    victim: int = 0
    db: Path = Path()

    def opened(self, number: int) -> None:
        """Kill, once what the site had answered is in the recording."""
        if number != self.fatal:
            return
        self.fatal = 0
        heard = "SELECT 1 FROM write WHERE leads_to = ?"
        while True:
            with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True)) as recording:
                if recording.execute(heard, (f"/notes/{number}",)).fetchone():
                    break
            threading.Event().wait(0.01)
        os.kill(self.victim, signal.SIGKILL)


@pytest.fixture(params=["", "#note"], ids=["page", "place"])
def notes(request: pytest.FixtureRequest) -> Iterator[Notes]:
    site = Notes(request.param)

    class Handler(PageHandler):
        head = "<button>Log out</button>"

        def do_GET(self) -> None:
            if self.path == "/notes/new":
                self.answer(200, FORM.format(place=site.place))
            elif found := re.fullmatch(r"/notes/(\d+)", self.path):
                number = int(found[1])
                site.opened(number)
                self.answer(
                    200, f"<h1 id=note>Note {number}</h1><dl><dt>Title<dd>{escape(site.titles[number - 41])}</dl>"
                )
            else:
                self.answer(200 if self.path == "/" else 404, "<h1>Notes</h1><a href=/notes/new>New note</a>")

        def do_POST(self) -> None:
            site.titles.append(parse_qs(self.body().decode())["title"][0])
            self.answer(303, location=f"/notes/{len(site.titles) + 40}")

    with served(Handler) as site.url:
        yield site


def test_what_the_site_had_answered_is_known_whatever_place_it_leads_to(
    notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", KEY)
    rows = ", ".join(f'{{ title = "{one}" }}' for one in WHERE)
    (tmp_path / "sim.toml").write_text(SECTION.format(url=notes.url, rows=rows), "utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "writer.yaml").write_text(PERSONA, "utf-8")
    assert main(["personas", "run", "writer", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    notes.titles.clear()
    command = [SIM, "seed", "a.db", "--count", "3", "--seed", "5", "--concurrency", "1", "--yes", "--db", "b.db"]
    notes.fatal, notes.db = 44, tmp_path / "b.db"
    with subprocess.Popen([*command, "--screenshots", "none"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as one:
        notes.victim = one.pid
        said = one.communicate(timeout=200)[0].decode()
    assert one.returncode == -signal.SIGKILL, said
    assert len(notes.titles) == 4
    code = main(["runs", "resume", "last", "--db", "b.db", "--concurrency", "1"])
    out = capsys.readouterr()
    assert code == 0, out
    assert len(notes.titles) == len({*notes.titles}) == 6, notes.titles
