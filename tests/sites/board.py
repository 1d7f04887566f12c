"""A single-page board on loopback whose forms are sent by scripts alone: JSON by POST, PUT and PATCH, files, deletions.

Cards are at ``#/cards/7``. What is true of it is in :attr:`Board.cards`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.fakes.server import served

PAGE = """<!doctype html><html lang=en><title>Board</title><link rel=icon href=data:,><body><main id=view></main>
<p role=status id=said></p><script>
const view = document.getElementById("view"), said = document.getElementById("said");
const text = value => { const e = document.createElement("i"); e.textContent = value; return e.innerHTML; };
const send = async (method, path, body) => {
  const json = body !== undefined && !(body instanceof FormData);
  const answer = await fetch(path, {method, body: json ? JSON.stringify(body) : body,
    headers: json ? {"Content-Type": "application/json"} : {}});
  return answer.status === 204 ? null : answer.json();
};
const tell = words => { said.textContent = words; };
const money = field => {
  field.value = field.value.replace(/\\d{4,}/, all => Number(all).toLocaleString("en-GB"));
};
const fields = card => `<label>Title <input name=title value="${text(card.title || "")}"></label>
  <label>Notes <textarea name=notes>${text(card.notes || "")}</textarea></label>
  <label>Budget <input name=budget value="${text(card.budget || "")}" oninput="money(this)"></label>`;
const given = form => Object.fromEntries(["title", "notes", "budget"].map(name => [name, form[name].value]));
async function list() {
  const cards = await send("GET", "/api/cards");
  view.innerHTML = `<h1>Board</h1><ul>${cards.map(card => `<li><a href="#/cards/${card.id}">${text(card.title)}</a>
    <label><input type=checkbox ${card.done ? "checked" : ""} data-id=${card.id}> Done</label></li>`).join("")}</ul>
    <form aria-label="New card">${fields({})}<button>Add card</button></form>`;
  view.querySelectorAll("[data-id]").forEach(box => box.onchange = async () => {
    await send("PATCH", `/api/cards/${box.dataset.id}`, {done: box.checked});
    tell(box.checked ? "Marked as done" : "Open again");
  });
  view.querySelector("form").onsubmit = async event => {
    event.preventDefault();
    const card = await send("POST", "/api/cards", given(event.target));
    tell("Card added"); location.hash = `#/cards/${card.id}`;
  };
}
async function one(id) {
  const card = await send("GET", `/api/cards/${id}`);
  const remarks = card.remarks.map(remark => `<li>${text(remark)}</li>`).join("");
  view.innerHTML = `<h1>${text(card.title)}</h1><p>${text(card.notes)}</p><p>Budget ${text(card.budget)}</p>
    ${card.file ? `<p>Attached: ${text(card.file)}</p>` : ""}<h2>Remarks</h2><ul>${remarks}</ul>
    <form aria-label=Edit>${fields(card)}<button>Save card</button></form>
    <form aria-label=File><label>File <input type=file name=file></label><button>Attach</button></form>
    <form aria-label=Remark><label>Remark <input name=remark></label><button>Send remark</button></form>
    <button id=gone>Delete card</button> <a href="#/">All cards</a>`;
  const on = (label, send_it) => view.querySelector(`[aria-label=${label}]`).onsubmit = async event => {
    event.preventDefault(); await send_it(event.target); await one(id);
  };
  on("Edit", async form => { await send("PUT", `/api/cards/${id}`, given(form)); tell("Card saved"); });
  on("File", async form => { await send("POST", `/api/cards/${id}/file`, new FormData(form)); tell("File attached"); });
  on("Remark", async form => {
    const query = "mutation Remark($id: Int!, $text: String!) { remark(id: $id, text: $text) { id } }";
    await send("POST", "/graphql", {operationName: "Remark", query, variables: {id, text: form.remark.value}});
    tell("Remark sent");
  });
  document.getElementById("gone").onclick = async () => {
    if (!confirm("Delete this card?")) return;
    await send("DELETE", `/api/cards/${id}`); tell("Card deleted"); location.hash = "#/";
  };
}
const route = () => { const at = /^#\\/cards\\/(\\d+)$/.exec(location.hash); return at ? one(+at[1]) : list(); };
addEventListener("hashchange", route); route();
</script>"""


@dataclass
class Board:
    """What a test may look into."""

    url: str = ""
    cards: dict[int, dict[str, Any]] = field(default_factory=dict)
    made: int = 40
    """The number of the last card."""

    def reset(self) -> None:
        """Throw away what was added, and number from the beginning."""
        self.cards.clear()
        self.made = 40

    def add(self, given: dict[str, Any]) -> dict[str, Any]:
        self.made += 1
        self.cards[self.made] = {"id": self.made, "done": False, "file": "", "size": 0, "remarks": [], **given}
        return self.cards[self.made]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    board: Board

    def do_GET(self) -> None:
        if self.path == "/":
            return self.answer(PAGE.encode(), "text/html; charset=utf-8")
        if self.path == "/api/cards":
            return self.json(list(self.board.cards.values()))
        return self.json(self.card()) if self.path.startswith("/api/cards/") else self.json({}, 404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/api/cards":
            return self.json(self.board.add(json.loads(body)), 201)
        if self.path == "/graphql":
            given = json.loads(body)["variables"]
            self.board.cards[given["id"]]["remarks"].append(given["text"])
            return self.json({"data": {"remark": {"id": given["id"]}}})
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        (part,) = BytesParser(policy=HTTP).parsebytes(head + body).iter_parts()
        content = part.get_payload(decode=True)
        card = self.card()
        card |= {"file": part.get_filename(), "size": len(content)}
        return self.json(card, 201)

    def do_PUT(self) -> None:
        card = self.card()
        card |= json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.json(card)

    do_PATCH = do_PUT

    def do_DELETE(self) -> None:
        self.board.cards.pop(self.card()["id"])
        self.answer(b"", "text/plain", 204)

    def card(self) -> dict[str, Any]:
        return self.board.cards[int(self.path.split("/")[3])]

    def json(self, value: Any, status: int = 200) -> None:
        self.answer(json.dumps(value).encode(), "application/json", status)

    def answer(self, body: bytes, media_type: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        with suppress(ConnectionError):  # a browser that is closed takes no answer
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def board() -> Iterator[Board]:
    """Serve it."""
    found = Board()
    with served(type("Handler", (_Handler,), {"board": found})) as found.url:
        yield found
