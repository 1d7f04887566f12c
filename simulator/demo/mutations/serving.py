"""Changes around the bookshop: scripts added to its pages, and answers that come late, by a detour, or to nobody.

A script stands at the very end of the body and is not deferred, so that it has run before the page is interactive.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo import sessions
from simulator.demo.database import Reference
from simulator.demo.visit import Visit, action

OWN = "/_mutations"
"""Below this are the addresses that only a changed shop has."""
DELAY_S = 0.15
SESSION_PAGES = 7
"""How many pages a session lasts."""

Around = Callable[[ASGIApp], ASGIApp]


class PageScripts:
    """Adds scripts to every page.

    Args:
        app: the shop.
        names: the scripts, in the order in which they run.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str]) -> None:
        self._app = app
        self._tags = "".join(f'<script src="{OWN}/{name}"></script>\n' for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        await self._app(scope, receive, rewriting(send, lambda page: page.replace("</body>", f"{self._tags}</body>")))


def rewriting(send: Send, change: Callable[[str], str]) -> Send:
    """Change every HTML page that is sent.

    Args:
        send: takes the answer.
        change: gives the changed page.
    """
    begin: Message = {}
    body = b""

    async def send_rewritten(message: Message) -> None:
        nonlocal begin, body
        if message["type"] == "http.response.start":
            if MutableHeaders(scope=message).get("content-type", "").startswith("text/html"):
                begin = message
                return
        elif begin:
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            body = change(body.decode()).encode()
            MutableHeaders(scope=begin)["content-length"] = str(len(body))
            await send(begin)
            message = {"type": "http.response.body", "body": body}
        await send(message)

    return send_rewritten


class Slow:
    """Answers late, to what is sent to it latest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        await asyncio.sleep(DELAY_S * (3 if scope["method"] == "POST" else 1))
        await self._app(scope, receive, send)


class Redirecting:
    """Leads over one more address, which it answers itself, wherever the shop leads elsewhere."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["path"] == f"{OWN}/go":
            to = Request(scope).query_params.get("to", "/")
            await RedirectResponse(to if re.match(r"/(?![/\\])", to) else "/", 302)(scope, receive, send)
            return

        async def send_over(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 303:
                headers = MutableHeaders(scope=message)
                headers["location"] = f"{OWN}/go?to={quote(headers['location'], safe='')}"
            await send(message)

        await self._app(scope, receive, send_over)


class Framing:
    """Lets the shop's own pages show its pages in frames."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def send_framed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                policy = headers.get("content-security-policy", "")
                headers["content-security-policy"] = policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
            await send(message)

        await self._app(scope, receive, send_framed)


class Expiring:
    """Ends every session after some pages."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._pages: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        request = Request(scope)
        session = sessions.find(scope["app"].state.db, request.cookies.get(sessions.COOKIE))
        if session and session.user and "text/html" in request.headers.get("accept", ""):
            self._pages[session.digest] += 1
            if self._pages[session.digest] > SESSION_PAGES:
                sessions.end(scope["app"].state.db, session)
        await self._app(scope, receive, send)


async def _script(request: Request) -> Response:
    name = request.path_params["name"]
    source = files(__package__) / "page" / name
    if not re.fullmatch(r"[a-z-]+\.js", name) or not source.is_file():
        return PlainTextResponse("no such script\n", 404)
    return Response(source.read_bytes(), media_type="text/javascript", headers={"cache-control": "no-store"})


async def _news(request: Request) -> Response:
    count = request.app.state.db.execute("SELECT count(*) FROM listing WHERE NOT deleted").fetchone()[0]
    return PlainTextResponse(f"{count} books are for sale", headers={"cache-control": "no-store"})


def _decoy(visit: Visit) -> Response:
    name: Any = visit.user.username if visit.user else "nobody"
    visit.changed("decoy.pressed", Reference(name, "user", 1))
    return visit.redirect("/", "You have subscribed to the shop's letter.")


ROUTES = [
    Route(f"{OWN}/news", _news, methods=["GET"]),
    Route(f"{OWN}/{{name}}", _script, methods=["GET"]),
    action(f"{OWN}/decoy", _decoy, members=False),
]
