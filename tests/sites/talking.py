"""A board of notes on loopback whose page saves by a web socket alone, in several formats; heartbeats run beside it.

In two of them the site itself draws the page, as server-side frameworks do: each field is told as it is filled in, and
a press says only which element was pressed.

``notes`` is the own truth of the site; what it is to swallow it answers as ever.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qs
from uuid import uuid4

from tests.fakes.server import served
from tests.sites.serving import PageHandler

Format = Literal["live", "json", "packets", "lines", "elements", "posts"]
"""As LiveView (each change is told, and a form goes as a text), plain JSON, Socket.IO, a format of its own; elements
by number, on the socket, and the same by requests."""
_FIELDS = ("text", "place", "urgent")
PAGE = """<h1>Board</h1><ul id=all>{notes}</ul>
<form id=f><label>Note <input name=text></label><label>Place <input name=place></label>{box}
<button>Put up</button></form>
<script>
const ws = new WebSocket("ws://" + location.host + "/live?vsn=2&csrf=" + Math.random());
const how = "{format}";
const say = (event, value) => ws.send({{
  live: () => JSON.stringify(["4", "9", "lv:board", "event",
    {{type: "form", event, value: new URLSearchParams(value) + ""}}]),
  json: () => JSON.stringify({{event, data: Object.fromEntries(value)}}),
  packets: () => "42" + JSON.stringify([event, Object.fromEntries(value)]),
  lines: () => event + "|" + [...value].map(([, text]) => text).join("|"),
}}[how]());
const byNumber = how === "elements" || how === "posts";
const tell = (element, value) => {{
  const body = JSON.stringify({{client: "{client}", element, value: JSON.stringify(value)}});
  if (how === "elements") return ws.send(body);
  fetch("/elements", {{method: "POST", headers: {{"Content-Type": "application/json"}}, body}})
    .then((answer) => answer.text()).then((data) => ws.onmessage({{data}}));
}};
const beat = () => ws.readyState === 1 && ws.send(how === "packets" ? "2" : JSON.stringify(["hb", Date.now()]));
ws.addEventListener("open", beat);
setInterval(beat, {beat_ms});
const draw = (li, note) => {{ li.id = "note-" + note.id; const a = document.createElement("a");
  a.textContent = note.text; a.href = "/notes/" + note.id;
  const b = document.createElement("button"); b.textContent = note.done ? "Reopen" : "Close"; b.type = "button";
  b.onclick = () => byNumber ? tell(note.id - 4000) : say("close", [["id", "" + note.id]]);
  li.replaceChildren(a, " " + note.place + " ", b); }};
ws.onmessage = ({{data}}) => {{ const {{note}} = JSON.parse(data); if (!note) return;
  const li = document.getElementById("note-" + note.id) || all.appendChild(document.createElement("li"));
  draw(li, note); }};
if (how === "live") f.oninput = () => say("validate", new FormData(f));
const held = (el) => el.type === "checkbox" ? el.checked : el.value;
if (byNumber) f.oninput = ({{target}}) => tell([...f.elements].indexOf(target), held(target));
f.onsubmit = (event) => {{ event.preventDefault();
  byNumber ? tell(f.elements.length - 1) : say("save", new FormData(f));
  f.reset(); }};
{draw}
</script>"""


@dataclass
class Talking:
    """What a test may look into, and how the site lies."""

    format: Format
    url: str = ""
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)
    beat_ms: int = 1500
    """How often a page says that it is there."""
    draft: dict[str, Any] = field(default_factory=dict)
    """What the fields were told to hold, where each is told by itself."""
    alters: dict[str, Any] = field(default_factory=dict)
    """What a new note is kept with, whatever was sent."""
    swallows: bool = False
    """Whether it answers as ever and does nothing."""

    @property
    def by_number(self) -> bool:
        """Whether the page speaks of its elements alone, by number."""
        return self.format in ("elements", "posts")

    def fill(self) -> None:
        """Put one note there anew."""
        self.alters = {}
        self.notes = {4101: {"id": 4101, "text": "Kitchen clock", "place": "Leeds", "done": False}}

    def hear(self, said: str) -> str:
        """Do what a message says, and give the answer."""
        event, value = self._read(said) if not self.by_number else self._pressed(json.loads(said))
        if event == "save":
            note = {"id": max(4101, *self.notes) + 1, "text": value["text"], "place": value["place"], "done": False}
            note |= {"urgent": value.get("urgent", False), **self.alters}
            if not self.swallows:
                self.notes[note["id"]] = note
        elif event == "close":
            note = dict(self.notes[int(value["id"])])
            note["done"] = not note["done"]
            if not self.swallows:
                self.notes[note["id"]] = note
        else:
            return json.dumps({"ok": True})
        return json.dumps({"ok": True, "note": note})

    def _pressed(self, told: Any) -> tuple[str, dict[str, Any]]:
        """Take in what is said of an element: a field is only noted, and a button does something."""
        if not isinstance(told, dict):
            return "", {}
        number = told["element"]
        if number > len(_FIELDS):
            return "close", {"id": str(number + 4000)}
        if number == len(_FIELDS):
            return "save", self.draft
        self.draft[_FIELDS[number]] = json.loads(told["value"])
        return "", {}

    def _read(self, said: str) -> tuple[str, dict[str, Any]]:
        if self.format == "lines":
            event, _, rest = said.partition("|")
            texts = rest.split("|")
            return event, {"id": texts[0], "text": texts[0], "place": texts[-1]}
        told = json.loads(said.removeprefix("42") if self.format == "packets" else said)
        if not isinstance(told, list):
            return (told["event"], told["data"])
        if self.format == "packets":
            return (told[0], told[1]) if told else ("", {})
        if told[0] == "hb":
            return "", {}
        return told[4]["event"], {name: values[0] for name, values in parse_qs(told[4]["value"]).items()}


def _handler(site: Talking) -> type[PageHandler]:
    class Handler(PageHandler):
        title = "Board"

        def do_GET(self) -> None:
            if self.headers["Upgrade"] == "websocket":
                return self.talk()
            number = self.path.rpartition("/")[2]
            if number.isdigit() and int(number) in site.notes:
                note = site.notes[int(number)]
                return self.answer(
                    200,
                    f"<h1>{html.escape(note['text'])}</h1><p>Place: {html.escape(note['place'])}</p>"
                    f"<p>Urgent: {'yes' if note.get('urgent') else 'no'}</p>",
                )
            if self.path.partition("?")[0] != "/":
                return self.answer(404, "<h1>Not found</h1>")
            notes = "".join(
                f"<li id=note-{number}><a href=/notes/{number}>{html.escape(note['text'])}</a> "
                f"{html.escape(note['place'])} "
                f"<button type=button>{'Reopen' if note['done'] else 'Close'}</button></li>"
                for number, note in site.notes.items()
            )
            box = "<label><input type=checkbox name=urgent> Urgent</label>" if site.by_number else ""
            draw = "".join(
                f'draw(document.getElementById("note-{number}"), {json.dumps(note)});'
                for number, note in site.notes.items()
            )
            self.answer(
                200,
                PAGE.format(notes=notes, format=site.format, beat_ms=site.beat_ms, draw=draw, client=uuid4(), box=box),
            )

        def do_POST(self) -> None:
            self.tell(json.loads(site.hear(self.body().decode())))

        def talk(self) -> None:
            """Speak the part of RFC 6455 that short texts need."""
            key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            self.send_response(101)
            self.send_header("Upgrade", "websocket")
            self.send_header("Connection", "Upgrade")
            self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
            self.end_headers()
            self.close_connection = True
            with suppress(OSError):  # the page goes away in the middle of an answer
                for said in self.heard():
                    if said in ("2", "") or said.startswith('["hb"'):
                        continue
                    data = site.hear(said).encode()
                    self.wfile.write(
                        b"\x81" + (bytes([len(data)]) if len(data) < 126 else b"\x7e" + len(data).to_bytes(2))
                    )
                    self.wfile.write(data)
                    self.wfile.flush()

        def heard(self) -> Iterator[str]:
            """Give what the page says until it closes the socket."""
            while len(head := self.rfile.read(2)) == 2 and head[0] == 0x81:
                length = head[1] & 0x7F
                size = int.from_bytes(self.rfile.read(2)) if length == 126 else length
                mask = self.rfile.read(4)
                yield bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(size))).decode()

    return Handler


@contextmanager
def serving_talking(format: Format) -> Iterator[Talking]:
    """Serve a board."""
    site = Talking(format)
    site.fill()
    with served(_handler(site)) as site.url:
        yield site
