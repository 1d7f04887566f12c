from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Box, Scope, Target
from simulator.recording import Recorder, RunRecorder
from simulator.tools.contracts import ToolCall, ToolResult

EMAIL = Target(
    tag="input",
    role="textbox",
    name="E-mail",
    label="E-mail",
    form="post /register",
    scopes=(Scope(kind="form", name="Register"),),
    box=Box(x=1, y=2, width=30, height=4),
)

BeginRun = Callable[..., RunRecorder]
RecordStep = Callable[..., str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "recordings" / "runs.db"


@pytest.fixture
def begin_run() -> BeginRun:
    def begin(recorder: Recorder, *, batch_id: str | None = None, number: int = 0) -> RunRecorder:
        batch_id = batch_id or recorder.begin_batch(argv=["sim", "personas", "run"], seed="7", settings={})
        return recorder.begin_run(
            batch_id=batch_id,
            number=number,
            kind="record",
            agent="autopilot",
            persona="collector",
            identity={"email": "ann@example.org"},
            environment={"base_url": "http://127.0.0.1:8000"},
            site="bookshop",
        )

    return begin


@pytest.fixture
def record_step() -> RecordStep:
    def record(run: RunRecorder, *, number: int = 0) -> str:
        step_id = run.begin_step(
            call=ToolCall(id=f"call-{number}", name="fill", input={"selector": "E-mail", "text": "{{identity.email}}"}),
            replay="actions",
            task="register",
        )
        action_id = run.begin(
            ActionStart(
                kind="fill",
                actor="main",
                target=EMAIL,
                value="{{identity.email}}",
                recorded_value="ann@example.org",
                before=PageState(url="/register", title="Register", status=200),
            )
        )
        after = PageState(
            url=f"/register/{number}",
            title="Register",
            status=200,
            requests=(("POST", "/api/{id}", 201),),
            alerts=("Taken",),
            notes=("Säved",),
        )
        run.end(action_id, ActionOutcome(status="done", settled="changed", after=after))
        run.end_step(step_id, ToolResult(success=True, data={"filled": True}))
        return step_id

    return record
