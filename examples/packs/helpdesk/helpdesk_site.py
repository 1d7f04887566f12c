"""A small helpdesk to act on: ``python helpdesk_site.py [PORT [DATABASE]]``.

It keeps everything in one SQLite file: the one that is named, or one that is gone when it ends.
"""

from __future__ import annotations

import socket
import sqlite3
import sys
from collections.abc import Callable
from html import escape
from secrets import token_urlsafe

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

TABLES = """
DROP TABLE IF EXISTS comment; DROP TABLE IF EXISTS ticket; DROP TABLE IF EXISTS session; DROP TABLE IF EXISTS account;
CREATE TABLE account (username TEXT PRIMARY KEY, password TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE session (token TEXT PRIMARY KEY, username TEXT NOT NULL REFERENCES account);
CREATE TABLE ticket (id INTEGER PRIMARY KEY, username TEXT NOT NULL REFERENCES account, title TEXT NOT NULL,
    description TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'open', at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE comment (id INTEGER PRIMARY KEY, ticket INTEGER NOT NULL REFERENCES ticket,
    username TEXT NOT NULL REFERENCES account, text TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP);
"""
desk = sqlite3.connect(sys.argv[2] if len(sys.argv) > 2 else "", isolation_level=None)
desk.row_factory = sqlite3.Row
desk.executescript(TABLES)


def user_of(request: Request) -> str | None:
    """Give who is logged in."""
    token = request.cookies.get("session", "")
    row = desk.execute("SELECT username FROM session WHERE token = ?", [token]).fetchone()
    return row["username"] if row else None


def ticket_of(request: Request) -> sqlite3.Row | None:
    """Give the ticket that is asked for."""
    found = desk.execute("SELECT * FROM ticket WHERE id = ?", [request.path_params["id"]]).fetchone()
    return found if isinstance(found, sqlite3.Row) else None


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
    if desk.execute("SELECT 1 FROM account WHERE username = ?", [name]).fetchone():
        return page(
            request,
            "Register",
            '<p role="alert">This username is taken.</p>' + asks("/register", ACCOUNT, "Register"),
            409,
        )
    desk.execute("INSERT INTO account (username, password) VALUES (?, ?)", [name, str(form["password"])])
    return RedirectResponse("/login", 303)


async def login(request: Request) -> Response:
    """Begin a session."""
    if request.method == "GET":
        return page(request, "Log in", asks("/login", ACCOUNT, "Log in"))
    form = await request.form()
    name = str(form["username"])
    known = desk.execute("SELECT password FROM account WHERE username = ?", [name]).fetchone()
    if known is None or known["password"] != str(form["password"]):
        return page(
            request,
            "Log in",
            '<p role="alert">Wrong username or password.</p>' + asks("/login", ACCOUNT, "Log in"),
            401,
        )
    session = token_urlsafe()
    desk.execute("INSERT INTO session VALUES (?, ?)", [session, name])
    answer = RedirectResponse("/tickets", 303)
    answer.set_cookie("session", session, httponly=True)
    return answer


async def logout(request: Request) -> Response:
    """End the session."""
    desk.execute("DELETE FROM session WHERE token = ?", [request.cookies.get("session", "")])
    return RedirectResponse("/", 303)


async def tickets(request: Request) -> Response:
    """List all tickets, and take a new one."""
    user = user_of(request)
    if request.method == "POST":
        if user is None:
            return RedirectResponse("/login", 303)
        form = await request.form()
        made = desk.execute(
            "INSERT INTO ticket (username, title, description) VALUES (?, ?, ?)",
            [user, str(form["title"]), str(form["description"])],
        )
        return RedirectResponse(f"/tickets/{made.lastrowid}", 303)
    rows = "".join(
        f'<li><a href="/tickets/{number}">{escape(title)}</a> by {escape(by)}: {state}</li>'
        for number, title, by, state in desk.execute("SELECT id, title, username, state FROM ticket ORDER BY id DESC")
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
    one = ticket_of(request)
    if one is None:
        return page(request, "Not found", "<p>There is no such ticket.</p>", 404)
    found = desk.execute("SELECT * FROM comment WHERE ticket = ? ORDER BY id", [one["id"]])
    comments = "".join(f"<li>{escape(said['username'])}: <q>{escape(said['text'])}</q></li>" for said in found)
    body = f"<p>{escape(one['description'])}</p><p>by {escape(one['username'])}, {one['state']}</p><ul>{comments}</ul>"
    if user_of(request):
        message = '<label>Message <textarea name="message" required></textarea></label>'
        body += asks(f"/tickets/{one['id']}/comments", message, "Add comment")
    if user_of(request) == one["username"] and one["state"] == "open":
        body += f'<form method="post" action="/tickets/{one["id"]}/close"><button>Close ticket</button></form>'
    return page(request, one["title"], body)


async def comment(request: Request) -> Response:
    """Take a comment."""
    one, user = ticket_of(request), user_of(request)
    if one is None or user is None:
        return RedirectResponse("/login", 303)
    text = str((await request.form())["message"])
    desk.execute("INSERT INTO comment (ticket, username, text) VALUES (?, ?, ?)", [one["id"], user, text])
    return RedirectResponse(f"/tickets/{one['id']}", 303)


async def close(request: Request) -> Response:
    """Close a ticket of one's own."""
    one = ticket_of(request)
    if one is not None and user_of(request) == one["username"]:
        desk.execute("UPDATE ticket SET state = 'closed' WHERE id = ?", [one["id"]])
    return RedirectResponse(f"/tickets/{request.path_params['id']}", 303)


async def reset(request: Request) -> Response:
    """Forget everything."""
    desk.executescript(TABLES)
    return JSONResponse({})


async def state(request: Request) -> Response:
    """Tell everything but numbers and times, in an order that does not depend on who came first."""
    users = [one["username"] for one in desk.execute("SELECT username FROM account ORDER BY username")]
    told = []
    for one in desk.execute("SELECT * FROM ticket ORDER BY title, username, description, state").fetchall():
        found = desk.execute("SELECT username, text FROM comment WHERE ticket = ? ORDER BY 1, 2", [one["id"]])
        comments = [[said["username"], said["text"]] for said in found]
        own = {name: one[name] for name in ("title", "description", "state")}
        told.append({"by": one["username"], **own, "comments": comments})
    return JSONResponse({"users": users, "tickets": told})


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
