"""A hostile site, and an attacker beside it: servers on loopback that keep everything that reaches them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from tests.fakes.server import LocalServer

LOGIN = """<h1>Log in</h1><form method=post action=/login aria-label="Log in">
<label>Username <input name=username autocomplete=username></label>
<label>Password <input name=password type=password autocomplete=current-password></label>
<button>Log in</button></form>"""


@dataclass(frozen=True)
class Answer:
    """What a path is answered with."""

    body: str | bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


USUAL = {
    "/login": Answer(LOGIN),
    "/home": Answer("<h1>Welcome</h1><a href=/logout>Log out</a>"),
    "/taken": Answer("<h1>Thank you</h1>"),
}


@dataclass(frozen=True)
class Got:
    """A request."""

    method: str
    path: str
    host: str
    body: bytes
    headers: tuple[tuple[str, str], ...]

    @property
    def all(self) -> bytes:
        """Everything in it, as it came and with escapes undone."""
        text = "\n".join([self.path, self.body.decode("latin-1"), *(value for _, value in self.headers)])
        return f"{text}\n{unquote_plus(text)}".encode()


@dataclass
class Server:
    """A running server."""

    url: str = ""
    port: int = 0
    connections: int = 0
    """How many there were, also without a request."""
    got: list[Got] = field(default_factory=list)
    answers: dict[str, Answer | Callable[[], Answer]] = field(default_factory=dict)
    passwords: list[str] = field(default_factory=list)
    """What was sent to the login."""

    def forget(self) -> None:
        """Begin anew."""
        self.connections = 0
        self.got.clear()
        self.answers.clear()
        self.passwords.clear()


@contextmanager
def serve() -> Iterator[Server]:
    """Serve on 127.0.0.1."""
    kept = Server()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            self._take(b"")

        def do_POST(self) -> None:
            self._take(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

        def _take(self, body: bytes) -> None:
            path = urlsplit(self.path).path
            kept.got.append(Got(self.command, self.path, self.headers.get("Host", ""), body, (*self.headers.items(),)))
            if path == "/login" and self.command == "POST":
                kept.passwords += [text for key, text in parse_qsl(body.decode()) if key == "password"]
                return self._answer(Answer("", 303, {"Location": "/home", "Set-Cookie": "in=1; Path=/"}))
            found = kept.answers.get(path) or USUAL.get(path) or Answer("<h1>Not found</h1>", 404)
            self._answer(found() if callable(found) else found)

        def _answer(self, answer: Answer) -> None:
            page = answer.body
            kind = dict(answer.headers).get("Content-Type", "text/html; charset=utf-8")
            if isinstance(page, str):
                start = "<!doctype html><html lang=en><title>Trap</title><body>"
                page = (page if "<title>" in page or "html" not in kind else start + page).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Type": kind, **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Listening(LocalServer):
        def verify_request(self, request: Any, client_address: Any) -> bool:
            kept.connections += 1
            return True

    server = Listening(("127.0.0.1", 0), Handler)
    kept.port = server.server_port
    kept.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
