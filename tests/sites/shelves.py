"""Things on loopback that a single page keeps, on an application that is slow and says little of what it did.

Its login is drawn a second after the page, and its list as late as is said. Its page calls a field otherwise than what
it sends (``Full title`` is ``name``). It empties the form as soon as the answer is there, and complains of that until
it has drawn the page of the thing. What a search finds is drawn by the server, and repeats what was asked for.
``things`` is the own truth of the site.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.server import served

APP = """<!doctype html><html lang=en><title>Shelves</title><link rel=icon href=data:,><body>
<a href=/things>All</a><main id=view></main><script>
const view = document.getElementById("view"), late = 250;
const text = value => { const e = document.createElement("i"); e.textContent = value; return e.innerHTML; };
const get = path => fetch(path).then(it => it.json());
const list = async () => { const all = await get("/api/things");
  view.innerHTML = `<h1>Shelves</h1>SEARCH<a href="/things/new">New shelf</a><table><tr><th>Name<th>Blurb</tr>${
    all.map(one => `<tr><td><a href="/things/${one.id}">${text(one.name)}</a><td>${text(one.blurb)}</tr>`).join("")
  }</table>`; };
const one = async id => { const it = await get("/api/things/" + id);
  view.innerHTML = `<h1>A shelf</h1><p>Opened on Monday</p><b>${text(it.name)}</b>`; };
const form = () => { view.innerHTML = `<h1>New shelf</h1><form novalidate>
    <label for=a>Full title</label><input id=a><em id=ae role=alert></em>
    <label for=b>Blurb</label><textarea id=b></textarea><em id=be role=alert></em><button>Create</button></form>`;
  const check = () => { for (const [field, said, label] of [[a, ae, "Full title"], [b, be, "Blurb"]]) {
      field.setAttribute("aria-invalid", String(!field.value));
      field.setAttribute("aria-describedby", said.id);
      said.textContent = field.value ? "" : label + " is required"; } return a.value && b.value; };
  view.querySelector("form").onsubmit = async event => { event.preventDefault();
    if (!check()) return;
    const sent = await fetch("/api/things", {method: "POST", headers: {"Content-Type": "application/json"},
      body: JSON.stringify({name: a.value, blurb: b.value, kind: "plain"})});
    const it = await sent.json();
    if (!sent.ok) { ae.textContent = it.error; a.setAttribute("aria-invalid", "true");
      a.setAttribute("aria-describedby", "ae"); return; }
    a.value = b.value = ""; check();
    setTimeout(() => { history.pushState({}, "", "/things/" + it.id); one(it.id); }, HOLD); }; };
const enter = () => { view.innerHTML = `<h1>Log in</h1><form method=post action="/login">
    <label>Username <input name=username></label><label>Password <input name=password type=password></label>
    <button>Log in</button></form>`; };
if (document.cookie) document.querySelector("a").insertAdjacentHTML("afterend", "<a href=/logout>Log out</a>");
const last = location.pathname.split("/").pop();
const draw = () => last === "login" ? enter() : last === "new" ? form() : /^\\d+$/.test(last) ? one(last) : list();
if (last === "login" || LATE) setTimeout(draw, last === "login" ? 1200 : LATE); else draw();
</script>"""
SEARCH = '<form action="/find" role=search><input type=search name=q aria-label="Search"><button>Search</button></form>'


@dataclass
class Shelves:
    """What a test may look into, and how the site lies."""

    url: str = ""
    things: dict[int, dict[str, str]] = field(default_factory=dict)
    lies: dict[str, str] = field(default_factory=dict)
    """What it keeps in a field, whatever was sent."""
    swallows: bool = False
    """Whether it keeps nothing, and answers as ever."""
    refuses: str = ""
    """What it says of the title, and keeps nothing."""
    searches: bool = False
    """Whether its list can be searched."""
    late_ms: int = 0
    """How long after a page its list, form or thing is drawn."""
    hold_ms: int = 1500
    """How long the emptied form stays."""

    def empty(self) -> None:
        """Throw all away."""
        self.things.clear()

    def keep(self, given: dict[str, str]) -> int:
        """Keep a thing, truly or not; gives its number."""
        number = max(self.things, default=4110) + 7
        if not self.swallows:
            self.things[number] = {**given, **self.lies}
        return number


def _handler(site: Shelves) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            last = parts.path.rpartition("/")[2]
            told = [{"id": number, **one} for number, one in site.things.items()]
            if parts.path == "/api/things":
                return self.give(200, json.dumps(told), "application/json")
            if parts.path.startswith("/api/things/"):
                one = site.things.get(int(last), {"name": "", "blurb": ""})
                return self.give(200, json.dumps(one), "application/json")
            if parts.path == "/find":
                asked = parse_qs(parts.query)["q"][0]
                found = [one for one in told if asked == one["name"]]
                rows = "".join(f'<li><a href="/things/{one["id"]}">{html.escape(one["name"])}</a>' for one in found)
                said = f"<h1>Results for {html.escape(asked)}</h1><ul>{rows}</ul>"
                return self.give(200, f"<!doctype html><html lang=en><title>Found</title>{said}", "text/html")
            page = (
                APP.replace("HOLD", str(site.hold_ms))
                .replace("LATE", str(site.late_ms))
                .replace("SEARCH", SEARCH if site.searches else "")
            )
            return self.give(200, page, "text/html")

        def do_POST(self) -> None:
            if self.path == "/login":
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(303)
                self.send_header("Set-Cookie", "in=1; Path=/")
                self.send_header("Location", "/things")
                self.send_header("Content-Length", "0")
                return self.end_headers()
            given: dict[str, str] = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if site.refuses:
                return self.give(422, json.dumps({"error": site.refuses}), "application/json")
            return self.give(201, json.dumps({"id": site.keep(given), **given}), "application/json")

        def give(self, status: int, content: str, kind: str) -> None:
            body = content.encode()
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def serving_shelves() -> Iterator[Shelves]:
    """Serve the single page on loopback."""
    site = Shelves()
    with served(_handler(site)) as site.url:
        yield site
