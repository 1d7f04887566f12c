"""What a run that is gone on with had come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.recording import Recorder, Recording
from simulator.runner.interrupted.resume_past import read_past
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult
from tests.runner.bench import persona

pytestmark = pytest.mark.promise("a run that was cut off goes on", quick=2)


def test_what_was_skipped_after_a_browser_had_died_has_not_ended(tmp_path: Path) -> None:
    """The task in free words stands to be done, as do those that need no model."""
    db = tmp_path / "runs.db"
    with Recorder.open(db) as recorder:
        batch = recorder.begin_batch(argv=(), seed="7", settings={})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent="claude", persona="reader", identity={"username": "ann"},
            environment={"base_url": "http://127.0.0.1:9"}, site="bookshop",
        )  # fmt: skip
        done = run.begin_step(call=ToolCall(id="a", name="navigate", input={"url": "/"}), replay="actions")
        run.end_step(done, ToolResult(success=True))
        dies = run.begin_step(call=ToolCall(id="b", name="login", input={}), replay="actions")
        closed = ToolFailure(type="page_closed", message="the page or its browser has closed")
        run.end_step(dies, ToolResult(success=False, error=closed))
        tasks = [["do", "skipped", "it needs a model"], ["browse", "done", ""], ["login", "failed", "closed"]]
        tasks += [[name, "skipped", "there is no use in it after login failed"] for name in ("do", "browse")]
        summary = {"tasks": tasks, "ends": [0, 1, 2, 2, 2]}
        run.end_run(status="failed", verdict="environment", reason="the browser died", summary=summary)
        recorder.end_batch(batch, status="failed")
    with Recording.open(db) as recording:
        past = read_past(recording, recording.run("last"), persona({"persona": "reader", "tasks": ["login"]}))
    assert [outcome[:2] for outcome in past.outcomes] == [("do", "skipped"), ("browse", "done")]
    assert past.ends == (0, 1)
