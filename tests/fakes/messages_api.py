"""A server on loopback that speaks the Messages API as the SDK expects it, and answers what a test says.

It takes what ``messages_rules`` allows, answers 400 with a reason to anything else, and keeps every request.
Not responsible for: being clever. A script or a function decides every answer.
"""

from __future__ import annotations

import io
import itertools
import json
import re
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes.messages_rules import Refused, check

KEY = "sk-ant-the-key-of-the-tests"
MODEL = "claude-of-the-tests"
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
IMAGE_CHARACTERS = 6000
"""What a picture counts like, whatever its bytes."""
_ids = itertools.count(1)


@dataclass(frozen=True)
class Request:
    """A request that the server got."""

    body: dict[str, Any]
    headers: Mapping[str, str]
    status: int = 200
    """What it was answered with."""
    reason: str = ""

    @property
    def system(self) -> str:
        return "\n".join(block["text"] for block in self.body.get("system", []))

    @property
    def last(self) -> list[dict[str, Any]]:
        """The blocks of the last message."""
        content: list[dict[str, Any]] = self.body["messages"][-1]["content"]
        return content

    @property
    def results(self) -> list[dict[str, Any]]:
        """The tool results of the last message."""
        return [block for block in self.last if block["type"] == "tool_result"]

    @property
    def said(self) -> str:
        """All text of the last message, tool results included."""
        return "\n".join(texts(self.last))

    @property
    def turn(self) -> int:
        """How many answers of the model came before, in this conversation."""
        return sum(message["role"] == "assistant" for message in self.body["messages"])

    @property
    def tools(self) -> list[str]:
        return [tool.get("name", tool.get("type")) for tool in self.body.get("tools", [])]


def texts(blocks: Iterable[dict[str, Any]] | str | None) -> Iterator[str]:
    """Give the texts of blocks."""
    if isinstance(blocks, str):
        yield blocks
        return
    for block in blocks or ():
        if block["type"] == "text":
            yield block["text"]
        elif block["type"] == "tool_result":
            yield from texts(block.get("content"))


@dataclass(frozen=True)
class Reply:
    """An answer of the model."""

    content: tuple[dict[str, Any], ...]
    stop_reason: str = "end_turn"
    usage: Mapping[str, int] = field(default_factory=dict)
    """Tokens, where they are not to be counted from the characters."""
    details: Mapping[str, Any] | None = None
    """Why it refused."""


@dataclass(frozen=True)
class Fault:
    """An error instead of an answer."""

    status: int
    message: str = "an error of the tests"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cut:
    """A stream that ends too early."""

    reply: Reply
    events: int
    """How many are sent before the connection breaks."""
    error: str = ""
    """A type of error that is sent in the stream instead of breaking the connection."""


@dataclass(frozen=True)
class Held:
    """An answer that waits until it is released."""

    reply: Reply
    release: threading.Event


@dataclass(frozen=True)
class Raw:
    """Bytes instead of an answer."""

    body: bytes
    media_type: str = "text/event-stream"


Answer = Reply | Fault | Cut | Held | Raw
Script = Iterable[Answer] | Callable[[Request], Answer]


def say(text: str, stop_reason: str = "end_turn", **usage: int) -> Reply:
    """Make an answer of text alone."""
    return Reply(({"type": "text", "text": text},), stop_reason, usage)


def use(name: str, /, toolset: str = "", **input: Any) -> dict[str, Any]:
    """Make a tool use."""
    block = {"type": "tool_use", "id": f"toolu_{next(_ids):04}", "name": name, "input": input}
    return block | ({"toolset_name": toolset} if toolset else {})


def calls(*uses: dict[str, Any], text: str = "", stop_reason: str = "tool_use", **usage: int) -> Reply:
    """Make an answer that calls tools."""
    spoken = ({"type": "text", "text": text},) if text else ()
    return Reply((*spoken, *uses), stop_reason, usage)


def call(name: str, /, **input: Any) -> Reply:
    """Make an answer that calls one tool."""
    return calls(use(name, **input))


@dataclass
class MessagesApi:
    """The running server."""

    url: str
    answer: Callable[[Request], Answer]
    requests: list[Request] = field(default_factory=list)
    """All of them, also those that were refused."""

    @property
    def refused(self) -> list[str]:
        """Why requests were answered with 400 that the script did not want answered so."""
        return [request.reason for request in self.requests if request.reason]

    @property
    def everything(self) -> bytes:
        """All that the server was told, to be searched."""
        return "\n".join(json.dumps([request.body, *request.headers.items()]) for request in self.requests).encode()


@contextmanager
def messages_api(script: Script) -> Iterator[MessagesApi]:
    """Serve the Messages API.

    Args:
        script: answers in their order, or a function from request to answer.
    """
    api = MessagesApi("", script if callable(script) else _following(script))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                body = json.loads(data)
            except ValueError:
                body = {}
            request = Request(body, headers)
            with lock:
                answer, reason = _judged(self.path, request, api.answer)
                status = answer.status if isinstance(answer, Fault) else 200
                api.requests.append(replace(request, status=status, reason=reason))
            self._send(request, answer)

        def _send(self, request: Request, answer: Answer) -> None:
            if isinstance(answer, Held):
                answer.release.wait(30)
                answer = answer.reply
            if isinstance(answer, Fault):
                error = {"type": _ERRORS.get(answer.status, "api_error"), "message": answer.message}
                self._whole(json.dumps({"type": "error", "error": error}).encode(), answer.status, answer.headers)
            elif isinstance(answer, Raw):
                self._whole(answer.body, 200, {"Content-Type": answer.media_type})
            elif request.body.get("stream"):
                self._stream(request, answer)
            else:
                assert isinstance(answer, Reply), "only a stream can be cut"
                self._whole(json.dumps(_message(request, answer)).encode(), 200, {})

        def _whole(self, data: bytes, status: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("request-id", f"req_{next(_ids):04}")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, request: Request, answer: Reply | Cut) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header("request-id", f"req_{next(_ids):04}")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            events = list(_events(request, answer.reply if isinstance(answer, Cut) else answer))
            if isinstance(answer, Cut):
                events = events[: answer.events]
                if answer.error:
                    error = {"type": answer.error, "message": "broken off"}
                    events.append(("error", {"type": "error", "error": error}))
            for name, event in events:
                self._chunk(f"event: {name}\ndata: {json.dumps(event)}\n\n".encode())
            if isinstance(answer, Cut) and not answer.error:
                self.close_connection = True  # without the chunk that ends the body
                return
            self._chunk(b"")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            """A client that goes away before the end is what some tests are about."""

    server = Server(("127.0.0.1", 0), Handler)
    api.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield api
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _following(script: Iterable[Answer]) -> Callable[[Request], Answer]:
    rest = iter(script)
    return lambda request: next(rest, Fault(400, "the script of the tests is over"))


def _judged(path: str, request: Request, decide: Callable[[Request], Answer]) -> tuple[Answer, str]:
    """Give the answer to a request, and why it was refused where it broke a rule."""
    headers = request.headers
    if path.partition("?")[0] != "/v1/messages":
        return Fault(404, f"{path}: not found"), ""
    if KEY not in (headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")):
        return Fault(401, "invalid x-api-key"), ""
    if "anthropic-version" not in headers:
        return Fault(400, "anthropic-version: header is required"), "anthropic-version: header is required"
    try:
        check(request.body)
    except Refused as error:
        return Fault(400, str(error)), str(error)
    try:
        return decide(request), ""
    except Exception:  # a mistake in a test's function must reach the test, and not hang the client
        reason = f"the function of the test broke: {traceback.format_exc(limit=-3)}"
        return Fault(400, reason), reason


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
        "id": f"msg_{next(_ids):04}",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": list(reply.content),
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "stop_details": reply.details,
        "usage": _usage(request, reply),
    }


def _events(request: Request, reply: Reply) -> Iterator[tuple[str, dict[str, Any]]]:
    usage = _usage(request, reply)
    start = _message(request, reply) | {"content": [], "stop_reason": None, "stop_details": None}
    start["usage"] = usage | {"output_tokens": 1}
    yield "message_start", {"type": "message_start", "message": start}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(reply.content):
        opened, deltas = _parts(block)
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": opened}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": reply.stop_reason, "stop_sequence": None, "stop_details": reply.details}
    yield (
        "message_delta",
        {
            "type": "message_delta",
            "delta": delta,
            "usage": {"output_tokens": usage["output_tokens"]},
        },
    )
    yield "message_stop", {"type": "message_stop"}


def _parts(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give the beginning of a block, and what follows of it piece by piece."""
    if block["type"] == "text":
        pieces = _pieces(block["text"])
        return block | {"text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]
    if block["type"] in ("tool_use", "server_tool_use"):
        pieces = _pieces(json.dumps(block["input"]))
        return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block, []


def _pieces(text: str) -> list[str]:
    file, pieces = io.StringIO(text), []
    while piece := file.read(11):
        pieces.append(piece)
    return pieces
