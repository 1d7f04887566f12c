"""A wall of notes on loopback that are voted for, followed, closed and deleted without putting anything in.

It is drawn in several markups by a seed: rows with forms, cards of a single page with ``aria-pressed``, and plain
buttons with words that change. Other users act meanwhile: counts rise, a clock runs, pages send something by themselves
at irregular times. ``notes`` is the own truth of the site; what it is to swallow it answers as ever.
"""

from __future__ import annotations

import html
import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from tests.fakes.server import served
from tests.sites.serving import PageHandler

Markup = Literal["rows", "cards", "words"]
Act = Literal["vote", "follow", "close", "delete"]
TITLES = ("Border spade", "Kitchen clock", "Green bicycle", "Paper lamp")
WORDS: dict[str, tuple[str, str]] = {
    "vote": ("Vote", "Unvote"), "follow": ("Follow", "Following"), "close": ("Close", "Reopen"),
}  # fmt: skip
RESTLESS = """<p id=clock></p><span class=badge>0</span><script>
setInterval(() => { clock.textContent = new Date().toISOString();
  document.querySelector(".badge").textContent++ }, 150);
const beat = () => { fetch("/beat", {method: "POST", body: JSON.stringify({at: location.pathname, n: Math.random()})});
  setTimeout(beat, 40 + Math.random() * 400) };
setTimeout(beat, Math.random() * 300);
addEventListener("click", () => fetch("/track", {method: "POST", body: JSON.stringify({path: location.pathname})}),
  true);
</script>"""
APP = """<h1>Wall</h1><input id=q aria-label=Search><div id=all></div><script>
const ask = (method, path, body) => fetch(path, {method, headers: {"Content-Type": "application/json"},
  body: body && JSON.stringify(body)}).then((it) => it.status === 204 ? null : it.json());
const button = (label, pressed, press) => { const b = document.createElement("button"); b.type = "button";
  if (STYLE === 0) { b.innerHTML = "<svg width=9 height=9></svg>"; b.setAttribute("aria-label", label); }
  else b.textContent = label;
  if (pressed !== null) b.setAttribute("aria-pressed", pressed); b.onclick = press; return b; };
const draw = (note) => { const card = document.createElement(STYLE === 1 ? "article" : "div");
  card.className = "card";
  if (STYLE === 2) card.dataset.id = note.id;
  const head = document.createElement("h2"); head.textContent = note.title; card.append(head);
  const fill = () => { card.querySelectorAll("button,i").forEach((b) => b.remove());
    const count = document.createElement("i"); count.textContent = note.votes + " votes"; card.append(count);
    for (const name of ["vote", "follow", "close"]) card.append(button(name, !!note[name], () => {
      note[name] = !note[name]; fill(); ask("POST", "/api/notes/" + note.id + "/" + name, {on: note[name]}); }));
    card.append(button("delete", null, () => ask("DELETE", "/api/notes/" + note.id).then(() => card.remove()))); };
  if (ASKS) { const age = card.insertBefore(document.createElement("a"), head); age.href = "#";
    age.textContent = note.age; const way = card.appendChild(document.createElement("a")); way.href = "#";
    way.textContent = "Remove"; way.onclick = (event) => { event.preventDefault();
      if (way.textContent === "Remove") way.textContent = "Sure";
      else ask("DELETE", "/api/notes/" + note.id).then(() => card.remove()); }; }
  fill(); document.getElementById("all").append(card); };
ask("GET", "/api/notes").then((all) => all.forEach(draw));
</script>"""


@dataclass
class Wall:
    """What a test may look into, and how the site lies."""

    markup: Markup
    style: int = 0
    restless: bool = True
    """Whether pages send something by themselves, and show what changes."""
    url: str = ""
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)
    swallows: set[str] = field(default_factory=set)
    """What it answers as ever and does not do."""
    slow: int = 0
    """How many times pages still show things as they were."""
    breaks: bool = False
    """Whether the list of the single page is not answered any more, once something was done."""
    writes: list[str] = field(default_factory=list)
    adds: bool = False
    """Whether one may pin a note of one's own, and delete it on its own page, too."""
    asks: bool = False
    """Whether a link of the single page deletes when it is pressed twice, in cards that say how old they are."""
    keeps: str = ""
    """What it keeps of a note that is pinned, instead of what was sent."""
    _shown: dict[int, dict[str, Any]] = field(default_factory=dict)
    _broken: bool = False

    def fill(self) -> None:
        """Put the notes there anew."""
        self.notes = {41 + place: {"title": title, "votes": 3 + place} for place, title in enumerate(TITLES)}
        self._shown = {}
        self.writes.clear()

    def act(self, number: int, name: str) -> None:
        """Do what a user pressed, truly or not."""
        self.writes.append(f"{name} {number}")
        self._broken = self.breaks
        self._shown = json.loads(json.dumps(self.notes), object_hook=_numbered) if self.slow else {}
        if name in self.swallows or number not in self.notes:
            return
        if name == "delete":
            del self.notes[number]
        else:
            self.notes[number][name] = not self.notes[number].get(name)
            self.notes[number]["votes"] += name == "vote"

    def shown(self) -> dict[int, dict[str, Any]]:
        """Give what a page shows: counts rise, as others vote, too."""
        if self.slow and self._shown:
            self.slow -= 1
            return self._shown
        for note in self.notes.values():
            note["votes"] += 1
        return self.notes

    def pin(self, title: str) -> int:
        """Pin a note; gives its number."""
        number = max(40, *self.notes) + 1
        self.notes[number] = {"title": self.keeps or title, "votes": 0}
        return number

    def age(self, number: int) -> str:
        """Say how old a note is; that of the second one is said otherwise as soon as something was done."""
        return "yesterday" if number != 42 else "a while ago" if self.writes else "right now"

    def slug(self, number: int) -> str:
        """Give what an address of the plain markup calls a note."""
        return str(self.notes[number]["title"]).lower().replace(" ", "-")


def _numbered(found: dict[str, Any]) -> dict[Any, Any]:
    return {int(key) if key.isdigit() else key: value for key, value in found.items()}


def _rows(wall: Wall) -> str:
    """Draw rows with a form for each button, which say what they do with a count."""
    tag, outer = (("li", "ul"), ("tr", "table"), ("article", "div"))[wall.style % 3]
    rows = []
    for number, note in wall.shown().items():
        forms = "".join(
            f'<form method=post action="/notes/{number}/{name}"><button>{words[bool(note.get(name))]}'
            f"{' (' + str(note['votes']) + ')' if name == 'vote' else ''}</button></form>"
            for name, words in WORDS.items()
        )
        forms += f'<form method=post action="/notes/{number}/delete"><button>Delete</button></form>'
        cell = f'<a href="/notes/{number}">{html.escape(note["title"])}</a>{forms}'
        rows.append(f"<{tag}>{f'<td>{cell}</td>' if tag == 'tr' else cell}</{tag}>")
    return f"<h1>Wall</h1><{outer}>{''.join(rows)}</{outer}>"


def _words(wall: Wall) -> str:
    """Draw plain blocks without ids in numbers: what is pressed goes to one address, with a hidden name of the note."""
    rows = []
    for number, note in wall.shown().items():
        buttons = "".join(
            f'<button name=do value="{name}" class="b{" is-active" if note.get(name) and wall.style else ""}">'
            f"{words[bool(note.get(name)) and not wall.style]}</button>"
            for name, words in {**WORDS, "delete": ("Delete", "Delete")}.items()
        )
        rows.append(
            f'<div class="row"><b>{html.escape(note["title"])}</b> by Ann <form method=post action="/act">'
            f'<input type=hidden name=note value="{wall.slug(number)}">{buttons}</form></div>'
        )
    return f"<h1>Wall</h1><main>{''.join(rows)}</main>"


HALL = "<h1>Hall</h1><p>What hangs there:</p><iframe name=wall src=/ width=900 height=700></iframe>"
PIN = "<form method=post action=/notes><label>Title <input name=title></label><button>Pin</button></form>"


def _handler(wall: Wall) -> type[PageHandler]:
    class Handler(PageHandler):
        title = "Wall"
        rest = RESTLESS if wall.restless else ""

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path == "/api/notes":
                if wall._broken:
                    return self.tell({"detail": "busy"}, 503)
                return self.tell([{"id": key, "age": wall.age(key), **note} for key, note in wall.shown().items()])
            if path == "/hall":
                return self.answer(200, HALL)
            if path == "/":
                if wall.markup == "cards":
                    return self.answer(
                        200, APP.replace("STYLE", str(wall.style)).replace("ASKS", str(wall.asks).lower()) + self.rest
                    )
                drawn = _rows(wall) if wall.markup == "rows" else _words(wall)
                return self.answer(200, drawn + (PIN if wall.adds else "") + self.rest)
            number = int(path.rpartition("/")[2]) if path.rpartition("/")[2].isdigit() else 0
            note = wall.notes.get(number)
            if path.startswith("/notes/") and note:
                way = f'<form method=post action="{path}/delete"><button>Delete</button></form>' if wall.adds else ""
                return self.answer(200, f"<h1>{note['title']}</h1><a href=/>Wall</a>{way}" + self.rest)
            return self.answer(404, "<h1>Not found</h1>")

        def do_POST(self) -> None:
            body = self.body()
            steps = self.path.strip("/").split("/")
            if self.path in ("/beat", "/track"):
                return self.answer(204)
            if steps[0] == "api":
                wall.act(int(steps[2]), steps[3])
                return self.tell({"ok": True})
            if self.path == "/notes":
                return self.answer(303, location=f"/notes/{wall.pin(dict(parse_qsl(body.decode()))['title'])}")
            if self.path == "/act":
                fields = dict(parse_qsl(body.decode()))
                number = next((one for one in wall.notes if wall.slug(one) == fields["note"]), 0)
                wall.act(number, fields["do"])
            else:
                wall.act(int(steps[1]), steps[2])
            return self.answer(303, location="/")

        def do_DELETE(self) -> None:
            wall.act(int(self.path.rpartition("/")[2]), "delete")
            return self.answer(204)

        def tell(self, value: Any, status: int = 200) -> None:
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler


@contextmanager
def serving_wall(markup: Markup, style: int | None = None, *, seed: int = 0, restless: bool = True) -> Iterator[Wall]:
    """Serve the wall on loopback.

    Args:
        markup: how it is drawn.
        style: which of three ways of that; None: one by the seed.
        seed: draws it.
        restless: whether pages send something by themselves, and show what changes.
    """
    wall = Wall(markup, random.Random(seed).randrange(3) if style is None else style, restless)
    wall.fill()
    with served(_handler(wall)) as url:
        wall.url = url
        yield wall
