"""Serves a drafted site on loopback. Not responsible for: what its pages look like, or what it keeps."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from tests.fakes.server import served
from tests.sites.drafted.pages import Pages
from tests.sites.drafted.scripts import BESIDE, DRAWS, EXCHANGES
from tests.sites.drafted.site import FIELDS, Drafted
from tests.sites.serving import PageHandler

ACTS = {"new": "make", "edit": "change", "remove-many": "remove"}


def parts_of(address: str) -> tuple[str, str, dict[str, str]]:
    """Give what an address asks for: a step, what a thing is called, and the query."""
    at = urlsplit(address)
    query = dict(parse_qsl(at.query))
    steps = [unquote(step) for step in at.path.split("/") if step]
    if steps[:2] == ["things", "new"]:
        return "new", "", query
    if steps[:1] == ["things"] and len(steps) > 1:
        return (steps[2] if len(steps) > 2 else "thing"), steps[1], query
    return (steps[0] if steps else "home"), query.get("id", ""), query


def goal(site: Drafted, act: str, called: str) -> str:
    """Give where the answer to a write leads."""
    if act in ("remove", "pin"):
        return "/things"
    if act == "note":
        return site.address(called)
    leads = site.ways["leads"]
    to = {"thing": site.address(called), "list": "/things", "form": site.address(called, "edit"), "home": "/"}
    return to[leads] if called in site.things or leads in ("list", "home") else "/things"


def handler(site: Drafted) -> type[PageHandler]:
    """Make what answers for a site."""
    tokens: set[str] = set()
    pages = Pages(site, tokens)

    class Handler(PageHandler):
        title = "Things"
        many: list[str]
        """Ids of a form that sends several."""

        def do_GET(self) -> None:
            if site.ways["late"] == "answers":
                threading.Event().wait(0.12)
            if self.path.startswith("/api/things"):
                return self.tell(site.data())
            if self.path.startswith("/api/view"):
                return self.tell(self.seen(pages, dict(parse_qsl(urlsplit(self.path).query))["at"]))
            if not site.scripted:
                return self.page(pages, self.path)
            ways, made = json.dumps(site.ways), json.dumps(f"<form>{pages.fields({})}</form>")
            names = json.dumps(FIELDS)
            token = json.dumps(pages.token())
            script = f"const TOKEN = {token}, DRAWN = true, WAYS = {ways}, FORM_HTML = {made}, NAMES = {names};{DRAWS}"
            return self.answer(200, f"{self.links()}<main></main><script>{script}{BESIDE}</script>")

        def links(self) -> str:
            more = ' <a href="/bin">Bin</a>' if site.ways["gone"] == "bin" else ""
            return (
                '<nav><a href="/things">Things</a> <a href="/things/new">New thing</a> <a href="/about">About</a>'
                f"{more}</nav>"
            )

        def seen(self, by: Pages, at: str) -> dict[str, str]:
            """Give what a script draws at an address."""
            _, page, form = by.view(*parts_of(at))
            return {"html": page, "form": form}

        def page(self, by: Pages, at: str) -> None:
            """Answer with a page that the server draws."""
            step, called, query = parts_of(at)
            status, page, form = by.view(step, called, query)
            if form:
                thing = {**by.site.things[form], "id": form} if form in by.site.things else {}
                page += by.form(by.site.address(form, "edit") if thing else "/things/new", thing)
            way = "role=status" if site.ways["says"] == "status" else "class=note"
            said = f"<p {way}>{html.escape(query['said'])}</p>" if "said" in query else ""
            self.answer(status, f"{self.links()}{said}<main>{page}</main>")

        @property
        def head(self) -> str:  # type: ignore[override]
            """The scripts of a page that the server draws."""
            if site.scripted:
                return ""
            known = f"const TOKEN = {json.dumps(pages.token())}, DRAWN = false, WAYS = {json.dumps(site.ways)};"
            return f"<script>{known}{EXCHANGES if site.ways['drawn'] == 'parts' else ''}{BESIDE}</script>"

        def fields(self) -> dict[str, Any]:
            """Give the fields that were sent."""
            data, kind = self.body(), self.headers["Content-Type"] or ""
            if "json" in kind:
                sent: dict[str, Any] = json.loads(data or b"{}")
                return sent
            if kind.startswith("multipart/"):
                found = re.findall(rb'name="(\w+)"\r\n\r\n(.*?)\r\n--', data, re.DOTALL)
                return {name.decode(): value.decode() for name, value in found}
            sent = parse_qsl(data.decode(), keep_blank_values=True)
            self.many = [value for name, value in sent if name == "id"]
            return dict(sent)

        def refused(self, act: str, called: str, fields: dict[str, str]) -> bool:
            """Whether a form lacks what guards it."""
            if site.ways["guard"] == "token":
                return fields.get("token") not in tokens
            if site.ways["guard"] == "version" and act == "change" and called in site.things:
                return str(fields.get("version")) != str(site.things[called]["version"])
            return False

        def do_POST(self) -> None:
            fields, query = self.fields(), dict(parse_qsl(urlsplit(self.path).query))
            if self.path == "/graphql":
                operation, given = str(fields["operationName"]), fields["variables"]
                answers = {"things": site.data, "view": lambda: self.seen(pages, given["at"])}
                asked = answers.get(operation) or (
                    lambda: self.written(operation.removesuffix("Thing"), given["id"], given["input"], given["at"])
                )
                return self.tell({"data": {operation: asked()}})
            if self.path.startswith("/api/"):
                _, _, act, called = urlsplit(self.path).path.split("/")
                return self.tell(self.written(act, unquote(called), fields, query["at"]))
            step, called, _ = parts_of(self.path)
            act = ACTS.get(step, step)
            called = ",".join(self.many) if step == "remove-many" else called
            if self.refused(act, called, fields):
                return self.answer(409, "<p role=alert>The form is out of date.")
            honest = site.honest()
            called, shown = site.take(act, called, fields), honest.take(act, called, fields)
            if site.ways["echo"] == "echo":
                return self.page(Pages(honest, tokens), goal(honest, act, shown))
            to = goal(site, act, called)
            flash = {"plain": "It was saved", "values": f"“{fields.get('title', 'It')}” was saved"}
            if site.ways["flash"] in flash:
                to += ("&" if "?" in to else "?") + f"said={quote(flash[site.ways['flash']])}"
            self.answer(303, location=to)

        def written(self, act: str, called: str, fields: dict[str, Any], at: str) -> dict[str, Any]:
            """Do what a script asks; gives where to go, and where the site echoes what is to be seen there."""
            if self.refused(act, called, fields):
                return {"to": at, "error": "The form is out of date."}
            said = {name: str(value) for name, value in fields.items() if value is not False}
            said |= {name: "" for name, value in fields.items() if value is False}
            honest = site.honest()
            called, shown = site.take(act, called, said), honest.take(act, called, said)
            to = goal(site, act, called)
            if site.ways["echo"] != "echo":
                return {"to": to, "ok": True}
            to = goal(honest, act, shown)
            return {"to": to, "ok": True, "view": self.seen(Pages(honest, tokens), at if act == "pin" else to)}

        do_PUT = do_DELETE = do_PATCH = do_POST

    return Handler


@contextmanager
def drafted(seed: int, site: Drafted | None = None) -> Iterator[Drafted]:
    """Serve the site of a seed, or one that is drawn already."""
    site = site or Drafted(seed)
    with served(handler(site)) as site.url:
        yield site
