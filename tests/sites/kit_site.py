"""Applications drawn by usual component libraries, installed from npm: tables with pages, and forms in dialogs.

The libraries draw, page and ask back as they do anywhere; the pages in ``kits`` only say what is to be shown. ``kept``
is the site's own truth. Not responsible for: what is done there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from tests.sites.packages import node_modules
from tests.sites.serving import PageHandler

TABLES = ("datatables", "tabulator", "aggrid", "gridjs", "antd", "antd-list", "element", "vuetify", "vuetify-scroll")
"""Each shows five things a page, or as many as fit, and likes one."""
FORMS = ("antd", "element", "vuetify", "quasar")
"""Each makes, changes and deletes things: a text, a choice, a switch, a number and a note."""
_PACKAGES = (
    "datatables.net@2.3.8", "datatables.net-dt@2.3.8", "jquery@3.8.0", "tabulator-tables@6.5.3", "gridjs@6.2.0",
    "ag-grid-community@32.3.9", "vue@3.5.45", "element-plus@2.14.8", "vuetify@3.13.5", "quasar@2.27.0",
    "react@18.3.1", "react-dom@18.3.1", "antd@5.29.3", "dayjs@1.11.23",
)  # fmt: skip
_PAGES = Path(__file__).parent / "kits"
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_NEW = "<form method=post action=/things><label>Title <input name=title></label><button>Save</button></form>"
_FIRST = 411
"""What the site calls the first thing."""
Act = Literal["make", "change", "delete"]
_ACTS: Mapping[str, Act] = {"POST": "make", "PUT": "change", "DELETE": "delete"}


class Lie(NamedTuple):
    """What the site does otherwise than it says."""

    on: Act
    field: str = ""
    """Of which it keeps something else; empty: it does nothing at all."""
    loses: bool = False
    """Whether it keeps what was there before, and not another value."""


def install(folder: Path) -> None:
    """Install the libraries into a folder.

    Raises:
        RegistryUnreachable: the registry does not answer.
    """
    node_modules(folder, *_PACKAGES)


@dataclass
class Kit:
    """A site that a library draws."""

    modules: Path
    """Where the libraries are installed."""
    page: str
    """Of ``kits``, without its ending: ``tables/antd``."""
    kept: dict[int, dict[str, Any]] = field(default_factory=dict)
    lie: Lie | None = None

    def __post_init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Keep what was there at first."""
        shelf = {"title": "Oak shelf", "kind": "Boat", "lent": False, "count": 3, "note": "from the attic", "likes": 0}
        self.kept = {_FIRST: {"id": _FIRST, **shelf}}

    def add(self, **of_it: Any) -> dict[str, Any]:
        """Keep one more thing, and give it."""
        number = max(self.kept, default=_FIRST) + 7
        self.kept[number] = one = {"likes": 0, **of_it, "id": number}
        return one

    def write(self, method: str, number: int, said: Mapping[str, Any]) -> None:
        """Do what was asked for, truly or not."""
        act, of_it = _ACTS[method], dict(said)
        before = self.kept.get(number, {"title": "", "kind": None, "lent": False, "count": 1, "note": ""})
        if self.lie and self.lie.on == act:
            if not self.lie.field:
                return
            was = before[self.lie.field]
            of_it[self.lie.field] = was if self.lie.loses else _another(self.lie.field, of_it[self.lie.field])
        if act == "make":
            self.add(**of_it)
        elif act == "change":
            self.kept[number].update(of_it)
        else:
            del self.kept[number]


def _another(name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else "Book" if name == "kind" else "quite another"


def handler_of(kit: Kit) -> type[PageHandler]:
    """Give what serves a site."""

    class Handler(PageHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path == "/api/things":
                return self.tell([*kit.kept.values()])
            if path.startswith("/node_modules/"):
                return self._file(kit.modules / path.lstrip("/"))
            if path == "/things":
                page = _PAGES / f"{kit.page}.html"
                shared = (page.parent / "shared.js").read_text("utf-8")
                return self.answer(200, f"<h1>Things</h1><script>{shared}</script>{page.read_text('utf-8')}")
            self.answer(200, _NEW if path == "/new" else "<h1>Home</h1><a href=/things>Things</a>")

        def write(self) -> None:
            steps, body = self.path.strip("/").split("/"), self.body()
            if steps == ["things"]:
                kit.add(title=dict(parse_qsl(body.decode()))["title"])
                return self.answer(303, location="/things")
            number = int(steps[2]) if len(steps) > 2 else 0
            said = json.loads(body or b"{}")
            if steps[-1] == "like":
                kit.kept[number]["likes"] += not kit.lie
            else:
                kit.write(self.command, number, said)
            self.tell({"id": number or max(kit.kept), **said})

        do_POST = do_PUT = do_DELETE = write

        def _file(self, file: Path) -> None:
            if not file.is_file():
                return self.answer(404, "<h1>Not found</h1>")
            data = file.read_bytes()
            self.send_response(200)
            self.send_header("Content-Type", _KINDS.get(file.suffix, "application/octet-stream"))
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            self.wfile.write(data)

    return Handler
