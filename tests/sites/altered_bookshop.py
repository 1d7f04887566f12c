"""The bundled bookshop, spoilt as a test asks; takes the options of ``python -m simulator.demo``.

``SPOIL`` holds JSON: ``replace`` is a list of pairs of texts, put into every HTML answer; to requests whose method and
path are ``fail`` the answer is 500, those that are ``forget`` come without their session, at ``die`` the server ends.
"""

from __future__ import annotations

import json
import os
import sys

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo import __main__ as demo
from simulator.demo import server

SPOIL = json.loads(os.environ["SPOIL"])


class Spoiling:
    """Spoils the answers of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = f"{scope['method']} {scope['path']}"
        if request == SPOIL.get("die"):
            os._exit(0)
        if request == SPOIL.get("fail"):
            await send({"type": "http.response.start", "status": 500, "headers": [(b"content-type", b"text/html")]})
            await send({"type": "http.response.body", "body": b"<!doctype html><title>Error</title><h1>Error</h1>"})
            return
        if request == SPOIL.get("forget"):
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"cookie"]
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
                for old, new in SPOIL.get("replace", ()):
                    body = body.replace(old.encode(), new.encode())
                kept = [pair for pair in start["headers"] if pair[0] != b"content-length"]
                start["headers"] = [*kept, (b"content-length", str(len(body)).encode())]
            await send(start)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, collect)


if __name__ == "__main__":
    make = server.create_app
    server.create_app = lambda db, token: Spoiling(make(db, token))  # type: ignore[assignment,return-value]
    sys.exit(demo.main())
