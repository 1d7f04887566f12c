"""A site that demands everything at once, and says it all again on its pages: recorded, replayed, and searched."""

from __future__ import annotations

import base64
import json
import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import parse_qs

import pytest
import trustme

from simulator.config import load_settings
from simulator.errors import ConfigError
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.performing import run as runs
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from simulator.totp import one_time_code
from tests.fakes.door import PASSPHRASE, Answer, Door, open_door, server_tls, write_papers
from tests.runner.leaks import cells, files, leaks
from tests.runner.scripted import scripted

PASSWORD = "open sesame, & <quickly>"
KEY = "the-key-of-the-staging-site"
LOGIN = "c00kie-of-somebody-who-is-in"
SEED = "JBSWY3DPEHPK3PXP"
BASIC = base64.b64encode(f"tester:{PASSWORD}".encode()).decode()
PERSONA = "persona: tester\nabout: Somebody with keys.\nlocale: en_GB\ntasks: [register]\n"
CODE = (
    "<form method=post action=/code><label>Code <input name=code autocomplete=one-time-code></label>"
    "<button>Go on</button></form>"
)
CALLS = [
    ("navigate", {"url": "/"}),
    ("get_page_text", {}),
    ("secure_fill", {"selector": "Code", "secret": "totp"}),
    ("click", {"selector": "Go on"}),
    ("get_page_text", {}),
]


def lets_in(headers: Mapping[str, str]) -> bool:
    return (headers.get("Authorization"), headers.get("X-Access"), headers.get("Cookie")) == (
        f"Basic {BASIC}",
        KEY,
        f"session={LOGIN}",
    )


class Chatty:
    """Says everything that it was shown, and lets on whoever knows the code of the moment."""

    def __init__(self) -> None:
        self.codes: list[str] = []

    def __call__(self, path: str, headers: Mapping[str, str], body: str) -> Answer:
        said = "".join(f"<p>{name}: {value}</p>" for name, value in headers.items())
        if path == "/code":
            (code,) = parse_qs(body)["code"]
            self.codes.append(code)
            fits = code in {one_time_code(SEED, time.time() - ago) for ago in (0, 30)}
            return Answer(
                f"<title>{code}</title><h1>{'Welcome' if fits else 'Wrong'}</h1><p>You sent {code}.</p>{said}"
            )
        return Answer(f"<title>{KEY}</title><h1>Code</h1>{CODE}{said}<p>{PASSWORD}</p>")


@pytest.fixture
def chatty() -> Chatty:
    return Chatty()


@pytest.fixture
def door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chatty: Chatty) -> Iterator[Door]:
    """The site; a project for it is in the folder."""
    authority = trustme.CA()
    papers = tmp_path / "papers"
    papers.mkdir()
    write_papers(authority, papers)
    for name, value in {"PASSWORD": PASSWORD, "KEY": KEY, "SEED": SEED, "PASSPHRASE": PASSPHRASE}.items():
        monkeypatch.setenv(f"STAGING_{name}", value)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of access")
    cookie = {
        "name": "session", "value": LOGIN, "domain": "127.0.0.1", "path": "/", "expires": -1,
        "httpOnly": True, "secure": True, "sameSite": "Lax",
    }  # fmt: skip
    (papers / "login.json").write_text(json.dumps({"cookies": [cookie], "origins": []}), "utf-8")
    with open_door(Door(lets_in, server_tls(authority, demanding=True), answer=chatty)) as found:
        (tmp_path / "sim.toml").write_text(
            f"""
[site.staging]
base_url = "{found.url}"
basic_auth = {{ username = "tester", password = {{ env = "STAGING_PASSWORD" }} }}
headers = {{ X-Access = {{ env = "STAGING_KEY" }} }}
login_state = "papers/login.json"
authority = "papers/authority.pem"
totp = {{ env = "STAGING_SEED" }}
mark_header = "X-Synthetic"

[site.staging.client_certificate]
certificate = "papers/user.pem"
key = "papers/user.key"
passphrase = {{ env = "STAGING_PASSPHRASE" }}
""",
            "utf-8",
        )
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas" / "tester.yaml").write_text(PERSONA, "utf-8")
        yield found


async def test_all_of_it_lets_users_in_and_none_of_it_is_kept(
    door: Door, chatty: Chatty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("simulator", "asyncio", "httpx", "playwright"):
        caplog.set_level(logging.DEBUG, name)
    monkeypatch.setattr(runs, "Autopilot", scripted(CALLS))
    settings = load_settings(tmp_path / "sim.toml")
    db = tmp_path / "out" / "runs.db"
    db.parent.mkdir()
    told: list[str] = []
    result = await run_batch(
        RunOptions(
            settings=settings,
            site=settings.site("staging"),
            personas=tuple(load_personas(tmp_path / "personas").values()),
            count=1,
            seed="7",
            concurrency=1,
            db=db,
        ),
        lambda event: told.append(repr(event)),
        Stop(),
    )
    assert [run.status for run in result.runs] == ["passed"]
    again = await replay(
        ReplayOptions(settings=settings, source=db, target="last", db=tmp_path / "out" / "replays.db"),
        lambda event: told.append(repr(event)),
        Stop(),
    )
    assert [(run.verdict, run.drift) for run in again.runs] == [("passed", None)]

    with Recording.open(db) as recording:
        steps = recording.steps(result.runs[0].run_id)
        texts = [json.dumps(step.result) for step in steps if step.tool == "get_page_text"]
        filled = [action.value for step in steps for action in recording.actions(step.id) if action.kind == "fill"]
    assert len(chatty.codes) == 2
    assert all("{{secret.access_header_x_access}}" in text and KEY not in text for text in texts)
    assert filled == ["{{secret.totp}}"]
    sought = (PASSWORD, KEY, LOGIN, SEED, BASIC, PASSPHRASE)
    assert leaks((*cells(db), *cells(tmp_path / "out" / "replays.db"), *files(tmp_path / "out")), sought) == []
    # Six digits turn up in any file by chance: where they are as text, they are looked for.
    assert not any(code in value.decode("utf-8", "replace") for code in chatty.codes for _, value in cells(db))
    said = {"log": caplog.text, "events": "\n".join(told), "results": repr((result, again))}
    assert leaks(((name, text.encode()) for name, text in said.items()), sought) == []

    marks = {headers["X-Synthetic"].split("; step=")[0] for _, headers in door.asked if "X-Synthetic" in headers}
    assert marks == {f"run={result.runs[0].run_id}", f"run={again.runs[0].run_id}"}
    sent = [headers["X-Synthetic"] for path, headers in door.asked if path == "/code"]
    clicked = next(step.id for step in steps if step.tool == "click")
    assert sent[0] == f"run={result.runs[0].run_id}; step={clicked}"


@pytest.mark.parametrize(
    ("damaged", "content", "said"),
    [
        ("papers/login.json", "no JSON", "expected JSON with cookies and origins"),
        ("papers/user.key", "no key", "cannot be used"),
        ("papers/authority.pem", "no certificate", "cannot be used"),
    ],
)
async def test_a_file_that_is_none_is_told_before_anything_starts(
    door: Door, tmp_path: Path, damaged: str, content: str, said: str
) -> None:
    (tmp_path / damaged).write_text(content, "utf-8")
    settings = load_settings(tmp_path / "sim.toml")
    with pytest.raises(ConfigError, match=said):
        await run_batch(
            RunOptions(
                settings=settings,
                site=settings.site("staging"),
                personas=tuple(load_personas(tmp_path / "personas").values()),
                count=1,
                seed="7",
                db=tmp_path / "runs.db",
            ),
            lambda event: None,
            Stop(),
        )
    assert door.asked == []
