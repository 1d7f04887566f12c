"""What surrounds the program goes wrong: one sentence and the right exit code, and the recording stays whole."""

from __future__ import annotations

import http.server
import os
import resource
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.upkeep.verify import verify
from tests.fakes.server import served
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


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Project]:
    with project(tmp_path) as made:
        made.add_persona(NEWCOMER)
        yield made


@pytest.fixture
def somewhere() -> Iterator[str]:
    """The address of a site without anything, that is not this program's."""
    handler = type("Quiet", (http.server.BaseHTTPRequestHandler,), {"log_message": lambda *_: None})
    with served(handler) as url:
        yield url


def refusal(process: subprocess.CompletedProcess[str], code: int) -> str:
    """Give the one sentence with which a command was refused."""
    assert process.returncode == code, process.stdout + process.stderr
    assert process.stdout == ""
    (sentence,) = process.stderr.splitlines()
    assert sentence.startswith("sim: ")
    return sentence


# -- wrong files and options


@pytest.mark.table
def test_a_persona_file_with_a_mistake(ours: Project) -> None:
    ours.add_persona(NEWCOMER.replace("newcomer", "hasty") + "weihgt: 3\n")
    sentence = refusal(ours.sim("personas", "run"), 2)
    assert "personas/hasty.yaml:6:1" in sentence
    assert "did you mean 'weight'?" in sentence
    (ours.folder / "personas" / "hasty.yaml").write_text("persona: [hasty\nabout: x\n", "utf-8")
    assert "personas/hasty.yaml:2" in refusal(ours.sim("personas", "run"), 2)
    assert not ours.db.exists()


@pytest.mark.table
def test_an_unknown_persona(ours: Project) -> None:
    assert "newcomer" in refusal(ours.sim("personas", "run", "newcommer"), 2)


def test_checking_a_persona_file_that_is_missing(ours: Project) -> None:
    process = ours.sim("personas", "check", "gone.yaml")
    assert (process.returncode, process.stderr) == (2, "")
    assert process.stdout == "persona 'gone': gone.yaml:1:1: there is no such file\n"


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--count", "-1"),
        ("--count", "2.5"),
        ("--concurrency", "0"),
        ("--ramp", "-1"),
        ("--limit-minutes", "0"),
        ("--screenshots", "some"),
    ],
)
def test_a_wrong_value(ours: Project, option: str, value: str) -> None:
    process = ours.sim("personas", "run", option, value)
    assert (process.returncode, process.stdout) == (2, "")
    assert f"'{option}'" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.slow
def test_an_empty_seed_is_refused_and_any_other_text_is_one(ours: Project) -> None:
    shown = [ours.sim("personas", "preview", "newcomer", "--json", "--seed", seed).stdout for seed in ("a b", "ü", "7")]
    assert len(set(shown)) == 3


def test_a_site_that_is_down(ours: Project) -> None:
    with (ours.folder / "sim.toml").open("a") as file:
        file.write('\n[site.mine]\nbase_url = "http://127.0.0.1:1"\n')
    sentence = refusal(ours.sim("personas", "run", "--site", "mine"), 3)
    assert "nothing answers at http://127.0.0.1:1" in sentence


@pytest.mark.slow
def test_no_browser_and_a_wrong_one(ours: Project) -> None:
    empty = ours.folder / "empty"
    empty.mkdir()
    nowhere = {"PATH": str(empty), "HOME": str(empty), "SIM_BROWSER": "", "PLAYWRIGHT_BROWSERS_PATH": ""}
    assert "no browser was found; install one with" in refusal(ours.sim("personas", "run", **nowhere), 3)
    wrong = refusal(ours.sim("personas", "run", SIM_BROWSER="/nowhere/chromium"), 3)
    assert "SIM_BROWSER names '/nowhere/chromium'" in wrong
    broken = refusal(ours.sim("personas", "run", SIM_BROWSER="/bin/false"), 3)
    assert "/bin/false does not start" in broken


@pytest.mark.table
def test_a_key_that_is_too_short(ours: Project) -> None:
    assert "SIM_KEY has 3 characters" in refusal(ours.sim("personas", "run", SIM_KEY="key"), 3)


@pytest.mark.slow
def test_the_port_of_the_bookshop_is_taken(ours: Project) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        sentence = refusal(ours.sim("demo", "serve", "--port", port, "--db", "shop.db"), 3)
    assert f"127.0.0.1:{port}" in sentence
    assert "choose another port" in sentence


@pytest.mark.parametrize("disposable", [False, True])
@pytest.mark.slow
def test_reset_of_a_site_that_cannot_be_reset(ours: Project, somewhere: str, disposable: bool) -> None:
    recorded = ours.sim("personas", "run", "newcomer", "--seed", "7")
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    text = f'[site.bookshop]\nbase_url = "{somewhere}"\ndisposable = {str(disposable).lower()}\n'
    (ours.folder / "sim.toml").write_text(text, "utf-8")
    sentence = refusal(ours.sim("replay", "last", "--reset"), 2)
    assert ("cannot be reset from here" if disposable else "is not marked 'disposable = true'") in sentence


# -- recordings


@pytest.mark.slow
def test_replaying_what_is_not_there(ours: Project) -> None:
    Recorder.open(ours.folder / "empty.db").close()
    assert "holds no recorded run" in refusal(ours.sim("replay", "empty.db"), 2)
    for target in ("last", "00000000"):
        refusal(ours.sim("replay", target), 2)
    ours.db.parent.mkdir()
    (ours.folder / "empty.db").rename(ours.db)
    assert "deadbeef" in refusal(ours.sim("replay", "deadbeef"), 2)


@pytest.mark.table
def test_a_recording_from_the_future(ours: Project) -> None:
    Recorder.open(ours.db).close()
    with closing(sqlite3.connect(ours.db)) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('simulator.recording', 'm999_dreams', 'later')"
        )
    before = ours.db.read_bytes()
    for command in (("personas", "run"), ("replay", "last"), ("runs", "list")):
        assert "made by a newer simulator (its schema has m999_dreams)" in refusal(ours.sim(*command), 2)
    assert ours.db.read_bytes() == before


@pytest.mark.table
def test_no_database(ours: Project) -> None:
    ours.db.parent.mkdir()
    ours.db.write_text("these are notes, and no database at all; " * 40, "utf-8")
    for command in (("personas", "run"), ("replay", "last")):
        assert "is not a recording" in refusal(ours.sim(*command), 2)


@pytest.mark.slow
def test_a_file_in_the_way_of_the_folder(ours: Project) -> None:
    (ours.folder / "recordings").write_text("not a folder", "utf-8")
    assert "check the path and its permissions" in refusal(ours.sim("personas", "run"), 2)
    (ours.folder / ".sim").write_text("not a folder", "utf-8")
    sentence = refusal(ours.sim("personas", "run", "--db", "other.db"), 2)
    assert ".sim" in sentence


@pytest.mark.slow
def test_a_database_that_another_process_has_locked(ours: Project) -> None:
    Recorder.open(ours.db).close()
    with closing(sqlite3.connect(ours.db, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        sentence = refusal(ours.sim("personas", "run"), 2)
    assert "is locked by another program" in sentence


@pytest.mark.table
@pytest.mark.timeout(600)
def test_a_disk_that_fills_up_in_the_middle(ours: Project) -> None:
    ours.add_persona(SELLER)
    log = ours.db.with_name("runs.db-wal")
    full = ours.start("personas", "run", "seller", "--seed", "7")
    wait_until(lambda: ours.steps("done") >= 2, full)
    # Of this one process, now: the browser and the shop write files, too, shared memory among them.
    limit = log.stat().st_size + 10_000
    resource.prlimit(full.pid, resource.RLIMIT_FSIZE, (limit, limit))
    out, err = full.communicate(timeout=PATIENCE_S)
    assert full.returncode == 3, out + err
    assert "Traceback" not in err
    assert "recordings/runs.db cannot grow: the disk is full or a size limit is reached" in err.splitlines()[-1]
    with closing(sqlite3.connect(f"file:{ours.db}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert verify(ours.db) == []
    with Recording.open(ours.db) as recording:
        (batch,) = recording.batches()
        (run,) = recording.runs(batch.id)
        assert (batch.status, run.status) == ("interrupted", "interrupted")
        assert [step.tool for step in recording.steps(run.id)][:1] == ["register"]
    effects, submitted = effects_on(ours.shop), submitted_in(ours.db)
    assert effects >= submitted.done
    assert not effects - submitted.done - submitted.open
    after = ours.sim("personas", "run", "newcomer", "--seed", "8")
    assert after.returncode == 0, after.stdout + after.stderr


# -- the browser


def main_process_of_the_browser(program: int) -> psutil.Process:
    """Find the browser among a program's processes: the one that its helpers are children of."""
    family = psutil.Process(program).children(recursive=True)
    helpers = [one for one in family if any(word.startswith("--type=zygote") for word in one.cmdline())]
    return helpers[0].parent() or helpers[0]


@pytest.mark.table
@pytest.mark.timeout(600)
@pytest.mark.parametrize("driver", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["browser", "driver"])
def test_a_browser_that_dies_takes_its_own_users_with_it_and_no_others(ours: Project, driver: bool) -> None:
    ours.add_persona(SELLER)
    batch = ours.start("personas", "run", "seller", "--count", "4", "--concurrency", "2", "--seed", "7")
    wait_until(lambda: ours.steps("done") >= 3, batch)
    family = psutil.Process(batch.pid).children(recursive=True)
    browser = main_process_of_the_browser(batch.pid)
    dying = next(one for one in browser.parents() if "run-driver" in one.cmdline()) if driver else browser
    dying.kill()
    out, err = batch.communicate(timeout=PATIENCE_S)
    assert batch.returncode == 1, out + err
    assert "Traceback" not in err
    assert ("driver of the browser has died" in err, "never retrieved" in err) == (driver, False)
    assert out.startswith("failed: 2 of 4 users ")
    assert left_after_five_seconds(family) == []
    assert verify(ours.db) == []
    with Recording.open(ours.db) as recording:
        runs = recording.runs(recording.batch("last").id)
        assert [run.status for run in runs] == ["failed", "failed", "passed", "passed"]
        assert [run.verdict for run in runs[:2]] == ["environment", "environment"]
        assert all("browser died" in (run.reason or "") for run in runs[:2])
        statuses = {step.status for run in runs for step in recording.steps(run.id)}
    assert statuses == {"done", "failed"}
    effects, submitted = effects_on(ours.shop), submitted_in(ours.db)
    assert effects >= submitted.done
    assert not effects - submitted.done - submitted.open


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_a_browser_that_dies_in_a_replay(ours: Project) -> None:
    ours.add_persona(SELLER)
    recorded = ours.sim("personas", "run", "seller", "--count", "2", "--seed", "7", "--db", "source.db")
    assert recorded.returncode == 0, recorded.stdout + recorded.stderr
    replay = ours.start("replay", "source.db", "--reset", "--concurrency", "1")
    wait_until(lambda: ours.steps("done") >= 2, replay)
    main_process_of_the_browser(replay.pid).kill()
    out, err = replay.communicate(timeout=PATIENCE_S)
    assert replay.returncode == 1, out + err
    assert "Traceback" not in err
    with Recording.open(ours.db) as recording:
        runs = recording.runs(recording.batch("last").id)
        assert [run.verdict for run in runs] == ["environment", "passed"], [run.reason for run in runs]
    assert verify(ours.db) == []
    assert os.listdir(ours.tmp) == []
