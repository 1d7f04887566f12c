"""A site that demands every kind of secret, and says all of them in every place that a page, an answer or a file has.

A table: a kind of secret, a place, a spelling. What it says is the same at every visit, so a recording of it replays.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from tests.fakes.server import served

Place = Callable[[str], str]

FORM = """<form method=post action=/in aria-label="Enter">
<label>Password <input id=password name=password type=password autocomplete=current-password></label>
<label>Old password <input id=old name=old type=password></label>
<label>PIN <input id=pin name=pin type=password oninput="document.title = 'so far ' + this.value"></label>
<label>Word <input id=word name=word type=password></label>
<label>E-mail <input name=email></label>
<button id=enter name=enter>Enter</button></form>"""
PAPERS = """<form method=post action=/papers enctype="multipart/form-data" aria-label="Papers">
<label>Paper <input id=paper name=paper type=file></label><button>Hand it in</button></form>"""
AFTER = """<form method=post action=/done aria-label="Note"><label>Note <input name=note></label><button>Save</button>
</form><a href="/form">Change it</a>"""
ASKING = """<button type=button onclick="ask()">Ask me</button><script>
function ask() { alert(ALL); confirm(ALL); prompt(ALL, FIRST); }
</script>"""
SOCKET = """<p id=heard></p><script>
const socket = new WebSocket("ws://" + location.host + "/socket");
socket.onopen = () => socket.send(ALL);
socket.onmessage = event => { document.getElementById("heard").textContent = event.data; };
</script>"""
TAKING = """<script>fetch("/file");</script><a href="/file" download>Take it</a>"""


def _script(text: str) -> str:
    return json.dumps(text).replace("<", "\\u003c")


PLACES: dict[str, Place] = {
    "text": lambda text: f"<p>It is {html.escape(text)}.</p>",
    "heading": lambda text: f"<h2>{html.escape(text)}</h2>",
    "status": lambda text: f"<p role=status>{html.escape(text)} is right</p>",
    "alert": lambda text: f"<p role=alert>'{html.escape(text)}' is too weak</p>",
    "alt text": lambda text: f'<img src="data:," alt="{html.escape(text)}">',
    "aria label": lambda text: f'<button type=button aria-label="{html.escape(text)}">x</button>',
    "name of a button": lambda text: f"<button type=button>Keep {html.escape(text)}</button>",
    "tooltip": lambda text: f'<span title="{html.escape(text)}">i</span>',
    "data attribute": lambda text: f'<p data-key="{html.escape(text)}">k</p>',
    "comment": lambda text: f"<!-- {html.escape(text)} -->",
    "value of a field": lambda text: f'<label>Key <input value="{html.escape(text)}"></label>',
    "hidden field": lambda text: f'<input type=hidden name=k value="{html.escape(text)}">',
    "placeholder": lambda text: f'<label>Hint <input placeholder="{html.escape(text)}"></label>',
    "text area": lambda text: f"<label>Area <textarea>{html.escape(text)}</textarea></label>",
    "option": lambda text: f"<label>One of <select><option>{html.escape(text)}</option></select></label>",
    "table": lambda text: f"<table><tr><td>{html.escape(text)}</td></tr></table>",
    "path of a link": lambda text: f'<a href="/of/{quote(text, safe="")}/x">path</a>',
    "query of a link": lambda text: f'<a href="/of?k={quote(text, safe="")}">query</a>',
    "fragment of a link": lambda text: f'<a href="#{quote(text, safe="")}">fragment</a>',
    "form action": lambda text: f'<form action="/of/{quote(text, safe="")}"><button>Go on</button></form>',
    "frame": lambda text: f'<iframe srcdoc="{html.escape(f"<p>{html.escape(text)}")}"></iframe>',
    "shadow root": lambda text: (
        f"<div class=shade></div><script>document.currentScript.previousElementSibling"
        f".attachShadow({{mode: 'open'}}).textContent = {_script(text)};</script>"
    ),
    "console": lambda text: f"<script>console.error('it is', {_script(text)});</script>",
    "error of a script": lambda text: f"<script>throw new Error({_script(text)});</script>",
    "storage": lambda text: f"<script>localStorage.setItem('k', {_script(text)});</script>",
    "JSON answer": lambda text: f"<script>fetch('/json/{base64.urlsafe_b64encode(text.encode()).decode()}');</script>",
    "sent back": lambda text: f"<script>fetch('/took', {{method: 'POST', body: {_script(text)}}});</script>",
    "beacon": lambda text: f"<script>navigator.sendBeacon('/took', {_script(text)});</script>",
    "base64": lambda text: f"<p>{base64.b64encode(text.encode()).decode()}</p>",
    "base64, moved by one": lambda text: f"<p>{base64.b64encode(b'x' + text.encode()).decode()}</p>",
    "base64, moved by two": lambda text: f"<p>{base64.b64encode(b'xy' + text.encode()).decode()}</p>",
    "base64url": lambda text: f"<p>{base64.urlsafe_b64encode(text.encode()).decode()}</p>",
    "percent": lambda text: f"<p>{quote(text, safe='')}</p>",
    "JSON": lambda text: f"<p>{html.escape(json.dumps({'k': text}))}</p>",
    "HTML as text": lambda text: f"<p>{html.escape(html.escape(text))}</p>",
}
"""Where a page says a text, and how."""
LONG: dict[str, Place] = {
    "hex": lambda text: f"<p>{text.encode().hex()}</p>",
    "small letters": lambda text: f"<p>{html.escape(text.lower())}</p>",
    "capitals": lambda text: f"<p>{html.escape(text.upper())}</p>",
    "in groups of four": lambda text: f"<p>{html.escape(' '.join(text[at : at + 4] for at in range(0, len(text), 4)))}",
    "a letter an element": lambda text: "".join(f"<b>{html.escape(char)}</b>" for char in text),
}
"""The same, of secrets that are long enough to be known in disguise."""
WHOLE_PAGE = """<script>
history.replaceState(null, "", "/at/" + encodeURIComponent(FIRST) + "?k=" + encodeURIComponent(FIRST) + "#" + FIRST);
document.title = "It is " + FIRST;
document.cookie = "shown=" + encodeURIComponent(FIRST);
</script>"""


@dataclass
class AllSaying:
    """A running site."""

    says: list[str] = field(default_factory=list)
    """Every secret that it says."""
    url: str = ""
    sets: str = ""
    """The cookie that it sets, which no script may read."""
    took: list[bytes] = field(default_factory=list)
    button: str = "<button id=enter name=enter>Enter"
    """How the button of the form begins."""
    refuses: bool = True
    """Whether it calls what was entered too weak: no replay does that again."""
    broken: bool = False
    """Whether it fails with all that it says."""
    maildir: Path = Path()
    """Where its mails go."""
    mailed: list[str] = field(default_factory=list)
    """What its mails have told their readers."""

    def page(self, texts: Sequence[str]) -> str:
        """Say texts in every place."""
        said = []
        for text in texts:
            said += [place(text) for name, place in PLACES.items() if self.refuses or name != "alert"]
            said += [place(text) for place in LONG.values() if len(text) >= 12]
        if not texts:
            return AFTER
        return AFTER + "".join(said) + WHOLE_PAGE.replace("FIRST", _script(texts[0]))

    def lively(self) -> str:
        """Say texts by what is no part of a page: questions of the browser, a WebSocket, a file to download."""
        scripts = (ASKING + SOCKET + TAKING).replace("FIRST", _script(self.says[0]))
        return scripts.replace("ALL", _script("\n".join(self.says))) + AFTER

    def write(self, to: str) -> None:
        """Send a mail with a link that is made for its reader."""
        self.mailed.append(secrets.token_hex(16))
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "All <all@example.org>", to, f"Come in {self.mailed[-1]}"
        mail.set_content(f"Follow this link:\n\n{self.url}/mailed/{self.mailed[-1]}\n")
        (self.maildir / f"{len(self.mailed)}.host").write_bytes(mail.as_bytes())


@contextmanager
def all_saying_site() -> Iterator[AllSaying]:
    """Serve it."""
    site = AllSaying()
    with served(type("Saying", (_Saying,), {"site": site})) as site.url:
        yield site


class _Saying(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    site: AllSaying

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.site.took.append("\n".join([self.path, *self.headers.values()]).encode())
        if path.startswith("/json/"):
            text = base64.urlsafe_b64decode(path.removeprefix("/json/")).decode()
            return self.answer(json.dumps({"key": text, "list": [text]}), "application/json", {"X-Said": quote(text)})
        if path == "/file":
            given = {"Content-Disposition": 'attachment; filename="keys.txt"'}
            return self.answer("\n".join(self.site.says), "text/plain", given)
        if path == "/form":
            return self.answer(PAPERS + FORM.replace(AllSaying.button, self.site.button), cookie=True)
        if path == "/socket":
            return self.talk()
        if path.startswith("/mailed/"):
            return self.answer(self.site.page([path.removeprefix("/mailed/")]))
        if path == "/lively":
            return self.answer(self.site.lively())
        return self.answer(self.site.page(self.site.says) if path.startswith(("/said", "/at")) else "<h1>Here</h1>")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self.site.took.append(body)
        if self.path == "/in":
            fields = {name: values[0] for name, values in parse_qs(body.decode()).items()}
            if "email" in fields:
                self.site.write(fields["email"])
            given = [value for name, value in fields.items() if name not in ("word", "email")]
            return self.answer(self.site.page([*given, *self.site.says]), status=500 if self.site.broken else 200)
        return self.answer("<p role=status>Saved</p>")

    def talk(self) -> None:
        """Hear one message on a WebSocket, and say everything (RFC 6455, 4.2.2 and 5.2)."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.close_connection = True
        _, length = self.rfile.read(2)
        length &= 127
        size = int.from_bytes(self.rfile.read(2)) if length == 126 else length
        mask = self.rfile.read(4)
        self.site.took.append(bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(size))))
        data = "\n".join(self.site.says).encode()
        self.wfile.write(b"\x81" + bytes([126]) + len(data).to_bytes(2) + data)

    def answer(
        self,
        body: str,
        media_type: str = "text/html",
        headers: dict[str, str] | None = None,
        *,
        cookie: bool = False,
        status: int = 200,
    ) -> None:
        html_page = media_type == "text/html"
        data = (f"<!doctype html><html lang=en><title>All</title><body>{body}" if html_page else body).encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{media_type}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        if cookie:
            self.send_header("Set-Cookie", f"session={quote(self.site.sets, safe='')}; Path=/; HttpOnly")
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass
