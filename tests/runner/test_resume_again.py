"""Resuming more than once, users who never began, and the limits of a batch that is resumed."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.recording.reader import Recording
from simulator.runner.interrupted.resume_choice import choose
from simulator.runner.spending import Limits
from tests.runner.bench import Bench
from tests.runner.program import KEY
from tests.runner.resuming import cut

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("a run that was cut off goes on", quick=2)]

SELLER: dict[str, Any] = {"persona": "seller", "tasks": ["register", {"list_books": {"count": 2}}]}
SELL = "POST /books/new"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.mark.slow
async def test_a_resumption_is_killed_too_and_goes_on(bench: Bench) -> None:
    whole = await bench.record("whole", (SELLER,), count=1, concurrency=1)
    killed = cut(bench, (SELLER,), route=SELL, when="after")
    killed.strike(["runs", "resume", "last"], route="POST /account/login", when="after")
    killed.strike(["runs", "resume", "last"], route="GET /my/books", when="before")
    killed.strike(["runs", "resume", "last"], route=SELL, when="after")
    (run,) = (await killed.resume()).runs
    assert (run.status, run.reason) == ("passed", "")
    assert killed.shop.whole == whole.shop.whole
    assert killed.shop.effects.count("listing.created") == 2
    replayed = await bench.replay(killed.db, "replayed")
    assert [run.drift and run.drift.sentence for run in replayed.result.runs] == [None]
    assert replayed.shop.whole == whole.shop.whole


@pytest.mark.slow
async def test_who_never_began_begins(bench: Bench) -> None:
    whole = await bench.record("whole", (SELLER,), count=3, concurrency=1)
    killed = cut(bench, (SELLER,), route=SELL, when="before", count=3, more=["--concurrency", "1"])
    with Recording.open(killed.db) as recording:
        assert [run.number for run in recording.runs()] == [1]
    result = await killed.resume(concurrency=1)
    assert [(run.number, run.status, run.reason) for run in result.runs] == [(n, "passed", "") for n in (1, 2, 3)]
    assert killed.shop.whole == whole.shop.whole
    replayed = await bench.replay(killed.db, "replayed")
    assert replayed.result.passed
    assert replayed.shop.whole == whole.shop.whole


@pytest.mark.slow
async def test_limits_of_the_batch_hold_and_count_anew(bench: Bench) -> None:
    killed = cut(bench, (SELLER,), route=SELL, when="before", more=["--limit-steps", "30", "--freeze-clock"])
    with Recording.open(killed.db) as recording:
        assert choose(recording, "last").freeze_clock
        done = len(recording.steps(recording.run("last").id))
        assert recording.batches()[0].settings["limits"] == {"steps": 30}
    stopped = await killed.resume(limits=Limits(steps=2))
    assert stopped.interrupted
    assert [(run.status, run.reason) for run in stopped.runs] == [
        ("interrupted", "the batch's limit of 2 steps is used up")
    ]
    with Recording.open(killed.db) as recording:
        steps = recording.steps(recording.run("last").id)
    own = [step for step in steps[done:] if "resume" not in step.flags]
    assert len(own) == 2, "what it had done before counts nothing"
    assert (await killed.resume()).runs[0].status == "passed"
    assert killed.shop.effects.count("listing.created") == 2
