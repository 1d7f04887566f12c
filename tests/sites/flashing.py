"""Pins on a board, whose session is a cookie that says in readable JSON whose it is and what was done last.

As Flask's is. Each answer to a write sets it anew, with a token of its own.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.fakes.server import served


@dataclass
class Flashing:
    """What a board holds."""

    url: str = ""
    pins: dict[int, dict[str, str]] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)
    """What a pin gets instead of what was sent."""

    def save(self, pin: dict[str, str]) -> None:
        """Keep a pin, as far as the board does not lie."""
        self.pins[max(self.pins, default=0) + 1] = {**pin, **self.lying}


def cookie_of(said: dict[str, Any]) -> str:
    """Write a session as a cookie."""
    data = base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")
    return f"session={data}.{secrets.token_urlsafe(16)}; HttpOnly; Path=/"


def handler(site: Flashing) -> type[BaseHTTPRequestHandler]:
    """Make what answers for a board."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            said = self.session()
            user = escape(said.get("user", ""))
            if not user:
                return self.page("<form method=post action=/enter><label>Name <input name=name></label><button>Enter")
            rows = "".join(
                f"<tr><td><form method=post action=/remove><input type=hidden name=id value={one}>"
                f"<button title=Remove>x</button></form><td><a href='{escape(pin['link'])}'>{escape(pin['title'])}</a>"
                f"<td>{escape(urlsplit(pin['link']).netloc)}"
                for one, pin in site.pins.items()
            )
            notes = "".join(f"<p role=status>{escape(note)}" for note in said.get("notes", ()))
            form = "<form method=post action=/pin><label>Title <input name=title></label><label>Link <input name=link>"
            body = f"<p>Signed in as {user}{notes}<table>{rows}</table>{form}</label><button>Pin</button></form>"
            self.page(body, cookie_of({**said, "notes": []}))

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
            said = self.session()
            if self.path == "/enter":
                said = {"user": sent["name"], "notes": ["You are welcome to all of our boards."]}
            elif self.path == "/pin":
                site.save(sent)
                host = urlsplit(sent["link"]).netloc
                said |= {"notes": ["The pin was kept on your board."], "host": host, "last": sent["title"]}
            else:
                site.pins.pop(int(sent["id"]))
                said["notes"] = ["The pin was taken from your board."]
            self.send_response(303)
            self.send_header("Location", "/")
            self.send_header("Set-Cookie", cookie_of({**said, "token": secrets.token_hex(16)}))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def session(self) -> dict[str, Any]:
            kept = SimpleCookie(self.headers.get("Cookie", "")).get("session")
            data = kept.value.partition(".")[0] if kept else ""
            return json.loads(base64.urlsafe_b64decode(data + "=" * (-len(data) % 4))) if data else {}

        def page(self, body: str, cookie: str = "") -> None:
            data = f"<!doctype html><html lang=en><title>Pins</title><main><h1>Pins</h1>{body}".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            if cookie:
                self.send_header("Set-Cookie", cookie)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def serving_flashing() -> Iterator[Flashing]:
    """Serve a board on loopback."""
    site = Flashing()
    with served(handler(site)) as site.url:
        yield site
