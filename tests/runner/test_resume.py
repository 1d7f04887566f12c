"""A run that is killed at any effect is resumed: every effect is on the site once, and it replays as one run."""

from __future__ import annotations

import asyncio

import pytest

from simulator.recording.reader import Recording
from tests.runner.bench import Bench, Original, Shop, settings
from tests.runner.program import KEY
from tests.runner.resuming import TRADER, Cut, cut

pytestmark = pytest.mark.timeout(600)

EFFECTS = {
    "registration": "POST /account/register",
    "listing": "POST /books/new",
    "edit": "POST /books/[0-9]+/edit",
    "save": "POST /books/[0-9]+/save",
    "message": "POST /sellers/[^/]+/message",
    "matchup": "POST /this-or-that/new",
    "vote": "POST /this-or-that/[0-9]+",
    "delete": "POST /books/[0-9]+/delete",
}
slow = pytest.mark.slow


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """The trader, never cut off."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SIM_KEY", KEY)
        bench = Bench(tmp_path_factory.mktemp("whole"), settings())
        return asyncio.run(bench.record("whole", (TRADER,), count=1, concurrency=1))


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("effect", EFFECTS)
async def test_an_effect_that_was_cut_off_is_there_once(bench: Bench, whole: Original, effect: str, when: str) -> None:
    killed = cut(bench, (TRADER,), route=EFFECTS[effect], when=when)
    await goes_on(killed, whole)
    fates = {fate for _, status, fate in killed.flags() if status == "interrupted"}
    assert fates == {"anew" if when == "before" else "took effect"}


def lasting(shop: Shop) -> list[str]:
    """What was changed on the site, in order, without who came and went."""
    return [effect for effect in shop.effects if not effect.startswith("session.")]


async def goes_on(killed: Cut, whole: Original) -> None:
    """Resume a run, and see that it is what it would have been, and replays as one."""
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
    assert lasting(replayed.shop) == lasting(whole.shop)
    assert replayed.shop.whole == whole.shop.whole
    with Recording.open(killed.db) as recording:
        assert recording.batches()[0].status == "passed"
        assert recording.run(before).summary["state"]
