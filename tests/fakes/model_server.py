"""A server on loopback that stands in for a model's API: what a script says is what the model answers.

Responsible for scripts and their answers, which are the same for every API, for serving, and for keeping each request.
Not responsible for: the form of requests and answers, which a :class:`Protocol` has, or for being clever.
"""

from __future__ import annotations

import io
import itertools
import json
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

from tests.fakes.server import served

ids = itertools.count(1)


class Refused(Exception):
    """A request that an API does not take, with the reason."""


@dataclass(frozen=True)
class Request(ABC):
    """A request that a server got. Its blocks are written as the Messages API has them, whatever the API is."""

    body: dict[str, Any]
    headers: Mapping[str, str]
    status: int = 200
    """What it was answered with."""
    reason: str = ""

    @property
    @abstractmethod
    def system(self) -> str:
        """The system prompt."""

    @property
    @abstractmethod
    def turns(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """The role and the blocks of each message, neighbours of one role as one."""

    @property
    @abstractmethod
    def tools(self) -> list[str]:
        """The names of what is offered."""

    @property
    def task(self) -> str:
        """What the model was asked for at the beginning."""
        return next(texts(self.turns[0][1]))

    @property
    def last(self) -> list[dict[str, Any]]:
        """The blocks of the last message."""
        return self.turns[-1][1]

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
        return sum(role == "assistant" for role, _ in self.turns)


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
    """An answer of the model, in blocks of the Messages API."""

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
    more: Mapping[str, Any] = field(default_factory=dict)
    """What the error says beside its type and message."""


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
Script = Iterable[Answer] | Callable[[Any], Answer]
"""Answers in their order, or a function from request to answer."""


def say(text: str, stop_reason: str = "end_turn", **usage: int) -> Reply:
    """Make an answer of text alone."""
    return Reply(({"type": "text", "text": text},), stop_reason, usage)


def use(name: str, /, toolset: str = "", **input: Any) -> dict[str, Any]:
    """Make a tool use."""
    block = {"type": "tool_use", "id": f"toolu_{next(ids):04}", "name": name, "input": input}
    return block | ({"toolset_name": toolset} if toolset else {})


def calls(*uses: dict[str, Any], text: str = "", stop_reason: str = "tool_use", **usage: int) -> Reply:
    """Make an answer that calls tools."""
    spoken = ({"type": "text", "text": text},) if text else ()
    return Reply((*spoken, *uses), stop_reason, usage)


def call(name: str, /, **input: Any) -> Reply:
    """Make an answer that calls one tool."""
    return calls(use(name, **input))


def pieces(text: str) -> list[str]:
    """Cut a text as a stream does."""
    file, cut = io.StringIO(text), []
    while piece := file.read(11):
        cut.append(piece)
    return cut


@dataclass
class ModelApi:
    """A running server."""

    url: str
    answer: Callable[[Any], Answer]
    requests: list[Any] = field(default_factory=list)
    """All of them, also those that were refused."""

    @property
    def refused(self) -> list[str]:
        """Why requests were answered with 400 that the script did not want answered so."""
        return [request.reason for request in self.requests if request.reason]

    @property
    def everything(self) -> bytes:
        """All that the server was told, to be searched."""
        return "\n".join(json.dumps([request.body, *request.headers.items()]) for request in self.requests).encode()


class Protocol(ABC):
    """The form that requests and answers have in one API."""

    request: ClassVar[type[Request]]
    path: ClassVar[str]
    request_id: ClassVar[str]
    """The header that names a request."""

    @abstractmethod
    def unlocked(self, headers: Mapping[str, str]) -> bool:
        """Tell whether the key is right."""

    @abstractmethod
    def check(self, request: Any) -> None:
        """Judge a request.

        Raises:
            Refused: it breaks a rule.
        """

    @abstractmethod
    def error(self, fault: Fault) -> dict[str, Any]:
        """Write an error."""

    @abstractmethod
    def whole(self, request: Any, reply: Reply) -> dict[str, Any]:
        """Write an answer that is no stream."""

    @abstractmethod
    def events(self, request: Any, reply: Reply) -> Iterator[bytes]:
        """Write an answer as the events of a stream."""

    @abstractmethod
    def event_of(self, error: str) -> bytes:
        """Write an error in a stream."""


@contextmanager
def serve(protocol: Protocol, script: Script) -> Iterator[ModelApi]:
    """Serve an API.

    Args:
        protocol: which one.
        script: answers in their order, or a function from request to answer.
    """
    api = ModelApi("", script if callable(script) else _following(script))
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            try:
                body = json.loads(data)
            except ValueError:
                body = {}
            request = protocol.request(body, headers)
            with lock:
                answer, reason = _judged(protocol, self.path, request, api.answer)
                status = answer.status if isinstance(answer, Fault) else 200
                api.requests.append(replace(request, status=status, reason=reason))
            self._send(request, answer)

        def _send(self, request: Request, answer: Answer) -> None:
            if isinstance(answer, Held):
                answer.release.wait(30)
                answer = answer.reply
            if isinstance(answer, Fault):
                self._whole(json.dumps(protocol.error(answer)).encode(), answer.status, answer.headers)
            elif isinstance(answer, Raw):
                self._whole(answer.body, 200, {"Content-Type": answer.media_type})
            elif request.body.get("stream"):
                self._stream(request, answer)
            else:
                assert isinstance(answer, Reply), "only a stream can be cut"
                self._whole(json.dumps(protocol.whole(request, answer)).encode(), 200, {})

        def _whole(self, data: bytes, status: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header(protocol.request_id, f"req_{next(ids):04}")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _stream(self, request: Request, answer: Reply | Cut) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.send_header(protocol.request_id, f"req_{next(ids):04}")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            events = list(protocol.events(request, answer.reply if isinstance(answer, Cut) else answer))
            if isinstance(answer, Cut):
                events = events[: answer.events]
                if answer.error:
                    events.append(protocol.event_of(answer.error))
            for event in events:
                self._chunk(event)
            if isinstance(answer, Cut) and not answer.error:
                self.close_connection = True  # without the chunk that ends the body
                return
            self._chunk(b"")

        def _chunk(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with served(Handler) as api.url:
        yield api


def _following(script: Iterable[Answer]) -> Callable[[Request], Answer]:
    rest = iter(script)
    return lambda request: next(rest, Fault(400, "the script of the tests is over"))


def _judged(protocol: Protocol, path: str, request: Request, decide: Callable[[Request], Answer]) -> tuple[Answer, str]:
    """Give the answer to a request, and why it was refused where it broke a rule."""
    if path.partition("?")[0] != protocol.path:
        return Fault(404, f"{path}: not found"), ""
    if not protocol.unlocked(request.headers):
        return Fault(401, "invalid key"), ""
    try:
        protocol.check(request)
    except Refused as error:
        return Fault(400, str(error)), str(error)
    try:
        return decide(request), ""
    except Exception:  # a mistake in a test's function must reach the test, and not hang the client
        reason = f"the function of the test broke: {traceback.format_exc(limit=-3)}"
        return Fault(400, reason), reason
