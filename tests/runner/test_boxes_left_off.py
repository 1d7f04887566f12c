"""A box that nobody ticked sends nothing, and one out of sight is ticked by its label: its form shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

FORM = """<h1>{called}</h1><form method=post action="{to}"><label>Address <input name=address value="{address}"></label>
<label><input type=checkbox name=private value=1{private}{style}><b></b> Private</label><button>Save</button></form>"""
CARD = """<h1>Bookmarks</h1><ul>{rows}</ul><a href="/bookmarks/new">New</a>"""
ROW = """<li><a href="/bookmarks/{at}">{address}</a>
<form method=post action="/bookmarks/{at}/hide"><button>Hide or show</button></form></li>"""


@dataclass
class Bookmarks:
    """What the site keeps, and how it lies."""

    kept: dict[int, dict[str, list[str]]] = field(default_factory=dict)
    ticks: bool = False
    drops: bool = False
    drawn: bool = False
    """Whether the box is drawn by what stands beside it, as a switch is."""


@pytest.fixture
def bookmarks() -> Bookmarks:
    return Bookmarks()


@pytest.fixture
def run(
    bookmarks: Bookmarks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    def form(called: str, to: str, kept: dict[str, list[str]]) -> str:
        address, private = kept.get("address", [""])[0], " checked" * ("private" in kept)
        style = " style='position:absolute;opacity:0;width:0;height:0;margin:0'" * bookmarks.drawn
        return FORM.format(called=called, to=to, address=address, private=private, style=style)

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/bookmarks/new":
                return self.answer(200, form("New bookmark", "/bookmarks", {}))
            if self.path.startswith("/bookmarks/"):
                at = int(self.path.rpartition("/")[2])
                return self.answer(200, form("Bookmark", self.path, bookmarks.kept[at]))
            rows = (ROW.format(at=at, address=one["address"][0]) for at, one in bookmarks.kept.items())
            self.answer(200, CARD.format(rows="".join(rows)))

        def do_POST(self) -> None:
            sent, steps = parse_qs(self.body().decode()), self.path.split("/")
            at = int(steps[2]) if len(steps) > 2 else 4817 + len(bookmarks.kept)
            if steps[-1] == "hide":
                sent = bookmarks.kept[at]
                sent.pop("private", None) if "private" in sent else sent.update(private=["1"])
            if bookmarks.drops:
                sent.pop("private", None)
            bookmarks.kept[at] = sent | ({"private": ["1"]} if bookmarks.ticks else {})
            self.answer(303, location="/bookmarks")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


MAKE = (
    call("navigate", url="/bookmarks/new"),
    call("fill", selector="Address", value="https://low-tide.example/tables"),
    call("click", selector="Save"),
)


def test_a_box_that_the_site_has_ticked_is_red_where_the_form_showed_it_off(run: OneRun, bookmarks: Bookmarks) -> None:
    told = run.record([*MAKE, call("navigate", url="/bookmarks/4817"), call("navigate", url="/bookmarks")])
    assert all(one.success for one in told), told
    bookmarks.kept.clear()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    bookmarks.kept.clear()
    bookmarks.ticks = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "Private 'ticked'" in replayed["drift"]["found"], replayed["drift"]


def test_a_box_that_another_press_has_ticked_is_no_fault_of_the_form(run: OneRun, bookmarks: Bookmarks) -> None:
    told = run.record(
        [
            *(MAKE[0], call("fill", selector="Address", value="https://high-tide.example/tables")),
            call("click", selector="Save"),
            call("navigate", url="/bookmarks/4817"),
            call("navigate", url="/bookmarks"),
            call("click", selector="Hide or show"),
            call("navigate", url="/bookmarks/4817"),
        ]
    )
    assert all(one.success for one in told), told
    assert bookmarks.kept[4817]["private"] == ["1"]
    bookmarks.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed
    assert replayed["writes"][0]["unseen"] == [], replayed


@pytest.mark.parametrize("act", ["check", "click"])
def test_a_box_that_is_ticked_by_its_label_is_red_where_the_site_drops_it(
    run: OneRun, bookmarks: Bookmarks, act: str
) -> None:
    bookmarks.drawn = True
    tick = call("check", selector="Private") if act == "check" else call("click", selector="label:has([name=private])")
    made = (call("navigate", url="/bookmarks/new"), call("fill", selector="Address", value="https://ebb.example/tide"))
    told = run.record(
        [
            *(*made, tick, call("click", selector="Save")),
            *(call("navigate", url="/bookmarks/4817"), call("navigate", url="/bookmarks")),
        ]
    )
    assert all(one.success for one in told), told
    assert bookmarks.kept[4817]["private"] == ["1"]
    bookmarks.kept.clear()
    replayed = run.replay()
    assert (replayed["verdict"], [one["inputs"] for one in replayed["writes"]]) == ("passed", [2]), replayed
    bookmarks.kept.clear()
    bookmarks.drops = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "not ticked" in replayed["drift"]["found"], replayed["drift"]
