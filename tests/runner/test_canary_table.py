"""Every kind of secret, in every place, in every artefact: recorded, replayed, healed, repaired, exported, searched.

``all_saying_site`` has the places; the kinds are here; the artefacts are all that the program leaves or sends.
"""

from __future__ import annotations

import base64
import json
import logging
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from simulator.cli.main import main
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from tests.fakes import messages_api
from tests.fakes.door import PASSPHRASE, write_papers
from tests.fakes.messages_api import Answer, calls, use
from tests.runner.all_saying_site import AllSaying, all_saying_site
from tests.runner.leaks import cells, files, leaks
from tests.runner.program import KEY
from tests.runner.test_canary import password

pytestmark = pytest.mark.timeout(900)

SEED = "JBSWY3DPEHPK3PXPMFZWIZTH"
TOKEN = "tok-5f9XQ2kkWzz81"
SESSION, SIGNATURE = "s5Kq81zzPw02", "gH73kkQe9Xw4"
ENVIRONMENT = {
    "STAGING_PASSWORD": "open sesame, & <quickly> 7",
    "STAGING_TOKEN": f"Bearer {TOKEN}",
    "STAGING_TOTP": " ".join(SEED[at : at + 4] for at in range(0, len(SEED), 4)).lower(),
    "STAGING_ADMIN": "Rosebud/91+lake=?",
    "STAGING_RESET": "reset-77aQ2xLm",
    "STAGING_PASSPHRASE": PASSPHRASE,
    "OPENAI_API_KEY": "sk-proj-7Gh2kq0Xw1Zr",
    "GOOGLE_BOOKS_API_KEY": "AIzaSy8Kd72kqpLw3",
    "SIM_KEY": KEY,
}
LITERAL, BY_KEYS, WORD = "Tr0ub4dor&3 <x>", "kQ7-zW94tx", "wrong"
STORED, IN_STORAGE = "c00kie-of-somebody-who-is-in", "J9zX4kQpR7wW3vT8"
SIM_TOML = """
[browser]
action_ms = 3000
[bookshop.covers]
sources = ["offline"]
[site.saying]
base_url = "{url}"
disposable = true
basic_auth = {{ username = "tester", password = {{ env = "STAGING_PASSWORD" }} }}
headers = {{ X-Access = {{ env = "STAGING_TOKEN" }} }}
totp = {{ env = "STAGING_TOTP" }}
login_state = "login.json"
reset = {{ url = "/reset", token = {{ env = "STAGING_RESET" }} }}
secrets = {{ admin_password = {{ env = "STAGING_ADMIN" }} }}
client_certificate = {{ certificate = "user.pem", key = "user.key", passphrase = {{ env = "STAGING_PASSPHRASE" }} }}
[site.saying.mailbox]
maildir = "post"
"""
LOGIN = {
    "cookies": [
        {"name": "auth", "value": STORED, "domain": "127.0.0.1", "path": "/", "httpOnly": True, "expires": -1}
        | {"secure": False, "sameSite": "Lax"},
    ],
}
OWN_TOOLS = '''
from simulator.tools.context import RunContext
from simulator.tools.spec import tool


@tool(category="utility", safety="safe", replay="result", examples=[{}])
def put_papers(ctx: RunContext) -> str:
    """Put papers into the folder of the run.

    Args:
        ctx: The run.

    Returns:
        What was done.
    """
    for name in ("keys.txt", "keys.bin", "keys"):
        (ctx.workdir / name).write_text(TEXT, "utf-8")
    return "There are papers: " + TEXT


@tool(category="utility", safety="safe", replay="skip", examples=[{}])
def stumble(ctx: RunContext) -> str:
    """Fail as a bug does.

    Args:
        ctx: The run.

    Returns:
        Nothing.
    """
    raise RuntimeError("no " + TEXT)
'''
"""A tool that hands out secrets, and one with a bug that tells them."""
PERSONA = """
persona: canary
about: Somebody who types every secret.
locale: en_GB
traits: {patience: high}
tasks: [do: Get in.]
limits: {steps: 200, minutes: 10, tokens: 1000000000}
tools: {toolsets: [browser, browser-more, computer, mail], max_safety: dangerous}
"""
ENTERED: tuple[str, dict[str, Any]] = ("click", {"selector": "role=button[name=Enter]"})
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("navigate", {"url": "/form"}),
    ("put_papers", {}),
    ("stumble", {}),
    *(
        call
        for name in ("keys.txt", "keys.bin", "keys")
        for call in (
            ("navigate", {"url": "/form"}),
            ("upload_file", {"selector": "#paper", "name": name}),
            ("click", {"selector": "role=button[name='Hand it in']"}),
        )
    ),
    ("navigate", {"url": "/form"}),
    ("fill", {"selector": "E-mail", "value": "{{identity.email}}"}),
    ("fill", {"selector": "#password", "value": "{{secret.admin_password}}"}),
    ("fill", {"selector": "#old", "value": LITERAL}),
    ("press_keys", {"selector": "#pin", "keys": list(BY_KEYS)}),
    ("fill", {"selector": "#word", "value": WORD}),
    ENTERED,
    ("get_page_text", {}),
    ("screenshot", {}),
    ("computer", {"action": "screenshot"}),
    ("read_buttons", {}),
    ("read_forms", {}),
    ("read_console", {}),
    ("read_network", {}),
    ("get_page_html", {}),
    ("read_links", {}),
    ("list_tabs", {}),
    ("open_mail_link", {}),
    ("get_page_text", {}),
    ("navigate", {"url": "/lively"}),
    ("get_page_text", {}),
    ("click", {"selector": "role=button[name='Ask me']"}),
    ("click", {"selector": "role=link[name='Take it']"}),
    ("fill", {"selector": "Note", "value": "That is what went wrong"}),
    ("click", {"selector": "Save"}),
]
REPLAYABLE = [
    (name, given)
    for name, given in CALLS
    if given.get("selector") not in ("#old", "#pin", "#word") and name not in ("stumble", "open_mail_link")
]
"""Without what somebody typed: it is nowhere, so no replay can type it. And without mail: no exported test reads it."""


@pytest.fixture
def site() -> Iterator[AllSaying]:
    with all_saying_site() as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path, site: AllSaying, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, in which even temporary files land; its own secrets lie elsewhere."""
    papers = tmp_path / "papers"
    project = tmp_path / "project"
    for made in (papers, project / "tmp", project / "personas"):
        made.mkdir(parents=True)
    write_papers(trustme.CA(), papers)
    stored = {"origin": site.url, "localStorage": [{"name": "user", "value": json.dumps({"jwt": IN_STORAGE})}]}
    (papers / "login.json").write_text(json.dumps(LOGIN | {"origins": [stored]}), "utf-8")
    site.maildir = papers / "post" / "new"
    site.maildir.mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(project / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(project)
    toml = SIM_TOML.format(url=site.url)
    for name in ("login.json", "user.pem", "user.key", "post"):
        toml = toml.replace(f'"{name}"', f'"{papers / name}"')
    (project / "sim.toml").write_text(toml, "utf-8")
    (project / "personas" / "canary.yaml").write_text(PERSONA, "utf-8")
    return project


def planted(folder: Path) -> dict[str, str]:
    """Give every kind of secret, as a careless site may say it: whole, and as a part that it knows."""
    key_lines = (folder.parent / "papers" / "user.key").read_text().splitlines()
    basic = f"tester:{ENVIRONMENT['STAGING_PASSWORD']}"
    return {
        "derived password": password("saying", "canary", "7", 1),
        "header": ENVIRONMENT["STAGING_TOKEN"],
        "token of a header": TOKEN,
        "basic auth": ENVIRONMENT["STAGING_PASSWORD"],
        "header of basic auth": base64.b64encode(basic.encode()).decode(),
        "one-time secret": SEED,
        "one-time secret as given": ENVIRONMENT["STAGING_TOTP"],
        "named secret": ENVIRONMENT["STAGING_ADMIN"],
        "secret that nothing uses": ENVIRONMENT["STAGING_RESET"],
        "passphrase": PASSPHRASE,
        "line of a private key": key_lines[2],
        "stored login": STORED,
        "stored login of scripts": IN_STORAGE,
        "cookie of the run": SESSION,
        "other part of that cookie": SIGNATURE,
        "key of a model": ENVIRONMENT["OPENAI_API_KEY"],
        "key of a service": ENVIRONMENT["GOOGLE_BOOKS_API_KEY"],
        "machine key": KEY,
    }


TYPED = {"literal": LITERAL, "key by key": BY_KEYS}
FORMATS = {"playbook": "it.yaml", "har": "it.har", "trace": "it.zip", "json": "it.json"}


def unpacked(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give what is in every archive that lies in a folder."""
    for path in folder.rglob("*.zip"):
        with zipfile.ZipFile(path) as archive:
            yield from ((f"{path.name}:{name}", archive.read(name)) for name in archive.namelist())


@pytest.mark.table
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["quick", "whole"])
def test_every_kind_in_every_place_and_artefact(
    folder: Path,
    site: AllSaying,
    whole: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    kinds = planted(folder)
    (folder.parent / "papers" / "own.py").write_text(f"TEXT = {' and '.join(kinds.values())!r}\n{OWN_TOOLS}", "utf-8")
    site.says, site.sets = list(kinds.values()), f"s:{SESSION}.{SIGNATURE}"
    for name in ("simulator", "asyncio", "httpx", "playwright", "anthropic"):
        caplog.set_level(logging.DEBUG, name)

    script = CALLS

    def obey(request: Any) -> Answer:
        if request.turn >= len(script):
            return calls(use("complete", result="I am in."))
        name, given = script[request.turn]
        return calls(use(name, **given), text=f"Now {name}.")

    said: dict[str, bytes] = {}
    with messages_api.messages_api(obey) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", messages_api.KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        record = ["personas", "run", "canary", "--agent", "claude", "--seed", "7", "--screenshots", "all"]
        record += ["--exchanges", "all", "--tools", str(folder.parent / "papers" / "own.py")]
        ran = main([*record, "--db", "runs.db", "--events", "events.jsonl", "--log", "run.log"])
        out, err = capfd.readouterr()
        said |= {"out": out.encode(), "err": err.encode()}
        assert ran == 0, out + err
        proves_that_it_said_them(site, folder)
        script, site.refuses = REPLAYABLE, False
        assert main([*record, "--db", "plain.db"]) == 0, capfd.readouterr()
        commands = [
            ["replay", "last", "--source", "plain.db", "--db", "replays.db", "--junit", "j.xml", "--html", "r.html"],
            *(["runs", "export", "last", "--format", one, "--to", f"out/{to}"] for one, to in FORMATS.items()),
            ["runs", "export", "last", "--format", "pytest", "--to", "out/test_it.py", "--db", "plain.db"],
            ["report", "--html", "report.html"],
            ["offline", "last", "--tools", str(folder.parent / "papers" / "own.py")],
        ]
        if whole:
            commands += [
                ["runs", "list", "--json"], ["runs", "show", "last"], ["runs", "show", "last", "--json"],
                ["plan", "last"], ["runs", "show", "last", "--exchanges"],
                ["runs", "show", "last", "--variables"], ["runs", "verify"],
            ]  # fmt: skip
        (folder / "out").mkdir()

        def call(command: list[str], code: int = 0) -> None:
            """Call the program, note what it said, and see that it did what it was to do."""
            ended = main(command if "--db" in command else [*command, "--db", "runs.db"])
            out, err = capfd.readouterr()
            said[f"out of {' '.join(command)}"], said[f"err of {' '.join(command)}"] = out.encode(), err.encode()
            assert ended == code, (command, out, err)

        for command in commands:
            call(command)
        if whole:
            again = ["replay", "last", "--source", "plain.db", "--screenshots", "all"]
            site.button = "<button id=enter name=enter>Go in"
            call([*again, "--mode", "heal", "--db", "heal.db"])
            site.button = "<button>Go in"
            # A repair does the rest of its task: what that had sent has to be sent again.
            entered = REPLAYABLE.index(ENTERED)
            script = [("click", {"selector": "role=button[name='Go in']"}), *REPLAYABLE[entered + 1 :]]
            call([*again, "--mode", "agent", "--agent", "claude", "--db", "agent.db"])
            site.button, site.broken = AllSaying.button, True
            call([*again, "--db", "broken.db"], 1)
            # What is revised has no verdict of its own.
            assert {*verdicts(folder / "heal.db")} - {None} == {"healed"}
            assert {*verdicts(folder / "agent.db")} - {None} == {"repaired"}
            assert verdicts(folder / "broken.db") == ["site_error"]
        said["requests"] = api.everything
    said["log"] = caplog.text.encode()
    with Recording.open(folder / "runs.db") as recording:
        (run,) = recording.runs()
        failed = [step.tool for step in recording.steps(run.id) if not step.success]
        assert failed == ["stumble"]
    sought = [*kinds.values(), *TYPED.values(), *site.mailed]
    assert {path.name for path in (folder / "out").iterdir()} >= {"test_it.py", *FORMATS.values()}
    assert leaks(said.items(), sought) == []
    for db in folder.glob("*.db"):
        assert leaks(cells(db), sought) == [], db.name
        assert verify(db) == []
    assert leaks(unpacked(folder), sought) == []
    assert leaks(files(folder), sought) == []
    withholds_the_place_not_the_language(folder)


def verdicts(db: Path) -> list[str | None]:
    """Give how the runs of a recording ended."""
    with Recording.open(db) as recording:
        return [run.verdict for run in recording.runs()]


def proves_that_it_said_them(site: AllSaying, folder: Path) -> None:
    """See that the site got what it was to get, and that what it said came in every place."""
    took = b"\n".join(site.took)
    assert TOKEN.encode() in took
    assert BY_KEYS.encode() in took
    assert took.count(f"{PASSPHRASE} and".encode()) == 3, "in every paper"
    assert "\n".join(site.says).encode() in took, "by the WebSocket"
    assert site.mailed
    with Recording.open(folder / "runs.db") as recording:
        (run,) = recording.runs()
        (page,) = (one for one in recording.exchanges(run.id) if one.method == "POST" and one.url == "/in")
        assert page.response_body is not None
        told = recording.blobs.read(page.response_body).decode()
    for name in (
        "password", "access_header_x_access", "access_basic_auth", "access_totp", "admin_password", "access_reset",
        "access_client_certificate", "access_key", "access_login", "cookie_", "environment_openai",
        "environment_google", "machine_key", "typed_1", "typed_",
    ):  # fmt: skip
        assert f"{{{{secret.{name}" in told, name


def withholds_the_place_not_the_language(folder: Path) -> None:
    """See that the usual word that was typed as a password is not told of its field, and is where it is said."""
    with Recording.open(folder / "runs.db") as recording:
        (run,) = recording.runs()
        steps = recording.steps(run.id)
        values = [action.value for step in steps for action in recording.actions(step.id)]
        inputs = [step.input for step in steps]
    assert not any(given.get("value") == WORD for given in inputs)
    assert WORD not in values
    assert any("what went wrong" in str(value) for value in values)
