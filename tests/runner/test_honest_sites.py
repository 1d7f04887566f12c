"""On sites that take what they are sent, no page of a whole run refuses anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.bench import Original
from tests.runner.desk import ACCOUNT, LOGIN, Desk
from tests.sites.office import office

pytestmark = pytest.mark.promise("what a site refuses")


def refused(file: Path) -> tuple[int, list[str]]:
    """Count the pages of a recording, and give what they refuse."""
    with Recording.open(file) as recording:
        actions = [one for run in recording.runs() for one in recording.actions(run.id)]
    pages = [one.after for one in actions if one.after]
    return len(pages), [alert for page in pages for alert in page.alerts]


def test_the_office_refuses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    note = [call("fill", selector="Note", value="Good day"), call("click", selector='role=button[name="Keep note"]')]
    with office() as served:
        pages, alerts = refused(Desk(served, tmp_path, capsys).record([*ACCOUNT, *LOGIN, *note]))
    assert pages > 5
    assert alerts == []


@pytest.mark.table
def test_the_bookshop_refuses_nothing(original: Original) -> None:
    pages, alerts = refused(original.db)
    assert pages > 100
    assert alerts == []
