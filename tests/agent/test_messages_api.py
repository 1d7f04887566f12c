"""The server that speaks the Messages API: what it takes, and how the SDK understands its answers."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import anthropic
import httpx2
import pytest
from PIL import Image

from tests.fakes import asking
from tests.fakes.messages_api import KEY, MODEL, Cut, Fault, Raw, Reply, call, calls, messages_api, say, use

USER = {"role": "user", "content": [{"type": "text", "text": "hello"}]}
USES = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "click", "input": {}}]}


def result(**more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": "a", "content": "done", **more}


def picture(width: int, height: int, kind: str = "PNG") -> dict[str, Any]:
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, kind)
    data = base64.b64encode(file.getvalue()).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


def user(*blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def client(url: str, **more: Any) -> anthropic.AsyncAnthropic:
    return anthropic.AsyncAnthropic(api_key=KEY, base_url=url, max_retries=0, **more)


REFUSED = [
    ([], "at least one message"),
    ([USES], "first message must use the user role"),
    ([USER, USES], "without tool_result"),
    ([USER, USES, USER], "without tool_result"),
    ([USER, USES, user(result(tool_use_id="b"))], "unexpected tool_use_id"),
    ([user(result())], "unexpected tool_use_id"),
    ([USER, USES, user(result(), result())], "unexpected tool_use_id"),
    ([USER, USES, user({"type": "text", "text": "x"}, result())], "must come first"),
    ([USER, USES, user(result(content="", is_error=True))], "cannot be empty if is_error"),
    ([USER, USES, user(result(content=[picture(9, 9)], is_error=True))], "of type text if is_error"),
    ([USER, USES, user(result(toolset_name="browser"))], "toolset_name"),
    ([user({"type": "text", "text": "  "})], "non-whitespace"),
    ([user()], "non-empty"),
    ([user({"type": "text", "tekst": "x"})], "Field required"),
    ([user({"type": "text", "text": "x", "colour": "red"})], "colour: extra inputs"),
    ([USER, {"role": "assistant", "content": "and so"}], "prefill"),
    ([user(picture(8001, 3))], "larger than 8000"),
    ([user(*[picture(2001, 3)] * 21)], "larger than 2000"),
    ([user(*[picture(3, 3)] * 101)], "too many images"),
    ([user(picture(3, 3, "GIF"))], "it is GIF"),
    ([user(*[{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 5)], "maximum of 4"),
]


@pytest.mark.parametrize(("messages", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
async def test_a_request_against_the_rules_is_refused_with_the_reason(messages: list[Any], reason: str) -> None:
    with messages_api([say("never")]) as api:
        async with client(api.url) as model:
            with pytest.raises(anthropic.BadRequestError, match=reason):
                await model.messages.create(model=MODEL, max_tokens=9, messages=messages)
        assert reason in api.refused[0]


async def test_a_request_within_the_rules_is_taken() -> None:
    messages = [USER, USES, user(result(content=[picture(30, 30)]), {"type": "text", "text": "go on"})]
    tools: Any = [{"name": "click", "description": "x", "input_schema": {"type": "object", "properties": {}}}]
    with messages_api([say("yes")]) as api:
        async with client(api.url) as model:
            answer = await model.messages.create(model=MODEL, max_tokens=9, messages=messages, tools=tools)
        assert answer.content[0].type == "text"
        assert api.refused == []
        assert api.requests[0].results[0]["tool_use_id"] == "a"


async def test_a_stream_comes_to_the_whole_answer() -> None:
    wanted = calls(use("fill", selector="Price", value="4.50 €"), use("click", selector="Save"), text="I save it.")
    with messages_api([wanted, wanted]) as api:
        async with client(api.url) as model:
            async with model.messages.stream(model=MODEL, max_tokens=9, messages=[USER]) as stream:
                streamed = await stream.get_final_message()
            whole = await model.messages.create(model=MODEL, max_tokens=9, messages=[USER])
    assert [block.to_dict() for block in streamed.content] == [*wanted.content]
    assert [block.to_dict() for block in whole.content] == [*wanted.content]
    assert (streamed.stop_reason, streamed.usage.output_tokens) == ("tool_use", whole.usage.output_tokens)


@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
async def test_faults(status: int) -> None:
    with messages_api([Fault(status, headers={"retry-after": "7"})]) as api:
        async with client(api.url) as model:
            with pytest.raises(anthropic.APIStatusError) as caught:
                await model.messages.create(model=MODEL, max_tokens=9, messages=[USER])
    assert caught.value.status_code == status
    assert caught.value.response.headers["retry-after"] == "7"


async def test_a_stream_can_be_cut_or_malformed() -> None:
    answers: list[tuple[Any, type[Exception]]] = [
        (Cut(call("click", selector="x"), 4), httpx2.RemoteProtocolError),
        (Cut(say("x"), 2, error="overloaded_error"), anthropic.APIStatusError),
        (Raw(b"event: message_start\ndata: {\n\n"), json.JSONDecodeError),
    ]
    with messages_api([answer for answer, _ in answers]) as api:
        async with client(api.url) as model:
            for _, expected in answers:
                with pytest.raises(expected):
                    async with model.messages.stream(model=MODEL, max_tokens=9, messages=[USER]) as stream:
                        await stream.get_final_message()


async def test_a_wrong_key_and_a_wrong_path() -> None:
    with messages_api([]) as api:
        async with anthropic.AsyncAnthropic(api_key="other", base_url=api.url, max_retries=0) as model:
            with pytest.raises(anthropic.AuthenticationError):
                await model.messages.create(model=MODEL, max_tokens=9, messages=[USER])
        assert asking.post(f"{api.url}/v1/elsewhere", content=json.dumps({})).status_code == 404


async def test_a_function_sees_the_request() -> None:
    def echo(request: Any) -> Reply:
        return say(request.said.upper())

    with messages_api(echo) as api:
        async with client(api.url) as model:
            answer = await model.messages.create(model=MODEL, max_tokens=9, messages=[USER])
    assert answer.content[0].to_dict()["text"] == "HELLO"
