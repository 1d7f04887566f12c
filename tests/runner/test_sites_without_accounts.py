"""Things of a site that knows no accounts, such as a guest book: they are made without logging in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.cli.main import main
from simulator.recording.reader import Recording
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("things of any site")]
SECTION = """packs = []
[site.small]
base_url = "{url}"
disposable = true
[site.small.things.entry]
create = "/new"
list = "/"
data = "entries"
[data.entries]
rows = [{rows}]
"""
PERSONA = """persona: guest
about: Writes into the book.
locale: en_GB
tasks:
  - create: {thing: entry, count: 2}
  - browse: entry
"""
WHERE = [f"{a} of {b}" for a in ("Low tide", "Old oak", "Red barn", "Tall pine") for b in ("Bray", "Cork", "Down")]
FORM = (
    "<h1>New entry</h1><form method=post><label>Title <input name=title required></label><button>Save</button></form>"
)


def _as_shown(title: str) -> str:
    """Write a date as people do in Germany."""
    found = re.fullmatch(r"(\d{4})-0?(\d+)-0?(\d+)", title)
    return f"{found[3]}.{found[2]}.{found[1]}" if found else title


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    titles: list[str] = []

    class Handler(PageHandler):
        def do_GET(self) -> None:
            rows = "".join(f"<li>{escape(_as_shown(one))}</li>" for one in titles)
            known = {"/": f"<h1>Entries</h1><a href=/new>New entry</a><ul>{rows}</ul>", "/new": FORM}
            self.answer(200 if self.path in known else 404, known.get(self.path, "<h1>Not found</h1>"))

        def do_POST(self) -> None:
            titles.append(parse_qs(self.body().decode())["title"][0])
            self.answer(303, location="/")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the guests")
    with served(Handler) as url:
        rows = ", ".join(f'{{ title = "{one}" }}' for one in WHERE)
        (tmp_path / "sim.toml").write_text(SECTION.format(url=url, rows=rows), "utf-8")
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas" / "guest.yaml").write_text(PERSONA, "utf-8")
        yield titles


def test_things_are_made_where_nobody_can_log_in(book: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["personas", "run", "guest", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    assert len(book) == 2
    with Recording.open(Path("a.db")) as recording:
        (one,) = recording.runs()
        assert [step.tool for step in recording.steps(one.id) if step.tool in ("login", "register")] == ["login"]
    book.clear()
    assert main(["seed", "a.db", "--count", "3", "--seed", "5", "--yes", "--db", "b.db"]) == 0, capsys.readouterr()
    assert len(book) == len({*book}) == 6


def test_what_is_called_by_a_date_is_known_as_the_list_writes_it(
    book: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section = (tmp_path / "sim.toml").read_text("utf-8").partition("rows = ")[0]
    rows = ", ".join(f'{{ title = "2026-{month:02d}-2{day}" }}' for month in range(1, 10) for day in (1, 7))
    (tmp_path / "sim.toml").write_text(f"{section}rows = [{rows}]\n", "utf-8")
    persona = (tmp_path / "personas" / "guest.yaml").read_text("utf-8")
    (tmp_path / "personas" / "guest.yaml").write_text(persona.replace("  - browse: entry\n", ""), "utf-8")
    assert main(["personas", "run", "guest", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    assert len(book) == 2


def test_where_a_section_says_that_users_log_in_it_stays_an_error(
    book: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    section = (tmp_path / "sim.toml").read_text("utf-8")
    (tmp_path / "sim.toml").write_text(section + '[site.small.routes]\nlogin = "/enter"\n', "utf-8")
    assert main(["personas", "run", "guest", "--seed", "1", "--db", "a.db"]) == 1
    assert "login failed" in capsys.readouterr().out
    assert book == []
