"""The bundled bookshop with every id and class renamed; takes the options of ``python -m simulator.demo``.

What refers to an id goes along: labels, ARIA, links to a part of the page, and the script's ``data-preview``.
"""

from __future__ import annotations

import hashlib
import re
import sys

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo import __main__ as demo
from simulator.demo import server

_NAMES = re.compile(r'(?<![\w-])(id|class|for|aria-labelledby|aria-describedby|aria-controls|data-preview)="([^"]*)"')
_FRAGMENT = re.compile(r'href="#([^"]+)"')


def renamed(name: str) -> str:
    """Give the name that stands for another."""
    return "x" + hashlib.sha256(name.encode()).hexdigest()[:10]


def rename(html: str) -> str:
    """Rename all ids and classes of a page."""

    def names(match: re.Match[str]) -> str:
        return f'{match.group(1)}="{" ".join(renamed(name) for name in match.group(2).split())}"'

    return _FRAGMENT.sub(lambda match: f'href="#{renamed(match.group(1))}"', _NAMES.sub(names, html))


class Renaming:
    """Renames in every HTML answer of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

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
                body = rename(body.decode()).encode()
                kept = [pair for pair in start["headers"] if pair[0] != b"content-length"]
                start["headers"] = [*kept, (b"content-length", str(len(body)).encode())]
            await send(start)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, collect)


if __name__ == "__main__":
    make = server.create_app
    server.create_app = lambda db, token: Renaming(make(db, token))  # type: ignore[assignment,return-value]
    sys.exit(demo.main())
