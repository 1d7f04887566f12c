"""A register of things on loopback, which can lie: what it keeps is not always what it was sent.

Things are made by a form of the document, or by a script that sends JSON and draws what the answer says; each has a
page of its own, a form to change it, and a row in the list. ``things`` is the own truth of the site.
"""

from __future__ import annotations

import html
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.fakes.server import served

Thing = dict[str, str]

FORM = """<h1>{title}</h1><form method=post action="{action}" enctype="multipart/form-data" aria-label=Thing>
<label>Title <input name=title value="{values[title]}"></label>
<label>Price <input name=price value="{values[price]}"></label>
<label>Kind <select name=kind>{options}</select></label>
<label><input type=checkbox name=urgent value=yes {urgent}> Urgent</label>
<label>Note <textarea name=note>{values[note]}</textarea></label>
<label>Photo <input type=file name=photo></label>
<button>Save</button></form>"""
PAGE = """<h1>{title}</h1>{photo}<dl><dt>Price</dt><dd>{price}</dd><dt>Kind</dt><dd>{kind}</dd></dl>
<p class=note>{note}</p><a href="/things/{number}/edit">Change</a> <a href=/things>All things</a>
<form method=post action="/things/{number}/delete"><button>Delete</button></form>"""
APP = """<h1>Things</h1><form id=f aria-label=Thing><label>Title <input name=title></label>
<label>Price <input name=price></label><button>Save</button></form><ul id=l></ul><a href=/app>Again</a><script>
const draw = (one) => { const row = document.createElement("li"); row.dataset.id = one.id;
  row.innerHTML = "<b></b> <span class=price></span>"; row.firstChild.textContent = one.title;
  row.lastChild.textContent = one.price; l.append(row); };
fetch("/api/things").then((it) => it.json()).then((all) => all.forEach(draw));
f.onsubmit = (event) => { event.preventDefault();
  fetch("/api/things", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({data: Object.fromEntries(new FormData(f))})}).then((it) => it.json()).then(draw); };
setInterval(() => navigator.sendBeacon("/beat", "still here"), 300);</script>"""
KINDS = ("tool", "toy", "book")
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000004000000040802000000269309290000001249444154789c63f8cfc0004730ccc0c8000000"
    "7c8f0c01a2e1b5ad0000000049454e44ae426082"
)


@dataclass
class Things:
    """What a test may look into, and how the site lies."""

    url: str = ""
    things: dict[int, Thing] = field(default_factory=dict)
    lies: dict[str, Callable[[str], str]] = field(default_factory=dict)
    """What becomes of a field when it is kept, by its name."""
    swallows: bool = False
    """Whether nothing is kept, though the answer says so."""
    loses_files: bool = False
    stamps: bool = False
    """Whether the address to which one comes when a thing is made holds the time."""
    leads_to_list: bool = False
    """Whether one comes to the list when a thing is made, not to the thing."""
    slow: int = 0
    """How many times a new thing's page shows it as it was before."""
    posts: list[str] = field(default_factory=list)
    shows: dict[str, Callable[[str], str]] = field(default_factory=dict)
    """How a field is written on pages, by its name."""
    looks: list[str] = field(default_factory=list)
    """Addresses that were asked for."""
    hears: Callable[[str, str, bool], bool] = lambda method, path, taken: False
    """Told of each request, and once more when it is taken; says whether to give no answer."""
    _next: int = 41

    def keep(self, fields: Thing, number: int | None = None) -> int:
        """Keep a thing, truly or not."""
        if number is None:
            number, self._next = self._next, self._next + 1
            if not self.swallows:
                self.things[number] = {"photo": ""}
        if not self.swallows:
            kept = {name: self.lies.get(name, str)(text) for name, text in fields.items() if name != "photo"}
            self.things[number] |= {"urgent": "", **kept}
            if fields.get("photo") and not self.loses_files:
                self.things[number]["photo"] = "yes"
        return number

    def empty(self) -> None:
        """Take everything away; numbers begin anew."""
        self.things.clear()
        self.posts.clear()
        self.looks.clear()
        self._next = 41


def _handler(site: Things) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            site.looks.append(path)
            if site.hears("GET", path, True):
                return None
            steps = path.strip("/").split("/")
            if path == "/api/things":
                return self.give(200, json.dumps([{"id": key, **one} for key, one in site.things.items()]), "json")
            if path == "/app":
                return self.give(200, APP)
            if path == "/new":
                return self.give(200, self.form("New thing", "/new", {}))
            if path == "/things":
                return self.give(200, "<h1>Things</h1><ul>" + "".join(map(self.row, site.things)) + "</ul>")
            if path.startswith("/photos/"):
                return self.give(200, PNG, "png")
            if len(steps) > 1 and steps[1].isdigit() and int(steps[1]) in site.things:
                number = int(steps[1])
                thing = site.things[number]
                if steps[2:] == ["edit"]:
                    return self.give(200, self.form("Change", path, thing))
                if site.slow:
                    site.slow -= 1
                    thing = dict.fromkeys(thing, "")
                return self.give(200, self.page(number, thing))
            return self.give(200 if path == "/" else 404, "<h1>Welcome</h1><a href=/new>New</a>")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            site.posts.append(self.path)
            if site.hears("POST", self.path, False):
                return None
            steps = self.path.strip("/").split("/")
            if self.path == "/beat":
                return self.give(204, "")
            if self.path == "/api/things":
                fields = {name: str(text) for name, text in json.loads(body)["data"].items()}
                return self.give(201, json.dumps({"id": site.keep(fields), **fields}), "json")
            if steps[2:] == ["delete"]:
                if not site.swallows:
                    del site.things[int(steps[1])]
                self.send_response(303)
                self.send_header("Location", "/things")
                self.send_header("Content-Length", "0")
                return self.end_headers()
            fields = self.fields(body)
            number = site.keep(fields, int(steps[1]) if steps[0] == "things" else None)
            if site.hears("POST", self.path, True):
                return None
            self.send_response(303)
            stamp = f"?at={time.monotonic_ns() % 10**9}" if site.stamps else ""
            self.send_header("Location", "/things" if site.leads_to_list else f"/things/{number}{stamp}")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def fields(self, body: bytes) -> Thing:
            kind = self.headers["Content-Type"]
            if not kind.startswith("multipart/"):
                return dict(parse_qsl(body.decode(), keep_blank_values=True))
            parts = message_from_bytes(f"Content-Type: {kind}\n\n".encode() + body).get_payload()
            return {
                str(part.get_param("name", header="content-disposition")): part.get_payload(decode=True).decode(
                    "latin-1" if part.get_filename() is not None else "utf-8"
                )
                for part in parts  # type: ignore[union-attr]
            }

        def form(self, title: str, action: str, values: Thing) -> str:
            known = {name: html.escape(values.get(name, "")) for name in ("title", "price", "note")}
            options = "".join(
                f"<option{' selected' if one == values.get('kind') else ''}>{one}</option>" for one in KINDS
            )
            urgent = "checked" if values.get("urgent") else ""
            return FORM.format(title=title, action=action, values=known, options=options, urgent=urgent)

        def shown(self, thing: Thing) -> Thing:
            return {name: html.escape(site.shows.get(name, str)(text)) for name, text in thing.items()}

        def page(self, number: int, thing: Thing) -> str:
            photo = f"<img alt=Photo src=/photos/{number}.png>" if thing.get("photo") else ""
            return PAGE.format_map({"number": number, **self.shown(thing), "photo": photo})

        def row(self, number: int) -> str:
            thing = self.shown(site.things[number])
            return f'<li><a href="/things/{number}">{thing["title"]}</a> <span class=price>{thing["price"]}</span></li>'

        def give(self, status: int, content: str | bytes, kind: str = "html") -> None:
            page = f"<!doctype html><html lang=en><title>Things</title><body>{content!s}"
            body = page.encode() if kind == "html" else content if isinstance(content, bytes) else content.encode()
            types = {"html": "text/html; charset=utf-8", "json": "application/json", "png": "image/png"}
            self.send_response(status)
            self.send_header("Content-Type", types[kind])
            self.send_header("Content-Length", str(len(body) if status != 204 else 0))
            self.end_headers()
            if status != 204:
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def serving_things() -> Iterator[Things]:
    """Serve the register on loopback."""
    site = Things()
    with served(_handler(site)) as site.url:
        yield site
