"""The Messages API as the SDK expects it: streaming events, usage, errors. What is answered, a script says.

It takes what ``messages_rules`` allows, answers 400 with a reason to anything else, and keeps every request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from tests.fakes.messages_rules import check
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

__all__ = ["KEY", "MODEL", "Answer", "Cut", "Fault", "Held", "MessagesApi", "Raw", "Reply", "Request", "Script"]
__all__ += ["call", "calls", "messages_api", "say", "use"]

KEY = "sk-ant-the-key-of-the-tests"
MODEL = "claude-of-the-tests"
IMAGE_CHARACTERS = 6000
"""What a picture counts like, whatever its bytes."""
MessagesApi = ModelApi
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}
_IMAGE_DATA = re.compile(r'"data": "[^"]{2000,}')


@dataclass(frozen=True)
class Request(AnyRequest):
    """A request of the Messages API."""

    @property
    def system(self) -> str:
        return "\n".join(block["text"] for block in self.body.get("system", []))

    @property
    def turns(self) -> list[tuple[str, list[dict[str, Any]]]]:
        return [(message["role"], message["content"]) for message in self.body["messages"]]

    @property
    def tools(self) -> list[str]:
        return [tool.get("name", tool.get("type")) for tool in self.body.get("tools", [])]


def messages_api(script: Script) -> AbstractContextManager[MessagesApi]:
    """Serve the Messages API.

    Args:
        script: answers in their order, or a function from request to answer.
    """
    return serve(_Messages(), script)


class _Messages(Protocol):
    request = Request
    path = "/v1/messages"
    request_id = "request-id"

    def unlocked(self, headers: Mapping[str, str]) -> bool:
        return KEY in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer "))

    def check(self, request: Request) -> None:
        if "anthropic-version" not in request.headers:
            raise Refused("anthropic-version: header is required")
        check(request.body, request.headers.get("anthropic-beta", ""))

    def error(self, fault: Fault) -> dict[str, Any]:
        error = {"type": _ERRORS.get(fault.status, "api_error"), "message": fault.message, **fault.more}
        return {"type": "error", "error": error}

    def whole(self, request: Request, reply: Reply) -> dict[str, Any]:
        return _message(request, reply)

    def events(self, request: Request, reply: Reply) -> Iterator[bytes]:
        return (_event(event) for event in _events(request, reply))

    def event_of(self, error: str) -> bytes:
        return _event({"type": "error", "error": {"type": error, "message": "broken off"}})


def _event(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _usage(request: Request, reply: Reply) -> dict[str, int]:
    counted = {
        "input_tokens": len(_IMAGE_DATA.sub('"data": "' + " " * IMAGE_CHARACTERS, json.dumps(request.body))) // 4,
        "output_tokens": len(json.dumps(reply.content)) // 4,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
    }
    return counted | dict(reply.usage)


def _message(request: Request, reply: Reply) -> dict[str, Any]:
    return {
        "id": f"msg_{next(ids):04}",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": list(reply.content),
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": reply.details,
        "usage": _usage(request, reply),
    }


def _events(request: Request, reply: Reply) -> Iterator[dict[str, Any]]:
    usage = _usage(request, reply)
    start = _message(request, reply) | {"content": [], "stop_reason": None, "stop_details": None}
    start["usage"] = usage | {"output_tokens": 1}
    yield {"type": "message_start", "message": start}
    yield {"type": "ping"}
    for index, block in enumerate(reply.content):
        opened, deltas = _parts(block)
        yield {"type": "content_block_start", "index": index, "content_block": opened}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reply.stop_reason, "stop_sequence": None, "stop_details": reply.details},
        "usage": {"output_tokens": usage["output_tokens"]},
    }
    yield {"type": "message_stop"}


def _parts(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give the beginning of a block, and what follows of it piece by piece."""
    if block["type"] == "text":
        return block | {"text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces(block["text"])]
    if block["type"] in ("tool_use", "server_tool_use"):
        whole = json.dumps(block["input"])
        return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(whole)]
    return block, []
