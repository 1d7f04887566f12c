"""Revisions: new runs beside the old ones, with what was changed in them and everything else as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from simulator.browser.sink import ActionOutcome, ActionStart, PageState
from simulator.errors import RecordingError
from simulator.recording import Recorder, Recording, verify
from simulator.recording.revise import RunChanges, revise
from simulator.tools.contracts import ToolCall, ToolResult

TIMES = {"id", "change", "started_at", "ended_at", "started_ns", "ended_ns", "step_id"}


@pytest.fixture
def pair(path, begin_run, record_step):
    """Two runs of a batch, the second of which needs the first and has put a file into the recording."""
    with Recorder.open(path, mask=lambda texts: [text.replace("hunter2", "{{secret.password}}") for text in texts]) as (
        recorder
    ):
        first = begin_run(recorder)
        first.set_variable("site.book_1", "42", kind="site")
        producer = record_step(first)
        first.end_run(status="passed", verdict="passed", summary={"state": "abc"})
        second = begin_run(recorder, batch_id=first.batch_id, number=1)
        step_id = second.begin_step(call=ToolCall(id="1", name="upload"), replay="actions")
        cover = second.put_blob(b"cover bytes", "image/png")
        page = PageState("/books/{{site.book_1}}", title="A book", status=200)
        action_id = second.begin(ActionStart(kind="upload", actor="main", value=cover, before=page))
        second.end(action_id, ActionOutcome("done", after=page, minted={"site.book_2": "43"}))
        second.end_step(step_id, ToolResult(success=True))
        second.add_dependency(step_id=step_id, producer_run=first.id, producer_step=producer, name="site.book_1")
        second.end_run(status="passed", verdict="passed")
        recorder.end_batch(first.batch_id, status="passed")
        yield path, recorder, first.id, second.id


def bare(rows):
    return [{k: getattr(row, k) for k in row.__slots__ if k not in TIMES | {"run_id", "action_id"}} for row in rows]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_revision_is_a_run_of_its_own_with_what_it_needs(pair, tmp_path: Path, elsewhere: bool) -> None:
    path, recorder, first, second = pair
    target = Recorder.open(tmp_path / "other.db") if elsewhere else recorder
    with Recording.open(path) as source:
        before = [source.run(first), source.run(second), source.actions(second), source.variables(first)]
        (action,) = source.actions(second)
        page = replace(action.after, title="Another title hunter2" if not elsewhere else "Another title")
        extra = replace(action, id="extra", kind="click", value=None, options={"optional": True})
        new = revise(
            source,
            [
                RunChanges(
                    run_id=second,
                    actions={action.id: replace(action, after=page)},
                    inserted={action.id: [extra]},
                    summary={"heals": [1]},
                    verdict="healed",
                )
            ],
            target,
            argv=["sim", "replay"],
        )
    assert list(new) == [first, second]
    with Recording.open(target.path) as recording:
        one, two = recording.run(new[first]), recording.run(new[second])
        assert (one.kind, one.source_run, one.revision, one.summary) == ("heal", first, 2, {"state": "abc"})
        assert (two.kind, two.source_run, two.revision, two.verdict) == ("heal", second, 2, "healed")
        assert two.summary == {"heals": [1]}
        assert one.batch_id == two.batch_id != before[0].batch_id
        assert recording.batch(one.batch_id).kind == "heal"
        assert recording.closure([two.id]) == [one.id, two.id]
        added, changed = recording.actions(two.id)
        assert (added.ordinal, added.kind, added.options) == (0, "click", {"optional": True})
        assert (changed.ordinal, changed.kind, changed.value) == (1, "upload", action.value)
        assert changed.after is not None
        title = "Another title" if elsewhere else "Another title {{secret.password}}"
        assert changed.after.title == title
        assert {one.id, two.id}.isdisjoint({first, second})
        assert recording.blob(action.value or "") == b"cover bytes"
        (minted,) = recording.variables(two.id)
        assert (minted.name, minted.value, minted.action_id) == ("site.book_2", "43", changed.id)
        assert recording.variable_uses(one.id)
    if elsewhere:
        target.close()
    else:
        with Recording.open(path) as source:
            assert before == [source.run(first), source.run(second), source.actions(second), source.variables(first)]
    assert verify(target.path) == []


def test_what_is_not_changed_is_as_it_was(pair) -> None:
    path, recorder, first, _ = pair
    with Recording.open(path) as source:
        new = revise(source, [RunChanges(run_id=first)], recorder)
    with Recording.open(path) as recording:
        for read in (recording.steps, recording.actions, recording.variables, recording.actors, recording.created):
            assert bare(read(new[first])) == bare(read(first))


def test_inputs_flags_and_variables_change(pair) -> None:
    path, recorder, first, _ = pair
    with Recording.open(path) as source:
        (step,) = source.steps(first)
        (variable,) = source.variables(first)
        changes = RunChanges(
            run_id=first,
            steps={step.id: replace(step, input={"text": "new"}, flags={"keep_text": True})},
            variables=[replace(variable, value="57"), replace(variable, name="text.code", kind="text", value="X1")],
        )
        new = revise(source, [changes], recorder)
        again = revise(source, [changes], recorder)
    with Recording.open(path) as recording:
        (revised,) = recording.steps(new[first])
        assert (revised.input, revised.flags) == ({"text": "new"}, {"keep_text": True})
        assert [(one.name, one.value) for one in recording.variables(new[first])] == [
            ("site.book_1", "57"),
            ("text.code", "X1"),
        ]
        assert recording.run(again[first]).revision == 2
    assert verify(path) == []


def test_a_run_that_is_not_there_is_told(pair) -> None:
    path, recorder, _, _ = pair
    with Recording.open(path) as source, pytest.raises(RecordingError, match="has no run"):
        revise(source, [RunChanges(run_id="nowhere")], recorder)
