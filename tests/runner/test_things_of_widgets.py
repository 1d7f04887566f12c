"""Things of a site that is drawn by widgets: dialogs with their buttons in a footer, menus without words, pictures."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, closing, contextmanager
from pathlib import Path
from typing import cast

import pytest

from simulator.api import record_runs, replay_runs
from simulator.testing import serve

NOTEBOOK = Path(__file__).parents[1] / "sites" / "notebook.py"
SETTINGS = """
packs = []

[site.notebook]
base_url = "{url}"
language = "de"

[site.notebook.things.note]
create = "Neue Notiz"
list = "{list}"
data = "notes"
{more}

[data.notes]
make.title = "{{{{faker.city}}}} {{{{n}}}}"
make.shelf = "{{Arbeit|Garten|Reise}}"
make.words = "Nicht vergessen: {{{{faker.city}}}} und {{{{faker.city}}}}, gleich nach dem langen Winter."
{data}
"""
PERSONA = """
persona: writer
about: Keeps notes.
locale: de_DE
limits: {steps: 600}
tasks:
  - register
"""


class Notebook:
    """The notebook of a test."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with closing(sqlite3.connect(self.file)) as database:
            return database.execute(query).fetchall()

    def held(self) -> list[list[tuple[object, ...]]]:
        """Give all that it holds, but for ids, and what was pressed that must not be."""
        return [
            self.rows("select owner, title, shelf, pages, text, picture from notes order by owner, title"),
            self.rows("select n.title, m.name from marks m join notes n on n.id = m.note order by 1, 2"),
            self.rows("select what from presses"),
        ]

    def empty(self) -> None:
        with closing(sqlite3.connect(self.file)) as database, database:
            for table in ("people", "sessions", "notes", "marks", "presses"):
                database.execute(f"delete from {table}")


@contextmanager
def notebook(
    folder: Path, tasks: str, *, more: str = "", data: str = "", list: str = "/#/notizen", ways: Sequence[str] = ()
) -> Iterator[Notebook]:
    """Serve a notebook, in the folder of a project that knows it by its section."""
    file = folder / "notebook.sqlite"
    with serve([sys.executable, NOTEBOOK, "0", file, *ways]) as url, chdir(folder):
        (folder / "personas").mkdir()
        (folder / "sim.toml").write_text(SETTINGS.format(url=url, more=more, data=data, list=list), "utf-8")
        (folder / "personas/writer.yaml").write_text(PERSONA + tasks, "utf-8")
        yield Notebook(file)


def record_and_replay(site: Notebook, count: int = 2) -> list[list[tuple[object, ...]]]:
    """Record a batch, replay it as the same and as fresh users, and give what the batch left on the site."""
    run = record_runs((), db="a.db", count=count, seed="7", agent="autopilot")
    assert [one.status for one in run.runs] == ["passed"] * count, run
    made = site.held()
    site.empty()
    assert [one.verdict for one in replay_runs("a.db", db="b.db").runs] == ["passed"] * count
    assert site.held() == made
    site.empty()
    fresh = replay_runs("a.db", db="b.db", identity="fresh", seed="99")
    assert [one.verdict for one in fresh.runs] == ["passed"] * count
    assert list(map(len, site.held())) == list(map(len, made))
    assert not {row[1] for row in site.held()[0]} & {row[1] for row in made[0]}
    return made


@pytest.mark.slow
@pytest.mark.parametrize("said", ["", 'submit = "Anlegen"'])
def test_a_form_in_a_dialog_is_sent_by_the_button_of_its_footer(said: str, tmp_path: Path) -> None:
    with notebook(tmp_path, "  - create: {thing: note, count: 2}\n", more=said) as site:
        notes, _, presses = record_and_replay(site)
        assert len(notes) == 4
        assert all(title and shelf and pages == 10 and text for _, title, shelf, pages, text, _ in notes)
        assert presses == []


TASKS = """
  - create: {thing: note, count: 3}
  - react: note
"""
MORE = """
edit = { fields = ["shelf"] }
delete = true
react = [{ button = "Merken" }]
"""


@pytest.mark.slow
@pytest.mark.parametrize(("list", "edits"), [("/#/", True), ("/#/notizen", False)])
def test_what_stands_in_a_menu_without_words_is_found_and_nothing_else_is_pressed(
    list: str, edits: bool, tmp_path: Path
) -> None:
    tasks = TASKS + "  - edit: note\n" * edits + "  - delete: note\n"
    with notebook(tmp_path, tasks, more=f'submit = "Anlegen"{MORE}', list=list) as site:
        notes, marks, presses = record_and_replay(site)
        assert len(notes) == 4
        assert len(marks) == 2
        assert presses == []


@pytest.mark.slow
def test_a_press_in_a_menu_that_changes_nothing_is_no_success(tmp_path: Path) -> None:
    with notebook(tmp_path, TASKS, more=MORE, ways=["lying"]) as site:
        (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
        assert run.tasks[-1].status == "failed"
        assert "looks as before" in run.tasks[-1].reason
        assert site.held()[1:] == [[], []]


@pytest.mark.slow
def test_a_picture_of_a_row_goes_into_the_file_field_of_the_form(tmp_path: Path) -> None:
    data = 'fields = { drawing = "picture" }\nmake.drawing = "{{title}}"'
    task = "  - create: {thing: note, count: 2}\n"
    with notebook(tmp_path, task, data=data, ways=["strict"]) as site:
        notes, _, presses = record_and_replay(site)
        pictures = [bytes(cast(bytes, row[-1])) for row in notes]
        assert all(one.startswith(b"\x89PNG") for one in pictures)
        assert len(set(pictures)) == 4
        assert presses == []


@pytest.mark.slow
def test_a_form_that_needs_a_file_says_so_where_no_column_is_one(tmp_path: Path) -> None:
    with notebook(tmp_path, "  - create: note\n", ways=["strict"]) as site:
        (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
        assert "'Bild' has to be given a file" in run.tasks[-1].reason
        assert site.held() == [[], [], []]
