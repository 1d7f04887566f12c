"""What only dismissed something is marked, and skipped where it is not there; dismissing something new is a heal."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.desk import Desk

BANNER = """<div id=banner role=dialog aria-label=Cookies style="position:fixed;inset:0;background:#fff">We use cookies.
<button type=button onclick="{effect}">{button}</button></div>"""
GONE = "document.getElementById('banner').remove()"
FORM = """<h1>Notes</h1><form method=post action=/notes><label>Note <input name=note></label><button>Keep</button>
</form><ul id=kept>{kept}</ul>"""
WAITS = """
[browser]
resolve_ms = 500
navigation_ms = 3000
"""
DISMISS = """
[[site.office.dismiss]]
name = "Cookies"
button = "Fine"
"""


@dataclass
class Site:
    """Keeps notes, under a banner or not."""

    url: str = ""
    banner: str = ""
    kept: list[str] = field(default_factory=list)

    def page(self) -> bytes:
        notes = "".join(f"<li>{note}</li>" for note in self.kept)
        return f"<!doctype html><title>Notes</title>{FORM.format(kept=notes)}{self.banner}".encode()


@pytest.fixture
def served() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = site.page()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
            site.kept += sent.get("note", [])
            self.send_response(303)
            self.send_header("Location", "/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield site
        server.shutdown()
        thread.join()


@pytest.fixture
def desk(served: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of what is optional")
    return Desk(served, tmp_path, capsys)


KEEP = [call("fill", selector="Note", value="Milk"), call("click", selector='role=button[name="Keep"]')]


def declare(desk: Desk, more: str) -> None:
    settings = desk.folder / "sim.toml"
    settings.write_text(settings.read_text("utf-8") + more, "utf-8")


def record(desk: Desk, *, answering: str = "Fine") -> None:
    click = [call("click", selector=f'role=button[name="{answering}"]')] if answering else []
    desk.record([call("navigate", url="/"), *click, *KEEP])
    declare(desk, WAITS)


def optional(desk: Desk) -> list[bool]:
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        return [bool(one.options.get("optional")) for one in recording.actions(run.id) if one.kind == "click"]


def test_a_dismissed_banner_that_is_not_there_is_skipped_and_listed(desk: Desk, served: Site) -> None:
    served.banner = BANNER.format(effect=GONE, button="Fine")
    record(desk)
    assert optional(desk) == [True, False]
    again = desk.replay()
    assert (again["verdict"], again["skipped"]) == ("passed", [])
    served.banner = ""
    without = desk.replay()
    assert (without["verdict"], without["skipped"]) == ("passed", ["step 2: click button 'Fine'"])
    assert served.kept == ["Milk"] * 3
    _, out, _ = desk.sim("replay", "a.db", "--db", "b.db")
    assert "skipped   user 1, step 2: click button 'Fine': it was not there" in out


@pytest.mark.slow
def test_a_banner_that_says_something_else_is_not_taken_for_absent(desk: Desk, served: Site) -> None:
    served.banner = BANNER.format(effect=GONE, button="Fine")
    record(desk)
    served.banner = BANNER.format(effect=GONE, button="Pay 5 euros")
    replayed = desk.replay()
    assert (replayed["verdict"], replayed["skipped"], replayed["code"]) == ("target_missing", [], 1)
    assert served.kept == ["Milk"]


@pytest.mark.parametrize(
    "effect",
    [
        pytest.param(
            f"document.querySelector('#kept').textContent = 'All deleted'; {GONE}",
            id="the page changed",
            marks=pytest.mark.slow,
        ),
        pytest.param(f"document.querySelector('[name=note]').value = 'Eggs'; {GONE}", id="a field changed"),
        pytest.param(
            f"fetch('/notes', {{method: 'POST', body: 'note=Bread'}}).then(() => {GONE})",
            id="it was sent",
            marks=pytest.mark.slow,
        ),
        pytest.param("this.textContent = 'Thanks'", id="it is still there"),
    ],
)
def test_what_did_more_than_to_go_away_is_not_optional(desk: Desk, served: Site, effect: str) -> None:
    served.banner = BANNER.format(effect=effect, button="Fine")
    if "Thanks" in effect:
        served.banner = served.banner.replace("inset:0", "left:0;bottom:0")
    record(desk)
    assert optional(desk) == [False, False]


@pytest.mark.slow
def test_a_declared_banner_is_dismissed_in_heal_and_becomes_a_step_of_the_revision(desk: Desk, served: Site) -> None:
    record(desk, answering="")
    declare(desk, DISMISS)
    served.banner = BANNER.format(effect=GONE, button="Fine")
    strict = desk.replay()
    assert (strict["verdict"], strict["code"]) == ("target_missing", 1)
    healed = desk.replay("a.db", "--mode", "heal")
    assert (healed["verdict"], healed["code"]) == ("healed", 0)
    assert {heal["kind"] for heal in healed["heals"]} == {"overlay"}
    assert served.kept == ["Milk"] * 2
    again = desk.replay(healed["revision"], "--source", "b.db")
    assert (again["verdict"], again["heals"], again["skipped"]) == ("passed", [], [])
    served.banner = ""
    without = desk.replay(healed["revision"], "--source", "b.db")
    assert without["verdict"] == "passed"
    assert without["skipped"]
    unhealed = desk.replay("a.db", "--mode", "heal", "--fail-on-heal")
    assert (unhealed["verdict"], unhealed["code"], unhealed["revision"]) == ("passed", 0, "")


@pytest.mark.slow
def test_fail_on_heal(desk: Desk, served: Site) -> None:
    record(desk, answering="")
    declare(desk, DISMISS)
    served.banner = BANNER.format(effect=GONE, button="Fine")
    assert desk.replay("a.db", "--mode", "heal", "--fail-on-heal")["code"] == 1


@pytest.mark.slow
def test_a_banner_without_a_rule_stops_heal_too(desk: Desk, served: Site) -> None:
    record(desk, answering="")
    served.banner = BANNER.format(effect=GONE, button="Fine")
    healed = desk.replay("a.db", "--mode", "heal")
    assert (healed["verdict"], healed["revision"]) == ("target_missing", "")
    assert served.kept == ["Milk"]
