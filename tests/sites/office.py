"""A small office on loopback: accounts, notes, and orders of which each page shows what the next one asks for.

It keeps every request as it came, so that a test can look for words in them. It numbers visitors, notes and orders on
and on, and draws a code for each order: nothing of these is the same in two runs.
"""

from __future__ import annotations

import html
import itertools
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.fakes.server import served

REGISTER = """<h1>Register</h1><form method=post action=/register aria-label=Register>
<label>Username <input name=username autocomplete=username{invalid}></label>{error}
<label>Name <input name=name autocomplete=name></label>
<label>E-mail <input name=email type=email autocomplete=email></label>
<label>Password <input name=password type=password autocomplete=new-password></label>
<button>Create account</button></form>"""
LOGIN = """<h1>Log in</h1>{error}<form method=post action=/login aria-label="Log in">
<label>Username <input name=username autocomplete=username></label>
<label>Password <input name=password type=password autocomplete=current-password></label>
<button>Log in</button></form>"""
DESK = """<h1>Desk</h1><p>Hello {name}</p><form method=post action=/notes aria-label=Note>
<label>Note <textarea name=text></textarea></label><button>Keep note</button></form>
<form method=post action=/orders aria-label=Order><button>Order a lamp</button></form>
<form method=post action=/logout><button>Log out</button></form>{listed}"""
NOTE = """<h1>Note</h1>{kept}<p role=status>You are visitor {visitor}.</p><p>{text}</p><a href=/desk>Desk</a>
<form method=post action="{path}" aria-label=Again><label>Text <input name=text></label>
<button>Change</button></form>"""
ORDER = """<h1>Thank you</h1><dl><dt>Order number</dt><dd><strong>{number}</strong></dd>
<dt>Placed by</dt><dd>{name}</dd></dl><p>Keep your code: <code>{code}</code>, it is asked for once.</p>
<p>Lamps ship from shelf 7.</p><a href=/track>Track an order</a>"""
TRACK = """<h1>Track an order</h1>{error}<form method=post action=/track aria-label=Track>
<label>Order <input name=order></label><label>Code <input name=code {autocomplete}></label>
<button>Track</button></form>"""

DRAFT = """<h1>Draft</h1><label>Draft <input id=draft></label><script>
draft.oninput = () => setTimeout(() => {way}, {delay});</script>"""

ACCOUNT = """<h1>Your account</h1>{error}<p>Hello {name}</p>{way}"""
CLOSING = """<form method=post action=/account/delete aria-label=Close><p>This cannot be undone.</p>
<label>Password <input name=password type=password autocomplete=current-password></label>
<button>Delete my account</button></form>"""


@dataclass
class Office:
    """What a test may look into, and how the office behaves."""

    url: str = ""
    requests: list[str] = field(default_factory=list)
    """Method, address and body of each, encodings undone and not."""
    users: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: dict[int, tuple[str, str]] = field(default_factory=dict)
    orders: dict[str, tuple[str, str]] = field(default_factory=dict)
    delay: int = 0
    """Milliseconds after which a draft has an address of its own."""
    leads: str = 'history.replaceState(null, "", "/draft/kept")'
    """What gives it the address, as a script."""
    stays: bool = False
    """Whether one stays at the desk when a note is kept."""
    lists: bool = False
    """Whether the desk lists one's notes, as links."""
    tracked: list[tuple[str, str]] = field(default_factory=list)
    """Who tracked which order."""
    sessions: dict[str, str] = field(default_factory=dict)
    logs_in_at_once: bool = False
    """Whether an account is logged in when it is made."""
    says_kept: bool = True
    shut: bool = False
    """Whether it takes no notes."""
    takes: int | None = None
    """How many notes it takes until it is shut; None: any number."""
    slugs: bool = False
    """Whether a note's address says its first words, and ends in what nobody can guess."""
    asks: bool = False
    """Whether the links to notes have the number in the query."""
    secret_codes: bool = False
    """Whether the field for the code says that it is one for a one-time code."""
    asks_again: bool = False
    """Whether an account is closed on a page of its own, to which that of the account leads."""
    keeps_accounts: bool = False
    """Whether it only says that an account is closed."""
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(48_213, 17))
    drawn: random.Random = field(default_factory=lambda: random.Random(7))

    named: dict[str, int] = field(default_factory=dict)
    """Notes by the names in their addresses."""

    def name_of(self, number: int) -> str:
        """Name a note by its first words."""
        words = re.findall(r"[a-z0-9]+", self.notes[number][1].lower())
        name = f"{'-'.join(words[:2])}-{self.drawn.randrange(10, 99)}c{self.drawn.randrange(10)}"
        self.named[name] = number
        return name

    def forget(self) -> None:
        """Throw away everything but the numbers."""
        for kept in (self.users, self.notes, self.orders, self.tracked, self.sessions, self.requests):
            kept.clear()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    office: Office

    def do_GET(self) -> None:
        office, path = self.office, urlsplit(self.path).path
        office.requests += [f"GET {self.path}", f"GET {unquote(self.path)}"]
        me = self.me()
        if path in ("/register", "/login"):
            self.page((REGISTER if path == "/register" else LOGIN).format(error="", invalid=""))
        elif path == "/":
            self.page("<h1>Office</h1><a href=/register>Register</a> <a href=/login>Log in</a>")
        elif not me:
            self.go(f"/login?next={path}")
        elif path == "/desk":
            mine = [(number, text) for number, (who, text) in office.notes.items() if who == me and office.lists]
            to = "/note?id=" if office.asks else "/notes/"
            items = "".join(f"<li><a href={to}{number}>{html.escape(text)}</a></li>" for number, text in mine)
            self.page(DESK.format(name=html.escape(office.users[me]["name"]), listed=items and f"<ul>{items}</ul>"))
        elif path in ("/account", "/account/delete"):
            self.page(self.account(me, closing=path.endswith("delete") or not office.asks_again))
        elif path == "/note" or path.startswith("/notes/"):
            number = path.removesuffix("/again").rpartition("/")[2] if path != "/note" else self.path.partition("=")[2]
            way = self.path if path == "/note" else f"{path}/again"
            _, text = office.notes[office.named.get(number) or int(number)]
            kept = "<p role=status>Your note is kept.</p>" if office.says_kept else ""
            self.page(NOTE.format(text=html.escape(text), visitor=next(office.numbers), kept=kept, path=way))
        elif path.startswith("/orders/"):
            number = next(one for one in office.orders if one.endswith(path.rpartition("/")[2]))
            name = html.escape(office.users[me]["name"])
            self.page(ORDER.format(number=number, code=office.orders[number][1], name=name))
        elif path == "/draft":
            self.page(DRAFT.format(way=office.leads, delay=office.delay))
        elif path == "/draft/kept":
            self.page("<h1>Your draft</h1>")
        elif path == "/track":
            self.page(self.track())
        else:
            self.page("<h1>Nothing here</h1>", 404)

    def do_POST(self) -> None:
        office = self.office
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        fields = dict(parse_qsl(body, keep_blank_values=True))
        office.requests += [f"POST {self.path} {body}", f"POST {self.path} {fields}"]
        name, me = fields.get("username", ""), self.me()
        if self.path == "/register":
            if name in office.users:
                error = f"<p role=alert>The username {html.escape(name)} is already taken.</p>"
                return self.page(REGISTER.format(error=error, invalid=" aria-invalid=true"), 422)
            office.users[name] = fields
            return self.enter(name, "/desk") if office.logs_in_at_once else self.go("/login")
        if self.path == "/login":
            if office.users.get(name, {}).get("password") != fields.get("password"):
                return self.page(LOGIN.format(error="<p role=alert>Wrong name or password.</p>"), 422)
            return self.enter(name, "/desk")
        if not me:
            return self.go("/login")
        if self.path == "/account/delete":
            if office.users[me]["password"] != fields.get("password"):
                return self.page(self.account(me, closing=True, error="<p role=alert>Wrong password.</p>"), 422)
            if not office.keeps_accounts:
                office.users.pop(me)
            return self.enter("", "/")
        if self.path == "/notes" and (office.shut or len(office.notes) == office.takes):
            return self.page("<p role=alert>The office is shut.</p>", 422)
        if self.path == "/notes":
            number = next(office.numbers)
            office.notes[number] = (me, fields["text"])
            if office.stays:
                return self.go("/desk")
            return self.go(f"/notes/{office.name_of(number) if office.slugs else number}")
        if self.path.startswith(("/notes/", "/note?")):
            way, name = re.fullmatch(r"(/notes/|/note\?id=)([^/]+).*", self.path).groups()
            office.notes[office.named.get(name) or int(name)] = (me, fields["text"])
            return self.go(f"{way}{name}")
        if self.path == "/orders":
            number = f"LMP-{next(office.numbers)}"
            office.orders[number] = (me, f"{office.drawn.randrange(10**6):06}")
            return self.go(f"/orders/{number.rpartition('-')[2]}")
        if self.path == "/track":
            if office.orders.get(fields["order"]) != (me, fields["code"]):
                return self.page(self.track("<p role=alert>No such order.</p>"), 422)
            office.tracked.append((me, fields["order"]))
            return self.page("<h1>On its way</h1><p role=status>Your lamp is on its way.</p>")
        return self.enter("", "/")

    def account(self, me: str, *, closing: bool, error: str = "") -> str:
        way = CLOSING if closing else "<a href=/account/delete>Delete account</a>"
        return ACCOUNT.format(name=html.escape(self.office.users[me]["name"]), way=way, error=error)

    def track(self, error: str = "") -> str:
        return TRACK.format(error=error, autocomplete="autocomplete=one-time-code" if self.office.secret_codes else "")

    def me(self) -> str:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("desk")
        return self.office.sessions.get(cookie.value, "") if cookie else ""

    def enter(self, name: str, path: str) -> None:
        session = f"s{next(self.office.numbers)}"
        self.office.sessions[session] = name
        self.go(path, cookie=f"desk={session}; Path=/")

    def go(self, path: str, cookie: str = "") -> None:
        self.send_response(303)
        self.send_header("Location", path)
        self.send_header("Content-Length", "0")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()

    def page(self, body: str, status: int = 200) -> None:
        text = f"<!doctype html><html lang=en><title>Office</title><link rel=icon href=data:,><body>{body}".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def office() -> Iterator[Office]:
    """Serve it."""
    found = Office()
    with served(type("Handler", (_Handler,), {"office": found})) as found.url:
        yield found
