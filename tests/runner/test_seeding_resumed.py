"""Seedings that are killed at a chosen request and gone on with: the site ends as one that was never cut off."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulator.errors import RecordingError, UsageError
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner.events import ReplayResult
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.seeding.resuming import SeedingResumption, find_seeding, resume_seeding
from simulator.runner.stop import Stop
from tests.runner.bench import Bench, Original
from tests.runner.on_the_bookshop import batch, recorded
from tests.runner.program import KEY
from tests.runner.resuming import Cut, held

pytestmark = [pytest.mark.timeout(900), pytest.mark.promise("a run that was cut off goes on", quick=2)]
SEED = "5"
COUNT = 3
CAST = (
    {"persona": "seller", "tasks": ["register", {"list_books": {"count": 2}}, {"edit_listing": {"field": "price"}}]},
    {"persona": "writer", "tasks": ["register", "login", "message_seller", "logout"]},
)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A seller of two books, who changes the price of one."""
    return recorded(tmp_path_factory, "sold", batch("sold", CAST[:1], 1, 1))


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A seller, and a user who writes to one."""
    return recorded(tmp_path_factory, "pair", batch("pair", CAST, 2, 2))


def killed(
    bench: Bench, source: Path, *, route: str, when: str, nth: int, count: int = COUNT, name: str = "cut"
) -> Cut:
    """Seed by the program, and have the site kill it at a request."""
    made = Cut(bench, bench.folder / f"{name}.db", bench.shop(name))
    command = ["seed", str(source), "--count", str(count), "--seed", SEED, "--concurrency", "2", "--yes"]
    made.strike(command, route=route, when=when, nth=nth, reset=True)
    return made


async def gone_on(cut: Cut, target: str = "last", **more: Any) -> ReplayResult:
    """Go on with a seeding."""
    with Recording.open(cut.db) as recording:
        found = find_seeding(recording, target)
    assert found is not None
    options = SeedingResumption(
        settings=cut.bench.settings,
        site=cut.bench.site(cut.shop),
        db=cut.db,
        batch=found[0],
        run=found[1],
        concurrency=2,
        screenshots="none",
        **more,
    )
    result = await resume_seeding(options, lambda _: None, Stop())
    assert verify(cut.db) == []
    return result


def told(result: ReplayResult) -> list[str]:
    return [run.drift.sentence for run in result.runs if run.drift]


PLACES = [
    ("POST /account/register", "before", 1),
    ("POST /account/register", "after", 2),
    ("POST /books/new", "before", 2),
    ("POST /books/new", "after", 1),
    ("POST /books/new", "after", 4),
    (r"POST /books/\d+/edit", "before", 1),
    (r"POST /books/\d+/edit", "after", 2),
    ("GET /books/new", "before", 3),
]


@pytest.mark.slow
async def test_nothing_is_done_twice_wherever_it_was_killed(bench: Bench, sold: Original) -> None:
    whole = await bench.replay(
        sold.db, "whole", identity="fresh", seed=SEED, fan_out=FanOut(count=COUNT), concurrency=2
    )
    assert whole.result.passed, whole.drifts
    for at, (route, when, nth) in enumerate(PLACES):
        cut = killed(bench, sold.db, route=route, when=when, nth=nth, name=f"cut{at}")
        result = await gone_on(cut)
        assert result.passed, (route, when, nth, told(result))
        assert held(cut.shop) == held(whole.shop), (route, when, nth)
        with Recording.open(cut.db) as recording:
            (seeded,) = recording.batches()
            runs = recording.runs(seeded.id)
        assert (seeded.status, [run.status for run in runs]) == ("passed", ["passed"] * COUNT), (route, when, nth)
        assert sorted(run.number for run in runs) == [1, 2, 3], "a user who goes on is no other run"


async def test_another_canary_is_proven_where_the_first_one_was_cut_off_from_its_proof(
    bench: Bench, sold: Original
) -> None:
    cut = killed(bench, sold.db, route="POST /books/new", when="before", nth=3, count=4)
    with closing(sqlite3.connect(cut.db)) as db, db:
        db.execute("DELETE FROM effect WHERE run_id = (SELECT id FROM run WHERE number = 1)")
    result = await gone_on(cut)
    assert result.passed, told(result)
    with Recording.open(cut.db) as recording:
        runs = recording.runs(recording.batches()[0].id)
        proven = [len(recording.effects(run.id)) > 0 for run in sorted(runs, key=lambda run: run.number)]
    assert (proven, {run.status for run in runs}) == ([False, True, True, True], {"passed"})


async def test_a_write_that_was_cut_off_after_its_effect_stays_one(bench: Bench, sold: Original) -> None:
    cut = killed(bench, sold.db, route="POST /books/new", when="after", nth=2, count=2)
    result = await gone_on(cut)
    assert result.passed, told(result)
    state = {name: part for name, part in cut.shop.state.items() if name != "house"}
    assert len(state) == 2
    for part in state.values():
        titles = [one["title"] for one in part["listing"].values()]
        assert len(titles) == len({*titles}) == 2, titles
    with Recording.open(cut.db) as recording:
        steps = [step for run in recording.runs() for step in recording.steps(run.id)]
    assert "took effect" in [step.flags.get("resume") for step in steps]
    with pytest.raises(RecordingError, match="nothing is left to do in the batch"):
        await gone_on(cut)
    # A batch whose users all came to their end is closed, where it was killed before that was stored.
    with closing(sqlite3.connect(cut.db)) as connection, connection:
        connection.execute("UPDATE batch SET status = 'interrupted'")
    before = held(cut.shop)
    result = await gone_on(cut)
    assert (result.passed, result.runs, held(cut.shop)) == (True, (), before)
    with Recording.open(cut.db) as recording:
        assert [one.status for one in recording.batches()] == ["passed"]


@pytest.mark.slow
async def test_whom_others_of_the_cast_wait_for_is_there_already(bench: Bench, pair: Original) -> None:
    whole = await bench.replay(pair.db, "whole", identity="fresh", seed=SEED, fan_out=FanOut(count=4), concurrency=2)
    assert whole.result.passed, whole.drifts
    for at, (when, nth) in enumerate((("before", 1), ("after", 2))):
        cut = killed(
            bench, pair.db, route="POST /messages/.*|POST /sellers/.*", when=when, nth=nth, count=4, name=f"p{at}"
        )
        result = await gone_on(cut)
        assert result.passed, told(result)
        assert held(cut.shop) == held(whole.shop), (when, nth)


@pytest.mark.slow
async def test_it_may_be_killed_again_while_it_goes_on(bench: Bench, sold: Original) -> None:
    whole = await bench.replay(
        sold.db, "whole", identity="fresh", seed=SEED, fan_out=FanOut(count=COUNT), concurrency=2
    )
    cut = killed(bench, sold.db, route="POST /books/new", when="after", nth=2)
    again = ["runs", "resume", "last", "--concurrency", "2"]
    cut.strike(again, route="POST /books/new", when="before", nth=1)
    cut.strike(again, route=r"POST /books/\d+/edit", when="after", nth=1)
    result = await gone_on(cut)
    assert result.passed, told(result)
    assert held(cut.shop) == held(whole.shop)


async def test_who_cannot_be_told_is_left_out_and_named(bench: Bench, sold: Original) -> None:
    cut = killed(bench, sold.db, route="POST /books/new", when="before", nth=1, count=1)
    with closing(sqlite3.connect(cut.shop.file)) as connection, connection:
        connection.execute("DELETE FROM listing")
        connection.execute("UPDATE user SET password = 'x' WHERE username <> 'house'")
    result = await gone_on(cut)
    assert [run.verdict for run in result.runs] == ["interrupted"]
    assert not result.passed
    assert "cannot log in" in told(result)[0]
    with pytest.raises(UsageError, match="name the run instead of its batch"):
        await gone_on(cut, assumed={6: True})
