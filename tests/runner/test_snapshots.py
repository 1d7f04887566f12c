"""Where a step fails, the page is kept as a tree: by a model's run, and by a replay that drifts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.recording import Recording
from simulator.recording.upkeep.verify import verify
from tests.fakes.messages_api import call
from tests.runner.desk import ACCOUNT, Desk
from tests.sites.office import office


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Desk]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of snapshots")
    with office() as served:
        yield Desk(served, tmp_path, capsys)


def failures(path: Path) -> list[tuple[str, str, str]]:
    """The tool of each step that failed, the address of its page, and that page as a tree."""
    with Recording.open(path) as recording:
        recording.connection.execute("PRAGMA trusted_schema = ON")
        rows = recording.connection.execute("SELECT tool, page, snapshot FROM v_failures").fetchall()
        return [(row["tool"], row["page"], recording.blobs.read(row["snapshot"]).decode()) for row in rows]


@pytest.mark.table
def test_the_page_that_a_step_failed_on_is_kept_as_a_tree(desk: Desk) -> None:
    desk.record([*ACCOUNT, call("navigate", url="/register"), call("click", selector="No such thing")])
    ((tool, page, tree),) = failures(desk.folder / "a.db")
    assert (tool, page) == ("click", "/register")
    assert re.search(r'button "Create account"', tree), tree
    assert "ref=" not in tree
    with Recording.open(desk.folder / "a.db") as recording:
        kept = recording.connection.execute("SELECT count(*) FROM page WHERE snapshot IS NOT NULL").fetchone()[0]
    assert kept == 1, "of failures alone"
    assert verify(desk.folder / "a.db") == []

    assert desk.replay("a.db")["verdict"] == "data_collision"
    ((tool, _, tree),) = failures(desk.folder / "b.db")
    assert tool == "click"
    assert "Create account" in tree
    assert verify(desk.folder / "b.db") == []
