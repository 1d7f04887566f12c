"""The Chat Completions API as the SDK expects it, and as servers that are compatible with it differ from it.

Scripts and answers are those of ``messages_api``: one function from request to answer drives both. It takes what
``chat_rules`` allows, answers 400 with a reason to anything else, and keeps every request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.fakes.chat_rules import check
from tests.fakes.model_server import (
    Answer,
    Cut,
    Fault,
    Held,
    ModelApi,
    Protocol,
    Raw,
    Refused,
    Reply,
    Script,
    call,
    calls,
    ids,
    pieces,
    say,
    serve,
    use,
)
from tests.fakes.model_server import Request as AnyRequest

__all__ = ["ERROR", "KEY", "MODEL", "Answer", "ChatCompletionsApi", "Cut", "Dialect", "Fault", "Held", "Raw", "Reply"]
__all__ += ["Request", "Script", "call", "calls", "chat_completions", "say", "use"]

KEY = "sk-the-key-of-the-tests"
MODEL = "gpt-of-the-tests"
ERROR = "Error: "
"""How the text of a tool message begins that tells of a failure."""
ChatCompletionsApi = ModelApi
_ERRORS = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_exceeded"}
_FINISHED = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "stop"}
_IMAGE_DATA = re.compile(r'"url": "data:[^"]{2000,}')
_DATA_URL = re.compile(r"data:([\w/]+);base64,(.*)", re.DOTALL)


@dataclass(frozen=True)
class Request(AnyRequest):
    """A request of the Chat Completions API."""

    @property
    def system(self) -> str:
        return "\n".join(message["content"] for message in self.body["messages"] if message["role"] == "system")

    @property
    def turns(self) -> list[tuple[str, list[dict[str, Any]]]]:
        turns: list[tuple[str, list[dict[str, Any]]]] = []
        for message in self.body["messages"]:
            if message["role"] == "system":
                continue
            role = "assistant" if message["role"] == "assistant" else "user"
            if not turns or turns[-1][0] != role:
                turns.append((role, []))
            turns[-1][1].extend(_blocks(message))
        return turns

    @property
    def tools(self) -> list[str]:
        return [tool["function"]["name"] for tool in self.body.get("tools", [])]


@dataclass(frozen=True)
class Dialect:
    """In what a server differs from the API that it is compatible with."""

    key: str | None = KEY
    """None: it asks for none, and is told none."""
    vision: bool = True
    refuses: tuple[str, ...] = ()
    """Parameters that it does not know."""
    usage: bool = True
    """Whether it tells the tokens where it is asked to."""
    one_index: bool = False
    """Whether all calls of an answer have the index 0."""
    ids: tuple[str, ...] | None = None
    """The ids of calls, instead of those of the script."""
    objects: bool = False
    """Whether arguments come as an object instead of as text."""
    finished: str = ""
    """How every answer ends, whatever it is."""


def chat_completions(script: Script, dialect: Dialect | None = None) -> AbstractContextManager[ChatCompletionsApi]:
    """Serve the Chat Completions API; a client's base URL is the server's with ``/v1``.

    Args:
        script: answers in their order, or a function from request to answer.
        dialect: in what this server differs.
    """
    return serve(_Chat(dialect or Dialect()), script)


class _Chat(Protocol):
    request = Request
    path = "/v1/chat/completions"
    request_id = "x-request-id"

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def unlocked(self, headers: Mapping[str, str]) -> bool:
        given = headers.get("authorization")
        return given == (f"Bearer {self._dialect.key}" if self._dialect.key else None)

    def check(self, request: Request) -> None:
        check(request.body)
        for name in self._dialect.refuses:
            if name in request.body:
                raise Refused(f"{name}: Extra inputs are not permitted")
        if not self._dialect.vision and '"image_url"' in json.dumps(request.body):
            raise Refused("this model takes no images")

    def error(self, fault: Fault) -> dict[str, Any]:
        kind = _ERRORS.get(fault.status, "invalid_request_error" if fault.status < 500 else "server_error")
        return {"error": {"message": fault.message, "type": kind, "param": None, "code": None, **fault.more}}

    def whole(self, request: Request, reply: Reply) -> dict[str, Any]:
        raise Refused("a model of the tests is asked for streams only")

    def events(self, request: Request, reply: Reply) -> Iterator[bytes]:
        head = {
            "id": f"chatcmpl-{next(ids):04}",
            "object": "chat.completion.chunk",
            "created": 1_760_000_000,
            "model": request.body["model"],
        }
        for delta in self._deltas(reply):
            yield _event(head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        finished = self._dialect.finished or _FINISHED.get(reply.stop_reason, reply.stop_reason)
        yield _event(head | {"choices": [{"index": 0, "delta": {}, "finish_reason": finished}]})
        if self._dialect.usage and (request.body.get("stream_options") or {}).get("include_usage"):
            yield _event(head | {"choices": [], "usage": _usage(request, reply)})
        yield b"data: [DONE]\n\n"

    def event_of(self, error: str) -> bytes:
        return _event({"error": {"message": "broken off", "type": error, "param": None, "code": error}})

    def _deltas(self, reply: Reply) -> Iterator[dict[str, Any]]:
        yield {"role": "assistant", "content": ""}
        if reply.details:
            yield from ({"refusal": piece} for piece in pieces(reply.details["explanation"]))
        for block in reply.content:
            if block["type"] == "text":
                yield from ({"content": piece} for piece in pieces(block["text"]))
        for place, block in enumerate(block for block in reply.content if block["type"] == "tool_use"):
            yield from ({"tool_calls": [delta]} for delta in self._call(place, block))

    def _call(self, place: int, block: dict[str, Any]) -> Iterator[dict[str, Any]]:
        dialect = self._dialect
        index = 0 if dialect.one_index else place
        id = block["id"] if dialect.ids is None else dialect.ids[place]
        given = block["input"]
        whole = given if isinstance(given, str) else json.dumps(given)
        first: Any = given if dialect.objects else ""
        yield {"index": index, "id": id, "type": "function", "function": {"name": block["name"], "arguments": first}}
        for piece in () if dialect.objects else pieces(whole):
            yield {"index": index, "function": {"arguments": piece}}


def _event(event: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


def _usage(request: Request, reply: Reply) -> dict[str, Any]:
    counted = {"input_tokens": len(_IMAGE_DATA.sub("", json.dumps(request.body))) // 4}
    counted |= {"output_tokens": len(json.dumps(reply.content)) // 4, **reply.usage}
    read, written = counted.get("cache_read_input_tokens", 0), counted.get("cache_creation_input_tokens", 0)
    asked = counted["input_tokens"] + read + written
    return {
        "prompt_tokens": asked,
        "completion_tokens": counted["output_tokens"],
        "total_tokens": asked + counted["output_tokens"],
        "prompt_tokens_details": {"cached_tokens": read, "cache_write_tokens": written},
    }


def _blocks(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give a message as blocks of the Messages API."""
    content = message.get("content")
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    if message["role"] == "tool":
        said = "\n".join(part["text"] for part in parts)
        yield {
            "type": "tool_result",
            "tool_use_id": message["tool_call_id"],
            "content": [{"type": "text", "text": said.removeprefix(ERROR)}],
            "is_error": said.startswith(ERROR),
        }
        return
    for part in parts:
        if part["type"] == "text":
            yield part
        else:
            found = _DATA_URL.fullmatch(part["image_url"]["url"])
            assert found
            yield {"type": "image", "source": {"type": "base64", "media_type": found[1], "data": found[2]}}
    for called in message.get("tool_calls") or ():
        function = called["function"]
        input = json.loads(function["arguments"])
        yield {"type": "tool_use", "id": called["id"], "name": function["name"], "input": input}
