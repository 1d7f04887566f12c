"""Exchanges are stored with the actions that cause them, and copied, removed and checked like all of a run."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from simulator.recording import Recorder, Recording
from simulator.recording.upkeep.promote import promote
from simulator.recording.upkeep.prune import prune
from simulator.recording.upkeep.verify import verify
from simulator.tools.contracts import ToolCall, ToolResult
from tests.recording.heard import PAGE, Heard, act
from tests.recording.row_counts import row_counts

SECRET = "correct horse battery"


@pytest.fixture
def recorder(path: Path):
    with Recorder.open(
        path, mask=lambda texts: [text.replace(SECRET, "{{secret.typed_1}}") for text in texts]
    ) as found:
        yield found


@pytest.fixture
def run(recorder, begin_run):
    return begin_run(recorder)


def test_what_an_action_caused_is_there_when_it_has_ended(path, run):
    run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
    post = Heard(request_parts=[{"name": "cover", "filename": "a.png", "file": b"picture", "type": "image/png"}])
    body = f"<p>{SECRET}</p>".encode()
    page = Heard(post, method="GET", response_body=body, response_type="text/html; charset=utf-8")
    action_id = act(run, post, page)
    with Recording.open(path) as recording:
        first, second = recording.exchanges(run.id)
        (step,) = recording.steps(run.id)
        assert step.status == "pending"
        assert (first.ordinal, first.action_id, first.step_id, first.actor) == (0, action_id, step.id, "main")
        assert (second.ordinal, second.redirect_of, second.status) == (1, first.id, 303)
        assert first.request_parts is not None
        assert recording.blobs.read(first.request_parts[0]["file"]) == b"picture"
        assert recording.blobs.read(second.response_body) == b"<p>{{secret.typed_1}}</p>"
        assert recording.blobs.media_type(second.response_body) == "text/html"
        assert first.response_headers == tuple(PAGE.response_headers)
        assert first.timings == PAGE.timings
    assert verify(path) == []


def test_whatever_can_be_read_is_masked_by_whichever_name_it_goes(path, run):
    run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
    act(run, Heard(response_body=f"\n{SECRET}".encode(), response_type="application/octet-stream"))
    with Recording.open(path) as recording:
        (row,) = recording.exchanges(run.id)
        assert recording.blobs.read(row.response_body) == b"\n{{secret.typed_1}}"


def test_one_that_goes_on_is_there_at_once_and_completed_later(path, run):
    step_id = run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
    slow = Heard(over=False, status=0, error="not yet")
    act(run, slow, Heard())
    with Recording.open(path) as recording:
        assert [(row.status, row.error) for row in recording.exchanges(run.id)] == [(0, "not yet"), (303, None)]
    slow.over, slow.told = True, {"status": 200, "response_body": b"late", "response_type": "text/plain"}
    run.exchanges.changed(slow)
    run.end_step(step_id, ToolResult(success=True))
    with Recording.open(path) as recording:
        first, _ = recording.exchanges(run.id)
        assert (first.ordinal, first.status, first.error) == (0, 200, None)
        assert recording.blobs.read(first.response_body) == b"late"


def test_what_comes_between_actions_is_stored_with_the_step_or_the_run(path, run):
    run.begin_step(call=ToolCall(id="1", name="wait"), replay="skip")
    run.exchanges.sent(Heard())
    assert run.current_step is not None
    run.end_step(run.current_step, ToolResult(success=True))
    run.exchanges.sent(Heard())
    run.end_run(status="passed")
    with Recording.open(path) as recording:
        assert [(row.ordinal, row.step_id) for row in recording.exchanges(run.id)] == [(0, None), (1, None)]


def test_promoting_copies_them_with_their_blobs_and_pruning_removes_them(path, run, recorder, tmp_path):
    run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
    act(
        run,
        Heard(response_body=b"an answer", response_type="text/plain"),
        Heard(request_parts=[{"name": "f", "filename": "b.bin", "file": b"\0file", "type": ""}]),
        Heard(request_parts=None, request_body=b'{"said": 1}', request_type="application/json"),
    )
    run.end_run(status="passed")
    recorder.end_batch(run.batch_id, status="passed")
    copy = tmp_path / "copy.db"
    promote(path, [run.id], copy)
    with Recording.open(path) as source, Recording.open(copy) as target:
        assert target.exchanges(run.id) == source.exchanges(run.id)
        assert row_counts(target)["blob"] == row_counts(source)["blob"] == 3
    assert verify(copy) == []
    prune(copy, keep=0)
    with Recording.open(copy) as recording:
        assert row_counts(recording)["exchange"] == row_counts(recording)["blob"] == 0


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE exchange SET ordinal = 7 WHERE ordinal = 1", "are numbered 0 to 7"),
        ("DELETE FROM blob", "sends the missing blob"),
        ('UPDATE exchange SET request_headers = \'[["cookie","id=12345"]]\' WHERE ordinal = 0', "holds the header"),
        ('UPDATE exchange SET response_headers = \'[["Set-Cookie","a=b; Path=/"]]\'', "holds the header"),
        ("UPDATE exchange SET redirect_of = (SELECT id FROM exchange WHERE ordinal = 1) WHERE ordinal = 0", "after it"),
        ("UPDATE exchange SET step_id = NULL WHERE ordinal = 0", "another step than its action"),
        ("UPDATE exchange SET timings = 'fast'", "timings: is not JSON"),
    ],
)
def test_verify_finds_what_cannot_be_right(path, run, recorder, damage, found):
    run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
    file = {"name": "f", "filename": "b.bin", "file": b"\0file", "type": ""}
    removed = [("Set-Cookie", "id=; Max-Age=0")]
    act(run, first := Heard(request_parts=[file]), Heard(first, response_headers=removed))
    run.end_run(status="passed")
    recorder.end_batch(run.batch_id, status="passed")
    recorder.close()
    assert verify(path) == []
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(damage)
    problems = [str(problem) for problem in verify(path)]
    assert any(found in problem for problem in problems), problems
