"""Kill -9 in the middle of a batch: nothing is lost, and nothing is left running."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.runner.program import (
    NEWCOMER,
    Project,
    effects_on,
    kill,
    left_after_five_seconds,
    project,
    submitted_in,
    wait_until,
)

pytestmark = pytest.mark.promise("a run that was cut off goes on", quick=2)

MOMENTS = [0, *(pytest.param(moment, marks=pytest.mark.slow) for moment in range(1, 50))]


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Project]:
    with project(tmp_path) as made:
        yield made


@pytest.mark.table
@pytest.mark.timeout(900)
@pytest.mark.parametrize("moment", MOMENTS)
def test_recording_and_site_agree_after_a_kill_at_any_moment(ours: Project, moment: int) -> None:
    drawn = random.Random(f"moment {moment}")
    steps, more = drawn.randrange(1, 120), drawn.random() / 2
    # Written to a file: a pipe that nobody reads would hold the program up.
    with (ours.folder / "said.txt").open("w") as said:
        batch = ours.start(
            "personas", "run", "--count", "5", "--seed", str(moment), "--exchanges", "all",
            stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
        # Before anything has changed on the site there is nothing to agree about.
        wait_until(lambda: ours.steps() >= steps and bool(effects_on(ours.shop)), batch)
        threading.Event().wait(more)
        family = kill(batch)
    assert batch.returncode == -9, (ours.folder / "said.txt").read_text()
    assert len(family) >= 3, "the bookshop, the driver and the browser were running"
    assert left_after_five_seconds(family) == []

    effects, submitted = effects_on(ours.shop), submitted_in(ours.db)
    assert effects >= submitted.done, f"recorded as done without an effect: {submitted.done - effects}"
    unrecorded = effects - submitted.done - submitted.open
    assert not unrecorded, f"effects without an action: {unrecorded}"
    assert sum(submitted.open.values()) <= 5, "a user does one thing at a time"

    with closing(sqlite3.connect(f"file:{ours.db}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    verified = ours.sim("runs", "verify")
    assert (verified.returncode, verified.stderr) == (0, "")
    before = statuses(ours.db)
    assert before["batch"] == ["interrupted"]
    assert set(before["run"]) <= {"interrupted", "passed"}
    assert "interrupted" in before["run"]
    assert not {"pending", "running"} & {*before["run"], *before["step"], *before["action"]}
    listed = ours.sim("runs", "list")
    assert listed.returncode == 0, listed.stderr
    assert listed.stdout.count("interrupted") == before["run"].count("interrupted")

    ours.add_persona(NEWCOMER)
    after = ours.sim("personas", "run", "newcomer", "--seed", "after the kill")
    assert after.returncode == 0, after.stdout + after.stderr
    with Recording.open(ours.db) as recording:
        assert [batch.status for batch in recording.batches()] == ["interrupted", "passed"]
    assert statuses(ours.db, batch=0) == before
    assert ours.sim("runs", "verify").returncode == 0
    assert list((ours.folder / "tmp").iterdir()) == [], "the run after the kill removes what the killed one left"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_without_a_kill_they_agree_to_the_last_action(ours: Project) -> None:
    done = ours.sim("personas", "run", "--count", "3", "--seed", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    effects, submitted = effects_on(ours.shop), submitted_in(ours.db)
    assert effects == submitted.done
    assert not submitted.open
    assert {route for _, route in effects} >= {"post /account/register", "post /books/new"}


def statuses(path: Path, batch: int = -1) -> dict[str, list[str]]:
    """Give how a batch, its runs, their steps and their actions read, in order."""
    found: dict[str, list[str]] = {"batch": [], "run": [], "step": [], "action": []}
    with Recording.open(path) as recording:
        row = recording.batches()[batch]
        found["batch"].append(row.status)
        for run in recording.runs(row.id):
            found["run"].append(run.status)
            for step in recording.steps(run.id):
                found["step"].append(step.status)
                found["action"] += [action.status for action in recording.actions(step.id)]
    return found
