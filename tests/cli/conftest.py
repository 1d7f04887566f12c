"""The command `sim` in this process, in an empty folder of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Choice, Scope, Target
from simulator.cli.main import main
from simulator.recording import Recorder
from simulator.tools.contracts import ToolCall, ToolResult


@dataclass(frozen=True)
class Outcome:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Sim = Callable[..., Outcome]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--renew-transcripts", action="store_true", help="Write anew what commands tell (tests/cli).")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and an environment in which nothing mirrors an option."""
    for name in os.environ:
        if name.startswith("SIM_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the command line")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def sim(capsys: pytest.CaptureFixture[str]) -> Sim:
    def run(*arguments: str | Path) -> Outcome:
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return run


@pytest.fixture
def recorded(folder: Path) -> str:
    """A recording at the default place with one run that passed and one that failed; gives the first one's id."""
    with Recorder.open(folder / "recordings" / "runs.db") as recorder:
        batch = recorder.begin_batch(argv=["personas", "run"], seed="7", settings={})
        run_ids = []
        for number, status in ((1, "passed"), (2, "failed")):
            run = recorder.begin_run(
                batch_id=batch,
                number=number,
                kind="record",
                agent="autopilot",
                persona="collector",
                identity={"username": f"ann{number}"},
                environment={"base_url": "http://127.0.0.1:8765"},
                site="bookshop",
            )
            call = ToolCall(id="1", name="click", input={"selector": "Save", "times": 1})
            step = run.begin_step(call=call, replay="actions", task="save_listings")
            action = run.begin(
                ActionStart(
                    kind="click",
                    actor="main",
                    target=Target(tag="button", role="button", name="Save", scopes=(Scope(kind="card", name="Emma"),)),
                    aim="choice",
                    choice=Choice(rule="a listing of another seller"),
                )
            )
            run.end(action, ActionOutcome(status="done", settled="changed", after=PageState(url="/books/{id}")))
            run.end_step(step, ToolResult(success=True, data={}))
            run.end_run(status=status, reason="" if status == "passed" else "the price was refused")
            run_ids.append(run.id)
        recorder.end_batch(batch, status="failed")
    return run_ids[0]
