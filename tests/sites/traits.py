"""Generated pages with traits by which exported tests failed on sites that nobody had seen before.

A `*` that the style sheet draws behind labels, names longer than evidence keeps, twin links (the picture and the title
of a card), a label in two forms, hidden doubles for narrow screens, and answers that are late: whoever visits the next
page at once takes the form back that is on its way.
"""

from __future__ import annotations

import html
import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from tests.fakes.server import served
from tests.sites.serving import PageHandler

STYLE = """<style>
label.must::after { content: " *"; color: red } .narrow { display: none } img { width: 40px; height: 40px }
</style>"""
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "juniper", "knoll", "lagoon")


@dataclass
class Traits:
    """The site: what it shows is drawn from a seed, what it keeps is told."""

    seed: int
    late: threading.Event = field(default_factory=threading.Event)
    """Never set: waiting for it takes the time of a slow answer."""
    notes: list[dict[str, str]] = field(default_factory=list)
    loses: bool = False
    """Whether it forgets the text of what it is sent."""
    breaks: bool = False
    """Whether what is sent is answered with an error, though it is kept."""
    url: str = ""

    def __post_init__(self) -> None:
        draw = random.Random(self.seed)
        self.names = draw.sample(WORDS, 6)
        self.long = " ".join(draw.choice(WORDS) for _ in range(60))
        self.field = draw.choice(WORDS).title()

    def settings(self) -> str:
        """Give its section of ``sim.toml``."""
        reset = f'\n[site.traits.reset]\nurl = "{self.url}/reset"\n'
        return f'[site.traits]\nbase_url = "{self.url}"\ndisposable = true\n{reset}'

    def list_page(self) -> str:
        cards = "".join(
            f'<li><a href="/items/{name}" class="picture"><img alt="{name}" src="data:,"></a>'
            f'<h3><a href="/items/{name}" class="title">{name}</a></h3><button type="button">Keep</button></li>'
            for name in [*self.names, f"{self.names[0]} and more"]
        )
        return (
            f'<nav class="narrow"><a href="/items/{self.names[1]}">{self.names[1]}</a><a href="/notes">Write</a></nav>'
            f'<main><ul>{cards}</ul><a href="/notes">Write</a><a href="/long">{self.long}</a></main>'
        )

    def form_page(self, said: str = "") -> str:
        kept = "".join(f"<li><b>{html.escape(one['title'])}</b> {html.escape(one['text'])}</li>" for one in self.notes)
        return (
            f'<form action="/find"><label class="must">{self.field} <input name="title"></label>'
            f'<button>Find</button></form>{said}<form method="post" action="/notes"><h2>New</h2>'
            f'<label class="must">{self.field} <input name="title"></label>'
            f'<label class="must" for="text">{self.long}</label><textarea id="text" name="text"></textarea>'
            f"<button>Save {self.long}</button></form><ul>{kept}</ul>"
        )

    def script_page(self) -> str:
        return """
          <label class="must">Remark <input id="remark"></label><button id="go">Send</button><p id="said"></p>
          <script>document.getElementById("go").onclick = async () => {
            const text = document.getElementById("remark").value;
            const body = new URLSearchParams({title: "remark", text});
            const answer = await fetch("/api/notes", {method: "POST", body});
            document.getElementById("said").textContent = answer.ok ? `Kept: ${text}` : "Not kept";
          };</script>"""

    def take(self, fields: dict[str, str]) -> None:
        self.late.wait(0.4)
        self.notes.append({"title": fields.get("title", ""), "text": "" if self.loses else fields.get("text", "")})


def _handler(site: Traits) -> type[PageHandler]:
    class Handler(PageHandler):
        title = "Traits"
        head = STYLE

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            pages: dict[str, Any] = {"/": site.list_page, "/notes": site.form_page, "/script": site.script_page}
            if path in pages:
                self.answer(200, pages[path]())
            elif path.startswith("/items/") or path in ("/long", "/find"):
                self.answer(200, f"<h1>{html.escape(path.rpartition('/')[2])}</h1><a href='/'>All</a>")
            else:
                self.answer(404, "<h1>Nothing</h1>")

        def do_POST(self) -> None:
            body = self.body()
            if self.path == "/reset":
                site.notes.clear()
                self.answer(200, "")
                return
            site.take(dict(parse_qsl(body.decode(), keep_blank_values=True)))
            if site.breaks:
                self.answer(500, "<h1>Broken</h1>")
            elif self.path == "/api/notes":
                self.answer(201, json.dumps({"kept": True}))
            else:
                self.answer(303, "", location="/notes")

    return Handler


@contextmanager
def traits(seed: int) -> Iterator[Traits]:
    """Serve the site on a free port of loopback."""
    site = Traits(seed)
    with served(_handler(site)) as site.url:
        yield site
