from __future__ import annotations

import base64
import copy
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.canonical import canonical_json, content_hash, sha256
from simulator.recording import Recorder, Recording
from simulator.recording.upkeep.promote import promote
from simulator.recording.upkeep.prune import prune
from simulator.recording.upkeep.verify import verify
from simulator.recording.writing.model_calls import ModelCallRecorder
from simulator.recording.writing.requests import Outline, apply, difference, outline, whole, without_pictures
from simulator.replay.tape import read_calls
from simulator.tools.contracts import Image, ToolCall, ToolResult
from tests.recording.conftest import EMAIL

PICTURE = b"\x89PNG the bytes of a picture " * 40
MARK = {"cache_control": {"type": "ephemeral"}}
SYSTEM = [{"type": "text", "text": "You are Ann. " * 100, **MARK}]
TOOLS = [{"name": "click", "description": "Clicks.", "input_schema": {"type": "object"}, **MARK}]
USAGE = {"input": 10, "cache_write": 3, "cache_read": 2, "output": 1}


def told(text: str, *, mark: bool = False) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text, **(MARK if mark else {})}]}


def used(number: int) -> dict[str, Any]:
    use = {"type": "tool_use", "id": f"use_{number}", "name": "click", "input": {"selector": f"Button {number}"}}
    return {"role": "assistant", "content": [use]}


def result(number: int, text: str, *, mark: bool = False, picture: bool = False) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": text}]
    if picture:
        data = base64.b64encode(PICTURE).decode()
        content.append({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
    block = {"type": "tool_result", "tool_use_id": f"use_{number}", "content": content, **(MARK if mark else {})}
    return {"role": "user", "content": [block]}


def response(number: int) -> dict[str, Any]:
    (use,) = used(number)["content"]
    uses = [{"id": use["id"], "name": "click", "input": use["input"], "toolset": ""}]
    return {"content": [use], "uses": uses, "text": "", "stop_reason": "tool_use", "refusal": ""}


def request(messages: list[dict[str, Any]]) -> dict[str, Any]:
    return {"system": SYSTEM, "tools": TOOLS, "messages": messages}


def conversation(length: int, *, picture: int = -1, page: str = "A page. ") -> list[dict[str, Any]]:
    """A request after so many calls, marked as a conversation marks them."""
    messages = [told("Write a message.")]
    for number in range(length):
        messages += [used(number), result(number, page * 50 + str(number), picture=number == picture)]
    for message in [message for message in messages if message["role"] == "user"][-2:]:
        message["content"][-1] |= MARK
    return request(messages)


def ask(calls: ModelCallRecorder, asked: dict[str, Any], number: int) -> str:
    call_id = calls.begin(provider="anthropic", model="claude", request=asked)
    calls.answered(call_id, model="claude-x", response=response(number), usage=USAGE, asks_for=[f"use_{number}"])
    return call_id


@pytest.fixture
def made(path: Path, begin_run: Any) -> tuple[Path, str]:
    """A run that asked a model four times, and was shown a picture by its second call."""
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        for number in range(4):
            ask(run.model_calls, conversation(number, picture=1), number)
            step = run.begin_step(call=ToolCall(id=f"use_{number}", name="click"), replay="actions")
            images = (Image(media_type="image/png", data=PICTURE),) if number == 1 else ()
            run.end_step(step, ToolResult(success=True, data="A page.", images=images))
        run.end_run(status="passed")
        recorder.end_batch(run.batch_id, status="passed")
    return path, run.id


def test_requests_and_answers_are_given_back_as_they_were(made: tuple[Path, str]) -> None:
    path, run_id = made
    with Recording.open(path) as recording:
        calls = read_calls(recording, recording.run(run_id))
        steps = recording.steps(run_id)
    expected = [without_pictures(conversation(number, picture=1), lambda data, _: sha256(data)) for number in range(4)]
    assert [call.request for call in calls] == expected
    assert [call.response for call in calls] == [response(number) for number in range(4)]
    rows = [call.call for call in calls]
    assert [row.step_id for row in rows] == [step.id for step in steps]
    assert {(row.provider, row.model, row.status) for row in rows} == {("anthropic", "claude-x", "done")}
    assert all(row.usage == USAGE and row.ended_ns and row.ended_ns >= row.started_ns for row in rows)
    assert verify(path) == []


def test_a_picture_is_stored_once_for_the_step_and_the_request(made: tuple[Path, str]) -> None:
    path, run_id = made
    with Recording.open(path) as recording:
        (picture,) = [step.images[0][0] for step in recording.steps(run_id) if step.images]
        texts = [row["bytes"] for row in recording.connection.execute("SELECT bytes FROM blob WHERE size > 800")]
        last = canonical_json(read_calls(recording, recording.run(run_id))[3].request)
    assert texts.count(PICTURE) <= 1
    assert picture in last
    assert base64.b64encode(PICTURE).decode()[:60] not in last


def test_a_request_is_committed_before_it_is_sent(path: Path, begin_run: Any) -> None:
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        call_id = run.model_calls.begin(provider="openai", model="m", request=conversation(0))
        with Recording.open(path) as recording:
            (row,) = recording.llm_calls(run.id)
            assert (row.id, row.status, row.response, row.model) == (call_id, "pending", None, "m")
        run.model_calls.failed(call_id, "ModelUnavailable: nothing answers")
        run.model_calls.begin(provider="openai", model="m", request=conversation(0))
        run.end_run(status="interrupted")
    with Recording.open(path) as recording:
        first, second = recording.llm_calls(run.id)
    assert (first.status, first.error) == ("failed", "ModelUnavailable: nothing answers")
    assert second.status == "interrupted"
    assert verify(path) == []


def test_a_step_is_led_to_by_the_answer_that_asks_for_it(path: Path, begin_run: Any) -> None:
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        ask(run.model_calls, conversation(0), 0)
        for call_id in ("call_1", "use_0", "use_0"):
            run.end_step(
                run.begin_step(call=ToolCall(id=call_id, name="click"), replay="skip"), ToolResult(success=True)
            )
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        (row,) = recording.llm_calls(run.id)
        assert row.step_id == recording.steps(run.id)[1].id


def test_no_secret_gets_into_a_request_or_an_answer(path: Path, begin_run: Any) -> None:
    def mask(texts: Any) -> list[str]:
        return [text.replace("hunter2!", "{{secret.password}}") for text in texts]

    with Recorder.open(path, mask=mask) as recorder:
        run = begin_run(recorder)
        leaky = conversation(1, page="The password is hunter2! ")
        call_id = run.model_calls.begin(provider="anthropic", model="claude", request=leaky)
        answer = response(1) | {"text": "hunter2!"}
        run.model_calls.answered(call_id, model="claude", response=answer, usage=USAGE, asks_for=())
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        (call,) = read_calls(recording, recording.run(run.id))
        keys = [row["sha256"] for row in recording.connection.execute("SELECT sha256 FROM blob")]
        assert all(b"hunter2" not in recording.blobs.read(key) for key in keys)
    assert "{{secret.password}}" in canonical_json([call.request, call.response])
    assert verify(path) == []


def test_requests_are_written_anew_when_a_text_in_them_proves_to_be_a_secret(path: Path, begin_run: Any) -> None:
    """What was typed openly stood in requests before its field turned into a password field."""
    secrets: list[str] = []

    def mask(texts: Any) -> list[str]:
        return [text.replace(secrets[0], "{{secret.typed_1}}") if secrets else text for text in texts]

    with Recorder.open(path, mask=mask) as recorder:
        other, run = begin_run(recorder), begin_run(recorder, number=1)
        ask(other.model_calls, conversation(1, page="Nothing. "), 1)
        for number in range(3):
            ask(run.model_calls, conversation(number, page="The word is hunter2! "), number)
        step = run.begin_step(call=ToolCall(id="use_2", name="click"), replay="actions")
        action = run.begin(ActionStart("click", "main", target=EMAIL, before=PageState(url="/")))
        secrets.append("hunter2!")
        run.end(action, ActionOutcome("done", learnt=True))
        run.end_step(step, ToolResult(success=True))
        ask(run.model_calls, conversation(3, page="The word is hunter2! "), 3)
        other.end_run(status="passed")
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        calls = read_calls(recording, recording.run(run.id))
        (untouched,) = read_calls(recording, recording.run(other.id))
        keys = [row["sha256"] for row in recording.connection.execute("SELECT sha256 FROM blob")]
        assert all(b"hunter2" not in recording.blobs.read(key) for key in keys)
    page = "The word is {{secret.typed_1}} "
    assert [call.request for call in calls] == [conversation(number, page=page) for number in range(4)]
    assert [call.call.request_hash for call in calls] == [
        outline(conversation(number, page=page), content_hash, lambda data, _: sha256(data)).hash for number in range(4)
    ]
    assert untouched.request == conversation(1, page="Nothing. ")
    assert verify(path) == []


def test_sixty_requests_take_little_room(path: Path, begin_run: Any) -> None:
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        for number in range(60):
            ask(run.model_calls, conversation(number), number)
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        (size,) = recording.connection.execute("SELECT sum(length(bytes)) FROM blob").fetchone()
        calls = read_calls(recording, recording.run(run.id))
    whole_size = sum(len(canonical_json(call.request)) for call in calls)
    assert calls[59].request == conversation(59)
    assert size * 25 < whole_size


def test_promotion_takes_along_what_model_calls_refer_to_and_pruning_leaves_it(
    made: tuple[Path, str], tmp_path: Path, begin_run: Any
) -> None:
    path, run_id = made
    target = tmp_path / "kept.db"
    promote(path, [run_id], target)
    assert verify(target) == []
    with Recording.open(path) as one, Recording.open(target) as other:
        assert read_calls(one, one.run(run_id)) == read_calls(other, other.run(run_id))
    assert prune(path).blobs == 0
    assert verify(path) == []
    with Recorder.open(path) as recorder:
        later = begin_run(recorder)
        ask(later.model_calls, conversation(0), 0)
        later.end_run(status="passed")
        recorder.end_batch(later.batch_id, status="passed")
    assert prune(path, keep=1).blobs > 4
    assert verify(path) == []


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE llm_call SET request_hash = 'x' WHERE ordinal = 2", "its request hashes to"),
        (
            "UPDATE llm_call SET request = (SELECT request FROM llm_call WHERE ordinal = 3) WHERE ordinal = 1",
            "one before",
        ),
        ("UPDATE llm_call SET response = NULL WHERE ordinal = 1", "is done without an answer"),
        ("UPDATE llm_call SET status = 'pending' WHERE ordinal = 1", "is pending in a run that is passed"),
        ("UPDATE llm_call SET ordinal = 9 WHERE ordinal = 3", "are numbered 0 to 9"),
        ("DELETE FROM blob WHERE media_type = 'image/png'", "shows the missing blob"),
        ("DELETE FROM blob WHERE size > 1200 AND media_type = 'application/json'", "lacks the part"),
    ],
)
def test_what_does_not_fit_together_is_found(made: tuple[Path, str], damage: str, told: str) -> None:
    path, _ = made
    with sqlite3.connect(path) as connection:
        assert connection.execute(damage).rowcount > 0
    connection.close()
    assert any(told in str(problem) for problem in verify(path)), verify(path)


@given(st.data())
def test_a_difference_and_the_request_before_are_the_request(data: st.DataObject) -> None:
    texts = st.lists(st.sampled_from("abcdef"), max_size=12)
    marks = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=2)
    outlines = [
        Outline(
            data.draw(st.sampled_from("st")), data.draw(st.sampled_from("tu")), tuple(data.draw(texts)), tuple(pairs)
        )
        for pairs in (data.draw(marks), data.draw(marks))
    ]
    before, now = outlines
    stored = json.loads(canonical_json(difference(("before", before), now)))
    assert stored["before"] == "before"
    assert apply(stored, before) == now
    assert apply(json.loads(canonical_json(difference(None, now))), None) == now


def test_the_parts_of_a_request_make_it_whole() -> None:
    parts: dict[str, Any] = {}

    def keep(value: Any) -> str:
        text = canonical_json(value)
        parts[sha256(text)] = json.loads(text)
        return sha256(text)

    asked = conversation(5)
    found = outline(asked, keep, lambda *_: "no picture")
    assert whole(found, lambda key: copy.deepcopy(parts[key])) == asked
    moved = outline(conversation(6), keep, lambda *_: "no picture")
    assert moved.messages[:11] == found.messages


def test_what_an_answer_types_is_kept_only_once_it_is_known_whether_it_is_a_secret(path: Path, begin_run: Any) -> None:
    own, known = "correct horse", set[str]()

    def mask(texts: Sequence[str]) -> Sequence[str]:
        return [text.replace(own, "{{secret.typed}}") if known else text for text in texts]

    with Recorder.open(path, mask=mask) as recorder:
        run = begin_run(recorder)
        call = run.model_calls.begin(provider="anthropic", model="m", request=conversation(0))
        run.model_calls.answered(call, model="m", response={"text": own}, usage={"input": 3}, asks_for=["1"])
        with Recording.open(recorder.path) as recording:
            (row,) = recording.llm_calls(run.id)
            assert (row.status, row.response, row.usage) == ("pending", None, {"input": 3})
        known.add(own)
        run.end_run(status="passed")
        with Recording.open(recorder.path) as recording:
            (row,) = recording.llm_calls(run.id)
            assert row.status == "done"
            assert json.loads(recording.blobs.read(str(row.response))) == {"text": "{{secret.typed}}"}
