"""What a recording says of its user's own secrets: elements that are called by one are found again, and one that was
typed as a text, or key by key, is typed again. It stands in none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.fakes.server import served as local
from tests.runner.desk import Desk
from tests.runner.leaks import cells, files, leaks
from tests.runner.program import KEY
from tests.runner.test_canary import password

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

SEED = "JBSWY3DPEHPK3PXPMFZWIZTH"
SESSION = "s5Kq81zzPw02-gH73kkQe9Xw4"
ACCESS = 'totp = { env = "STAGING_TOTP" }\n'
HEAD = "<!doctype html><html lang=en><title>Keys</title><body>"
OTHER = '<button onclick="done(2)">Copy key ABCDEFGHIJKLMNOPQRST2345</button>'
SCRIPT = """<script>
const done = (n) => fetch("/done?n=" + n, { method: "POST" }).then(() => { said.textContent = "Done " + n; });
</script><p id=said role=status></p>"""


@dataclass
class Keys:
    """A site that shows its user's keys."""

    url: str = ""
    body: str = ""
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def served() -> Iterator[Keys]:
    site = Keys()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            page = site.body if self.path == "/" else f"<h1>Here</h1>{SCRIPT}"
            self.answer(f"{HEAD}{page}".encode())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
            site.asked.append(f"{self.path} {body}".strip())
            self.answer(f"{HEAD}<h1>Here</h1>".encode())

        def answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Set-Cookie", f"session={SESSION}; Path=/; HttpOnly")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with local(Handler) as site.url:
        yield site


@pytest.fixture
def desk(served: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", KEY)
    monkeypatch.setenv("STAGING_TOTP", SEED)
    return Desk(served, tmp_path, capsys, more=ACCESS)  # type: ignore[arg-type]


def target_of(desk: Desk) -> Any:
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        (clicked,) = [one for one in recording.actions(run.id) if one.kind == "click"]
    return clicked.target


def errors(desk: Desk) -> list[str | None]:
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        return [step.error_message for step in recording.steps(run.id) if not step.success]


SHOWN = {
    "in the name of a button": (
        f'<button id=mine onclick="done(1)">Copy key {SEED}</button>{OTHER}{SCRIPT}',
        "/done?n=1",
    ),
    "as the whole name, in small letters": (
        f'<button id=mine onclick="done(1)">{SEED.lower()}</button>{OTHER}{SCRIPT}',
        "/done?n=1",
    ),
    "in the card around it": (
        f"<ul><li><h3>Key {SEED}</h3><button id=mine onclick='done(1)'>Copy</button></li>"
        f"<li><h3>Key ABCDEFGHIJKLMNOPQRST2345</h3><button onclick='done(2)'>Copy</button></li></ul>{SCRIPT}",
        "/done?n=1",
    ),
    "in where a link leads": (
        f'<a id=mine href="/in/{SESSION}?session={SESSION}">Go on</a> <a href="/out">Go out</a>{SCRIPT}',
        f"/in/{SESSION}?session={SESSION}",
    ),
    "in the name of a link and in where it leads": (
        f'<a id=mine href="/in/{SESSION}">Go on as {SESSION}</a> <a href="/out">Go on as nobody</a>{SCRIPT}',
        f"/in/{SESSION}",
    ),
    "in the label of a field": (
        f"<label>Word for {SEED}<input id=mine oninput='done(1)'></label><label>Other<input></label>{SCRIPT}",
        "/done?n=1",
    ),
}


@pytest.mark.parametrize("place", SHOWN)
def test_it_is_found_again_and_stands_nowhere(desk: Desk, served: Keys, place: str) -> None:
    served.body, asked = SHOWN[place]
    act = call("fill", selector="#mine", value="Emma") if "label" in place else call("click", selector="#mine")
    desk.record([call("navigate", url="/"), act])
    assert errors(desk) == []
    before = served.asked.count(asked)
    assert before
    told = desk.replay()
    assert (told["verdict"], told["drift"]) == ("passed", None)
    assert served.asked.count(asked) == 2 * before
    assert (
        leaks([*files(desk.folder), *cells(desk.folder / "a.db"), *cells(desk.folder / "b.db")], [SEED, SESSION]) == []
    )


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("way", ["followed", "visited"])
def test_a_key_that_the_site_puts_into_its_addresses_is_read_there_again(desk: Desk, served: Keys, way: str) -> None:
    keys = [f"kq7-{place}-Zt0aa91x" for place in range(2)]
    going = call("click", selector="#on") if way == "followed" else call("navigate", url=f"/form?apiKey={keys[0]}")
    sending = call("click", selector="role=button[name='Go']")
    for place, key in enumerate(keys):
        served.body = (
            f'<a id=on href="/form?apiKey={key}&part=2">Go on</a><form method=post action="/in?access_token={key}">'
            "<label>Word <input name=w></label><button>Go</button></form>"
        )
        if place == 0:
            writing = [call("navigate", url="/"), call("fill", selector="Word", value="Emma"), sending]
            desk.record([call("navigate", url="/"), going, *writing])
            assert errors(desk) == []
            continue
        told = desk.replay()
        assert (told["verdict"], told["drift"]) == ("passed", None)
    assert [one for one in served.asked if "w=" in one] == [f"/in?access_token={key} w=Emma" for key in keys]
    assert [one for one in served.asked if "apiKey" in one][-1].startswith(f"/form?apiKey={keys[1]}")
    assert leaks([*files(desk.folder), *cells(desk.folder / "a.db"), *cells(desk.folder / "b.db")], keys) == []


@pytest.mark.table
def test_another_key_is_not_taken_for_it(desk: Desk, served: Keys) -> None:
    served.body = SHOWN["in the name of a button"][0]
    desk.record([call("navigate", url="/"), call("click", selector="#mine")])
    assert "{{secret.access_totp}}" in target_of(desk).name
    served.body = f"{OTHER}{SCRIPT}"
    served.asked.clear()
    told = desk.replay()
    assert told["verdict"] == "target_missing"
    assert "/done?n=2" not in served.asked
    assert leaks([("told", str(told).encode())], [SEED]) == []


@pytest.mark.parametrize("tool", ["fill", "type_text", "press_keys"])
def test_an_own_secret_that_was_typed_as_a_text_is_typed_again(desk: Desk, served: Keys, tool: str) -> None:
    secret = password("office", "clerk", "7", 1)
    given = {"fill": {"value": secret}, "type_text": {"text": secret}, "press_keys": {"keys": [*secret, "End"]}}[tool]
    served.body = (
        "<form method=post action=/in><label>Word <input name=w type=password></label><button>Go</button></form>"
    )
    typed = call(tool, selector="Word", **given)
    desk.record([call("navigate", url="/"), typed, call("click", selector="role=button[name='Go']")])
    assert errors(desk) == []
    told = desk.replay()
    assert (told["verdict"], told["drift"]) == ("passed", None)
    assert [one for one in served.asked if one.startswith("/in")] == [f"/in w={quote(secret)}"] * 2
    assert leaks([*files(desk.folder), *cells(desk.folder / "a.db"), *cells(desk.folder / "b.db")], [secret]) == []
