"""A run on a site that no tool knows is killed while it writes, and goes on: nothing lost, nothing twice."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import KEY, Reply, Request, call, messages_api
from tests.runner.one_run import PERSONA, SETTINGS, OneRun
from tests.runner.program import PATIENCE_S, SIM
from tests.sites.things import Things, serving_things

pytestmark = pytest.mark.timeout(600)


def make(title: str, price: str) -> list[Reply]:
    return [
        call("navigate", url="/new"),
        call("fill", selector="Title", value=title),
        call("fill", selector="Price", value=price),
        call("click", selector="button"),
    ]


FIRST = [*make("Border spade of ash", "21.00"), call("navigate", url="/things")]


@pytest.fixture
def site() -> Iterator[Things]:
    with serving_things() as things:
        yield things


@pytest.fixture
def run(tmp_path: Path, site: Things, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    (tmp_path / "personas").mkdir()
    persona = PERSONA.format(tasks=OneRun.tasks, toolsets='["browser"]')
    (tmp_path / "personas" / "tester.yaml").write_text(persona, "utf-8")
    settings = SETTINGS.format(url=site.url, site="", covers="", effect_ms=1_000)
    (tmp_path / "sim.toml").write_text(settings, "utf-8")
    return OneRun(tmp_path, site.url, capsys)


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize(
    ("at", "kept", "anew"),
    [
        ("POST /new", False, True),
        ("POST /new", True, False),
        ("GET /things/42", True, False),
    ],
)
def test_a_killed_run_goes_on(
    run: OneRun, site: Things, monkeypatch: pytest.MonkeyPatch, at: str, kept: bool, anew: bool
) -> None:
    """It was killed when its form was sent and not taken, when it was taken, or when the answer had been heard."""
    again = make("Rake without teeth", "4.25") if anew else []
    turns = iter([*FIRST, *make("Rake without teeth", "4.25"), *again, call("complete", result="Done.")])
    asked: list[Request] = []

    def script(request: Request) -> Reply:
        asked.append(request)
        return next(turns)

    with messages_api(script) as api:
        model = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        for name, value in model.items():
            monkeypatch.setenv(name, value)
        command = [SIM, "personas", "run", "tester", "--agent", "claude", "--seed", "7", "--db", "a.db"]
        program = subprocess.Popen(command, env=os.environ | model, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        struck: list[str] = []

        def strike(method: str, path: str, taken: bool) -> bool:
            if struck or f"{method} {path}" != at or taken is not kept or len(site.things) != (2 if kept else 1):
                return False
            struck.append(path)
            program.kill()
            return True

        site.hears = strike
        try:
            out, _ = program.communicate(timeout=PATIENCE_S)
        finally:
            program.kill()
        assert (program.returncode, bool(struck)) == (-9, True), out.decode()
        assert len(site.things) == (2 if kept else 1)
        code, said, err = run.sim("runs", "resume", "last", "--db", "a.db")
    assert code == 0, said + err
    assert [one["title"] for one in site.things.values()] == ["Border spade of ash", "Rake without teeth"]
    assert any("had not taken effect" in json.dumps(one.body) for one in asked) is anew
    check_replays(run, site)


def check_replays(run: OneRun, site: Things) -> None:
    """What was made before the run was cut off is required like any other, also where nobody heard of it."""
    site.hears = lambda method, path, taken: False
    site.empty()
    replayed = run.replay()
    told = [(one["url"], one["inputs"], one["unseen"]) for one in replayed["writes"]]
    assert (replayed["verdict"], told) == ("passed", [("/new", 2, [])] * 2), replayed["drift"]
    for was, kept in (("21.00", "20.95"), ("4.25", "4.20")):
        site.empty()
        site.lies = {"price": lambda text, was=was, kept=kept: kept if text == was else text}
        replayed = run.replay()
        assert (replayed["verdict"], ["Price"] in [one["unseen"] for one in replayed["writes"]]) == (
            "postcondition", True,
        ), (was, replayed)  # fmt: skip
    site.lies = {}
