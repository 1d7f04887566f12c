"""Several buttons send one form: what the pressed one does is a state of the thing, if its page says that.

And a text that was seen as a whole has to be there as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

NOTES = "Bring the long ladder from the shed.\nAsk Mr Winterbottom for the key.\nLeave the gate open."
FIELDS = {
    "named": "<label>Name <input name=name></label>",
    "noted": "<label>Name <input name=name></label><label>Notes <textarea name=notes></textarea></label>",
}


@dataclass(frozen=True)
class Way:
    """How a site says what became of a thing."""

    buttons: str
    press: str
    states: tuple[str, str]
    """What its page says after this button, and after another one."""
    shows: str = "<p class=badge>STATE</p>"
    told: bool = True
    """Whether a page says it at all."""


WAYS = {
    "a badge": Way(
        "<button name=do value=draft>Save draft</button><button name=do value=publish>Publish</button>",
        "Publish", ("Published", "Draft"),
    ),
    "a term with its description": Way(
        "<button name=do value=1>Comment</button><button name=do value=2>Close with comment</button>",
        "Close with comment", ("Closed", "Open"), "<dl><dt>State<dd>STATE</dl>",
    ),
    "a line that names it": Way(
        "<button name=do value=entwurf>Entwurf speichern</button><button name=do value=pub>Veröffentlichen</button>",
        "Veröffentlichen", ("Veröffentlicht", "Entwurf"), "<p>Zustand: STATE</p>",
    ),
    "buttons without names": Way(
        "<button>Save</button><button formaction=/new?to=review>Submit for review</button>",
        "Submit for review", ("Submitted today", "Saved today"),
    ),
    "a page that does not say it": Way(
        "<button name=do value=draft>Save draft</button><button name=do value=publish>Publish</button>",
        "Publish", ("live", "hidden"), told=False,
    ),
}  # fmt: skip


@dataclass
class Site:
    """A list of things, each with a page."""

    way: Way
    lies: str = ""
    rows: dict[int, dict[str, str]] = field(default_factory=dict)

    def keep(self, sent: dict[str, str], address: str) -> int:
        """Take a thing in, or something else."""
        number = 48213 + 17 * len(self.rows)
        chosen = 0 if sent.get("do") in ("publish", "pub", "2") or "review" in address else 1
        notes = sent.get("notes", "").replace("\r", "")
        if self.lies == "cut":
            notes = notes.rpartition("\n")[0]
        state = self.way.states[1 if self.lies == "state" else chosen]
        self.rows[number] = {"name": sent["name"], "state": state, "notes": notes}
        return number


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    return Site(WAYS[getattr(request, "param", "a badge")])


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            kind = self.path.strip("/").partition("?")[0]
            if kind in FIELDS:
                self.answer(200, f"<h1>New</h1><form method=post action=/new>{FIELDS[kind]}{site.way.buttons}</form>")
            elif kind.startswith("things/") and (row := site.rows.get(int(kind[7:]))):
                notes = escape(row["notes"]).replace("\n", "<br>")
                shown = site.way.shows.replace("STATE", row["state"])
                self.answer(200, f"<h1>{escape(row['name'])}</h1>{shown}<p>{notes}</p>")
            else:
                links = "".join(
                    f"<li><a href=/things/{key}>{escape(row['name'])}</a>" for key, row in site.rows.items()
                )
                self.answer(200, f"<h1>All</h1><ul>{links}</ul>")

        def do_POST(self) -> None:
            number = site.keep(dict(parse_qsl(self.body().decode())), self.path)
            self.answer(303, location=f"/things/{number}")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def made(page: str, name: str, *more: Reply, press: str) -> list[Reply]:
    """Give the calls that make a thing."""
    enter = call("fill", selector="Name", value=name)
    return [
        call("navigate", url=page), enter, *more, call("click", selector=f'role=button[name="{press}"]'),
        call("navigate", url="/"),
    ]  # fmt: skip


@pytest.mark.parametrize("site", WAYS, indirect=True)
def test_what_the_pressed_button_does_has_to_be_what_the_page_says(site: Site, run: OneRun) -> None:
    run.record(made("/named", "Boat house", press=site.way.press))
    (row,) = site.rows.values()
    assert row["state"] == site.way.states[0]

    site.rows = {}
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    assert [*site.rows.values()] == [row]

    site.rows, site.lies = {}, "state"
    lied = run.replay()
    assert [*site.rows.values()] != [row]
    if site.way.told:
        assert lied["verdict"] == "postcondition", lied
        assert f"what it does for button '{site.way.press}'" in lied["drift"]["expected"]
    else:
        assert lied["verdict"] == "passed"


@pytest.mark.parametrize("site", ["a page that does not say it"], indirect=True)
def test_a_text_that_begins_with_the_word_of_a_button_is_no_state(site: Site, run: OneRun) -> None:
    about = call("fill", selector="Notes", value="Publish the harbour book")
    run.record(made("/noted", "Publishing day", about, press="Publish"))
    kinds = [kind for kind, strength, _ in run.effects() if strength == "kept"]
    assert sorted(kinds) == ["appearance", "echo", "echo"], "the two texts, and the thing itself"


@pytest.mark.parametrize("notes", [NOTES, "harbour lights\nlantern parade\nwinter fair"])
def test_a_text_of_which_the_last_line_is_lost_is_not_kept(site: Site, run: OneRun, notes: str) -> None:
    run.record(made("/noted", "Boat house", call("fill", selector="Notes", value=notes), press="Publish"))
    (row,) = site.rows.values()
    site.rows = {}
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest

    site.rows, site.lies = {}, "cut"
    lied = run.replay()
    assert next(iter(site.rows.values()))["notes"] != row["notes"]
    assert lied["verdict"] == "postcondition", lied
