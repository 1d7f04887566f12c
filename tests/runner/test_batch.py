"""A whole batch: what it says it made is what the site holds, and its options do what they say."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from simulator.config import load_settings
from simulator.demo.state import state_json
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner import events
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.stop import Stop
from tests.runner.program import NEWCOMER, Project, project
from tests.sites import tracking_bookshop as tracking

pytestmark = pytest.mark.promise("what a batch is, and what it spends")


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Project]:
    with project(tmp_path) as made:
        made.add_persona(NEWCOMER)
        monkeypatch.setenv("SIM_KEY", made.env["SIM_KEY"])
        yield made


def options(ours: Project, persona: str, **more: Any) -> RunOptions:
    settings = load_settings(ours.folder / "sim.toml")
    chosen = load_personas(ours.folder / "personas")[persona]
    given = {"settings": settings, "site": settings.site(), "personas": (chosen,), "seed": "7", "db": ours.db}
    return RunOptions(**(given | more))


@pytest.mark.timeout(900)
@pytest.mark.slow
def test_the_summary_says_what_the_site_holds(ours: Project) -> None:
    starters = Path(__file__).parents[2] / "personas"
    batch = ours.sim("personas", "run", "--count", "4", "--seed", "3", "--json", "--personas", starters)
    assert batch.returncode == 0, batch.stdout + batch.stderr
    result = json.loads(batch.stdout)
    state = json.loads(state_json(ours.shop))
    held = [part for owner, part in state.items() if owner in {run["username"] for run in result["runs"]}]
    assert len(held) == result["made"]["users"] == 4
    for kind, title in (("listing", "listings"), ("vote", "votes"), ("message", "messages"), ("save", "saves")):
        assert result["made"][title] == sum(len(part.get(kind, ())) for part in held)
    covers = [listing["cover"] for part in held for listing in part.get("listing", {}).values()]
    assert result["made"]["covers"] == len([cover for cover in covers if cover]) > 0
    with Recording.open(ours.db) as recording:
        runs = recording.runs(result["batch_id"])
        assert [run.steps for run in runs] == [run["steps"] for run in result["runs"]]
    with closing(sqlite3.connect(ours.db)) as db:
        rows = db.execute("SELECT run, kind, status FROM v_created").fetchall()
        counted = dict(db.execute("SELECT run, made FROM v_runs").fetchall())
    assert sum(kind == "book" for _, kind, _ in rows) >= result["made"]["listings"]
    assert counted == {run.id: sum(made == run.id for made, *_ in rows) for run in runs}
    assert verify(ours.db) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_no_more_users_at_once_than_asked_for(ours: Project) -> None:
    told: list[events.Event] = []
    result = await run_batch(options(ours, "newcomer", count=5, concurrency=2), told.append, Stop())
    assert [run.status for run in result.runs] == ["passed"] * 5
    change = {events.RunStarted: 1, events.RunEnded: -1}
    acting = list(accumulate(change.get(type(event), 0) for event in told))
    assert max(acting) == 2
    assert acting[-1] == 0
    (started,) = (event for event in told if isinstance(event, events.BatchStarted))
    assert (started.total, started.concurrency) == (5, 2)
    assert isinstance(told[-1], events.BatchEnded)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_ramp_spreads_the_starts(ours: Project) -> None:
    result = await run_batch(options(ours, "newcomer", count=3, ramp_s=1.5), lambda event: None, Stop())
    assert [run.status for run in result.runs] == ["passed"] * 3
    with Recording.open(ours.db) as recording:
        begun = [run.started_ns for run in recording.runs(result.batch_id)]
    assert begun == sorted(begun)
    assert begun[1] - begun[0] >= 0.4e9
    assert begun[2] - begun[0] >= 0.9e9


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_a_limit_in_minutes_ends_the_batch_in_order(ours: Project) -> None:
    batch = ours.sim(
        "personas", "run", "newcomer", "--count", "3", "--ramp", "100000", "--limit-minutes", "0.01", "--json"
    )
    assert batch.returncode == 130, batch.stdout + batch.stderr
    result = json.loads(batch.stdout)
    assert result["interrupted"] is True
    assert [run["status"] for run in result["runs"]] == ["interrupted"]
    with Recording.open(ours.db) as recording:
        (row,) = recording.batches()
        assert row.status == "interrupted"
        run, *others = recording.runs(row.id)
        assert [one.status for one in (run, *others)] == ["interrupted", "cancelled", "cancelled"]
        assert {step.status for step in recording.steps(run.id)} <= {"done", "failed"}


@pytest.mark.timeout(600)
@pytest.mark.slow
async def test_a_picture_of_every_step(ours: Project) -> None:
    result = await run_batch(options(ours, "newcomer", count=1, screenshots="all"), lambda event: None, Stop())
    with Recording.open(ours.db) as recording:
        steps = recording.steps(result.runs[0].run_id)
        assert steps
        for step in steps:
            sha256 = step.metadata["screenshot"]
            assert recording.blobs.read(sha256).startswith(b"\x89PNG")
            assert recording.blobs.media_type(sha256) == "image/png"
    assert verify(ours.db) == []
    without = await run_batch(options(ours, "newcomer", count=1, screenshots="none"), lambda event: None, Stop())
    with Recording.open(ours.db) as recording:
        assert all("screenshot" not in step.metadata for step in recording.steps(without.runs[0].run_id))


@contextmanager
def tracking_bookshop(database: Path) -> Iterator[str]:
    """Serve a bookshop that the program did not start; gives its address."""
    process = subprocess.Popen(
        [sys.executable, tracking.__file__, "--port", "0", "--db", database], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.communicate()


@pytest.mark.timeout(600)
@pytest.mark.slow
def test_another_address_and_what_its_pages_ask_of_other_hosts(ours: Project) -> None:
    with tracking_bookshop(ours.folder / "other.db") as url:
        batch = ours.sim("personas", "run", "newcomer", "--base-url", url, "--json")
        assert batch.returncode == 0, batch.stdout + batch.stderr
        result = json.loads(batch.stdout)
        assert result["base_url"] == url
        assert set(result["blocked"]) == set(tracking.ELSEWHERE)
        assert result["made"] == {}
        text = ours.sim("personas", "run", "newcomer", "--base-url", url)
        assert " requests to other hosts, such as http://" in text.stdout
    assert not ours.shop.exists()
    with closing(sqlite3.connect(ours.folder / "other.db")) as connection:
        names = {name for (name,) in connection.execute("SELECT username FROM user")}
    assert {run["username"] for run in result["runs"]} < names
    with Recording.open(ours.db) as recording:
        (run, *_) = recording.runs()
        assert run.environment["base_url"] == url
        everything = [repr(step) for step in recording.steps(run.id)]
        everything += [repr(action) for action in recording.actions(run.id)]
    assert not [text for text in everything if url.removeprefix("http://") in text], "an address in a recording"


async def test_a_secret_that_a_persona_names_is_stored_nowhere(ours: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN", "Rosebud-91-lake")
    toml = ours.folder / "sim.toml"
    text = toml.read_text("utf-8")
    toml.write_text(text.replace("base_url =", 'secrets = { admin = { env = "ADMIN" } }\nbase_url =', 1), "utf-8")
    ours.add_persona(NEWCOMER.replace("who opens", "who knows Rosebud-91-lake and opens"))
    stop = Stop()
    stop.request()
    result = await run_batch(options(ours, "newcomer", count=2), lambda event: None, stop)
    assert result.cancelled == 2
    with Recording.open(ours.db) as recording:
        kept = [recording.batch(result.batch_id).settings, *(run.environment for run in recording.runs())]
    assert len(kept) == 3, "the users who never began are there, too"
    assert "Rosebud" not in json.dumps(kept)
    assert "Somebody who knows" in json.dumps(kept)
