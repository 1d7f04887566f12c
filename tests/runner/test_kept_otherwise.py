"""A site that keeps something else than was sent, on pages that no address ties to a thing: the replay stops.

Each way of showing things is recorded, replayed honestly, and replayed while the site alters one value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

Row = dict[str, str]
FETCH = """<script>
const put = (body) => fetch("/made", { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
</script>"""  # noqa: E501
FIELDS = "<label>Name <input name=name></label> <label>Town <input name=town></label>"
NEW = f"<form method=post action=/made>{FIELDS}<button>Save</button></form>"
CALENDAR = """<div id=month hidden><table role=grid><tr></tr></table></div><script>
const month = document.getElementById("month"), pick = (day, text) => { PICK; month.hidden = true };
for (let day = 1; day <= 30; day++) {
  const cell = month.querySelector("tr").insertCell();
  cell.setAttribute("role", "gridcell");
  cell.textContent = day;
  cell.onclick = () => pick("2026-06-" + String(day).padStart(2, "0"), day + " June 2026");
}
OPENER.onclick = () => { month.hidden = false };
</script>"""
TIMED = "<form method=post action=/made><label>Name <input name=name></label>DAY<button>Save</button></form>"
SENT = """<script>
let chosen;
document.forms[0].onsubmit = async (event) => {
  event.preventDefault();
  await put({ name: document.forms[0].name.value, town: chosen });
  location.href = "/list";
};
</script>"""


def calendar(control: str, opener: str, picked: str, more: str = "") -> str:
    """Give the form of a thing with a day that a script lets its user pick."""
    drawn = CALENDAR.replace("PICK", picked).replace("OPENER", f'document.querySelector("{opener}")')
    return TIMED.replace("DAY", control) + more + drawn


def linked(row: Row) -> str:
    """Give a row with a link that is called as the thing."""
    return f"<tr><td><a href=/things/{row['id']}>{row['name']}</a><td>{row['town']}"


def bare(row: Row) -> str:
    """Give a row in which nothing tells ids."""
    return f"<tr><td>{row['name']}<td>{row['town']}"


def unnamed(row: Row) -> str:
    """Give a row in which nothing says which field a text is of."""
    return f"<li>{row['name']} <i>{row['town']}</i></li>"


ENTER = (call("fill", selector="Name", value="Orla Keane"), call("fill", selector="Town", value="Whitby"))


def picked(opener: str) -> tuple[Reply, ...]:
    """Give the calls that pick the 17th."""
    return (
        call("fill", selector="Name", value="A walk at dusk"),
        call("click", selector=opener),
        call("click", selector='role=gridcell[name="17"]'),
    )


@dataclass(frozen=True)
class Way:
    """How a site lets its user make a thing, and shows it."""

    form: str
    acts: tuple[Reply, ...]
    shows: Callable[[Row], str] = linked
    instead: str = "York"
    """What the site keeps in place of the town or the day that was sent."""
    known: bool = True
    """Whether the user sees the list before."""
    found: str = "'York' instead"


DAYS: dict[str, Any] = {"instead": "2026-06-18", "found": "'18 June 2026' instead"}
TEXT, BUTTON = "<label>Day <input name=town readonly></label>", "<button type=button id=day>Choose a day</button>"
WAYS = {
    "a row with a link": Way(NEW, ENTER),
    "a row with a link, in a list that nobody had seen": Way(NEW, ENTER, known=False),
    "a row without a link": Way(NEW, ENTER, shows=bare),
    "a row that names no field": Way(
        NEW,
        (
            call("fill", selector="Name", value="Long handled trowel"),
            call("fill", selector="Town", value="Whitby on the sea"),
        ),
        shows=unnamed,
        found="'Long handled trowel York' instead",
    ),
    "a calendar that fills a field": Way(
        calendar(TEXT, "[name=town]", "document.forms[0].town.value = day"), picked("Day"), **DAYS
    ),
    "a calendar whose day a script sends": Way(
        calendar(BUTTON, "#day", 'chosen = day; document.querySelector("#day").textContent = text', FETCH + SENT),
        picked("#day"),
        **DAYS,
    ),
    "a calendar that fills a hidden field": Way(
        calendar(f"{BUTTON}<input type=hidden name=town>", "#day", "document.forms[0].town.value = day"),
        picked("#day"),
        **DAYS,
    ),
}


@dataclass
class Site:
    """A list of things."""

    way: Way
    alters: bool = False
    loses: bool = False
    rows: list[Row] = field(default_factory=list)

    def keep(self, sent: Row) -> None:
        """Take a thing in, or something else."""
        if not self.loses:
            town = self.way.instead if self.alters else sent["town"]
            self.rows.append({"id": str(48213 + 17 * len(self.rows)), "name": sent["name"], "town": town})

    def reset(self) -> None:
        """Know one thing."""
        self.alters = self.loses = False
        self.rows = [{"id": "48196", "name": "Ina Voss", "town": "Bonn"}]


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    made = Site(WAYS[request.param])
    made.reset()
    return made


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/new":
                self.answer(200, f"<h1>New</h1>{site.way.form}")
            elif self.path == "/list":
                told = "".join(site.way.shows({**row, "town": _said(row["town"])}) for row in site.rows)
                table = f"<table><tr><th>Name<th>Town</tr>{told}</table>"
                self.answer(200, f"<h1>All</h1>{f'<ul>{told}</ul>' if told.startswith('<li>') else table}")
            else:
                self.answer(200, "<h1>Home</h1>")

        def do_POST(self) -> None:
            site.keep(dict(parse_qsl(self.body().decode())))
            self.answer(303, location="/list")

        def do_PUT(self) -> None:
            site.keep(json.loads(self.body()))
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def _said(town: str) -> str:
    return f"{int(town[-2:])} June 2026" if town[0].isdecimal() else town


@pytest.mark.parametrize("site", WAYS, indirect=True)
def test_what_the_row_of_a_thing_says_has_to_be_what_was_sent(site: Site, run: OneRun) -> None:
    first = [call("navigate", url="/list")] if site.way.known else []
    run.record(
        [*first, call("navigate", url="/new"), *site.way.acts, call("click", selector="Save"),
         call("navigate", url="/"), call("navigate", url="/list")]
    )  # fmt: skip
    (_, row) = site.rows
    assert site.way.instead not in row.values()

    site.reset()
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    assert site.rows[1:] == [row]

    site.reset()
    site.alters = True
    altered = run.replay()
    assert altered["verdict"] == "postcondition", altered
    assert site.way.found in altered["drift"]["found"], altered["drift"]

    site.reset()
    site.loses = True
    lost = run.replay()
    assert (lost["verdict"], len(lost["writes"][0]["unseen"])) == ("passed", 2), lost
