"""A file that is no picture is known again by what is in it, at the end of a link that is called as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

NEW = """<h1>New ticket</h1><form method=post action="/tickets" enctype="multipart/form-data" aria-label=Ticket>
<label>Title <input name=title></label><label>Report <input type=file name=report></label><button>Send</button></form>
"""
FOLDER = """<h1>Files</h1><a href="/delete/session">Logout</a>
<form method=post action="/files" enctype="multipart/form-data" aria-label=New>
<label>Report <input type=file name=report></label><button>Send</button></form><ul>{rows}</ul>"""
TICKET = [
    call("navigate", url="/tickets/new"),
    call("fill", selector="Title", value="Pump 3 is loud"),
    call("upload_file", selector="Report", name="{{report.1.file}}"),
    call("click", selector="Send"),
    call("navigate", url="/tickets"),
    call("click", selector="role=link[name='Pump 3 is loud']"),
]
LISTED = [
    call("navigate", url="/files"),
    call("upload_file", selector="Report", name="{{report.1.file}}"),
    call("click", selector="Send"),
    call("navigate", url="/"),
    call("navigate", url="/files"),
]
SECTION = """
grants = ["login", "upload"]
[data.reports]
rows = [{ file = "files/june.csv" }, { file = "files/july.csv" }, { file = "files/august.csv" }]
fields = { file = "file" }
count = 1
"""


class Desk(PageHandler):
    """Keeps tickets with a file each, and files alone; what it does wrong is called by a word."""

    title = "Desk"
    kept: list[tuple[str, str, bytes]]
    how: str
    deleted: list[str]

    def do_GET(self) -> None:
        match self.path.strip("/").split("/"):
            case ["tickets", "new"]:
                self.answer(200, NEW)
            case ["tickets"]:
                rows = (f"<li><a href='/tickets/{4711 + at}'>{one[0]}</a>" for at, one in enumerate(self.kept))
                self.answer(200, f"<h1>Tickets</h1><ul>{''.join(rows)}</ul>")
            case ["tickets", number]:
                at = int(number) - 4711
                title, name, _ = self.kept[at]
                link = f"<p>{self._link(at, name)}" if name else ""
                self.answer(200, f"<h1>{title}</h1><p>Open</p>{link}")
            case ["files"]:
                rows = (
                    f"<li>{self._link(at, one[1])} <a href='/delete/{4711 + at}/{one[1]}'>Delete {one[1]}</a>"
                    for at, one in enumerate(self.kept)
                    if one[1]
                )
                self.answer(200, FOLDER.format(rows="".join(rows)))
            case ["delete", *_]:
                self.deleted.append(self.path)
                self.answer(303, location="/files")
            case ["attachments", number, _]:
                self._give(self.kept[int(number) - 4711][2])
            case _:
                self.answer(200, "<h1>Desk</h1>")

    def _link(self, at: int, name: str) -> str:
        return f"<a href='/attachments/{4711 + at}/{name}'>{name} (1.2 KB)</a>"

    def _give(self, data: bytes) -> None:
        if self.how == "gone":
            return self.answer(404, "<h1>Gone</h1>")
        if self.how == "a page about it":
            return self.answer(200, "<h1>The file</h1>")
        self.send_response(200)
        self.send_header("Content-Type", "text/csv")
        self.send_header("Content-Disposition", "attachment")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self) -> None:
        kind = f"Content-Type: {self.headers['Content-Type']}\n\n"
        parts = {
            str(part.get_param("name", header="Content-Disposition")): part
            for part in message_from_bytes(kind.encode() + self.body()).get_payload()  # type: ignore[union-attr]
        }
        title = parts["title"].get_payload(decode=True).decode() if "title" in parts else ""
        name = str(parts["report"].get_filename())
        data = parts["report"].get_payload(decode=True)
        if self.how == "lost":
            name = ""
        elif self.how == "cut":
            data = data[:-9]
        self.kept.append((title, name, data))
        self.answer(303, location="/tickets" if title else "/files")


@pytest.fixture
def desk() -> Iterator[tuple[type[Desk], str]]:
    site = type("Site", (Desk,), {"kept": [], "how": "", "deleted": []})
    with served(site) as url:
        yield site, url


@pytest.fixture
def run(
    tmp_path: Path, desk: tuple[type[Desk], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    (tmp_path / "files").mkdir()
    for month in ("june", "july", "august"):
        (tmp_path / "files" / f"{month}.csv").write_text(f"hour,litres\n1,{len(month)}\n2,{month}\n", "utf-8")
    one = OneRun(tmp_path, desk[1], capsys, SECTION)
    return one


def replayed(run: OneRun, desk: tuple[type[Desk], str], how: str, *options: str) -> tuple[str, list[str], str]:
    desk[0].kept.clear()
    desk[0].how = how
    told = run.replay(*options)
    (write,) = told["writes"]
    return told["verdict"], write["unseen"], json.dumps(told["drift"])


def test_the_file_of_a_ticket_is_what_its_link_leads_to(run: OneRun, desk: tuple[type[Desk], str]) -> None:
    told = run.record(TICKET)
    assert all(each.success for each in told), told
    assert ("echo", "kept", True) in run.effects()
    assert replayed(run, desk, "")[:2] == ("passed", [])
    assert replayed(run, desk, "", "--identity", "fresh", "--seed", "3")[:2] == ("passed", [])
    verdict, unseen, drift = replayed(run, desk, "cut")
    assert (verdict, unseen, "another file" in drift) == ("postcondition", ["Report"], True), drift
    verdict, unseen, drift = replayed(run, desk, "gone")
    assert (verdict, unseen, "no file any more" in drift) == ("postcondition", ["Report"], True), drift
    assert replayed(run, desk, "lost")[:2] == ("postcondition", ["Report"])
    # A page about a file may be all that a site shows of it: that is told.
    assert replayed(run, desk, "a page about it")[:2] == ("passed", ["Report"])


def test_a_file_alone_is_known_by_its_new_row(run: OneRun, desk: tuple[type[Desk], str]) -> None:
    site, _ = desk
    told = run.record(LISTED)
    assert all(each.success for each in told), told
    assert replayed(run, desk, "")[:2] == ("passed", [])
    verdict, unseen, drift = replayed(run, desk, "cut")
    assert (verdict, unseen) == ("postcondition", ["Report"]), drift
    assert site.deleted == []


def test_a_link_that_does_something_is_not_asked_for_as_a_file(run: OneRun, desk: tuple[type[Desk], str]) -> None:
    """Files called as links are: without their signs and case both are one word."""
    site, _ = desk
    (run.folder / "files" / "log.out").write_text("a line", "utf-8")
    (run.folder / "files" / "logout").write_text("another line", "utf-8")
    run.site = SECTION.replace("files/june.csv", "files/log.out").replace("files/july.csv", "files/logout")
    run.site = run.site.replace(', { file = "files/august.csv" }', "")
    told = run.record([call("navigate", url="/files"), *LISTED[1:]])
    assert all(each.success for each in told), told
    assert [one[1] for one in site.kept] in (["log.out"], ["logout"])
    for seed in ("1", "2", "3"):
        assert replayed(run, desk, "", "--identity", "fresh", "--seed", seed)[0] == "passed"
    assert site.deleted == []
