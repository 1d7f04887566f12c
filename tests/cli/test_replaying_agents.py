"""``sim offline`` and ``sim continue``: what they print, and their exit codes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from simulator.recording import Recording
from tests.seam import needs_bookshop

COMMITTED = Path(__file__).parents[2] / "recordings" / "bookshop.db"


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[str, str]:
    """A recording to write to, and its first run."""
    db = tmp_path / "runs.db"
    shutil.copyfile(COMMITTED, db)
    with Recording.open(db) as recording:
        return str(db), recording.runs()[0].id


@needs_bookshop
def test_an_offline_replay_is_summed_up(sim, recorded) -> None:
    db, run = recorded
    done = sim("offline", run, "--db", db)
    assert done.code == 0
    assert done.out.startswith("passed: 1 run of ")
    assert "calls as recorded" in done.out
    (told,) = sim("offline", run, "--db", db, "--json").json["runs"]
    assert (told["run_id"], told["difference"]) == (run, None)


def test_what_cannot_be_gone_on_with_is_told(sim, recorded) -> None:
    db, run = recorded
    done = sim("continue", run, "--db", db, "--from", "999")
    assert (done.code, "steps: --from takes 1 (everything anew) to " in done.err) == (2, True), done.err
    done = sim("continue", db, "--from", "2")
    assert (done.code, "'sim continue' goes on with one run, in the recording" in done.err) == (2, True), done.err


@pytest.mark.parametrize(
    ("given", "now"),
    [
        ("replay RUN --plan --json", "plan RUN --json"),
        ("replay --offline RUN --db a.db", "offline RUN --db a.db"),
        ("replay RUN --from 3 --agent claude", "continue RUN --from 3 --agent claude"),
        ("replay RUN --from=3", "continue RUN --from=3"),
        ("replay a.db --reset --update -y", "accept a.db --reset -y"),
        ("runs learn", "prove RUN"),
        ("runs learn last --identity same", "prove last --identity same"),
    ],
)
def test_an_old_spelling_says_what_the_new_one_is(sim, given: str, now: str) -> None:
    told = sim(*given.split())
    assert (told.code, told.out) == (2, "")
    assert told.err.startswith(f"sim: 'sim {' '.join(given.split()[:1])}"), told.err
    assert told.err.endswith(f" now: give 'sim {now}'\n"), told.err
