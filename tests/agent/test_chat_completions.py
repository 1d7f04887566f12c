"""The server that speaks Chat Completions: what it takes, and how the SDK understands its answers."""

from __future__ import annotations

import base64
import io
import json
from typing import Any

import openai
import pytest
from PIL import Image

from tests.fakes import asking
from tests.fakes.chat_completions import (
    ERROR,
    KEY,
    MODEL,
    Cut,
    Dialect,
    Fault,
    Raw,
    Reply,
    Request,
    call,
    calls,
    chat_completions,
    say,
    use,
)

SYSTEM = {"role": "system", "content": "be good"}
USER = {"role": "user", "content": "hello"}
RESULT = {"role": "tool", "tool_call_id": "a", "content": "done"}


def asks(*ids: str, arguments: str = "{}", **more: Any) -> dict[str, Any]:
    function = {"name": "click", "arguments": arguments}
    return {
        "role": "assistant",
        "tool_calls": [{"id": id, "type": "function", "function": function} for id in ids],
        **more,
    }


def picture(kind: str = "PNG") -> dict[str, Any]:
    file = io.BytesIO()
    Image.new("1", (3, 3)).save(file, kind)
    data = base64.b64encode(file.getvalue()).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def tool(name: str, **parameters: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": "x", "parameters": parameters}}


def client(url: str, key: str = KEY) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"messages": []}, "at least one message"),
    ({"messages": [USER, SYSTEM]}, "must come first"),
    ({"messages": [USER, asks("a")]}, "did not have response messages"),
    ({"messages": [USER, asks("a"), USER]}, "did not have response messages"),
    ({"messages": [USER, asks("a", "b"), RESULT, USER]}, "did not have response messages"),
    ({"messages": [USER, asks("a"), RESULT, RESULT]}, "must answer a tool_call"),
    ({"messages": [USER, asks("a"), RESULT | {"tool_call_id": "b"}]}, "must answer a tool_call"),
    ({"messages": [USER, RESULT]}, "must answer a tool_call"),
    ({"messages": [USER, asks("a", "a"), RESULT, RESULT]}, "ids of tool_calls must be unique"),
    ({"messages": [USER, asks("a", arguments="{"), RESULT]}, "are no JSON object"),
    ({"messages": [USER, asks(content="x"), USER]}, "tool_calls must be non-empty"),
    ({"messages": [USER, {"role": "assistant"}, USER]}, "must be non-empty"),
    ({"messages": [USER, {"role": "assistant", "content": "so"}]}, "last message"),
    ({"messages": [USER | {"content": ""}]}, "must be non-empty"),
    ({"messages": [USER | {"content": []}]}, "must be non-empty"),
    ({"messages": [USER, asks("a"), RESULT | {"content": " "}]}, "must be non-empty"),
    ({"messages": [USER, asks("a"), RESULT | {"content": [picture()]}]}, "Field required"),
    ({"messages": [USER | {"content": [picture("GIF")]}]}, "it is GIF"),
    ({"messages": [USER | {"colour": "red"}]}, r"messages\.0\.colour: extra inputs"),
    ({"tools": []}, "expected 1 to 128"),
    ({"tools": [tool("click it", type="object")]}, "does not match"),
    ({"tools": [tool("click", type="object")] * 2}, "unique"),
    ({"tools": [tool("click", type="string")]}, "must have type object"),
    ({"max_tokens": 9, "max_completion_tokens": 9}, "exclude each other"),
]


@pytest.mark.parametrize(("body", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
async def test_a_request_against_the_rules_is_refused_with_the_reason(body: Any, reason: str) -> None:
    with chat_completions([say("never")]) as api:
        async with client(api.url) as model:
            with pytest.raises(openai.BadRequestError, match=reason):
                await model.chat.completions.create(**{"model": MODEL, "stream": True, "messages": [USER], **body})
        assert len(api.refused) == 1


async def test_a_request_within_the_rules_is_taken_and_read_as_any_other() -> None:
    messages: Any = [SYSTEM, USER, asks("a", "b", content="I click."), RESULT]
    messages += [RESULT | {"tool_call_id": "b", "content": f"{ERROR}not_found: no"}, USER | {"content": [picture()]}]
    with chat_completions([say("yes")]) as api:
        async with client(api.url) as model:
            tools: Any = [tool("click", type="object")]
            await model.chat.completions.create(model=MODEL, stream=True, messages=messages, tools=tools)
        assert api.refused == []
        (request,) = api.requests
    assert (request.system, request.task, request.turn, request.tools) == ("be good", "hello", 1, ["click"])
    assert [(one["tool_use_id"], one["is_error"]) for one in request.results] == [("a", False), ("b", True)]
    assert request.said == "done\nnot_found: no"
    assert [block["type"] for block in request.last] == ["tool_result", "tool_result", "image"]
    assert [block["type"] for block in request.turns[1][1]] == ["text", "tool_use", "tool_use"]


@pytest.mark.parametrize("dialect", [Dialect(), Dialect(usage=False)], ids=["counts", "does not count"])
async def test_a_stream_comes_to_the_whole_answer(dialect: Dialect) -> None:
    uses = [use("fill", selector="Price", value="4.50 €"), use("click", selector="Save")]
    with chat_completions([calls(*uses, text="I save it.", output_tokens=7)], dialect) as api:
        async with (
            client(api.url) as model,
            model.chat.completions.stream(
                model=MODEL, messages=[{"role": "user", "content": "x"}], stream_options={"include_usage": True}
            ) as stream,
        ):
            whole = await stream.get_final_completion()
    (choice,) = whole.choices
    assert (choice.message.content, choice.finish_reason) == ("I save it.", "tool_calls")
    told = [(one.id, one.function.name, json.loads(one.function.arguments)) for one in choice.message.tool_calls or ()]
    assert told == [(one["id"], one["name"], one["input"]) for one in uses]
    assert (whole.usage.completion_tokens if whole.usage else None) == (7 if dialect.usage else None)


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
async def test_faults(status: int) -> None:
    with chat_completions([Fault(status, headers={"retry-after": "7"}, more={"code": "why"})]) as api:
        async with client(api.url) as model:
            with pytest.raises(openai.APIStatusError) as caught:
                await model.chat.completions.create(
                    model=MODEL, stream=True, messages=[{"role": "user", "content": "x"}]
                )
    assert (caught.value.status_code, caught.value.code) == (status, "why")
    assert caught.value.response.headers["retry-after"] == "7"


async def test_a_stream_can_be_cut_or_malformed() -> None:
    answers: list[tuple[Any, type[Exception]]] = [
        (Cut(call("click", selector="x"), 2), openai.APIConnectionError),
        (Cut(say("x"), 2, error="server_error"), openai.APIError),
        (Raw(b"data: {\n\n"), json.JSONDecodeError),
    ]
    with chat_completions([answer for answer, _ in answers]) as api:
        async with client(api.url) as model:
            for _, expected in answers:
                with pytest.raises(expected):
                    async for _ in await model.chat.completions.create(
                        model=MODEL, stream=True, messages=[{"role": "user", "content": "x"}]
                    ):
                        pass


async def test_a_wrong_key_and_a_wrong_path() -> None:
    with chat_completions([]) as api:
        async with client(api.url, "other") as model:
            with pytest.raises(openai.AuthenticationError):
                await model.chat.completions.create(
                    model=MODEL, stream=True, messages=[{"role": "user", "content": "x"}]
                )
        assert asking.post(f"{api.url}/v1/responses", content=json.dumps({})).status_code == 404


async def test_a_server_without_keys_and_without_eyes() -> None:
    with chat_completions([say("hello")], Dialect(key=None, vision=False)) as api:
        headers = {"Content-Type": "application/json"}
        body = {"model": MODEL, "stream": True, "messages": [USER | {"content": [picture()]}]}
        refused = asking.post(f"{api.url}/v1/chat/completions", json=body, headers=headers)
        assert (refused.status_code, api.refused) == (400, ["this model takes no images"])


async def test_a_function_sees_the_request() -> None:
    def echo(request: Request) -> Reply:
        return say(request.said.upper())

    with chat_completions(echo) as api:
        async with client(api.url) as model, model.chat.completions.stream(model=MODEL, messages=[USER]) as stream:  # type: ignore[list-item]
            answer = await stream.get_final_completion()
    assert answer.choices[0].message.content == "HELLO"
