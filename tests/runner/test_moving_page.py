"""Recordings of pages that move, of clicks on nothing and of buttons that do something else: through the whole run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.desk import Desk
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

FORM = """<form method=post action=/items/7 aria-label=Item><label>Title <input id=title name=title></label>
<p id=note hidden style="height:200px">At most 80 letters</p>{buttons}</form><div id=done role=status>{done}</div>"""
NOTE = """<script>
  title.onfocus = () => { note.hidden = false; };
  title.onblur = () => { note.hidden = true; };
</script>"""
SAVE = "<button id=go name=op value=save>Save</button>"
PANEL = """<div style="position:relative;height:300px"><button id=news>News</button>
<div id=panel hidden style="position:absolute;inset:0;background:#fff"><button id=first>First</button></div></div>
<script>
  news.addEventListener("mouseenter", () => { panel.hidden = false; });
  first.onclick = () => { panel.hidden = true; };
</script>"""
MENU = """<button id=menu>Menu</button><div id=items hidden style="width:200px"><button id=item>Log out</button></div>
<script>
  menu.onclick = (event) => { items.hidden = false; event.stopPropagation(); };
  document.addEventListener("click", () => {
    if (!items.hidden) fetch("/closed", { method: "POST" });
    items.hidden = true;
  });
</script>"""
DIALOG = """<button id=open>Open</button><div id=over hidden style="position:fixed;inset:0"></div><script>
  document.getElementById("open").onclick = () => { over.hidden = false; };
  over.onclick = () => { over.hidden = true; fetch("/closed", { method: "POST" }); };
</script>"""
WAITS = "resolve_ms = 500\neffect_ms = 1000\n"
REPLAYING = "navigation_ms = 4000\n"


@dataclass
class Site:
    """One page, and what was sent from it."""

    url: str = ""
    body: str = ""
    sent: list[str] = field(default_factory=list)


@pytest.fixture
def moving() -> Iterator[Site]:
    site = Site()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, site.body)

        def do_POST(self) -> None:
            site.sent.append(f"{self.path} {self.body().decode()}".strip())
            self.answer(204 if self.path == "/closed" else 303, location="/")

    with served(Handler) as site.url:
        yield site


@pytest.fixture
def desk(moving: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of moving pages")
    return Desk(moving, tmp_path, capsys, waits=WAITS)  # type: ignore[arg-type]


def record(desk: Desk, *turns: object) -> None:
    desk.record([call("navigate", url="/"), *turns])  # type: ignore[list-item]
    settings = desk.folder / "sim.toml"
    settings.write_text(settings.read_text("utf-8").replace(WAITS, WAITS + REPLAYING), "utf-8")


def verdict(desk: Desk, *options: str) -> str:
    told = desk.replay("a.db", *options)
    if told.get("drift"):
        print(told["drift"])
    return str(told["verdict"])


def click(selector: str) -> object:
    return call("click", selector=selector)


FILL = call("fill", selector="Title", value="Emma")


@pytest.mark.table
def test_a_note_that_hides_on_blur_is_recorded_and_replayed(desk: Desk, moving: Site) -> None:
    moving.body = FORM.format(buttons=SAVE, done="") + NOTE
    record(desk, FILL, click("#go"))
    assert verdict(desk) == "passed"
    assert moving.sent == ["/items/7 title=Emma&op=save"] * 2


@pytest.mark.table
def test_a_panel_that_only_hovering_opens_is_opened_again(desk: Desk, moving: Site) -> None:
    moving.body = PANEL
    record(desk, click("#news"), click("#first"))
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        stopped = [(one.status, one.options.get("stopped")) for one in recording.actions(run.id) if one.kind == "click"]
    assert stopped == [("cancelled", "hovered"), ("done", None)]
    assert verdict(desk) == "passed"


@pytest.mark.table
def test_a_press_that_was_not_released_is_pressed_again_and_not_released(desk: Desk, moving: Site) -> None:
    pressing = "<script>go.onmousedown = () => { note.hidden = true; }</script>"
    moving.body = FORM.format(buttons=SAVE, done="") + NOTE + pressing
    record(desk, FILL, click("#go"), click("#go"))
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        stopped = [(one.status, one.options.get("stopped")) for one in recording.actions(run.id) if one.kind == "click"]
    assert stopped == [("cancelled", "pressed"), ("done", None)]
    assert verdict(desk) == "passed"
    assert moving.sent == ["/items/7 title=Emma&op=save"] * 2


@pytest.mark.table
@pytest.mark.parametrize(
    ("body", "opens", "beside"),
    [(MENU, "#menu", "html"), (DIALOG, "#open", "#over")],
    ids=["the bare page", "a backdrop"],
)
def test_a_click_beside_a_popup_closes_it_at_replay_too(
    desk: Desk, moving: Site, body: str, opens: str, beside: str
) -> None:
    moving.body = body
    record(desk, click(opens), click(beside))
    assert moving.sent == ["/closed"]
    assert verdict(desk) == "passed"
    assert moving.sent == ["/closed"] * 2


OTHERS = {
    "its only button deletes": "<button id=go name=op value=delete>Delete</button>",
    "its only button deletes elsewhere": "<button formaction=/items/7/delete>Delete</button>",
    "it does something else": "<button id=go name=op value=delete>Save</button>",
    "it goes elsewhere": "<button id=go name=op value=save formaction=/items/7/delete>Save</button>",
    "a hidden field says so": SAVE + "<input type=hidden name=_method value=delete>",
    "its only button drafts": "<button name=op value=draft>Save as draft</button>",
    "its only button says nothing": "<button>Delete</button>",
}


@pytest.mark.breadth(1)
@pytest.mark.parametrize(
    "now", [pytest.param(one, marks=pytest.mark.slow) if at > 2 else one for at, one in enumerate(OTHERS)]
)
@pytest.mark.parametrize("mode", ["strict", "heal"])
def test_no_replay_presses_a_button_that_does_something_else(desk: Desk, moving: Site, now: str, mode: str) -> None:
    moving.body = FORM.format(buttons=SAVE, done="")
    record(desk, FILL, click("#go"))
    moving.sent.clear()
    moving.body = FORM.format(buttons=OTHERS[now], done="")
    assert verdict(desk, "--mode", mode) in ("target_missing", "target_contradicted")
    assert moving.sent == []


@pytest.mark.table
def test_a_button_in_other_words_that_does_the_same_is_healed(desk: Desk, moving: Site) -> None:
    moving.body = FORM.format(buttons=SAVE, done="")
    record(desk, FILL, click("#go"))
    moving.body = FORM.format(buttons=SAVE.replace("Save", "Keep"), done="")
    assert verdict(desk) == "target_missing"
    assert verdict(desk, "--mode", "heal") == "healed"
    assert moving.sent == ["/items/7 title=Emma&op=save"] * 2
