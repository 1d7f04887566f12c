"""A removal that asks for words: a reason, the name of the thing once more. Whether the thing is gone is looked for.

Other forms take a thing out of a list as well: a new name, or a note that closes it. These take nothing away.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote

import pytest

from simulator.bindings import Bindings
from simulator.recording.reader import Recording
from simulator.replay.left.removed import Removal, removals
from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is removed with words")

TITLES = ("Kitchen clock", "Garden bench", "Paper kite")
WAYS = ("reason", "name once more", "in a dialog", "logged")


@dataclass
class Site:
    """Things by number or by name, and what it swallows."""

    way: str
    numbered: bool
    swallows: bool = False
    done: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    things: dict[str, str] = field(default_factory=dict)

    def fill(self) -> None:
        """Begin anew."""
        self.things = {str(41 + place) if self.numbered else one: one for place, one in enumerate(TITLES)}
        self.done, self.log = [], []

    def at(self, key: str) -> str:
        """Give the address of a thing."""
        return f"/things/{quote(key)}"


@pytest.fixture(params=[(way, numbered) for way in (*WAYS, "rename", "close") for numbered in (True, False)], ids=str)
def site(request: pytest.FixtureRequest) -> Site:
    found = Site(*request.param)
    found.fill()
    return found


def handler(site: Site) -> type[PageHandler]:
    word = {"rename": "Rename", "close": "Close"}.get(site.way, "Delete")
    label = {"rename": "New name", "close": "Note", "name once more": "Name"}.get(site.way, "Reason")

    class Handler(PageHandler):
        def do_GET(self) -> None:
            path = unquote(self.path.split("?")[0])
            key, _, act = path.removeprefix("/things/").partition("/")
            if path == "/":
                rows = [
                    f"<li><a href='{site.at(key)}'>{escape(one)}</a>"
                    for key, one in site.things.items()
                    if not one.endswith("(closed)")
                ]
                return self.answer(200, f"<title>Things</title><h1>Things</h1><ul>{''.join(rows)}</ul>")
            if path == "/log":
                rows = [f"<li>{escape(one)}" for one in site.log]
                return self.answer(200, f"<title>Log</title><h1>Log</h1><ul>{''.join(rows)}</ul>")
            if key not in site.things:
                return self.answer(404, "<title>Not found</title><h1>There is no such thing</h1>")
            title = site.things[key]
            value = escape(title) if site.way == "rename" else ""
            form = (
                f"<form method=post action='{site.at(key)}/{word.lower()}'><label>{label} <input name=said "
                f"value='{value}'></label><button>{word} it</button></form>"
            )
            if act:
                return self.answer(200, f"<title>{word}</title><h1>{word} {escape(title)}?</h1>{form}")
            if site.way == "in a dialog":
                more = f"<button onclick='d.showModal()'>{word}</button><dialog id=d>{form}</dialog>"
            else:
                more = f"<a href='{site.at(key)}/{word.lower()}'>{word}</a>"
            notes = [f"<li>{escape(one.partition(': ')[2])}" for one in site.log] if title.endswith("(closed)") else []
            page = f"<h1>{escape(title)}</h1><p>Bought in May.<ul>{''.join(notes)}</ul>{more}"
            self.answer(200, f"<title>{escape(title)}</title>{page}")

        def do_POST(self) -> None:
            key, _, act = unquote(self.path).removeprefix("/things/").partition("/")
            said = parse_qs(self.body().decode())["said"][0]
            to = "/log" if site.way == "logged" else "/"
            if not site.swallows:
                site.done.append(f"{act} {key}")
                title = site.things.pop(key)
                site.log.append(f"{title}: {said}")
                if act == "rename":
                    site.things[key if site.numbered else said] = said
                if act == "close":
                    site.things[key] = f"{title} (closed)"
            self.answer(303, location=to)

    return Handler


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    with run_on(handler(site), tmp_path, monkeypatch, capsys) as run:
        yield run


def taken(site: Site) -> list[Reply]:
    """Come to a thing from the list, and take it away."""
    word = {"rename": "Rename", "close": "Close"}.get(site.way, "Delete")
    said = {"rename": "Wooden garden bench", "name once more": TITLES[1]}.get(site.way, "Its last leg broke")
    return [
        call("navigate", url="/"),
        call("click", selector=TITLES[1]),
        call("click", selector=word),
        call("fill", selector="input[name=said]", value=said),
        call("click", selector=f"{word} it"),
        call("navigate", url="/"),
    ]


def removals_of(run: OneRun) -> list[Removal]:
    with Recording.open(run.folder / "a.db") as recording:
        (row,) = recording.runs()
        writes = [one.id for one in recording.writes(row.id)]
        return removals(recording.effects(row.id), writes, Bindings({}))


def test_a_removal_with_words_is_seen_and_red_where_it_was_swallowed(site: Site, run: OneRun) -> None:
    told = run.record([*taken(site), call("navigate", url=site.at("42"))] if site.way == "close" else taken(site))
    assert all(one.success for one in told), told
    assert len(site.done) == 1
    removes = site.way in WAYS
    assert bool(removals_of(run)) == removes, run.effects()
    for site.swallows in (False, True):
        site.fill()
        replayed = run.replay()
        assert len(site.done) == (not site.swallows)
        if removes or not site.swallows:
            assert replayed["verdict"] == ("postcondition" if site.swallows else "passed"), replayed
        if removes and site.swallows:
            assert "gone from" in json.dumps(replayed["drift"]), replayed["drift"]
