"""The committed recording holds what it should and nothing more, and is performed wherever it is checked out.

``recordings/record.sh`` makes it.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from simulator.recording.layout import unpack
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from tests.runner.bench import Bench

pytestmark = pytest.mark.timeout(900)

BOOKSHOP = Path(__file__).parents[2] / "recordings" / "bookshop.db"
DEEDS = {
    "register",
    "list_books",
    "edit_listing",
    "delete_listing",
    "create_matchup",
    "vote",
    "save_listings",
    "browse",
}


@pytest.fixture
def committed(tmp_path: Path) -> Path:
    """A copy, alone in its folder."""
    folder = tmp_path / "committed"
    folder.mkdir()
    return Path(shutil.copyfile(BOOKSHOP, folder / BOOKSHOP.name))


def texts() -> Iterator[tuple[str, str, str]]:
    """Every text of the file, with its table and column, big ones unpacked."""
    with closing(sqlite3.connect(f"file:{BOOKSHOP}?mode=ro&immutable=1", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                for column in row.keys():  # noqa: SIM118
                    value = row[column]
                    if table == "blob" and column == "bytes":
                        value = unpack(row["encoding"], value).decode("latin-1")
                    yield table, column, str(value)


def test_it_is_small_and_whole_and_fit_to_be_committed() -> None:
    assert BOOKSHOP.stat().st_size < 1_000_000
    assert BOOKSHOP.read_bytes()[18:20] == b"\x01\x01", "in journal mode DELETE: no other file belongs to it"
    assert verify(BOOKSHOP) == []
    with Recording.open(BOOKSHOP) as recording:
        runs = recording.runs()
        assert len({run.persona for run in runs}) >= 4
        assert {run.status for run in runs} == {"passed"}
        tasks = {(step.task or "").split()[0] for run in runs for step in recording.steps(run.id)}
        assert tasks >= DEEDS
        assert any(action.choice for run in runs for action in recording.actions(run.id))
        assert any(recording.dependencies(run.id) for run in runs)


def test_it_tells_nothing_of_the_machine_that_made_it() -> None:
    for table, column, text in texts():
        if (table, column) != ("run", "environment"):
            assert not re.search(r"127\.0\.0\.1|localhost|://(?!www\.w3\.org)", text), f"{table}.{column}: {text[:200]}"
        assert not re.search(r"/(?:home|root|tmp|work|usr|Users)/", text), f"{table}.{column}: {text[:200]}"


def test_it_holds_no_secret() -> None:
    key = re.search(r"^export SIM_KEY=(\S+)$", (BOOKSHOP.parent / "record.sh").read_text(), re.MULTILINE)
    assert key
    typed = 0
    with Recording.open(BOOKSHOP) as recording:
        for run in recording.runs():
            for action in recording.actions(run.id):
                if action.target and action.target.secret:
                    typed += 1
                    assert action.value == "{{secret.password}}"
                    assert action.recorded_value is None
    assert typed
    assert not any(key[1] in text for *_, text in texts())


@pytest.mark.table
async def test_the_recorded_users_do_it_again(bench: Bench, committed: Path) -> None:
    before = committed.read_bytes()
    replayed = await bench.replay(committed, "same", concurrency=2)
    assert set(replayed.verdicts) == {"passed"}, [run.drift for run in replayed.result.runs if run.drift]
    assert replayed.result.state_before == replayed.result.state_after is not None
    assert committed.read_bytes() == before
    assert [file.name for file in committed.parent.iterdir()] == [committed.name]


@pytest.mark.table
async def test_fresh_users_do_the_same(bench: Bench, committed: Path) -> None:
    replayed = await bench.replay(committed, "fresh", concurrency=2, identity="fresh", seed="spring")
    assert set(replayed.verdicts) == {"passed"}, [run.drift for run in replayed.result.runs if run.drift]
    with Recording.open(committed) as recording:
        recorded = {str((run.identity or {})["username"]) for run in recording.runs()}
    assert recorded.isdisjoint(replayed.shop.state)
    assert len(replayed.shop.state) == len(recorded) + 1
