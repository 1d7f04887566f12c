"""The bookshop as an ASGI application: routes, error pages, security headers, the control endpoints."""

from __future__ import annotations

import hmac
import json
import sqlite3
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo import assets, journal
from simulator.demo.database import setting
from simulator.demo.pages import account, books, people, this_or_that
from simulator.demo.rendering import ENVIRONMENT
from simulator.demo.state import canonical, refill, snapshot
from simulator.demo.visit import Visit, page

SECURITY_HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob:; form-action 'self'; base-uri 'none';"
        b" frame-ancestors 'none'; object-src 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]
_HEADINGS = {
    400: "That did not work",
    403: "Not allowed",
    404: "Page not found",
    405: "Not allowed",
    409: "Already done",
    413: "Too large",
}


class SecurityHeaders:
    """Adds the security headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *SECURITY_HEADERS]
            await send(message)

        await self.app(scope, receive, send_with_headers)


def create_app(db: sqlite3.Connection, control_token: str | None) -> Starlette:
    """Make the application.

    Args:
        db: The open site.
        control_token: What the control endpoints ask for; None leaves them out.
    """
    routes = [
        *books.ROUTES,
        *account.ROUTES,
        *people.ROUTES,
        *this_or_that.ROUTES,
        page("/about", lambda visit: visit.render("about.html")),
        page("/terms", lambda visit: visit.render("terms.html")),
        Route("/favicon.ico", lambda request: RedirectResponse(assets.asset_url("favicon.svg"), 302)),
        *assets.ROUTES,
    ]
    if control_token:
        routes += _control_routes(control_token)
    app = Starlette(
        routes=routes,
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={HTTPException: _http_error, Exception: _server_error},  # type: ignore[dict-item]
    )
    app.state.db = db
    app.state.csrf_key = setting(db, "csrf_key")
    app.state.answers = {}  # by method and route, what answers in a changed shop
    return app


async def _http_error(request: Request, error: HTTPException) -> Response:
    visit = Visit(request)
    if visit.wants_json():
        return JSONResponse({"error": error.detail}, error.status_code)
    heading = _HEADINGS.get(error.status_code, "That did not work")
    text = error.detail
    if error.status_code == 404 and text == "Not Found":
        text = "This page does not exist, or not any more."
    return visit.render("error.html", error.status_code, heading=heading, text=text)


async def _server_error(request: Request, error: Exception) -> Response:
    html = ENVIRONMENT.get_template("server_error.html").render()
    return HTMLResponse(html, 500)


def _control_routes(token: str) -> list[Route]:
    expected = f"Bearer {token}".encode()

    def guarded(path: str, answer: Callable[[Request, sqlite3.Connection], Response], method: str) -> Route:
        async def endpoint(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode()
            if request.method != method or not hmac.compare_digest(given, expected):
                raise HTTPException(404)
            return answer(request, request.app.state.db)

        return Route(path, endpoint, methods=["GET", "POST"])

    return [
        guarded("/_control/state", _state, "GET"),
        guarded("/_control/log", _log, "GET"),
        guarded("/_control/reset", _reset, "POST"),
    ]


def _state(request: Request, db: sqlite3.Connection) -> Response:
    return Response(canonical(snapshot(db)), media_type="application/json")


def _log(request: Request, db: sqlite3.Connection) -> Response:
    return Response(json.dumps(journal.read(db), ensure_ascii=False), media_type="application/json")


def _reset(request: Request, db: sqlite3.Connection) -> Response:
    refill(db, with_stock=request.query_params.get("stock", "1") != "0")
    return PlainTextResponse("reset\n")
