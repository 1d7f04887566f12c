"""Notes on loopback that a single page keeps by an API, in one of several ways; what it keeps may be a lie.

It saves by GraphQL (two operations in one batch, or one with its values in the query), by JSON Patch, or by PUT of the
whole object; it shows what is saved at once, or when it was answered. ``notes`` is the own truth of the site.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.fakes.server import served
from tests.sites.serving import PageHandler

_GIVEN = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|\d+)')
Way = Literal["graphql", "inline", "patch", "put"]
LIST = """<h1>Notes</h1><ul id=all></ul><script>
fetch("/api/notes").then((it) => it.json()).then((all) => all.forEach((one) => {
  const row = document.createElement("li"); const link = row.appendChild(document.createElement("a"));
  link.href = "/notes/" + one.id; link.textContent = one.title;
  row.append(" at "); const place = row.appendChild(document.createElement("i"));
  place.className = "place"; place.textContent = one.place;
  document.getElementById("all").append(row); }));
</script>"""
NOTE = """<h1 id=shown>A note</h1><p id=said></p>
<form id=form><label>Title <input name=title></label><label>Place <input name=place></label>
<label>Copies <input name=copies></label><button>Save</button></form><a href=/>All notes</a><script>
const id = location.pathname.split("/").pop();
const send = (method, path, body, type) => fetch(path, {method, body: JSON.stringify(body),
  headers: {"Content-Type": type || "application/json"}});
const show = (one) => { shown.textContent = one.title; };
fetch("/api/notes/" + id).then((it) => it.json()).then((one) => { show(one);
  for (const name of ["title", "place", "copies"]) form.elements[name].value = one[name];
  form.onsubmit = async (event) => { event.preventDefault();
    const now = {box: "", ...one};
    for (const name of ["title", "place", "copies"]) now[name] = form.elements[name].value;
    if (AT_ONCE) show(now);
    const changed = ["title", "place", "copies"].filter((name) => now[name] !== one[name]);
    const patch = Object.fromEntries(changed.map((name) => [name, now[name]]));
    const ways = {
      put: () => send("PUT", "/api/notes/" + id, now),
      patch: () => send("PATCH", "/api/notes/" + id,
        changed.map((name) => ({op: "replace", path: "/" + name, value: now[name]})), "application/json-patch+json"),
      graphql: () => send("POST", "/graphql", [
        {operationName: "Seen", query: "mutation Seen($id: ID!) { seen(id: $id) { ok } }", variables: {id}},
        {operationName: "SaveNote", query: "mutation SaveNote($input: NoteInput!) { saveNote(input: $input) { ok } }",
          variables: {input: {id, patch}}}]),
      inline: () => send("POST", "/graphql", {query: "mutation { saveNote(id: " + id + ", " +
        changed.map((name) => name + ": " + JSON.stringify(now[name])).join(", ") + ") { ok } }"}),
    };
    const answer = await ways["WAY"]();
    if (!AT_ONCE && answer.ok) show(now); }; });
</script>"""


@dataclass
class SinglePage:
    """What a test may look into, and how the site lies."""

    way: Way
    at_once: bool = False
    url: str = ""
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)
    lying: dict[str, Any] = field(default_factory=dict)
    """What it keeps in a field, whatever was sent.

    No page shows the ``shelf`` or the ``box``; what is empty its data leaves out. When a note was ``changed`` it says
    itself, in milliseconds.
    """
    swallows: bool = False
    """Whether it keeps nothing, and answers as ever."""
    refuses: bool = False
    """Whether it keeps nothing, and says so in an answer with 200."""

    def fill(self) -> None:
        """Put the note there anew."""
        note = {
            "title": "A lamp",
            "place": "Under the old oak stairs",
            "copies": "3",
            "tags": ["brass"],
            "shelf": 17,
            "box": "",
            "changed": "2026-11-25T04:42:58.910",
        }
        self.notes = {48213: {"id": 48213, **note}, 48214: {"id": 48214, **note, "title": "A clock"}}

    def keep(self, number: int, sent: dict[str, Any]) -> None:
        """Keep what was sent, truly or not."""
        if not (self.swallows or self.refuses):
            renewed = {"changed": f"{sent['changed'][:-1]}7"} if "changed" in sent else {}
            self.notes[number] |= sent | renewed | self.lying


def _handler(site: SinglePage) -> type[PageHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                return self.answer(200, LIST)
            if self.path == "/api/notes":
                return self.tell([{k: v for k, v in one.items() if v != ""} for one in site.notes.values()])
            number = int(self.path.rpartition("/")[2])
            if self.path.startswith("/api/"):
                return self.tell({name: each for name, each in site.notes[number].items() if each != ""})
            return self.answer(200, NOTE.replace("WAY", site.way).replace("AT_ONCE", str(site.at_once).lower()))

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            if isinstance(sent, list):
                saved = sent[1]["variables"]["input"]
                site.keep(int(saved["id"]), saved["patch"])
                no = {"errors": [{"message": "Nobody may"}], "data": {"saveNote": None}}
                return self.tell([{"data": {"seen": {"ok": True}}}, no if site.refuses else _said("saveNote")])
            given = {name: json.loads(text) for name, text in _GIVEN.findall(sent["query"])}
            site.keep(given.pop("id"), given)
            return self.tell({"errors": [{"message": "Nobody may"}]} if site.refuses else _said("saveNote"))

        def do_PUT(self) -> None:
            sent = json.loads(self.body())
            site.keep(int(self.path.rpartition("/")[2]), sent)
            return self.tell({"errors": ["Nobody may"]} if site.refuses else {"ok": True})

        def do_PATCH(self) -> None:
            sent = json.loads(self.body())
            site.keep(int(self.path.rpartition("/")[2]), {one["path"][1:]: one["value"] for one in sent})
            return self.tell({"errors": ["Nobody may"]} if site.refuses else {"ok": True})

    return Handler


def _said(name: str) -> dict[str, Any]:
    return {"data": {name: {"ok": True}}}


@contextmanager
def serving_single_page(way: Way, *, at_once: bool = False) -> Iterator[SinglePage]:
    """Serve the notes on loopback.

    Args:
        way: how the page saves.
        at_once: whether it shows what is saved before that is answered.
    """
    site = SinglePage(way, at_once)
    site.fill()
    with served(_handler(site)) as url:
        site.url = url
        yield site
