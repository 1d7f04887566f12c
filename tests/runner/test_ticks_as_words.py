"""A tick that a page shows by its name alone, as a badge: on the thing's card, on its page, or in a list of names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a page shows of a tick")

FORM = """<h1>New</h1><form method=post action=/things><label>Name <input name=name></label>
<label><input type=checkbox name=urgent value=1> Urgent</label>
<div>soft <i>x</i> warm <i>x</i></div><button type=button role=switch aria-checked=false name=lent
onclick="const on = this.getAttribute('aria-checked') !== 'true'; this.setAttribute('aria-checked', on);
this.nextElementSibling.disabled = !on">Lent out</button><input type=hidden name=lent value=1 disabled>
<fieldset><legend>Colours</legend><label><input type=checkbox name=colours value=1> Red</label>
<label><input type=checkbox name=colours value=2> Blue</label>
<label><input type=checkbox name=colours value=3> Green</label></fieldset><button>Add</button></form>"""
COLOURS = {"1": "Red", "2": "Blue"}


@dataclass
class Site:
    """Things with ticks, and what the site makes of them."""

    lies: str = ""
    """What is lost: ``urgent``, ``lent``, or ``1`` of the colours."""
    always: bool = False
    """Whether each card has the badge, whatever was ticked."""
    pages: bool = False
    """Whether the thing's own page shows the badge, and the list does not."""
    things: dict[int, tuple[str, dict[str, bool], list[str]]] = field(default_factory=dict)

    def reset(self) -> None:
        self.things = {48213: ("Alpha lamp", {}, ["2"]), 48230: ("Beta lamp", {"urgent": True, "lent": True}, [])}

    def told(self, number: int) -> str:
        _, ticks, colours = self.things[number]
        said = {"urgent": "Urgent", "lent": "Lent out"}
        badge = "".join(f"<div class=badge>{text}</div>" for name, text in said.items() if ticks.get(name))
        if self.always:  # the look alone tells which of them is meant
            badge = "<div class=badge>Urgent</div><div class=badge>Public</div>"
        return f"{badge}<p class=colours>{', '.join(COLOURS[one] for one in colours)}</p>"


@pytest.fixture
def site() -> Site:
    made = Site()
    made.reset()
    return made


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/new":
                return self.answer(200, FORM)
            if self.path == "/things":
                told = [
                    f"<li><div><a href=/things/{number}>{name}</a></div>{'' if site.pages else site.told(number)}</li>"
                    for number, (name, _, _) in site.things.items()
                ]
                return self.answer(200, f"<h1>Things</h1><ul>{''.join(told)}</ul>")
            number = int(self.path.rpartition("/")[2] or 0)
            if number not in site.things:
                return self.answer(200, "<h1>Home</h1><a href=/things>Things</a>")
            self.answer(200, f"<h1>{site.things[number][0]}</h1>{site.told(number) if site.pages else ''}")

        def do_POST(self) -> None:
            sent = parse_qs(self.body().decode())
            colours = [one for one in sent.get("colours", []) if one != site.lies]
            site.things[48261] = (
                sent["name"][0], {one: one in sent and one != site.lies for one in ("urgent", "lent")}, colours,
            )  # fmt: skip
            self.answer(303, location="/things/48261")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def acts(*ticks: str) -> list[object]:
    return [
        call("navigate", url="/things"),
        call("navigate", url="/new"),
        call("fill", selector="Name", value="Gamma lamp"),
        *(call("click" if one == "Lent out" else "check", selector=one) for one in ticks),
        call("click", selector="Add"),
        call("navigate", url="/things"),
        call("navigate", url="/things/48261"),
    ]


def replayed(site: Site, run: OneRun, lies: str = "") -> tuple[str, list[str]]:
    site.reset()
    site.lies = lies
    told = run.replay()
    site.lies = ""
    return told["verdict"], told["writes"][0]["unseen"]


@pytest.mark.parametrize("pages", [False, True], ids=["card", "page"])
def test_a_badge_has_to_come_again(site: Site, run: OneRun, *, pages: bool) -> None:
    site.pages = pages
    run.record(acts("Urgent"))
    assert site.things[48261][1] == {"urgent": True, "lent": False}
    assert replayed(site, run) == ("passed", ["Urgent"] if pages else [])
    assert replayed(site, run, "urgent")[0] == "postcondition"


def test_a_switch_is_called_by_what_it_says_itself(site: Site, run: OneRun) -> None:
    run.record(acts("Lent out"))
    assert site.things[48261][1] == {"urgent": False, "lent": True}
    assert replayed(site, run) == ("passed", [])
    assert replayed(site, run, "lent") == ("postcondition", ["Lent out"])


def test_a_badge_that_each_card_has_proves_nothing(site: Site, run: OneRun) -> None:
    site.always = True
    run.record(acts("Urgent"))
    assert replayed(site, run, "urgent") == ("passed", ["Urgent"])


@pytest.mark.parametrize("pages", [False, True], ids=["card", "page"])
def test_each_of_several_ticks_stands_in_a_list_of_names(site: Site, run: OneRun, *, pages: bool) -> None:
    site.pages = pages
    run.record(acts("Red", "Blue"))
    assert site.things[48261][2] == ["1", "2"]
    assert replayed(site, run) == ("passed", [])
    assert replayed(site, run, "1")[0] == "postcondition"
