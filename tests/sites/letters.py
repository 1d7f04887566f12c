"""A small club on loopback that writes to its members: a link to confirm an address, a code for each login.

It hands its mail to a real mail server, says on its pages what it was given, and keeps what it drew.
"""

from __future__ import annotations

import base64
import html
import itertools
import random
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, urlsplit

from simulator.totp import one_time_code
from tests.fakes.server import served

JOIN = """<h1>Join</h1>{error}<form method=post action=/join aria-label=Join>
<label>Username <input name=username autocomplete=username></label>
<label>E-mail <input name=email type=email autocomplete=email></label>
<label>Password <input name=password type=password autocomplete=new-password></label>
<button>Create account</button></form>"""
LOGIN = """<h1>Log in</h1>{error}<form method=post action=/login aria-label="Log in">
<label>Username <input name=username autocomplete=username></label>
<label>Password <input name=password type=password autocomplete=current-password></label>
{more}<button>Log in</button></form>"""
MORE = "<label>Authenticator code <input name=code autocomplete=one-time-code></label>"
CODE = """<h1>One more step</h1>{error}<p>We have sent you a code.</p>
<form method=post action=/code aria-label=Code><label>{label} <input name=code {autocomplete}></label>
<button>Go on</button></form>"""
CONFIRM = """<h1>Confirm</h1><p>Your link ends in {token}.</p>
<form method=post action="{path}" aria-label=Confirm><button>Confirm my address</button></form>"""
INSIDE = """<h1>Members</h1><p>Welcome, {name}. You came in by {code}.</p>
<form method=post action=/logout><button>Log out</button></form>"""


@dataclass
class Club:
    """What a test may look into, and how the club behaves."""

    url: str = ""
    send: Callable[[EmailMessage], None] = lambda mail: None
    members: dict[str, dict[str, str]] = field(default_factory=dict)
    confirmed: list[str] = field(default_factory=list)
    came: list[str] = field(default_factory=list)
    """Who came in by a code."""
    sessions: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """The user, the code that is due, and the one that was given."""
    drawn: list[str] = field(default_factory=list)
    """Every token and code, in order."""
    asks: bool = False
    """Whether a link leads to a page with a button, instead of confirming at once."""
    plain: bool = False
    """Whether the field for the code looks like any other."""
    markup: bool = False
    """Whether mails are in HTML."""
    says: str = "Hello {name}, your code is {code}. It is used once."
    writes: bool = True
    totp: str = ""
    """The secret of one-time codes, which are asked for instead of mailed ones."""
    together: bool = False
    """Whether the code is asked for with the password."""
    elsewhere: str = ""
    """Where the links lead, instead of here."""
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def forget(self) -> None:
        """Throw away all members; what was drawn is not drawn again."""
        for kept in (self.members, self.confirmed, self.came, self.sessions):
            kept.clear()

    def token(self) -> str:
        """Draw what stands in a link."""
        self.drawn.append(f"{self.chance.getrandbits(24):06x}-{self.chance.getrandbits(96):024x}")
        return self.drawn[-1]

    def code(self) -> str:
        """Draw eight digits: fewer stand in any database by chance."""
        self.drawn.append(f"{self.chance.randrange(10**7, 10**8)}")
        return self.drawn[-1]

    def is_right(self, given: str, due: str) -> bool:
        """Tell whether a code is the one that is due."""
        now = time.time()
        return given in {one_time_code(self.totp, at) for at in (now - 30, now)} if self.totp else given == due

    def write(self, to: str, subject: str, text: str, link: str = "") -> None:
        """Send a mail."""
        if not self.writes:
            return
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "The Club <club@example.org>", to, subject
        if self.markup:
            anchor = f'<p><a href="{html.escape(link)}">Confirm my address</a></p>' if link else ""
            mail.set_content(f"<title>Club</title><p>{html.escape(text)}</p>{anchor}", subtype="html")
        else:
            mail.set_content(f"{text}\n\n{link}\n" if link else f"{text}\n")
        self.send(mail)


def to_server(port: int) -> Callable[[EmailMessage], None]:
    """Give what hands mail to a mail server of this machine."""

    def send(mail: EmailMessage) -> None:
        with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost", timeout=10) as server:
            server.send_message(mail)

    return send


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    club: Club

    def do_GET(self) -> None:
        club, path = self.club, urlsplit(self.path).path
        me, due, given = self.me()
        if path == "/":
            self.page("<h1>Club</h1><a href=/join>Sign up</a> <a href=/login>Log in</a>")
        elif path == "/join":
            self.page(JOIN.format(error=""))
        elif path == "/login":
            self.page(self.login())
        elif path == "/sent":
            self.page("<h1>Nearly there</h1><p>We have sent you a mail with a link. Please check your inbox.</p>")
        elif path.startswith("/confirm/"):
            self.page(CONFIRM.format(token=path.split("/")[-1], path=self.path)) if club.asks else self.confirm()
        elif path == "/code" and due:
            self.page(self.code())
        elif path == "/members" and me and not due:
            self.page(INSIDE.format(name=html.escape(me), code=given))
        elif path == "/confirmed":
            self.page("<h1>Confirmed</h1><p role=status>Your address is confirmed.</p><a href=/login>Log in</a>")
        else:
            self.page("<h1>Nothing here</h1>", 404)

    def do_POST(self) -> None:
        club = self.club
        fields = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode(), keep_blank_values=True))
        name, (me, due, _) = fields.get("username", ""), self.me()
        if self.path == "/join":
            if name in club.members:
                return self.page(JOIN.format(error="<p role=alert>The username is already taken.</p>"), 422)
            number = str(next(club.numbers))
            uid = base64.urlsafe_b64encode(number.encode()).decode().strip("=")
            club.members[name] = {**fields, "path": f"/confirm/{uid}/{club.token()}"}
            link = f"{club.elsewhere or club.url}{club.members[name]['path']}?mail={fields['email']}"
            club.write(fields["email"], "Confirm your address", f"Hello {name}, please confirm your address:", link)
            return self.go("/sent")
        if self.path.startswith("/confirm/"):
            return self.confirm()
        if self.path == "/login":
            if club.members.get(name, {}).get("password") != fields.get("password") or name not in club.confirmed:
                return self.page(self.login("<p role=alert>Wrong name or password.</p>"), 422)
            if club.together and not club.is_right(fields.get("code", ""), ""):
                return self.page(self.login("<p role=alert>Wrong code.</p>"), 422)
            code = club.totp or club.code()
            session = f"s{next(club.numbers)}"
            club.sessions[session] = (name, "" if club.together else code, "")
            if not club.totp:
                club.write(club.members[name]["email"], "Your login", club.says.format(name=name, code=code))
            club.came += [name] if club.together else []
            return self.go("/members" if club.together else "/code", cookie=f"club={session}; Path=/")
        if self.path == "/code" and due:
            if not club.is_right(fields.get("code", ""), due):
                error = f"<p role=alert>{html.escape(fields.get('code', ''))} is not the code.</p>"
                return self.page(self.code(error), 422)
            club.sessions[self.session()] = (me, "", due)
            club.came.append(me)
            return self.go("/members")
        club.sessions.pop(self.session(), None)
        return self.go("/")

    def confirm(self) -> None:
        path = urlsplit(self.path).path
        names = [name for name, member in self.club.members.items() if member["path"] == path]
        self.club.confirmed += names
        self.go("/confirmed") if names else self.page("<p role=alert>This link is not known.</p>", 404)

    def login(self, error: str = "") -> str:
        return LOGIN.format(error=error, more=MORE if self.club.together else "")

    def code(self, error: str = "") -> str:
        label = "Code" if self.club.plain else "Verification code"
        return CODE.format(
            error=error, label=label, autocomplete="" if self.club.plain else "autocomplete=one-time-code"
        )

    def session(self) -> str:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("club")
        return cookie.value if cookie else ""

    def me(self) -> tuple[str, str, str]:
        return self.club.sessions.get(self.session(), ("", "", ""))

    def go(self, path: str, cookie: str = "") -> None:
        self.send_response(303)
        self.send_header("Location", path)
        self.send_header("Content-Length", "0")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()

    def page(self, body: str, status: int = 200) -> None:
        text = f"<!doctype html><html lang=en><title>Club</title><link rel=icon href=data:,><body>{body}".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def club(send: Callable[[EmailMessage], None]) -> Iterator[Club]:
    """Serve it."""
    found = Club(send=send)
    with served(type("Handler", (_Handler,), {"club": found})) as found.url:
        yield found
