from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Box, Scope, Target
from simulator.recording import Recorder
from simulator.recording.reader import Recording
from simulator.recording.rows import RunKind
from simulator.report.difference import RunDifference, compare_runs
from simulator.report.recorded import RecordedRun, read_run
from simulator.tools.contracts import ToolCall, ToolResult

Act = tuple[str, str, dict[str, Any]]
"""Tool, name of the button, and what is special about the action."""


@pytest.fixture
def recorder(tmp_path: Path) -> Any:
    with Recorder.open(tmp_path / "runs.db") as recorder:
        yield recorder


def recorded(recorder: Recorder, *acts: Act, kind: RunKind = "record", user: str = "ann") -> RecordedRun:
    batch = recorder.begin_batch(argv=[], seed="7", settings={}, kind=kind)
    run = recorder.begin_run(
        batch_id=batch, number=1, kind=kind, agent=None, persona="voter", identity={"username": user}, environment={},
        site="shop",
    )  # fmt: skip
    run.actors.add("user")
    for place, (tool, name, special) in enumerate(acts):
        reads = tool == "read_forms"
        step = run.begin_step(
            call=ToolCall(id=str(place), name=tool, input={"selector": name}), replay="skip" if reads else "actions"
        )
        if not reads:
            scope = Scope(kind="form", name=special.get("form", "Sell a book"))
            box = Box(x=place * 10.0 + special.get("moved", 0), y=0, width=1, height=1)
            target = Target(tag="button", role="button", name=name, scopes=(scope,), box=box)
            action = run.begin(ActionStart("click", "user", target))
            run.end(action, ActionOutcome("done", after=PageState(url=special.get("url", "/books"), status=200)))
        run.end_step(step, ToolResult(success=special.get("success", True)))
    run.end_run(status="passed")
    with Recording.open(recorder.path) as recording:
        return read_run(recording, run.id)


def told(difference: RunDifference) -> list[tuple[str, int | None, int | None]]:
    return [(step.kind, step.first, step.second) for step in difference.steps]


def test_two_users_who_did_the_same_do_not_differ(recorder: Recorder) -> None:
    acts: list[Act] = [("click", "Save", {}), ("click", "Send", {"moved": 300})]
    found = compare_runs(recorded(recorder, *acts), recorded(recorder, *acts, user="bob"))
    assert found.same
    assert found.lines() == ["no difference in 2 steps"]


def test_a_step_that_one_run_lacks_shifts_no_other(recorder: Recorder) -> None:
    one = recorded(recorder, ("click", "Save", {}), ("click", "Send", {}))
    other = recorded(recorder, ("click", "Open", {}), ("click", "Save", {}), ("click", "Send", {}))
    found = compare_runs(one, other)
    assert told(found) == [("only in the second", None, 1)]
    assert found.lines()[1:] == ["    - / 1  only in the second: click button 'Open' in form 'Sell a book'"]


def test_what_differs_in_a_step_is_told(recorder: Recorder) -> None:
    one = recorded(recorder, ("click", "Save", {}))
    other = recorded(recorder, ("click", "Save", {"url": "/login", "form": "Log in", "success": False}))
    found = compare_runs(one, other)
    assert told(found) == [("differs", 1, 1)]
    details = found.steps[0].details
    assert details[0] == "outcome: done -> failed"
    assert "'Sell a book'" in details[1]
    assert details[1].startswith("click button 'Save' in form 'Sell a book': around it: form 'Sell a book' -> ")
    assert details[2].endswith("page url: /books -> /login")


def test_what_a_replay_does_not_perform_is_no_difference(recorder: Recorder) -> None:
    acts: list[Act] = [("read_forms", "", {}), ("click", "Save", {})]
    original = recorded(recorder, *acts)
    assert compare_runs(original, recorded(recorder, acts[1], kind="replay")).same
    assert told(compare_runs(original, recorded(recorder, acts[1]))) == [("only in the first", 1, None)]
