"""A small helpdesk to act on: ``python helpdesk_site.py [PORT]``. It keeps everything in memory."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from secrets import token_urlsafe

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route


@dataclass
class Ticket:
    """One ticket."""

    id: int
    by: str
    title: str
    description: str
    state: str = "open"
    comments: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Desk:
    """All that is known."""

    passwords: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    tickets: list[Ticket] = field(default_factory=list)


desk = Desk()


def user_of(request: Request) -> str | None:
    """Give who is logged in."""
    return desk.sessions.get(request.cookies.get("session", ""))


def page(request: Request, title: str, body: str, status: int = 200) -> Response:
    """Put a page around a text."""
    user = user_of(request)
    if user:
        account = (
            f'<p>Logged in as {escape(user)}</p><form method="post" action="/logout"><button>Log out</button></form>'
        )
    else:
        account = '<a href="/register">Register</a> <a href="/login">Log in</a>'
    links = '<a href="/tickets">All tickets</a> <a href="/tickets/new">New ticket</a>'
    return HTMLResponse(
        f'<!doctype html><html lang="en"><title>{escape(title)}</title><nav>{links}</nav>{account}'
        f"<main><h1>{escape(title)}</h1>{body}</main></html>",
        status,
    )


def asks(action: str, fields: str, button: str) -> str:
    """Write a form."""
    return f'<form method="post" action="{action}" aria-label="{button}">{fields}<button>{button}</button></form>'


ACCOUNT = (
    '<label>Username <input name="username" required></label>'
    '<label>Password <input name="password" type="password" required></label>'
)


async def home(request: Request) -> Response:
    """Greet."""
    return page(request, "Helpdesk", "<p>Open a ticket, and we will see.</p>")


async def register(request: Request) -> Response:
    """Make an account."""
    if request.method == "GET":
        return page(request, "Register", asks("/register", ACCOUNT, "Register"))
    form = await request.form()
    name = str(form["username"])
    if name in desk.passwords:
        return page(
            request,
            "Register",
            '<p role="alert">This username is taken.</p>' + asks("/register", ACCOUNT, "Register"),
            409,
        )
    desk.passwords[name] = str(form["password"])
    return RedirectResponse("/login", 303)


async def login(request: Request) -> Response:
    """Begin a session."""
    if request.method == "GET":
        return page(request, "Log in", asks("/login", ACCOUNT, "Log in"))
    form = await request.form()
    name = str(form["username"])
    if desk.passwords.get(name) != str(form["password"]):
        return page(
            request,
            "Log in",
            '<p role="alert">Wrong username or password.</p>' + asks("/login", ACCOUNT, "Log in"),
            401,
        )
    session = token_urlsafe()
    desk.sessions[session] = name
    answer = RedirectResponse("/tickets", 303)
    answer.set_cookie("session", session, httponly=True)
    return answer


async def logout(request: Request) -> Response:
    """End the session."""
    desk.sessions.pop(request.cookies.get("session", ""), None)
    return RedirectResponse("/", 303)


async def tickets(request: Request) -> Response:
    """List all tickets, and take a new one."""
    user = user_of(request)
    if request.method == "POST":
        if user is None:
            return RedirectResponse("/login", 303)
        form = await request.form()
        desk.tickets.append(Ticket(len(desk.tickets) + 1, user, str(form["title"]), str(form["description"])))
        return RedirectResponse(f"/tickets/{len(desk.tickets)}", 303)
    rows = "".join(
        f'<li><a href="/tickets/{one.id}">{escape(one.title)}</a> by {escape(one.by)}: {one.state}</li>'
        for one in reversed(desk.tickets)
    )
    return page(request, "Tickets", f"<ul>{rows}</ul>")


async def new(request: Request) -> Response:
    """Ask for a new ticket."""
    fields = (
        '<label>Title <input name="title" required></label>'
        '<label>Description <textarea name="description" required></textarea></label>'
    )
    return page(request, "New ticket", asks("/tickets", fields, "Open it"))


async def ticket(request: Request) -> Response:
    """Show one ticket."""
    one = desk.tickets[request.path_params["id"] - 1]
    comments = "".join(f"<li>{escape(by)}: <q>{escape(text)}</q></li>" for by, text in one.comments)
    body = f"<p>{escape(one.description)}</p><p>by {escape(one.by)}, {one.state}</p><ul>{comments}</ul>"
    if user_of(request):
        message = '<label>Message <textarea name="message" required></textarea></label>'
        body += asks(f"/tickets/{one.id}/comments", message, "Add comment")
    if user_of(request) == one.by and one.state == "open":
        body += f'<form method="post" action="/tickets/{one.id}/close"><button>Close ticket</button></form>'
    return page(request, one.title, body)


async def comment(request: Request) -> Response:
    """Take a comment."""
    one, user = desk.tickets[request.path_params["id"] - 1], user_of(request)
    if user is None:
        return RedirectResponse("/login", 303)
    one.comments.append((user, str((await request.form())["message"])))
    return RedirectResponse(f"/tickets/{one.id}", 303)


async def close(request: Request) -> Response:
    """Close a ticket of one's own."""
    one = desk.tickets[request.path_params["id"] - 1]
    if user_of(request) == one.by:
        one.state = "closed"
    return RedirectResponse(f"/tickets/{one.id}", 303)


async def reset(request: Request) -> Response:
    """Forget everything."""
    desk.__init__()  # type: ignore[misc]
    return JSONResponse({})


async def state(request: Request) -> Response:
    """Tell everything."""
    told = [{"by": t.by, "title": t.title, "state": t.state, "comments": t.comments} for t in desk.tickets]
    return JSONResponse({"users": [*desk.passwords], "tickets": told})


def route(path: str, does: Callable[[Request], object], *methods: str) -> Route:
    """Give a route."""
    return Route(path, does, methods=list(methods or ("GET",)))


app = Starlette(
    routes=[
        route("/", home),
        route("/register", register, "GET", "POST"),
        route("/login", login, "GET", "POST"),
        route("/logout", logout, "POST"),
        route("/tickets", tickets, "GET", "POST"),
        route("/tickets/new", new),
        route("/tickets/{id:int}", ticket),
        route("/tickets/{id:int}/comments", comment, "POST"),
        route("/tickets/{id:int}/close", close, "POST"),
        route("/reset", reset, "POST"),
        route("/state", state),
    ]
)

if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8770))
    print(f"the helpdesk is at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
