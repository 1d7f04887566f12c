"""Dates are written as the page asks for them, by a picture around the field: judged by what the site keeps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("a site's own things")

ASKED = {
    "start": "%m/%d/%Y",
    "end": "%d.%m.%Y",
    "due": "%d/%m/%Y",
    "paid": "%Y-%m-%d",
    "sent": "%m-%d-%Y",
    "born": "%Y/%m/%d",
}
FORM = """<h1>New trip</h1><form method=post action=/trips>{said}<p><label>Title <input name=title required></label></p>
<p><label>Start <input name=start placeholder="MM/DD/YYYY"></label></p>
<p><label for=end>Ende</label><input id=end name=end><em>(TT.MM.JJJJ)</em></p>
<p><label>Due <input name=due title="Sous la forme JJ/MM/AAAA"></label></p>
<p><label>Paid <input name=paid aria-describedby=how></label></p>
<p><label>Sent <input name=sent pattern="(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])-[0-9]{{4}}"></label></p>
<p><label>Born <input name=born required></label></p>
<p id=how>Dates like YYYY-MM-DD, please.</p><p><button>Save</button></p></form>"""
SECTION = """
packs = []
[site.trips]
base_url = "{url}"
[site.trips.things.trip]
create = "/trips/new"
list = "/"
data = "trips"
[data.trips]
count = 2
fields = {{ start = "date", end = "date", due = "date", paid = "date" }}
rows = [{rows}]
"""
PERSONA = """
persona: guest
about: Plans trips.
locale: en_GB
tasks:
  - create: {thing: trip, count: 2}
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, str]]]:
    """A site that takes each date as it asked for it, and shows it in words."""
    trips: list[dict[str, str]] = []

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/trips/new":
                self.answer(200, FORM.format(said=""))
            elif self.path.startswith("/trips/"):
                one = trips[int(self.path.rpartition("/")[2]) - 100]
                rows = "".join(f"<dt>{name}</dt><dd>{text}</dd>" for name, text in one.items() if name != "title")
                self.answer(200, f"<h1>{one['title']}</h1><dl>{rows}</dl>")
            else:
                rows = "".join(f"<li><a href=/trips/{at + 100}>{one['title']}</a>" for at, one in enumerate(trips))
                self.answer(200, f"<h1>Trips</h1><ul>{rows}</ul><a href=/trips/new>New</a>")

        def do_POST(self) -> None:
            sent = {name: values[0] for name, values in parse_qs(self.body().decode()).items()}
            try:
                days = {name: datetime.strptime(sent[name], way) for name, way in ASKED.items() if name in sent}
            except ValueError:
                said = "<p role=alert>Born: please use the format YYYY/MM/DD.</p>"
                self.answer(200, FORM.format(said=said))
                return
            trips.append({"title": sent["title"], **{name: f"{day:%-d %B %Y}" for name, day in days.items()}})
            self.answer(303, location=f"/trips/{len(trips) + 99}")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the guests")
    with served(Handler) as url:
        rows = ", ".join(
            f'{{ title = "Trip {n}", start = "2027-0{n}-09", end = "2027-0{n}-19", due = "2027-0{n}-03", '
            f'paid = "2026-1{n % 3}-07" }}'
            for n in range(1, 10)
        )
        (tmp_path / "sim.toml").write_text(SECTION.format(url=url, rows=rows), "utf-8")
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas" / "guest.yaml").write_text(PERSONA, "utf-8")
        yield trips


def test_dates_go_in_as_their_fields_ask_for_them(
    kept: list[dict[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["personas", "run", "guest", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    assert main(["seed", "a.db", "--count", "3", "--seed", "5", "--yes", "--db", "b.db"]) == 0, capsys.readouterr()
    assert len({one["title"] for one in kept}) == len(kept) == 8
    for one in kept:
        number = int(one["title"].removeprefix("Trip "))
        wanted = {"start": date(2027, number, 9), "end": date(2027, number, 19), "due": date(2027, number, 3)}
        wanted["paid"] = date(2026, 10 + number % 3, 7)
        assert {name: one[name] for name in wanted} == {name: f"{day:%-d %B %Y}" for name, day in wanted.items()}
        assert {"sent", "born"} < {*one}, "what is drawn is written as it is asked for, too"
    assert len({one["sent"] for one in kept}) > 4
