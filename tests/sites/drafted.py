"""Sites drawn from a seed: things that are listed, shown, made, changed, pinned and removed, each in one of many ways.

Who draws the pages, how a thing is called in an address, how it is sent, where the answer leads, which of its fields a
page shows and how they are written: all of it is chosen by seed, one by one. What a site keeps is told; what it does
otherwise than it says is a :class:`Lie`. Not responsible for: what a run says of it.
"""

from __future__ import annotations

import html
import json
import random
import re
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from tests.sites.serving import PageHandler, served

FIELDS = ("title", "text", "kind", "amount", "due", "open")
PAGE = 3
"""Things on a page of a list that has pages."""
KINDS = {"r": "Repair", "w": "Wish", "q": "Question"}
WAYS: dict[str, tuple[str, ...]] = {
    "drawn": ("server", "script", "views"),
    "called": ("number", "long", "uuid", "slug"),
    "at": ("path", "query", "list"),
    "sent": ("form", "multipart", "json", "put"),
    "leads": ("thing", "list", "form", "home"),
    "list": ("table", "cards", "rows"),
    "page": ("dl", "table", "prose"),
    "order": ("new", "old", "title"),
    "removes": ("button", "asks", "menu", "script"),
    "pins": ("pressed", "words", "class"),
    "flash": ("no", "plain", "values"),
    "says": ("status", "note"),
    "paged": ("no", "no", "threes"),
    "store": ("no", "no", "list", "draft"),
    "late": ("no", "no", "answers"),
    "money": ("plain", "euro", "cents"),
    "days": ("iso", "words", "slashes"),
}
"""What a site may be like, and how."""


class Lie(NamedTuple):
    """What a site does otherwise than it says."""

    on: str
    """``make``, ``change``, ``pin`` or ``remove``."""
    how: str
    """``drop`` a field, ``alter`` it, or ``swallow`` the whole."""
    field: str = ""


@dataclass
class Drafted:
    """A site."""

    seed: int
    ways: dict[str, str] = field(init=False)
    lists: tuple[str, ...] = field(init=False)
    """Fields that the list shows, beside the title."""
    shows: tuple[str, ...] = field(init=False)
    """Fields that the page of a thing shows, beside the title."""
    things: dict[str, dict[str, Any]] = field(init=False)
    lie: Lie | None = None
    url: str = ""
    _next: int = field(init=False)

    def __post_init__(self) -> None:
        drawn = random.Random(f"site {self.seed}")
        self.ways = {name: drawn.choice(ways) for name, ways in WAYS.items()}
        if self.ways["at"] == "list":
            self.ways["leads"] = drawn.choice(("list", "home"))
        rest = [one for one in FIELDS if one != "title"]
        self.shows = tuple(one for one in rest if drawn.random() < 0.8)
        self.lists = tuple(one for one in rest if drawn.random() < 0.4)
        self.again()

    def again(self, more: int = 0) -> None:
        """Begin with nothing but what others had made: three things, and so many more."""
        drawn = random.Random(f"things {self.seed}")
        self._next = drawn.randrange(4, 9) if self.ways["called"] == "number" else drawn.randrange(41000, 90000)
        self.things = {}
        self.lie = None
        for title in ("Oak shelf", "Blue kettle", "Torn map of the town", *(f"Brick no {n}" for n in range(more))):
            self.make(
                {"title": title, "text": f"{title}, left by somebody.", "kind": "w", "amount": "7", "due": "2027-01-09"}
            )

    def make(self, fields: dict[str, str]) -> str:
        """Make a thing; gives what it is called."""
        self._next += 1
        called = {
            "number": str(self._next), "long": str(self._next), "slug": re.sub(r"\W+", "-", fields["title"].lower()),
            "uuid": str(uuid.UUID(int=random.Random(self._next).getrandbits(128), version=4)),
        }[self.ways["called"]]  # fmt: skip
        kept = {one: fields.get(one, "") for one in FIELDS}
        self.things[called] = {**kept, "open": bool(fields.get("open")), "pinned": False}
        return called

    def take(self, act: str, called: str, fields: dict[str, str]) -> str:
        """Do what is asked, or what the lie says; gives what the thing is called."""
        lie = self.lie if self.lie and self.lie.on == act else None
        if lie and lie.how == "swallow":
            return called or "none-such"
        if lie and lie.field and lie.field in (*fields, "open"):
            before = self.things.get(called, {}).get(lie.field, "")
            fields = {**fields, lie.field: before if lie.how == "drop" else _altered(lie.field, fields)}
        if act == "make":
            return self.make(fields)
        if called not in self.things:
            return called
        if act == "change":
            self.things[called] |= {one: fields.get(one, "") for one in FIELDS} | {"open": bool(fields.get("open"))}
        elif act == "pin":
            self.things[called]["pinned"] = not self.things[called]["pinned"]
        elif act == "remove":
            del self.things[called]
        return called

    def kept(self) -> list[dict[str, Any]]:
        """Give what the site keeps, without what it calls things."""
        return sorted(self.things.values(), key=lambda one: str(one["title"]))

    def address(self, called: str, step: str = "") -> str:
        """Give the address of a thing, or of what is done to it."""
        if self.ways["at"] == "query":
            return f"/{step or 'thing'}?id={quote(called)}"
        return f"/things/{quote(called)}{'/' + step if step else ''}"

    def written(self, name: str, value: Any) -> str:
        """Give a value as the pages write it."""
        if name == "kind":
            return KINDS.get(value, "")
        if name == "open":
            return "Yes" if value else "No"
        if name == "amount" and value:
            number = float(value)
            german = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
            return {"plain": f"{number:g}", "euro": f"{german} €", "cents": f"€ {number:,.2f}"}[self.ways["money"]]
        if name == "due" and value:
            day = date.fromisoformat(value)
            words = f"{day.day} {day:%B} {day.year}"
            return {"iso": value, "words": words, "slashes": f"{day:%d/%m/%Y}"}[self.ways["days"]]
        return str(value)

    def page_of(self, title: str) -> int:
        """Give the page of the list that shows a thing, from 1."""
        place = [one["title"] for one in self.data()].index(title)
        return 1 + place // PAGE if self.ways["paged"] == "threes" else 1

    def listed(self, page: int) -> list[dict[str, Any]]:
        """Give the things on a page of the list, in order."""
        return self.data()[(page - 1) * PAGE : page * PAGE] if self.ways["paged"] == "threes" else self.data()

    def data(self) -> list[dict[str, Any]]:
        """Give what a script is told of all things."""
        order = {"new": lambda one: -one[0], "old": lambda one: one[0], "title": lambda one: one[1][1]["title"]}
        things = sorted(enumerate(self.things.items()), key=order[self.ways["order"]])  # type: ignore[arg-type]
        return [
            {
                "id": called,
                **thing,
                "written": {name: self.written(name, thing[name]) for name in FIELDS},
                "at": "" if self.ways["at"] == "list" else self.address(called),
            }
            for _, (called, thing) in things
        ]


def _altered(name: str, fields: dict[str, str]) -> str:
    other = {"kind": "q" if fields.get("kind") != "q" else "r", "amount": "113", "due": "2028-11-30"}
    if name == "open":
        return "" if fields.get("open") else "on"
    return other.get(name, f"Wholly other {name}s were kept")


LABELS = {"title": "Title", "text": "Text", "kind": "Kind", "amount": "Amount", "due": "Due day", "open": "Open"}
SCRIPT = """
const main = document.querySelector("main");
const made = (html) => {
  const within = document.createElement("template");
  within.innerHTML = html.trim();
  return within.content.firstChild;
};
const methodOf = (act) => (act === "remove" ? "DELETE" : WAYS.sent === "put" && act === "change" ? "PUT" : "POST");
async function send(act, id, fields) {
  const headers = { "content-type": "application/json" };
  const at = `/api/${act}/${encodeURIComponent(id)}`;
  return (await fetch(at, { method: methodOf(act), headers, body: JSON.stringify(fields) })).json();
}
function go(to) {
  if (WAYS.drawn !== "views") return (location.href = to);
  history.pushState(null, "", to);
  return draw();
}
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='/']");
  if (link && WAYS.drawn === "views") {
    event.preventDefault();
    return go(link.getAttribute("href"));
  }
  const button = event.target.closest("button[data-act]");
  if (!button || (button.dataset.act === "remove" && !confirm("Remove it?"))) return;
  await send(button.dataset.act, button.dataset.id, {});
  return button.dataset.act === "remove" ? go("/things") : draw();
});
async function told() {
  const data = await (await fetch("/api/things")).json();
  if (WAYS.store === "list") localStorage.things = JSON.stringify(data);
  return data;
}
function formOf(thing) {
  const form = made(FORM_HTML);
  for (const name of NAMES) {
    const input = form.elements[name];
    if (input.type === "checkbox") input.checked = !!thing[name];
    else input.value = thing[name] ?? "";
  }
  form.onsubmit = async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    if (WAYS.store === "draft") localStorage.draft = JSON.stringify(fields);
    go((await send(thing.id ? "change" : "make", thing.id || "", fields)).to);
  };
  return form;
}
async function draw() {
  main.innerHTML = "<p>Loading";
  const data = location.pathname === "/about" ? [] : await told();
  const view = await (await fetch(`/api/view?at=${encodeURIComponent(location.pathname + location.search)}`)).json();
  main.innerHTML = view.html;
  if (view.form) main.append(formOf(data.find((one) => one.id === view.form) || {}));
}
draw();
"""


def _fields_html(thing: dict[str, Any]) -> str:
    """Give the fields of a form, filled."""
    say = {name: html.escape(str(thing.get(name, "")), quote=True) for name in FIELDS}
    options = "".join(
        f"<option value={value}{' selected' if value == thing.get('kind') else ''}>{words}"
        for value, words in {"": "Choose", **KINDS}.items()
    ).replace("value= ", 'value="" ').replace("value=>", 'value="">')  # fmt: skip
    return (
        f'<p><label>Title <input name=title value="{say["title"]}"></label>'
        f"<p><label>Text <textarea name=text>{say['text']}</textarea></label>"
        f"<p><label>Kind <select name=kind>{options}</select></label>"
        f'<p><label>Amount <input name=amount type=number step=any value="{say["amount"]}"></label>'
        f'<p><label>Due day <input name=due type=date value="{say["due"]}"></label>'
        f"<p><label><input name=open type=checkbox{' checked' if thing.get('open') else ''}> Open</label>"
        "<p><button>Save</button>"
    )


class _Pages:
    """The pages of a site, as HTML."""

    def __init__(self, site: Drafted) -> None:
        self.site = site
        self.scripted = site.ways["drawn"] != "server"

    def act(self, act: str, called: str, words: str, more: str = "") -> str:
        """Give a button that does something."""
        if self.scripted:
            return f'<button type=button data-act={act} data-id="{html.escape(called)}"{more}>{words}</button>'
        at = self.site.address(called, act)
        return f'<form method=post action="{html.escape(at)}"><button{more}>{words}</button></form>'

    def pin(self, one: dict[str, Any]) -> str:
        """Give what pins a thing."""
        on = one["pinned"]
        way = self.site.ways["pins"]
        if way == "pressed":
            return self.act("pin", one["id"], "Pin", f" aria-pressed={'true' if on else 'false'}")
        if way == "words":
            return self.act("pin", one["id"], "Unpin" if on else "Pin")
        return self.act("pin", one["id"], "Pin", f' class="pin {"pinned" if on else "loose"}"')

    def remove(self, one: dict[str, Any]) -> str:
        """Give what removes a thing."""
        way = self.site.ways["removes"]
        if way == "menu":
            return f"<details><summary>More</summary>{self.act('remove', one['id'], 'Remove')}</details>"
        if way == "asks" and not self.scripted:
            return f'<a href="{html.escape(self.site.address(one["id"], "remove"))}">Remove</a>'
        return self.act("remove", one["id"], "Remove")

    def edit(self, one: dict[str, Any]) -> str:
        """Give the link to the form of a thing."""
        return f'<a href="{html.escape(self.site.address(one["id"], "edit"))}">Edit</a>'

    def listed(self, page: int) -> str:
        """Give a page of the list."""
        site, found = self.site, []
        for one in site.listed(page):
            title = html.escape(str(one["title"]))
            called = f'<a href="{html.escape(one["at"])}">{title}</a>' if one["at"] else f"<b>{title}</b>"
            said = [html.escape(one["written"][name]) for name in site.lists]
            beside = self.pin(one) + (self.edit(one) + self.remove(one) if not one["at"] else "")
            if site.ways["list"] == "table":
                found.append(f"<tr><td>{called}{''.join(f'<td>{each}' for each in said)}<td>{beside}</tr>")
            elif site.ways["list"] == "cards":
                told = "".join(f"<p>{LABELS[name]}: {each}" for name, each in zip(site.lists, said, strict=True))
                found.append(
                    f'<div class=card data-id="{html.escape(one["id"])}"><h2>{called}</h2>{told}{beside}</div>'
                )
            else:
                found.append(f"<li>{called} {' · '.join(said)} {beside}")
        heads = "".join(f"<th>{LABELS[name]}" for name in ("title", *site.lists))
        within = {"table": f"<table><thead><tr>{heads}<th></thead><tbody>", "cards": "<section>", "rows": "<ul>"}
        ends = {"table": "</table>", "cards": "</section>", "rows": "</ul>"}
        way = site.ways["list"]
        follows = site.ways["paged"] == "threes" and bool(site.listed(page + 1))
        more = f'<p><a href="/things?page={page + 1}">Next</a>' if follows else ""
        return f"<h1>Things</h1>{within[way]}{''.join(found)}{ends[way]}{more}"

    def shown(self, called: str) -> str:
        """Give the page of a thing."""
        site = self.site
        one = next((each for each in site.data() if each["id"] == called), None)
        if one is None:
            return ""
        said = {name: html.escape(one["written"][name]) for name in site.shows}
        told = {
            "dl": "<dl>" + "".join(f"<dt>{LABELS[name]}<dd>{each}" for name, each in said.items()) + "</dl>",
            "table": "<table>" + "".join(f"<tr><th>{LABELS[n]}<td>{each}" for n, each in said.items()) + "</table>",
            "prose": "".join(f"<p>{LABELS[name]}: {each}" for name, each in said.items()),
        }[site.ways["page"]]
        return f"<h1>{html.escape(str(one['title']))}</h1>{told}{self.pin(one)} {self.edit(one)} {self.remove(one)}"


def handler(site: Drafted) -> type[PageHandler]:
    """Make what answers for a site."""
    pages = _Pages(site)

    class Handler(PageHandler):
        title = "Things"

        def parts(self) -> tuple[str, str, dict[str, str]]:
            """Give what is asked for: a step, what a thing is called, and the query."""
            at = urlsplit(self.path)
            query = dict(parse_qsl(at.query))
            steps = [unquote(step) for step in at.path.split("/") if step]
            if steps[:1] == ["things"] and len(steps) > 1 and steps[1] != "new":
                return (steps[2] if len(steps) > 2 else "thing"), steps[1], query
            if steps[:2] == ["things", "new"]:
                return "new", "", query
            return (steps[0] if steps else "home"), query.get("id", ""), query

        def view(self, step: str, called: str, query: dict[str, str]) -> tuple[int, str, str]:
            """Give status and HTML of a view, and whose form it ends with: ``new`` for nobody's."""
            match step:
                case "home" | "about":
                    return 200, "<h1>Welcome</h1><p>This is a place for things.", ""
                case "things":
                    return 200, pages.listed(int(query.get("page", "1"))), ""
                case "new":
                    return 200, "<h1>New thing</h1>", "new"
                case "edit" if called in site.things:
                    return 200, "<h1>Change a thing</h1>", called
                case "thing" if called in site.things:
                    return 200, pages.shown(called), ""
                case "remove" if called in site.things:
                    return 200, f"<h1>Remove it?</h1>{pages.act('remove', called, 'Yes, remove')}", ""
            return 404, "<h1>There is nothing here</h1>", ""

        def do_GET(self) -> None:
            if site.ways["late"] == "answers":
                threading.Event().wait(0.12)
            if self.path.startswith("/api/things"):
                return self.tell(site.data())
            if self.path.startswith("/api/view"):
                self.path = dict(parse_qsl(urlsplit(self.path).query))["at"]
                _, page, form = self.view(*self.parts())
                return self.tell({"html": page, "form": form})
            step, called, query = self.parts()
            status, page, form = self.view(step, called, query)
            if pages.scripted:
                ways = json.dumps(site.ways)
                made = json.dumps(f"<form>{_fields_html({})}</form>")
                page = (
                    f"<main></main><script>const WAYS = {ways}, FORM_HTML = {made}, NAMES = {json.dumps(FIELDS)};"
                    f"{SCRIPT}</script>"
                )
                status = 200
            else:
                if form:
                    kind = " enctype=multipart/form-data" if site.ways["sent"] == "multipart" else ""
                    page += f"<form method=post{kind}>{_fields_html(site.things.get(form, {}))}</form>"
                way = "role=status" if site.ways["says"] == "status" else "class=note"
                said = f"<p {way}>{html.escape(query['said'])}</p>" if "said" in query else ""
                page = f"{said}<main>{page}</main>"
            nav = (
                '<nav><a href="/things">Things</a> <a href="/things/new">New thing</a> <a href="/about">About</a></nav>'
            )
            self.answer(status, nav + page)

        def goal(self, act: str, called: str) -> str:
            """Give where the answer to a write leads."""
            if act in ("remove", "pin"):
                return "/things"
            leads = site.ways["leads"]
            to = {"thing": site.address(called), "list": "/things", "form": site.address(called, "edit"), "home": "/"}
            return to[leads] if called in site.things or leads in ("list", "home") else "/things"

        def fields(self) -> dict[str, str]:
            """Give the fields that were sent."""
            data, kind = self.body(), self.headers["Content-Type"] or ""
            if "json" in kind:
                return {name: str(value) for name, value in json.loads(data or b"{}").items()}
            if kind.startswith("multipart/"):
                found = re.findall(rb'name="(\w+)"\r\n\r\n(.*?)\r\n--', data, re.DOTALL)
                return {name.decode(): value.decode() for name, value in found}
            return dict(parse_qsl(data.decode(), keep_blank_values=True))

        def do_POST(self) -> None:
            fields = self.fields()
            if self.path.startswith("/api/"):
                act, called = self.path.split("/")[2], unquote(self.path.split("/")[3])
                called = site.take(act, called, fields)
                return self.tell({"to": self.goal(act, called), "ok": True})
            step, called, _ = self.parts()
            act = {"new": "make", "edit": "change"}.get(step, step)
            called = site.take(act, called, fields)
            to = self.goal(act, called)
            flash = {"plain": "It was saved", "values": f"“{fields.get('title', 'It')}” was saved"}
            if site.ways["flash"] in flash:
                to += ("&" if "?" in to else "?") + f"said={quote(flash[site.ways['flash']])}"
            self.answer(303, location=to)

        do_PUT = do_DELETE = do_POST

    return Handler


@contextmanager
def drafted(seed: int) -> Iterator[Drafted]:
    """Serve the site of a seed."""
    site = Drafted(seed)
    with served(handler(site)) as site.url:
        yield site
