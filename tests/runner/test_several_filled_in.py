"""A list of which several options are chosen, filled in by one value of a row that names them: all of them, or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites import drawn_lists_site
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

HUES = {"h0": "Crimson", "h1": "Turquoise", "h2": "Ochre, burnt", "h3": "Slate"}
OPTIONS = "".join(f"<option value={code}>{name}" for code, name in HUES.items())
FORM = f"""<h1>New</h1><form method=post action=/new><label>Title <input name=title></label>
<label>Colours <select multiple name=colour>{OPTIONS}</select></label><button>Save</button></form>"""
ROWS = """
[data.paints]
count = 1
rows = [ROWS]
"""


@dataclass
class Site:
    """What was sent, each on a page of its own."""

    form: str = FORM
    loses: bool = False
    rows: list[list[str]] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)

    def shown(self, at: int) -> str:
        names = {**HUES, **{code: name for name, code in drawn_lists_site.CITIES.items()}}
        chosen = "".join(f"<li>{names[one]}</li>" for one in self.rows[at])
        return f"<h1>{self.titles[at]}</h1><dl><dt>Colours</dt><dd><ul>{chosen}</ul></dd></dl>"


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            made = self.path.startswith("/made/")
            self.answer(200, site.shown((int(self.path[6:]) - 48213) // 17) if made else site.form)

        def do_POST(self) -> None:
            sent = parse_qsl(self.body().decode())
            chosen = [one for name, value in sent if name in ("colour", "city") for one in value.split(",")]
            site.titles.append(dict(sent).get("title", ""))
            site.rows.append(chosen[:-1] if site.loses else chosen)
            self.answer(303, location=f"/made/{48213 + 17 * (len(site.rows) - 1)}")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def filling(label: str = "Colours") -> list[Reply]:
    values = {"Title": "Oak chair {{identity.first_name}}", label: "{{paint.1.hue}}"}
    return [call("navigate", url="/new"), call("fill_form", values=values), call("click", selector="Save")]


def dealt(run: OneRun, *rows: str) -> None:
    run.site = ROWS.replace("ROWS", ", ".join(f'{{ hue = "{one}" }}' for one in rows))


WRITTEN = {
    "Turquoise; Slate": ["h1", "h3"],
    "Slate, Crimson": ["h0", "h3"],
    "Ochre, burnt": ["h2"],
    "Ochre, burnt;Crimson": ["h0", "h2"],
    '[\\"Crimson\\", \\"Ochre, burnt\\"]': ["h0", "h2"],
}


@pytest.mark.breadth(1, table=5)
@pytest.mark.parametrize("value", WRITTEN)
def test_all_are_chosen_and_red_where_one_is_lost(value: str, run: OneRun, site: Site) -> None:
    dealt(run, value)
    told = run.record(filling())
    assert [one.text for one in told if not one.success] == []
    assert site.rows == [WRITTEN[value]]
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed
    assert "burnt" in value or [one["unseen"] for one in replayed["writes"]] == [[]]
    assert site.rows == [WRITTEN[value]] * 2

    if len(WRITTEN[value]) > 1:
        site.loses = True
        lied = run.replay()
        seen = [one["unseen"] for one in lied["writes"]]
        assert lied["verdict"] == "postcondition" or seen == [["Colours"]]


@pytest.mark.parametrize(
    "rows", [("Slate;Crimson", "Turquoise", "Crimson;Turquoise;Slate"), ("Slate", "Crimson;Slate")]
)
def test_fresh_users_choose_as_many_as_their_row_names(rows: tuple[str, ...], run: OneRun, site: Site) -> None:
    dealt(run, *rows)
    run.record(filling())
    for seed in ("11", "12", "13", "14"):
        replayed = run.replay("--identity", "fresh", "--seed", seed)
        assert replayed["verdict"] == "passed", replayed["drift"]
    kept = {";".join(sorted(HUES[one] for one in row)) for row in site.rows}
    assert kept <= {";".join(sorted(row.split(";"))) for row in rows}
    assert len({len(row) for row in site.rows}) > 1


def test_what_is_not_offered_is_told_and_nothing_is_chosen(run: OneRun, site: Site) -> None:
    dealt(run, "Slate;Mauve")
    _, filled, _ = run.record(filling())
    assert not filled.success
    assert "'Mauve'" in filled.text
    assert site.rows == [[]]


@pytest.mark.parametrize("pattern", ["several"])
def test_so_it_is_in_a_list_that_a_script_draws(pattern: str, run: OneRun, site: Site) -> None:
    site.form = drawn_lists_site.page(pattern)
    dealt(run, "Porto;Oslo;Lisbon", "Paris", "Oslo;Paris")
    told = run.record(filling("City"))
    assert [one.text for one in told if not one.success] == []
    for seed in ("11", "12", "13", "14"):
        replayed = run.replay("--identity", "fresh", "--seed", seed)
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    kept = {",".join(sorted(row)) for row in site.rows}
    assert kept <= {"c1,c2,c3", "c4", "c2,c4"}
    assert len(kept) > 1
    site.loses = True
    assert run.replay()["verdict"] == "postcondition"


def test_a_list_that_takes_one_is_not_given_several(run: OneRun, site: Site) -> None:
    site.form = drawn_lists_site.page("select-only")
    dealt(run, "Porto;Oslo")
    _, filled, _ = run.record(filling("City"))
    assert not filled.success
