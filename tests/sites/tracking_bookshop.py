"""The bundled bookshop with pictures of other hosts on every page; takes what ``python -m simulator.demo`` takes."""

from __future__ import annotations

import sys

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo import __main__ as demo
from simulator.demo import server

ELSEWHERE = ("http://tracker.example/pixel.gif", "http://127.0.0.1:9/pixel.gif", "http://localhost:9/pixel.gif")
_PICTURES = b"".join(b'<img src="%s" alt="">' % url.encode() for url in ELSEWHERE)


class Tracking:
    """Adds the pictures to every page, and takes away the rule that would keep the browser from asking for them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def changed(message: Message) -> None:
            if message["type"] == "http.response.start":
                dropped = (b"content-length", b"content-security-policy")
                message["headers"] = [pair for pair in message["headers"] if pair[0] not in dropped]
            else:
                message["body"] = message.get("body", b"").replace(b"</body>", _PICTURES + b"</body>")
            await send(message)

        await self.app(scope, receive, changed)


if __name__ == "__main__":
    make = server.create_app
    server.create_app = lambda db, token: Tracking(make(db, token))  # type: ignore[assignment,return-value]
    sys.exit(demo.main())
