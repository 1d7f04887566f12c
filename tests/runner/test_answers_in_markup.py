"""A script is answered with a piece of HTML, which it puts into the page: what that names is what was written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("answers in markup")

SWAPS = """<script>
  addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const made = document.createElement("template");
    const isData = answer.headers.get("content-type").includes("json");
    made.innerHTML = isData ? (await answer.json()).html : await answer.text();
    const streamed = made.content.querySelector("turbo-stream template");
    document.getElementById(form.dataset.into).prepend(streamed ? streamed.content : made.content);
    form.reset();
  });
</script>"""
BORROWED = 7000
ADDED = 412


@dataclass
class Library:
    """Tools to borrow, and what the site makes of what it is sent."""

    way: str = "link"
    alters: dict[str, str] = field(default_factory=dict)
    tools: dict[int, dict[str, str]] = field(default_factory=dict)
    loans: dict[int, dict[str, str]] = field(default_factory=dict)

    def fill(self) -> None:
        """Begin anew."""
        self.tools = {at: {"name": f"Saw {at}", "about": "Sharp."} for at in (401, 402)}
        self.loans = {}

    def row(self, at: int) -> str:
        """Give a tool as a row of the list."""
        return f"<tr id=tool-{at}><td><a href=/tools/{at}>{escape(self.tools[at]['name'])}</a></tr>"

    def lent(self, at: int) -> str:
        """Give what says that something was borrowed."""
        said = f"<p role=status>It is yours. <a href=/loans/{at}>Your loan</a></p>"
        if self.way == "stream":
            return f"<turbo-stream action=prepend target=said><template>{said}</template></turbo-stream>"
        return said


def handler(site: Library) -> type[PageHandler]:
    class Handler(PageHandler):
        head = f"<link rel=icon href=data:,>{SWAPS}"

        def do_GET(self) -> None:
            kind, _, key = self.path.strip("/").partition("/")
            if kind == "tools" and key:
                tool = site.tools[int(key)]
                form = (
                    f"<form action=/tools/{key}/borrow data-into=said><label>From <input name=from></label>"
                    "<label>Days <input name=days type=number></label><label>Purpose <input name=purpose></label>"
                    "<button>Borrow</button></form><div id=said></div>"
                )
                name, about = escape(tool["name"]), escape(tool["about"])
                return self.answer(200, f"<title>{name}</title><h1>{name}</h1><p>{about}</p>{form}")
            if kind == "loans":
                loan = site.loans[int(key)]
                told = f"For {loan['days']} days from {escape(loan['from'])}, to be used for {escape(loan['purpose'])}."
                page = f"<h1>Loan {key}</h1><p>Shelf 3</p><p>{told}</p>"
                return self.answer(200, f"<title>Loan</title>{page}")
            rows = "".join(site.row(at) for at in site.tools)
            form = (
                "<form action=/tools data-into=rows><label>Name <input name=name></label><label>About "
                "<textarea name=about></textarea></label><button>Add</button></form>"
            )
            self.answer(200, f"<title>Tools</title><h1>Tools</h1><table><tbody id=rows>{rows}</table>{form}")

        def do_POST(self) -> None:
            sent = {name: texts[0] for name, texts in parse_qs(self.body().decode()).items()}
            sent = {name: site.alters.get(text, text) for name, text in sent.items()}
            if self.path == "/tools":
                site.tools[ADDED] = sent
                return self.piece(site.row(ADDED))
            site.loans[BORROWED] = sent
            self.piece(site.lent(BORROWED))

        def piece(self, markup: str) -> None:
            if site.way == "in JSON":
                return self.tell({"ok": True, "html": markup})
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(markup.encode())))
            self.end_headers()
            self.wfile.write(markup.encode())

    return Handler


@pytest.fixture(params=["link", "stream", "in JSON"])
def site(request: pytest.FixtureRequest) -> Library:
    found = Library(request.param)
    found.fill()
    return found


@pytest.fixture
def run(
    site: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    with run_on(handler(site), tmp_path, monkeypatch, capsys) as run:
        yield run


def borrowed() -> list[Reply]:
    return [
        call("navigate", url="/tools/401"),
        call("fill", selector="From", value="2027-03-04"),
        call("fill", selector="Days", value="3"),
        call("fill", selector="Purpose", value="a fence of larch"),
        call("click", selector="Borrow"),
        call("click", selector="Your loan"),
    ]


def added() -> list[Reply]:
    return [
        call("navigate", url="/"),
        call("fill", selector="Name", value="Long ladder"),
        call("fill", selector="About", value="Six metres, of ash wood."),
        call("click", selector="Add"),
    ]


def stops_at(site: Library, run: OneRun, lies: dict[str, str]) -> None:
    """Replay honestly, which proves all; then with each lie alone, which is red."""
    for alters in ({}, *({put: kept} for put, kept in lies.items())):
        site.fill()
        site.alters = alters
        replayed = run.replay()
        (write,) = replayed["writes"]
        assert (replayed["verdict"] != "passed") == bool(alters), (alters, replayed["drift"])
        assert alters or write["unseen"] == []


def test_the_page_to_which_a_piece_of_html_leads_proves_what_was_sent(site: Library, run: OneRun) -> None:
    run.record(borrowed())
    stops_at(site, run, {"2027-03-04": "2027-04-03", "a fence of larch": "a shed", "3": "5"})


def test_the_page_of_what_a_piece_of_html_names_is_looked_at(site: Library, run: OneRun) -> None:
    run.record(added())
    stops_at(site, run, {"Six metres, of ash wood.": ""})
