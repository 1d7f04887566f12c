"""The bundled bookshop with its HTML answers rewritten. Not responsible for: what is written instead."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo import __main__ as demo
from simulator.demo import server


class Rewriting:
    """Rewrites every HTML answer of an application.

    Args:
        app: the application.
        rewrite: gives a page in place of another.
    """

    def __init__(self, app: ASGIApp, rewrite: Callable[[str], str]) -> None:
        self.app = app
        self.rewrite = rewrite

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start: Message = {}
        body = b""

        async def collect(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            if any(value.startswith(b"text/html") for name, value in start["headers"] if name == b"content-type"):
                body = self.rewrite(body.decode()).encode()
                kept = [pair for pair in start["headers"] if pair[0] != b"content-length"]
                start["headers"] = [*kept, (b"content-length", str(len(body)).encode())]
            await send(start)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, collect)


def serve(wrap: Callable[[ASGIApp], ASGIApp]) -> int:
    """Serve the wrapped bookshop with the options of ``python -m simulator.demo``."""
    make = server.create_app
    server.create_app = lambda db, token: wrap(make(db, token))  # type: ignore[assignment,return-value]
    return demo.main()
