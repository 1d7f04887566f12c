"""No secret in a recording, nor in anything else that the program writes or says.

A picture cannot be searched for text: that secret fields are covered in it is proved by its pixels.
"""

from __future__ import annotations

import io
import json
import logging
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from simulator.agent.contracts import Finish, RunView
from simulator.cli.main import main
from simulator.config import load_settings
from simulator.demo import users
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.recording.rows import RunKind, StepRow
from simulator.recording.upkeep.verify import verify
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.performing import run as runs
from simulator.runner.stop import Stop
from simulator.secrets import Vault, load_key
from simulator.tools.contracts import ToolCall
from simulator.tools.failures import failed
from tests.runner.echo_site import careless_site
from tests.runner.leaks import cells, files, leaks, spellings
from tests.runner.program import KEY, SELLER, Project, project
from tests.runner.scripted import Scripted

FILLED = 'Tr0ub4dor&3 "Zoë"<x>/+=%\\'
IN_FORM = "correct horse battery staple"
REGISTERED = "p;ssw:rd#1?2&3"
LOGGED_IN = "ключ-от-всех-дверей"
SHOWN = "Seen-By-Everybody-9"
STUCK = "never typed & <waited> for"
CODE = "493 027 115"
SHORT = "hunter2"
LOST = "nobody will take this one"
MALFORMED = "a list has no place here"
UNKNOWN = "there is no such tool"
LITERALS = (FILLED, IN_FORM, REGISTERED, LOGGED_IN, SHOWN, STUCK, CODE, SHORT, LOST, MALFORMED, UNKNOWN)

PERSONA = """
persona: canary
about: Somebody who types secrets wherever they fit.
locale: en_GB
tasks: [register]
"""
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("navigate", {"url": "/register"}),
    ("fill", {"selector": "#password", "value": FILLED}),
    ("screenshot", {}),
    ("fill_form", {"values": {"username": "ada", "password": IN_FORM, "again": IN_FORM}, "submit": True}),
    ("get_page_text", {}),
    ("click", {"selector": "#last"}),
    ("register", {"values": {"password": REGISTERED, "again": REGISTERED}}),
    ("register", {}),
    ("login", {"password": LOGGED_IN}),
    ("get_page_url", {}),
    ("get_page_text", {}),
    ("login", {}),
    ("navigate", {"url": "/shown"}),
    ("fill", {"selector": "#shown", "value": "{{secret.password}}"}),
    ("click", {"selector": "Show it"}),
    ("fill", {"selector": "#shown", "value": SHOWN}),
    ("screenshot", {}),
    ("navigate", {"url": "/stuck"}),
    ("fill", {"selector": "#stuck", "value": STUCK}),
    ("fill", {"selector": "#code", "value": CODE}),
    ("fill", {"selector": "#keys", "value": SHORT}),
    ("press_key", {"selector": "#keys", "key": "Q"}),
    ("press_key", {"selector": "#keys", "key": "Enter"}),
    ("fill", {"selector": "#nowhere", "value": LOST}),
    ("fill", {"selector": "#keys", "value": [MALFORMED]}),
    ("fill", {"selector": "#keys", "text": MALFORMED}),
    ("fil", {"selector": "#keys", "value": UNKNOWN}),
    ("navigate", {"url": "/welcome?all"}),
    ("get_page_text", {}),
    ("click", {"selector": "#last"}),
]


class Watchful(Scripted):
    """An agent that calls what a script says, and looks for leaks before each call."""

    folder: Path
    sought: tuple[str, ...] = LITERALS
    found: list[str]

    def __init__(self, aims: object, performer: object, all_by_model: bool) -> None:
        super().__init__(CALLS)

    async def next_call(self, view: RunView) -> ToolCall | Finish:
        self.found += leaks(files(self.folder), self.sought)
        return await super().next_call(view)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a careless site, in which even temporary files land."""
    with careless_site() as url:
        (tmp_path / "tmp").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
        monkeypatch.setattr(tempfile, "tempdir", None)
        monkeypatch.setenv("SIM_KEY", KEY)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "sim.toml").write_text(
            f'[browser]\naction_ms = 2000\n[site.careless]\nbase_url = "{url}"\n'
            '[site.careless.routes]\nregister = "/register"\nlogin = "/login"\n',
            "utf-8",
        )
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas" / "canary.yaml").write_text(PERSONA, "utf-8")
        yield tmp_path


def password(site: str, persona: str, seed: str, number: int) -> str:
    """Give the password that a user has under the key of these tests."""
    return Vault(load_key({"SIM_KEY": KEY}).secret, scope=f"{site}|{persona}|{seed}|{number}").reveal("password")


@pytest.mark.table
@pytest.mark.timeout(900)
async def test_a_careless_site_and_a_careless_agent(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("simulator", "asyncio", "httpx", "playwright"):
        caplog.set_level(logging.DEBUG, name)
    settings = load_settings(folder / "sim.toml").with_exchanges("all")
    site = settings.site("careless")
    derived = tuple(password("careless", "canary", "7", number) for number in (1, 2))
    sought = (*LITERALS, *derived)
    monkeypatch.setattr(Watchful, "folder", folder, raising=False)
    monkeypatch.setattr(Watchful, "sought", sought)
    monkeypatch.setattr(Watchful, "found", [], raising=False)
    monkeypatch.setattr(runs, "Autopilot", Watchful)
    told: list[str] = []
    db = folder / "runs.db"
    result = await run_batch(
        RunOptions(
            settings=settings,
            site=site,
            personas=tuple(load_personas(folder / "personas").values()),
            count=2,
            seed="7",
            concurrency=1,
            db=db,
            screenshots="all",
        ),
        lambda event: told.append(repr(event)),
        Stop(),
    )
    assert [run.status for run in result.runs] == ["passed", "passed"]
    with Recording.open(db) as recording:
        first, second = (recording.steps(run.run_id) for run in result.runs)
        proves_what_it_claims(recording, first)
        proves_that_exchanges_told_of_secrets(recording, result.runs[0].run_id)
        for steps in (first, second):
            for step in steps:
                if step.tool == "screenshot":
                    covers_secret_fields(recording, steps, step)

    assert Watchful.found == [], "in a file while it ran"
    assert leaks(cells(db), sought) == []
    for command in (
        ["runs", "list", "--json"],
        *(["runs", "show", run.run_id, *more] for run in result.runs for more in ([], ["--json"])),
        *(["plan", run.run_id] for run in result.runs),
        ["runs", "verify"],
    ):
        main([*command, "--db", str(db)])
    out, err = capfd.readouterr()
    assert "Careless" in out or "register" in out
    said = {"out": out, "err": err, "log": caplog.text, "events": "\n".join(told), "result": repr(result)}
    assert leaks(((name, text.encode()) for name, text in said.items()), sought) == []
    assert leaks(files(folder), sought) == []
    assert verify(db) == []


def proves_what_it_claims(recording: Recording, steps: list[StepRow]) -> None:
    """See that the script reached what it was to reach: a site that never says a secret proves nothing."""
    assert [step.tool for step in steps] == [name for name, _ in CALLS]
    outcome = {(step.tool, place): step for place, step in enumerate(steps)}
    texts = [
        json.dumps(step.result, ensure_ascii=False) for (tool, _), step in outcome.items() if tool == "get_page_text"
    ]
    assert all("{{secret." in text for text in texts)
    urls = [action.after.url for step in steps for action in recording.actions(step.id) if action.after]
    titles = [action.after.title for step in steps for action in recording.actions(step.id) if action.after]
    alerts = [
        text for step in steps for action in recording.actions(step.id) if action.after for text in action.after.alerts
    ]
    assert any("{{secret." in url for url in urls), "the password was in an address"
    assert any("{{secret." in title for title in titles), "and in a title"
    assert any("{{secret." in text for text in alerts), "and in an error"
    errors = {CALLS[place][1].get("selector", ""): step for (_, place), step in outcome.items() if not step.success}
    assert {"#stuck", "#nowhere"} <= errors.keys()
    keys = [action.value for step in steps if step.tool == "press_key" for action in recording.actions(step.id)]
    assert keys[-1] == "Enter"
    assert keys[0] != "Q"


def proves_that_exchanges_told_of_secrets(recording: Recording, run_id: str) -> None:
    """See that secrets went over the wire in addresses, forms and answers."""
    exchanges = recording.exchanges(run_id)
    assert any("{{secret." in exchange.url for exchange in exchanges)
    parts = [part for exchange in exchanges for part in exchange.request_parts or ()]
    given = [part["value"] for part in parts if part["name"] in ("password", "again")]
    assert given
    assert all(value.startswith("{{secret.") for value in given)
    bodies = [recording.blobs.read(exchange.response_body) for exchange in exchanges if exchange.response_body]
    assert any(b"{{secret." in body for body in bodies)


def covers_secret_fields(recording: Recording, steps: list[StepRow], shot: StepRow) -> None:
    """See in a picture that the field that was filled before is covered."""
    filled = [
        action
        for step in steps
        if step.ordinal < shot.ordinal
        for action in recording.actions(step.id)
        if action.kind == "fill" and action.target is not None and action.target.secret
    ][-1]
    assert filled.target is not None
    assert filled.target.box is not None
    box = filled.target.box
    for sha256 in {*(image for image, _ in shot.images), shot.metadata["screenshot"]}:
        picture = Image.open(io.BytesIO(recording.blobs.read(sha256))).convert("RGB")
        inside = picture.crop((int(box.x) + 2, int(box.y) + 2, int(box.x + box.width) - 2, int(box.y + box.height) - 2))
        assert inside.getcolors(1) is not None, "one colour only: nothing of what was typed is to be seen"
        assert inside.getpixel((0, 0)) == (255, 0, 255)


@pytest.mark.table
@pytest.mark.timeout(900)
@pytest.mark.parametrize("screenshots", [pytest.param("none", marks=pytest.mark.slow), "all"])
def test_a_batch_on_the_bookshop(tmp_path: Path, screenshots: str) -> None:
    with project(tmp_path) as ours:
        ours.add_persona(SELLER)
        batch = ours.sim(
            "personas", "run", "seller", "--count", "2", "--seed", "7", "--screenshots", screenshots, "--json",
            "--exchanges", "all",
        )  # fmt: skip
        assert batch.returncode == 0, batch.stdout + batch.stderr
        replay = ours.sim("replay", "last", "--reset", "--screenshots", screenshots, "--exchanges", "all")
        assert replay.returncode == 0, replay.stdout + replay.stderr
        looks = [
            ours.sim(*words)
            for words in (("runs", "show", "last"), ("plan", "last"), ("runs", "show", "last", "--json"))
        ]
        passwords = [password("bookshop", "seller", "7", number) for number in (1, 2)]
        assert leaks(cells(ours.db), passwords) == []
        with Recording.open(ours.db) as recording:
            counts = {
                kind: sum(len(recording.exchanges(run.id)) for run in recording.runs(kind=kind)) for kind in KINDS
            }
        assert min(counts.values()) > 40, counts
        assert verify(ours.db) == []
        assert leaks(files(ours.folder), passwords) == []
        for process in (batch, replay, *looks):
            assert leaks([("out", process.stdout.encode()), ("err", process.stderr.encode())], passwords) == []
        made = json.loads(batch.stdout)["runs"]
        assert all(logs_in(ours, run["username"], secret) for run, secret in zip(made, passwords, strict=True))


KINDS: tuple[RunKind, ...] = ("record", "replay")


def logs_in(ours: Project, username: str, secret: str) -> bool:
    """See that this is a user's password: the shop takes it."""
    with closing(sqlite3.connect(ours.shop)) as connection:
        connection.row_factory = sqlite3.Row
        return users.authenticate(connection, username, secret) is not None


def test_the_traceback_of_a_bug_is_masked(caplog: pytest.LogCaptureFixture) -> None:
    vault = Vault(b"0123456789abcdef", scope="tests")
    vault.adopt(FILLED)
    try:
        raise ZeroDivisionError(f"no {FILLED} here")
    except ZeroDivisionError as error:
        result = failed(error, "fill", vault.mask)
    assert "no {{secret.typed_1}} here" in caplog.text
    assert "test_the_traceback_of_a_bug_is_masked" in caplog.text
    assert leaks([("log", caplog.text.encode()), ("result", repr(result).encode())], [FILLED]) == []


@pytest.mark.parametrize("secret", LITERALS)
def test_the_search_finds_what_it_seeks(tmp_path: Path, secret: str) -> None:
    for place, spelling in enumerate(spellings(secret)):
        (tmp_path / f"{place}.txt").write_bytes(b"so " + spelling + b" it is")
    assert {found.partition(": ")[0] for found in leaks(files(tmp_path), [secret])} == {
        str(path) for path in tmp_path.iterdir()
    }
