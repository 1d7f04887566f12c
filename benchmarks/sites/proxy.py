"""A reverse proxy between a browser and a site: what passes it may be changed, and every writing request is kept.

It streams what it does not change. Not responsible for: what is changed (a :class:`Change`), or WebSockets: a site that
asks for one is answered as by a server that speaks none.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import uvicorn
from starlette.types import Message, Receive, Scope, Send

from simulator.demo.server import base_url, listen

Headers = tuple[tuple[str, str], ...]
State = Mapping[str, Sequence[Mapping[str, Any]]]
"""What a site holds: rows by table."""
MARK = "/.mutated/"
"""Below this a script in a page tells what it has changed: a picture that the proxy answers, and no site gets."""
_HOST = "127.0.0.1"
_SAFE = ("GET", "HEAD", "OPTIONS")
_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "transfer-encoding",
    "upgrade",
}  # fmt: skip
_DOCUMENTS = ("document", "iframe", "frame")
_TIMEOUT = {"connect": 10.0, "read": 120.0, "write": 60.0, "pool": 60.0}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request."""

    method: str
    target: str
    """Path and query, as they are sent."""
    headers: Headers
    body: bytes = b""

    @property
    def path(self) -> str:
        """Without the query."""
        return self.target.partition("?")[0]

    @property
    def writes(self) -> bool:
        """Whether it may change the site."""
        return self.method not in _SAFE

    def header(self, name: str) -> str:
        """Give a header by its name in lower case; empty where it is not there."""
        return next((value for key, value in self.headers if key == name), "")


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer."""

    status: int
    headers: Headers
    body: bytes = b""

    def header(self, name: str) -> str:
        """Give a header by its name in lower case; empty where it is not there."""
        return next((value for key, value in self.headers if key.lower() == name), "")


Ask = Callable[[Asked], Awaitable[Answered]]


class Change:
    """What is changed of what passes; this one changes nothing."""

    def __init__(self) -> None:
        self.marks: set[str] = set()
        """What scripts in pages say they have changed."""

    rewrites = False
    """Whether documents are changed: only then are they held back until they are whole."""

    async def write(self, asked: Asked, ask: Ask) -> Answered:
        """Answer a writing request.

        Args:
            asked: as the browser sent it.
            ask: asks the site; what it is asked, the site has received.
        """
        return await ask(asked)

    def document(self, asked: Asked, html: str) -> str:
        """Give a document in place of the one that the site gave."""
        return html


@dataclass(frozen=True, slots=True)
class Passed:
    """A writing request as the site received it, and what it answered."""

    asked: Asked
    answered: Answered


@dataclass
class Proxy:
    """A running proxy."""

    site: str
    """Address of the site."""
    url: str = ""
    change: Change = field(default_factory=Change)
    sent: list[Asked] = field(default_factory=list)
    """Writing requests as the browser sent them."""
    received: list[Passed] = field(default_factory=list)
    """Writing requests as the site received them."""

    reads: Callable[[], State] | None = None
    """Reads what the site holds."""
    states: list[tuple[Asked, State]] = field(default_factory=list)
    """What the site held right after each writing request, as the browser sent it."""
    does_by_link: Callable[[Asked], bool] = field(default=lambda _: False)
    """Tells a link that writes from others; what follows one passes as any writing request."""

    def begin(self, change: Change) -> None:
        """Forget what passed, and change what passes from now on."""
        self.change, self.sent, self.received, self.states = change, [], [], []

    def received_otherwise(self, asked: Asked) -> bool:
        """Tell whether the site received a writing request otherwise, or not as often, than the browser sent it."""
        return [one.asked for one in self.received].count(asked) != self.sent.count(asked)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        asked = await _read(scope, receive)
        if asked.path.startswith(MARK):
            self.change.marks.add(asked.path.removeprefix(MARK))
            await _answer(send, Answered(204, ()))
            return
        asked = replace(asked, headers=(*asked.headers, ("accept-encoding", "identity")))
        if asked.writes or self.does_by_link(asked):
            self.sent.append(asked)
            answered = await self.change.write(asked, self._ask)
            if self.reads is not None:
                self.states.append((asked, self.reads()))
            await _answer(send, self._rewritten(asked, answered))
            return
        response = await self._open(asked)
        try:
            if self.change.rewrites and asked.header("sec-fetch-dest") in _DOCUMENTS:
                answered = Answered(response.status_code, _headers(response), await response.aread())
                await _answer(send, self._rewritten(asked, answered))
                return
            await send(_start(response.status_code, self._own_addresses(_headers(response))))
            async for piece in response.aiter_raw():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await response.aclose()

    async def _ask(self, asked: Asked) -> Answered:
        try:
            response = await self._open(asked)
            answered = Answered(response.status_code, _headers(response), await response.aread())
        except httpx.TransportError as error:
            # A site that breaks off over what it was sent: a gateway says so.
            answered = Answered(502, (("content-type", "text/plain"),), str(error).encode())
        self.received.append(Passed(asked, answered))
        return answered

    async def _open(self, asked: Asked) -> httpx.Response:
        # The transport and no client: a client would keep cookies, and mix those of several users.
        headers = [pair for pair in asked.headers if pair[0] not in _HOP and pair[0] != "content-length"]
        url = httpx.URL(self.site).copy_with(raw_path=asked.target.encode("ascii"))
        request = httpx.Request(
            asked.method, url, headers=headers, content=asked.body or None, extensions={"timeout": _TIMEOUT}
        )
        return await self._transport.handle_async_request(request)

    def _rewritten(self, asked: Asked, answered: Answered) -> Answered:
        headers, body = self._own_addresses(answered.headers), answered.body
        if (
            self.change.rewrites
            and asked.header("sec-fetch-dest") in _DOCUMENTS
            and answered.header("content-type").startswith("text/html")
        ):
            body = self.change.document(asked, body.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
            # What is put into a document may run there; and the browser asks for the whole of it each time.
            dropped = ("content-security-policy", "etag", "last-modified")
            headers = tuple(pair for pair in headers if pair[0].lower() not in dropped)
        return Answered(answered.status, headers, body)

    def _own_addresses(self, headers: Headers) -> Headers:
        """Lead to the proxy where the site leads to itself by its whole address."""
        return tuple(
            (name, self.url + value.removeprefix(self.site))
            if name.lower() == "location" and value.startswith(self.site)
            else (name, value)
            for name, value in headers
        )

    @property
    def _transport(self) -> httpx.AsyncHTTPTransport:
        return self._kept

    def _serve(self, server: uvicorn.Server, listener: object) -> None:
        async def serve() -> None:
            async with httpx.AsyncHTTPTransport(retries=1) as self._kept:
                await server.serve([listener])  # type: ignore[list-item]

        asyncio.run(serve())


@contextmanager
def proxied(site: str) -> Iterator[Proxy]:
    """Serve a proxy from a thread of this process, on a free port of loopback.

    Args:
        site: address of the site that it stands before.
    """
    proxy = Proxy(site.rstrip("/"))
    with listen(_HOST, 0) as listener:
        proxy.url = base_url(_HOST, listener)
        config = uvicorn.Config(
            proxy, lifespan="off", ws="none", access_log=False, log_level="error", server_header=False,
            date_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=proxy._serve, args=(server, listener))
        thread.start()
        try:
            yield proxy
        finally:
            server.should_exit = server.force_exit = True
            thread.join()


async def _read(scope: Scope, receive: Receive) -> Asked:
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in scope["headers"]
        if name not in (b"accept-encoding", b"expect")
    )
    query = scope["query_string"].decode("ascii")
    target = scope["raw_path"].decode("ascii") + (f"?{query}" if query else "")
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            break
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return Asked(scope["method"], target, headers, body)


def _headers(response: httpx.Response) -> Headers:
    raw = ((name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers.raw)
    return tuple(pair for pair in raw if pair[0].lower() not in _HOP)


def _start(status: int, headers: Headers) -> Message:
    pairs = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return {"type": "http.response.start", "status": status, "headers": pairs}


async def _answer(send: Send, answered: Answered) -> None:
    length = ("content-length", str(len(answered.body)))
    headers = tuple(pair for pair in answered.headers if pair[0].lower() != "content-length")
    await send(_start(answered.status, headers if answered.status in (204, 304) else (*headers, length)))
    await send({"type": "http.response.body", "body": answered.body})
