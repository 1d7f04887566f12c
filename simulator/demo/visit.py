"""One request and its answer: who is there, what the form holds, how a page is rendered.

`page` and `action` turn plain functions of a `Visit` into Starlette routes. Handlers are synchronous and
short, so an action's effect and its row in the change log are one transaction that nothing interleaves.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import quote

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from simulator.demo import journal, sessions
from simulator.demo.database import Reference, transaction
from simulator.demo.journal import Attempt, Effect, Upload
from simulator.demo.rendering import ENVIRONMENT
from simulator.demo.sessions import Flash, Session, User

MAX_BODY = 20 * 1024 * 1024
"""Bytes; a larger request is refused before it is read."""

STEP_HEADER = "x-sim-step"

Handler = Callable[["Visit"], Response]
Answer = Callable[[Handler, "Visit"], Response]
"""Answers a visit otherwise than the route's own handler, which it is given."""


class Form(NamedTuple):
    """A submitted form: its text fields, trimmed and with plain line ends, and its files."""

    fields: dict[str, str]
    files: dict[str, Upload]


class Visit:
    """What a handler needs to answer one request."""

    def __init__(self, request: Request, form: Form | None = None) -> None:
        self.request = request
        self.db: sqlite3.Connection = request.app.state.db
        self.fields, self.files = form or Form({}, {})
        self.effect: Effect | None = None
        self._cookie = request.cookies.get(sessions.COOKIE)
        self.session: Session | None = sessions.find(self.db, self._cookie)
        self.flash = self.session.flash if self.session else None

    @property
    def user(self) -> User | None:
        """Who is logged in."""
        return self.session.user if self.session else None

    @property
    def member(self) -> User:
        """Who is logged in, in a handler that only members reach."""
        assert self.user is not None
        return self.user

    @property
    def path(self) -> str:
        """The path of this page."""
        return self.request.url.path

    def path_id(self) -> int:
        """Return the number in the path.

        Raises:
            HTTPException: 404, if the number is larger than any that the site mints.
        """
        number: int = self.request.path_params["id"]
        if number >= 2**63:
            raise HTTPException(404)
        return number

    def csrf_field(self) -> Markup:
        """Return the hidden field with a fresh token, for one form."""
        if self.session is None:
            self.session = sessions.start(self.db)
        token = sessions.csrf_token(self.request.app.state.csrf_key, self.session)
        return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)

    def log_in(self, user: User) -> None:
        """Give the visitor a new session as this user."""
        self._rotate(user)

    def log_out(self) -> None:
        """Give the visitor a new session as nobody."""
        self._rotate(None)

    def changed(self, name: str, reference: Reference) -> None:
        """Add what this request did to the change log."""
        self.effect = Effect(name, reference)

    def wants_json(self) -> bool:
        """Return whether a script asks, not a form."""
        return "application/json" in self.request.headers.get("accept", "")

    def render(self, template: str, status: int = 200, **context: Any) -> Response:
        """Render a page; a flash message is shown once."""
        html = ENVIRONMENT.get_template(template).render(visit=self, **context)
        if self.session and self.session.flash:
            sessions.set_flash(self.db, self.session, None)
        return self.with_cookie(HTMLResponse(html, status))

    def redirect(self, url: str, flash: str | None = None, level: str = "success") -> Response:
        """Send the browser to another page of the site, which shows the message."""
        if flash:
            message = Flash(level, flash)  # type: ignore[arg-type]
            if self.session is None:
                self.session = sessions.start(self.db, flash=message)
            else:
                sessions.set_flash(self.db, self.session, message)
        return self.with_cookie(RedirectResponse(url, 303))

    def to_login(self) -> Response:
        """Send an unknown visitor to log in and then back to this page."""
        back = self.path if self.request.method == "GET" else "/"
        if self.request.method == "GET" and self.request.url.query:
            back += f"?{self.request.url.query}"
        return self.redirect(f"/account/login?next={quote(back)}", "Please log in first.", "info")

    def with_cookie(self, response: Response) -> Response:
        """Set the session cookie where the session is a new one."""
        if self.session and self.session.token != self._cookie:
            response.set_cookie(sessions.COOKIE, self.session.token, path="/", httponly=True, samesite="lax")
        return response

    def check_csrf(self) -> None:
        """Refuse a form that was not made for this session.

        Raises:
            HTTPException: 403.
        """
        token = self.fields.get("csrf_token", "")
        key = self.request.app.state.csrf_key
        if self.session is None or not sessions.csrf_valid(key, self.session, token):
            raise HTTPException(403, "This form has expired. Go back, reload the page and try again.")

    def _rotate(self, user: User | None) -> None:
        if self.session:
            sessions.end(self.db, self.session)
        self.session = sessions.start(self.db, user)


def page(path: str, handler: Handler, *, members: bool = False) -> Route:
    """Make the route of a page.

    Args:
        path: The route template.
        handler: Answers the visit.
        members: Whether one must be logged in; others are sent to the login page.
    """

    async def endpoint(request: Request) -> Response:
        visit = Visit(request)
        return visit.to_login() if members and not visit.user else handler(visit)

    return Route(path, endpoint, methods=["GET"])


def action(path: str, handler: Handler, *, members: bool = True) -> Route:
    """Make the route of a form's submission: CSRF check, effect and change log in one transaction.

    Args:
        path: The route template, which the change log keeps.
        handler: Does the work and answers.
        members: Whether one must be logged in; others are sent to the login page.
    """

    async def endpoint(request: Request) -> Response:
        form, refusal = Form({}, {}), None
        try:
            form = await _read_form(request)
        except HTTPException as error:
            refusal = error
        visit = Visit(request, form)  # from here on nothing is awaited
        attempt = Attempt(
            who=visit.user.username if visit.user else None,
            method=request.method,
            route=path.replace(":int", ""),
            path=request.url.path,
            fields=form.fields,
            files=form.files,
            step=request.headers.get(STEP_HEADER),
        )
        try:
            with transaction(visit.db):
                if refusal:
                    raise refusal
                visit.check_csrf()
                answer = _changed(request, path, handler)
                response = visit.to_login() if members and not visit.user else answer(visit)
                journal.append(visit.db, attempt, response.status_code, visit.effect)
        except Exception as error:
            status = error.status_code if isinstance(error, HTTPException) else 500
            with transaction(visit.db):
                journal.append(visit.db, attempt, status, None)
            raise
        return response

    return Route(path, endpoint, methods=["POST"])


def _changed(request: Request, path: str, handler: Handler) -> Handler:
    for answer in request.app.state.answers.get(f"{request.method} {path}", ()):
        handler = partial(answer, handler)
    return handler


async def _read_form(request: Request) -> Form:
    length = request.headers.get("content-length", "")
    if length.isdigit() and int(length) > MAX_BODY:
        raise HTTPException(413, "That is more than this site takes at once.")
    fields, files = dict[str, str](), dict[str, Upload]()
    async with request.form(max_files=4, max_fields=50) as form:
        for name, value in form.multi_items():
            if isinstance(value, str):
                fields[name] = value.replace("\r\n", "\n").strip()
            elif value.filename:
                files[name] = Upload(value.filename, await value.read())
    return Form(fields, files)
