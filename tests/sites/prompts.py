"""Prompts on loopback that a single page keeps by an API: its views are routes behind the ``#``, and it asks by POST.

It calls a prompt by its name, in addresses and in what it sends, and sends what is beside the text as JSON in a text.
``prompts`` is the own truth of the site.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.server import served
from tests.sites.serving import PageHandler

PAGE = """<h1>Prompts</h1><nav><a href="#/prompts">All prompts</a></nav><main id=view></main><script>
const send = async (method, path, body) => (await fetch("/api/prompts" + path, {method, body: JSON.stringify(body),
  headers: {"Content-Type": "application/json"}})).json();
const make = (tag, text, parent = view) => {
  const el = parent.appendChild(document.createElement(tag)); el.textContent = text; return el; };
const ask = (title, inner, does) => { const box = make("dialog", ""); box.ariaLabel = title;
  box.innerHTML = "<h2>" + title + "</h2>" + inner + "<footer><button>Cancel</button><button>" + title.split(" ")[0] +
    "</button></footer>"; box.showModal();
  const [no, yes] = box.querySelectorAll("footer button"); no.onclick = () => box.remove();
  yes.onclick = async () => { await does(box); box.remove(); }; };
const field = (label, name) => "<p><label>" + label + " <input name='" + name + "'></label>";
const FORM = field("Name", "name") + field("Text", "draft") + field("Temperature", "config.temperature") +
  field("Stop words", "config.stopWords");
async function all() { make("button", "New prompt").onclick = () => ask("Create prompt", FORM, async (box) => {
    const said = (name) => box.querySelector("[name='" + name + "']").value;
    const config = {temperature: Number(said("config.temperature")), stop_words: said("config.stopWords").split(", ")};
    await send("POST", "/create", {name: said("name"), tags: [{key: "text", value: said("draft")},
      {key: "config", value: JSON.stringify(config)}]}); location.hash = "#/prompts/" + said("name"); });
  const list = make("ul", "");
  for (const one of await send("POST", "/search", {most: 50})) {
    const link = make("a", one.name, make("li", "", list)); link.href = "#/prompts/" + one.name; } }
async function one(name) { const it = (await send("POST", "/search", {most: 1, name}))[0];
  make("h2", name); if (!it) return make("p", "There is no such prompt.");
  make("p", it.text); make("p", "Temperature: " + it.temperature);
  make("button", "Remove").onclick = () => ask("Delete prompt", "<p>Are you sure?", async () => {
    await send("DELETE", "/delete", {name}); location.hash = "#/prompts"; }); }
const show = () => { view.replaceChildren(); const [, , name] = location.hash.split("/"); name ? one(name) : all(); };
onhashchange = show; show();
</script>"""


@dataclass
class Prompts:
    """What a test may look into, and how the site lies."""

    url: str = ""
    prompts: dict[str, dict[str, Any]] = field(default_factory=dict)
    lying: dict[str, Any] = field(default_factory=dict)
    """What it keeps in a field, whatever was sent."""
    keeps_all: bool = False
    """Whether it deletes nothing, and answers as ever."""


def _handler(site: Prompts) -> type[PageHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(*((200, PAGE) if self.path == "/" else (404, "")))

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            if self.path == "/api/prompts/search":
                wanted = [one for one in site.prompts.values() if sent.get("name") in (None, one["name"])]
                return self.tell(wanted[: sent["most"]])
            tags = {one["key"]: one["value"] for one in sent["tags"]}
            made = {"name": sent["name"], "text": tags["text"], **json.loads(tags["config"]), **site.lying}
            site.prompts[made["name"]] = made
            return self.tell({"ok": True})

        def do_DELETE(self) -> None:
            sent = json.loads(self.body())
            if not site.keeps_all:
                site.prompts.pop(sent["name"])
            self.tell({})

    return Handler


@contextmanager
def serving_prompts() -> Iterator[Prompts]:
    """Serve the prompts."""
    site = Prompts()
    with served(_handler(site)) as url:
        site.url = url
        yield site
