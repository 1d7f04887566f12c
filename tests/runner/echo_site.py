"""A careless site: it says the password that it was given in every place and spelling that a page has."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, quote, urlsplit

from tests.fakes.server import served

FORM = """<form method={method} action={action} aria-label="{name}">
<label>Username <input name=username autocomplete=username></label>
<label>Password <input id=password name=password type=password autocomplete=current-password></label>
{more}<button>{name}</button></form>"""
REPEATED = "<label>Password again <input name=again type=password autocomplete=new-password></label>"
SHOWN = """<label>Password <input id=shown type=password></label>
<button onclick="document.getElementById('shown').type = 'text'">Show it</button>"""
STUCK = """<label>Password <input id=stuck type=password disabled></label>
<label>Code <input id=code autocomplete=one-time-code></label>
<label>Password <input id=keys type=password></label>"""


class _Careless(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    given: list[str]

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        if url.query:
            return self.echo([text for key, text in parse_qsl(url.query) if key in ("password", "again")])
        self.page(
            {
                "/register": FORM.format(method="post", action="/register", name="Sign up", more=REPEATED),
                "/login": FORM.format(method="get", action="/welcome", name="Enter", more=""),
                "/shown": SHOWN,
                "/stuck": STUCK,
            }.get(url.path, "")
        )

    def do_POST(self) -> None:
        fields = parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode(), keep_blank_values=True)
        self.echo([text for key, text in fields if key in ("password", "again")])

    def echo(self, passwords: list[str]) -> None:
        """Answer with all that was ever given: text, error, status, title, address, name, code, error of a script."""
        self.given += passwords
        body = []
        for text in self.given:
            raw, url, script = html.escape(text), quote(text, safe=""), json.dumps(text).replace("<", "\\u003c")
            body.append(
                f"<p role=alert>'{raw}' is too weak</p><p role=status>Your password is {raw}</p><h2>{raw}</h2>"
                f"<a href='/welcome?password={url}'>Use {raw}</a><button>Keep {raw}</button>"
                f"<label>{raw} <input name='{url}' value='{raw}' placeholder='{raw}' aria-invalid=true></label>"
                f"<p>{html.escape(json.dumps({'password': text}))} {url}</p>"
                f"<p>{base64.b64encode(text.encode()).decode()} {html.escape(raw)}</p>"
                f"<script>console.error('The password is', {script}); throw new Error({script});</script>"
            )
        first = html.escape(self.given[-1]) if self.given else ""
        self.page("".join(body) + "<button id=last>All of it</button>", title=f"Hello {first}", status=200)

    def page(self, body: str, title: str = "Careless", status: int = 200) -> None:
        text = f"<!doctype html><html lang=en><title>{title}</title><body>{body}".encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def careless_site() -> Iterator[str]:
    """Serve it; gives its address."""
    with served(type("Careless", (_Careless,), {"given": []})) as url:
        yield url
