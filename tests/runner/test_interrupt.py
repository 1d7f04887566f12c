"""Ctrl-C, once and twice, as a terminal sends it: to every process of the group."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from tests.runner.program import (
    NEWCOMER,
    PATIENCE_S,
    SELLER,
    Project,
    effects_on,
    left_after_five_seconds,
    project,
    submitted_in,
    wait_until,
)

pytestmark = pytest.mark.promise("a run that was cut off goes on", quick=2)

ONCE = "finishing the current steps; press Ctrl-C again to stop at once"
TWICE = "stopped at once; what was done until then is recorded"


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Project]:
    with project(tmp_path) as made:
        made.add_persona(SELLER)
        made.add_persona(NEWCOMER)
        yield made


def started(ours: Project, *more: str, steps: int = 8) -> tuple[subprocess.Popen[str], list[psutil.Process]]:
    """Begin a batch, and wait until it is in the middle of its steps; gives its processes, too."""
    batch = ours.start("personas", "run", "seller", "--count", "3", "--seed", "7", *more)
    wait_until(lambda: ours.steps() >= steps, batch)
    return batch, psutil.Process(batch.pid).children(recursive=True)


def runs(ours: Project) -> list[str]:
    with Recording.open(ours.db) as recording:
        batch = recording.batch("last")
        assert batch.status == "interrupted"
        assert batch.ended_at is not None
        return [run.status for run in recording.runs(batch.id)]


@pytest.mark.table
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_once_finishes_the_steps_and_closes_everything(ours: Project, kind: signal.Signals) -> None:
    batch, family = started(ours)
    if kind == signal.SIGINT:
        os.killpg(batch.pid, kind)
    else:
        batch.send_signal(kind)
    out, err = batch.communicate(timeout=PATIENCE_S)
    assert batch.returncode == 130, out + err
    assert err.count(ONCE) == 1
    assert TWICE not in err
    assert "Traceback" not in err
    assert out.startswith("interrupted: 0 of 3 users that had started finished on bookshop at ")
    assert left_after_five_seconds(family) == []
    assert list(ours.tmp.iterdir()) == []
    assert [file.name for file in ours.db.parent.iterdir()] == ["runs.db"]

    assert set(runs(ours)) == {"interrupted"}
    assert ours.steps("pending") == ours.steps("interrupted") == 0
    assert verify(ours.db) == []
    submitted = submitted_in(ours.db)
    assert effects_on(ours.shop) == submitted.done
    assert not submitted.open


@pytest.mark.timeout(600)
def test_twice_stops_at_once_and_loses_nothing(ours: Project) -> None:
    batch, family = started(ours)
    os.killpg(batch.pid, signal.SIGINT)
    assert batch.stderr is not None
    said = ""
    while ONCE not in said:
        line = batch.stderr.readline()
        assert line, said
        said += line
    os.killpg(batch.pid, signal.SIGINT)
    out, err = batch.communicate(timeout=PATIENCE_S)
    assert batch.returncode == 130, out + said + err
    assert TWICE in err
    assert "Traceback" not in err
    assert left_after_five_seconds(family) == []

    assert set(runs(ours)) == {"interrupted"}
    assert ours.steps("pending") == 0
    assert ours.steps("interrupted") >= 1
    assert verify(ours.db) == []
    effects, submitted = effects_on(ours.shop), submitted_in(ours.db)
    assert effects >= submitted.done
    assert not effects - submitted.done - submitted.open


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_users_that_have_yet_to_start_do_not_hold_the_end_up(ours: Project) -> None:
    batch, _ = started(ours, "--ramp", "100000", steps=2)
    os.killpg(batch.pid, signal.SIGINT)
    out, err = batch.communicate(timeout=PATIENCE_S)
    assert batch.returncode == 130, out + err
    assert runs(ours) == ["interrupted", "cancelled", "cancelled"]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_an_interrupted_replay(ours: Project) -> None:
    recorded = ours.sim("personas", "run", "seller", "--count", "2", "--seed", "7", "--db", "source.db")
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    before = (ours.folder / "source.db").read_bytes()
    replay = ours.start("replay", "source.db", "--reset")
    wait_until(lambda: ours.steps() >= 4, replay)
    os.killpg(replay.pid, signal.SIGINT)
    out, err = replay.communicate(timeout=PATIENCE_S)
    assert replay.returncode == 130, out + err
    assert "Traceback" not in err
    assert "interrupted" in runs(ours)
    assert ours.steps("pending") == 0
    assert verify(ours.db) == []
    assert (ours.folder / "source.db").read_bytes() == before
