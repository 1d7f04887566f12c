"""Exported tests of hostile recordings are run: they do what was recorded, and nothing that stands in its texts."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from simulator.browser.launch.check_fixtures import SETTINGS
from simulator.browser.launch.executable import find_executable
from simulator.cli.main import main
from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY, call, messages_api
from tests.fakes.server import LocalServer
from tests.runner.hostile import change, payloads, set_options

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("what runs are exported as")]

PERSONA = (
    "persona: visitor\nabout: Writes notes.\nlocale: en_GB\ntasks: [{do: Write a note.}]\nlimits: {tokens: 10000000}\n"
)
CANARY = "canary"
FIELDS = 40


def shown(payload: str) -> bool:
    """Tell whether a page can say a text: it has to come back from the browser as it is."""
    return payload.isprintable() and 0 < len(payload) < 150 and payload == " ".join(payload.split())


def texts(canary: Path) -> list[str]:
    code = f"__import__('pathlib').Path({str(canary)!r}).touch()"
    quoted = [f"{mark}+{code}+{mark}" for mark in ("'", '"', "'''")]
    return [one for one in [*payloads(canary), *quoted] if shown(one) and "{{" not in one][:FIELDS]


class Notes:
    """A site whose labels, buttons and messages are an attacker's, and which shows what it took."""

    def __init__(self, said: list[str]) -> None:
        self.said = said
        self.taken: list[dict[str, str]] = []
        self.url = ""

    def form(self) -> str:
        rows = "".join(
            f"<p><label>{escape(one)} <input name=f{at} data-testid='t{at}'></label>"
            for at, one in enumerate(self.said)
        )
        return (
            f"<title>{escape(self.said[0])}</title><form method=post action=/notes enctype=multipart/form-data>{rows}"
            f"<p><label>Picture <input type=file name=picture></label><button>{escape(self.said[0])}</button></form>"
        )

    def kept(self) -> str:
        shown = "".join(f"<li>{escape(one)}" for one in self.taken[-1].values()) if self.taken else ""
        return f"<p role=status>Kept: {escape(self.said[0])}</p><ul>{shown}</ul>"


def escape(text: str) -> str:
    for mark, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(mark, f"&{name};")
    return text


def _handler(site: Notes) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            self.answer(200 if path in ("/", "/kept") else 404, {"/": site.form, "/kept": site.kept}.get(path, str)())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            whole = message_from_bytes(b"Content-Type: " + self.headers["Content-Type"].encode() + b"\r\n\r\n" + body)
            taken: dict[str, str] = {}
            for part in whole.get_payload():  # type: ignore[union-attr]
                name = str(part.get_param("name", header="content-disposition"))  # type: ignore[union-attr]
                data: Any = part.get_payload(decode=True)  # type: ignore[union-attr]
                taken[name] = hashlib.sha256(data).hexdigest() if name == "picture" else data.decode()
            site.taken.append(taken)
            self.answer(303, "", "/kept")

        def answer(self, status: int, page: str, location: str = "") -> None:
            body = f"<!doctype html><html lang=en><meta charset=utf-8>{page}".encode()
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    return Handler


class Made(NamedTuple):
    """A recording, and the site on which it was made."""

    db: Path
    site: Notes
    canary: Path
    """What the file that was uploaded, a program, makes where it is imported; and what the payloads make."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """A recording of a user of a hostile site, made through the command line."""
    folder = tmp_path_factory.mktemp("made")
    canary = folder / CANARY
    site = Notes(texts(canary))
    server = LocalServer(("127.0.0.1", 0), _handler(site))
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    program = f"import pathlib\npathlib.Path({str(canary)!r}).touch()\n"
    calls = [
        call("navigate", url="/"),
        *(call("fill", selector=f"css=[name=f{at}]", value=one) for at, one in enumerate(site.said)),
        call("bash", command=f"cat > conftest.py <<'END'\n{program}END"),
        call("upload_file", selector="css=[name=picture]", name="conftest.py"),
        call("click", selector="css=button"),
        call("complete", result="Kept."),
    ]
    (folder / "sim.toml").write_text(f'[site.notes]\nbase_url = "{site.url}"\n', "utf-8")
    (folder / "personas").mkdir()
    (folder / "personas" / "visitor.yaml").write_text(PERSONA, "utf-8")
    with messages_api(calls) as api, pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("SIM_KEY", "the key of the tests of hostile exports")
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        command = ["personas", "run", "visitor", "--agent", "claude", "--seed", "7", "--db", "a.db"]
        assert main([*command, "--toolset", "browser", "--toolset", "workspace", "--allow-workspace"]) == 0
    (taken,) = site.taken
    assert [taken[f"f{at}"] for at in range(len(site.said))] == site.said
    assert taken["picture"] == hashlib.sha256(program.encode()).hexdigest()
    yield Made(folder / "a.db", site, canary)
    server.shutdown()
    thread.join()
    server.server_close()


def tree(folder: Path) -> dict[str, str]:
    """Give every file below a folder, and what is in it."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() or path.is_symlink()
    }


def run_pytest(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a project as its owner does: whatever it collects there, and every conftest."""
    browser = {"launch": {"executable_path": str(find_executable().path), "args": ["--no-sandbox"]}, "context": {}}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
         "simulator.browser.launch.check_fixtures", *arguments],
        cwd=project, capture_output=True, text=True, check=False, timeout=240,
        env={**os.environ, SETTINGS: json.dumps(browser), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
             "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip


def test_the_canary_is_made_by_what_runs(tmp_path: Path) -> None:
    """The other tests could not fail else."""
    (tmp_path / "conftest.py").write_text(payloads(tmp_path / CANARY)[0], "utf-8")
    run_pytest(tmp_path)
    assert (tmp_path / CANARY).exists()


NAMES = ("conftest.py", "test_it.py", "../conftest.py", "x.pth", "pytest.ini", "test_'\"it.py", "/../../conftest.py")


@pytest.mark.table
@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if at < 3 else pytest.mark.slow) for at, one in enumerate(NAMES)]
)
def test_an_exported_test_does_what_was_recorded_and_nothing_else(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Every text of the page and of the recording is hostile; the file that is uploaded is a program."""
    db, project = tmp_path / "in" / "a.db", tmp_path / "project"
    db.parent.mkdir()
    (project / "tests").mkdir(parents=True)
    (project / "conftest.py").write_text("", "utf-8")
    shutil.copyfile(made.db, db)
    with Recording.open(db) as recording:
        run = recording.run("last")
        upload = next(one for one in recording.actions(run.id) if one.kind == "upload").options
    set_options(db, "upload", {**upload, "name": name})
    bad = made.site.said[NAMES.index(name) % len(made.site.said)]
    change(db, "UPDATE run SET persona = ?, label = ?, reason = ?", bad, bad, bad)
    change(db, "UPDATE step SET task = ?", bad)
    change(db, "UPDATE actor SET name = ?", bad)
    before, taken = tree(tmp_path), len(made.site.taken)
    to = project / "tests" / "recorded" / "test_it.py"
    code = main(["runs", "export", "last", "--db", str(db), "--format", "pytest", "--to", str(to)])
    said = capsys.readouterr().err
    if "/" in name:
        assert (code, said.count("\n"), tree(tmp_path)) == (2, 1, before), said
        return
    assert code == 0, said
    written = {one: value for one, value in tree(tmp_path).items() if one not in before}
    assert {one.rpartition("/")[0] for one in written} == {"project/tests/recorded", "project/tests/recorded/files"}
    done = run_pytest(project)
    assert done.returncode == 0, done.stdout + done.stderr + to.read_text("utf-8")
    assert "1 passed" in done.stdout
    assert made.site.taken[taken:] == made.site.taken[:1]
    assert not made.canary.exists()
    assert tree(tmp_path) == {**before, **written}
