"""Serves a drafted application on loopback. Not responsible for: what its views look like, or what it keeps."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.fakes.server import served
from tests.sites.drafted.app import App
from tests.sites.serving import PageHandler


@cache
def script() -> str:
    """Give the script that draws every view."""
    return Path(__file__).with_name("app.js").read_text("utf-8")


def handler(site: App) -> type[PageHandler]:
    """Make what answers for an application."""

    class Handler(PageHandler):
        title = "Things"

        def do_GET(self) -> None:
            if site.ways["late"] == "answers":
                threading.Event().wait(0.12)
            if self.path == "/api/things":
                return self.tell(site.data())
            if self.path == "/favicon.ico":
                return self.answer(204)
            known = "".join(
                f"const {name} = {json.dumps(value)};"
                for name, value in (("WAYS", site.ways), ("SHOWS", site.shows), ("LISTS", site.lists))
            )
            self.answer(200, f"<nav></nav><main></main><script>{known}{script()}</script>")

        def fields(self) -> dict[str, Any]:
            """Give what was sent."""
            data = self.body().decode()
            if "json" in (self.headers["Content-Type"] or ""):
                sent: dict[str, Any] = json.loads(data or "{}")
                return sent
            return dict(parse_qsl(data, keep_blank_values=True))

        def do_POST(self) -> None:
            fields = self.fields()
            if self.path == "/graphql":
                if fields["operationName"] == "things":
                    return self.tell({"data": {"things": site.data()}})
                act, given = fields["operationName"].removesuffix("Thing"), fields["variables"]
                return self.tell({"data": {fields["operationName"]: self.written(act, given["id"], given["input"])}})
            if self.path == "/rpc":
                _, _, act = fields["method"].partition(".")
                params = {name: value for name, value in fields.get("params", {}).items() if name != "id"}
                called = fields.get("params", {}).get("id", "")
                told = site.data() if act == "list" else self.written(act, called, params)
                return self.tell({"jsonrpc": "2.0", "id": fields["id"], "result": told})
            _, _, _, *rest = [unquote(step) for step in urlsplit(self.path).path.split("/")]
            called = rest[0] if rest else ""
            act = rest[1] if len(rest) > 1 else "change" if called else "make"
            self.tell(self.written("remove" if self.command == "DELETE" else act, called, fields))

        def written(self, act: str, called: str, fields: dict[str, Any]) -> dict[str, Any]:
            """Do what is asked; gives the thing as it is kept, or where the site echoes as it was asked for."""
            sent = {name: str(value) if value is not False else "" for name, value in fields.items()}
            honest = site.honest()
            done, shown = site.take(act, called, sent), honest.take(act, called, sent)
            by, at = (honest, shown) if site.ways["echo"] == "echo" else (site, done)
            return next((one for one in by.data() if one["id"] == at), {"id": at})

        do_PUT = do_DELETE = do_PATCH = do_POST

    return Handler


@contextmanager
def application(seed: int, site: App | None = None) -> Iterator[App]:
    """Serve the application of a seed, or one that is drawn already."""
    site = site or App(seed)
    with served(handler(site)) as site.url:
        yield site
