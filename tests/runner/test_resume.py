"""A run that is killed at any effect is resumed: every effect is on the site once, and it replays as one run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.stop import Stop
from tests.runner.bench import Bench, Shop, persona
from tests.runner.program import KEY
from tests.runner.resuming import Cut, cut

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("a run that was cut off goes on", quick=2)]

Tasks = Sequence[str | dict[str, Any]]
EFFECTS: dict[str, tuple[Tasks, str]] = {
    "registration": (["register", "list_books"], "POST /account/register"),
    "listing": (["register", {"list_books": {"count": 2}}], "POST /books/new"),
    "edit": (["register", "list_books", "edit_listing"], "POST /books/[0-9]+/edit"),
    "withdrawal": (["register", "list_books", "delete_listing"], "POST /books/[0-9]+/delete"),
    "save": (["register", "save_listings", "logout"], "POST /books/[0-9]+/save"),
    "message": (["register", "message_seller"], "POST /sellers/[^/]+/message"),
    "vote": (["register", "vote"], "POST /this-or-that/[0-9]+"),
    "matchup": (["register", {"list_books": {"count": 2}}, "create_matchup"], "POST /this-or-that/new"),
}
TIERS = {("message", "after"): (), ("listing", "after"): pytest.mark.table}
"""Those that are more often than slow: of one action, and of one with a file, whose task has a second part."""
MOMENTS = [
    pytest.param(effect, when, marks=TIERS.get((effect, when), pytest.mark.slow))
    for effect in EFFECTS
    for when in ("before", "after")
]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.mark.parametrize(("effect", "when"), MOMENTS)
async def test_an_effect_that_was_cut_off_is_there_once(
    bench: Bench, effect: str, when: Literal["before", "after"]
) -> None:
    tasks, route = EFFECTS[effect]
    trader = {"persona": "trader", "tasks": tasks}
    killed = cut(bench, (trader,), route=route, when=when)
    await goes_on(killed, trader)
    fates = {fate for _, status, fate in killed.flags() if status == "interrupted"}
    assert fates == {"anew" if when == "before" else "took effect"}


@pytest.mark.slow
async def test_the_second_part_of_a_task_goes_on_after_the_first(bench: Bench) -> None:
    tasks, route = EFFECTS["listing"]
    trader = {"persona": "trader", "tasks": tasks}
    killed = cut(bench, (trader,), route=route, when="before", nth=2)
    await goes_on(killed, trader)


@pytest.mark.slow
async def test_a_run_is_cut_off_by_a_limit_and_goes_on(bench: Bench) -> None:
    tasks, _ = EFFECTS["listing"]
    trader = {"persona": "trader", "tasks": tasks, "limits": {"steps": 9}}
    shop = bench.shop("limited")
    options = RunOptions(
        settings=bench.settings, site=bench.site(shop), personas=(persona(trader),), count=1, seed="7",
        db=bench.folder / "limited.db", screenshots="none",
    )  # fmt: skip
    (limited,) = (await run_batch(options, lambda _: None, Stop())).runs
    assert (limited.status, limited.reason) == ("failed", "the persona's limit of 9 steps is used up")
    await goes_on(Cut(bench, options.db, shop), {"persona": "trader", "tasks": tasks})


@pytest.mark.slow
async def test_a_run_is_killed_while_it_only_reads(bench: Bench) -> None:
    tasks, _ = EFFECTS["save"]
    trader = {"persona": "trader", "tasks": tasks}
    killed = cut(bench, (trader,), route="GET /sellers/house", when="after")
    await goes_on(killed, trader)


@pytest.mark.slow
async def test_fresh_users_replay_a_resumed_run_too(bench: Bench) -> None:
    tasks, route = EFFECTS["matchup"]
    killed = cut(bench, ({"persona": "trader", "tasks": tasks},), route=route, when="after")
    await killed.resume()
    replayed = await bench.replay(killed.db, "fresh", identity="fresh", seed="another")
    assert [run.drift and run.drift.sentence for run in replayed.result.runs] == [None]
    assert lasting(replayed.shop) == lasting(killed.shop)
    assert not {*replayed.shop.state} & {*killed.shop.state} - {"house"}


def lasting(shop: Shop) -> list[str]:
    """What was changed on the site, in order, without who came and went."""
    return [effect for effect in shop.effects if not effect.startswith("session.")]


async def goes_on(killed: Cut, trader: dict[str, Any]) -> None:
    """Resume a run, and see that it is what it would have been, and replays as one."""
    whole = await killed.bench.record("whole", (trader,), count=1, concurrency=1)
    before = killed.run()
    result = await killed.resume()
    assert [(run.run_id, run.status, run.reason) for run in result.runs] == [(before, "passed", "")]
    assert [(task.task, task.status) for task in result.runs[0].tasks] == [
        (task.task, task.status) for task in whole.result.runs[0].tasks
    ]
    assert lasting(killed.shop) == lasting(whole.shop)
    assert killed.shop.whole == whole.shop.whole
    replayed = await killed.bench.replay(killed.db, "replayed")
    assert [run.drift and run.drift.sentence for run in replayed.result.runs] == [None]
    assert replayed.result.passed
    assert replayed.shop.whole == whole.shop.whole
    with Recording.open(killed.db) as recording:
        assert recording.batches()[0].status == "passed"
        assert len(recording.runs(recording.batches()[0].id)) == 1
        assert (recording.run(before).summary or {})["state"]
