"""Things of a site that is drawn by widgets: dialogs with their buttons in a footer, menus without words, pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest

from simulator.api import record_runs
from tests.runner.site_of_things import Kept, project_of, record_and_replay

pytestmark = pytest.mark.promise("a site's own things")

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
make.title = "{{faker.city}} {{n}}"
make.shelf = "{Arbeit|Garten|Reise}"
make.words = "Nicht vergessen: {{faker.city}} und {{faker.city}}, gleich nach dem langen Winter."
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


KEPT = (
    "select owner, title, shelf, pages, text, picture from notes",
    "select n.title, m.name from marks m join notes n on n.id = m.note",
    "select what from presses",  # what was pressed that must not be
)


@contextmanager
def notebook(
    folder: Path, tasks: str, *, more: str = "", data: str = "", list: str = "/#/notizen", ways: Sequence[str] = ()
) -> Iterator[Kept]:
    """Serve a notebook, in the folder of a project that knows it by its section."""
    settings = SETTINGS.replace("{more}", more).replace("{data}", data).replace("{list}", list)
    with project_of(folder, "notebook", settings, PERSONA + tasks, *ways) as file:
        yield Kept(file, KEPT, ("people", "sessions", "notes", "marks", "presses"))


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
