"""``sim replay --offline`` and ``--from`` on the command line: what they print, and their exit codes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from simulator.recording import Recording

COMMITTED = Path(__file__).parents[2] / "recordings" / "bookshop.db"


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[str, str]:
    """A recording to write to, and its first run."""
    db = tmp_path / "runs.db"
    shutil.copyfile(COMMITTED, db)
    with Recording.open(db) as recording:
        return str(db), recording.runs()[0].id


def test_an_offline_replay_is_summed_up(sim, recorded) -> None:
    db, run = recorded
    done = sim("replay", run, "--offline", "--db", db)
    assert done.code == 0
    assert done.out.startswith("passed: 1 run of ")
    assert "calls as recorded" in done.out
    (told,) = sim("replay", run, "--offline", "--db", db, "--json").json["runs"]
    assert (told["run_id"], told["difference"]) == (run, None)


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--from", "999"], 2, "steps: --from takes 1 (everything anew) to "),
        (["--from", "2", "--source", str(COMMITTED)], 2, "--from goes on with one run, in the recording that holds it"),
        (["--from", "2", "--identity", "fresh"], 2, "--from goes on as the recorded user"),
    ],
)
def test_what_cannot_be_gone_on_with_is_told(sim, recorded, options: list[str], code: int, told: str) -> None:
    db, run = recorded
    done = sim("replay", run, "--db", db, *options)
    assert (done.code, told in done.err) == (code, True), done.err
