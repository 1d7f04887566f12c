"""The bundled bookshop, spoilt as a test asks; takes the options of ``python -m simulator.demo``.

``SPOIL`` holds JSON: ``replace`` is a list of pairs of texts, put into every HTML answer; to requests whose method and
path are ``fail`` the answer is 500, those that are ``forget`` come without their session, at ``die`` the server ends;
with ``inline`` its pages may hold scripts of their own.
"""

from __future__ import annotations

import json
import os
import sys

from rewriting import Rewriting, serve
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

        async def unguarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0] != b"content-security-policy"]
                message = {**message, "headers": kept}
            await send(message)

        await self.app(scope, receive, unguarded if SPOIL.get("inline") else send)


def replaced(page: str) -> str:
    """Put other texts into a page."""
    for old, new in SPOIL.get("replace", ()):
        page = page.replace(old, new)
    return page


if __name__ == "__main__":
    sys.exit(serve(lambda app: Spoiling(Rewriting(app, replaced))))
