"""A page that empties a date as its field is left, or changes it: it is put in as the page reads it, or that is told."""
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>New</h1><form method=post action=/new><label>Title <input name=title></label>
<input type=hidden name=bought><label>Bought <input id=seen></label><label>Note <input name=note></label><button>Save</button></form><script>
document.documentElement.lang = "LANG";
const months = MONTHS, seen = document.getElementById("seen"), sends = document.forms[0].elements.bought;
const two = (text) => String(text).padStart(2, "0");
seen.onblur = () => {
  const READS;
  if (found) sends.value = found[0] + (found[1] || "");
  else seen.value = sends.value = "";
};</script>"""
DE = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
ISO = "`${Y}-${two(months.indexOf(M) + 1)}-${two(D)}`"
WAYS = {
    "the month in words first": (
        "de",
        DE,
        r"""said = /^(\p{L}+) (\d+), (\d{4})$/u.exec(seen.value), [, M, D, Y] = said || [], found = months.includes(M) && [ISO]""",
    ),
    "the day first": (
        "en",
        EN,
        r"""said = /^(\d+) (\p{L}+) (\d{4})$/u.exec(seen.value), [, D, M, Y] = said || [], found = months.includes(M) && [ISO]""",
    ),
    "figures with dots": (
        "fr",
        DE,
        r"""said = /^(\d\d)\.(\d\d)\.(\d{4})$/u.exec(seen.value), [, D, N, Y] = said || [], M = months[N - 1], found = said && [ISO]""",
    ),
    "with a time of day": (
        "de",
        DE,
        r"""said = /^(\p{L}+) (\d+), (\d{4}) (\d\d:\d\d):00$/u.exec(seen.value), [, M, D, Y, T] = said || [], found = months.includes(M) && [ISO, " " + T]""",
    ),
    "none": ("de", DE, "found = null"),
}


def form(way: str) -> str:
    language, months, reads = WAYS[way]
    return FORM.replace("READS", reads.replace("ISO", ISO)).replace("LANG", language).replace("MONTHS", repr(months))


@dataclass
class Site:
    form: str = ""
    rows: list[tuple[str, str]] = field(default_factory=list)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if not self.path.startswith("/made/"):
                return self.answer(200, site.form)
            title, day = site.rows[(int(self.path[6:]) - 48213) // 17]
            return self.answer(200, f"<h1>{title}</h1><dl><dt>Bought</dt><dd>{day}</dd></dl>")

        def do_POST(self) -> None:
            sent = {name: values[0] for name, values in parse_qs(self.body().decode()).items()}
            site.rows.append((sent["title"], sent.get("bought", "")))
            self.answer(303, location=f"/made/{48213 + 17 * (len(site.rows) - 1)}")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        days = ("2015-03-06", "2019-12-24", "2021-05-01")
        run.site = f"""
[data.paints]
count = 1
rows = [{", ".join(f'{{ day = "{one}", at = "{one} 16:15" }}' for one in days)}]
"""
        yield run


def filling(column: str, *, last: bool = True) -> list[Reply]:
    values = {"Title": "Oak chair {{identity.first_name}}", "Bought": "{{paint.1." + column + "}}"}
    values |= {} if last else {"Note": "By hand."}
    return [call("navigate", url="/new"), call("fill_form", values=values), call("click", selector="Save")]


@pytest.mark.parametrize("last", [True, False])
@pytest.mark.parametrize("way", [one for one in WAYS if one != "none"])
def test_a_date_is_written_as_the_page_reads_it(way: str, last: bool, run: OneRun, site: Site) -> None:
    site.form = form(way)
    timed = "time" in way
    told = run.record(filling("at" if timed else "day", last=last))
    assert [one.text for one in told if not one.success] == []
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    for seed in ("11", "12"):
        replayed = run.replay("--identity", "fresh", "--seed", seed)
        assert replayed["verdict"] == "passed", replayed["drift"]
    days = {"2015-03-06", "2019-12-24", "2021-05-01"}
    assert {day for _, day in site.rows} <= ({f"{one} 16:15" for one in days} if timed else days)


def test_a_date_that_the_page_reads_in_no_writing_is_told(run: OneRun, site: Site) -> None:
    site.form = form("none")
    filled = run.record(filling("day"))[1]
    assert not filled.success
    assert "empties 'Bought'" in filled.text


def test_a_date_that_the_page_takes_for_another_one_is_written_otherwise(run: OneRun, site: Site) -> None:
    """Pickers of dates do so that read figures in an order of their own."""
    another = 'seen.value = "17.09.0019", sends.value = "0019-09-17"'
    site.form = form("figures with dots").replace('seen.value = sends.value = ""', another)
    told = run.record(filling("day", last=False))
    assert [one.text for one in told if not one.success] == []
    assert site.rows[-1][1] in {"2015-03-06", "2019-12-24", "2021-05-01"}
    assert run.replay()["verdict"] == "passed"
    assert site.rows[-1] == site.rows[-2]
