"""A recording performed by the users who were recorded, on a bookshop that was reset: the same end, every time."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from simulator.bindings import Bindings
from simulator.errors import RecordingError
from simulator.recording.dependencies import closure
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.replay.left.made import made_things
from tests.runner.bench import CLERK, MATCHER, SELLER, USERS, VISITOR, Bench, Original

pytestmark = [pytest.mark.timeout(1500), pytest.mark.promise("the same users again, and others")]


@pytest.mark.parametrize("concurrency", [pytest.param(1, marks=pytest.mark.slow), 4])
async def test_a_replayed_batch_leaves_the_site_as_the_original_did(
    bench: Bench, original: Original, concurrency: int
) -> None:
    replayed = await bench.replay(original.db, "again", concurrency=concurrency)
    assert replayed.verdicts == ["passed"] * USERS, replayed.drifts
    assert replayed.shop.whole == original.shop.whole
    assert replayed.result.passed
    assert replayed.result.state_before == replayed.result.state_after is not None


@pytest.mark.table
async def test_one_seed_makes_one_site_at_any_concurrency(bench: Bench, original: Original) -> None:
    again = await bench.record("again", (SELLER, CLERK, MATCHER, VISITOR), count=USERS, concurrency=1)
    assert again.shop.whole == original.shop.whole


@pytest.mark.slow
async def test_a_single_run_brings_those_that_it_depends_on(bench: Bench, original: Original) -> None:
    run_id = original.runs()["visitor"]
    replayed = await bench.replay(original.db, "one", target=run_id)
    assert set(replayed.verdicts) == {"passed"}
    with Recording.open(original.db) as recording:
        assert [run.source_run for run in replayed.result.runs] == closure(recording, [run_id])
    assert 1 < len(replayed.result.runs) < USERS, "the visitor depends on some of the others, not on all"
    users = {run.username for run in replayed.result.runs} | {"house"}
    assert replayed.shop.state == {name: part for name, part in original.shop.state.items() if name in users}


@pytest.mark.table
async def test_the_source_and_its_folder_stay_as_they_are(bench: Bench, seller: Original, tmp_path: Path) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    source = folder / "seller.db"
    shutil.copyfile(seller.db, source)
    with Recording.open(source):
        pass
    before = (source.read_bytes(), source.stat().st_mtime_ns, source.stat().st_ino)
    folder.chmod(0o555)
    replayed = await bench.replay(source, "again")
    assert replayed.verdicts == ["passed"]
    assert (source.read_bytes(), source.stat().st_mtime_ns, source.stat().st_ino) == before
    assert [file.name for file in folder.iterdir()] == ["seller.db"]


@pytest.mark.table
async def test_a_replay_is_recorded_itself(bench: Bench, seller: Original) -> None:
    replayed = await bench.replay(seller.db, "again")
    db = replayed.result.db
    assert verify(db) == []
    with Recording.open(seller.db) as source, Recording.open(db) as recording:
        (run,) = recording.runs()
        (recorded,) = source.runs()
        assert (run.kind, run.source_run, run.status, run.verdict) == ("replay", recorded.id, "passed", "passed")
        batch = recording.batch("last")
        assert (batch.kind, batch.source_batch, batch.source_path) == ("replay", recorded.batch_id, seller.db.name)
        done = [(action.kind, action.value, action.after and action.after.url) for action in recording.actions(run.id)]
        acted = [
            (action.kind, action.value, action.after and action.after.url) for action in source.actions(recorded.id)
        ]
        assert [one[:2] for one in done] == [one[:2] for one in acted]
        assert {url for *_, url in done if url} == {url for *_, url in acted if url}
        again, first = (
            made_things(one, run_id, Bindings({})) for one, run_id in ((recording, run.id), (source, recorded.id))
        )
        assert [(made.kind, made.url) for made in again] == [(made.kind, made.url) for made in first] != []
        with pytest.raises(RecordingError, match=f"itself a replay; name its source, {recorded.id}"):
            await bench.replay(db, "third", target=run.id)
        generated = {one.name: one.value for one in recording.variables(run.id) if one.kind == "site"}
        assert generated == {one.name: one.value for one in source.variables(recorded.id) if one.kind == "site"}


@pytest.mark.table
async def test_minted_ids_are_bound_again(bench: Bench, seller: Original) -> None:
    """Another user's listing came first, so that every number on the site is another one than in the recording."""
    full = bench.shop("full")
    stranger = await bench.replay(seller.db, "stranger", shop=full, identity="fresh", seed="stranger")
    assert stranger.verdicts == ["passed"], [run.drift for run in stranger.result.runs]
    before = full.state
    replayed = await bench.replay(seller.db, "again", shop=full)
    assert replayed.verdicts == ["passed"]
    (username,) = (run.username for run in replayed.result.runs)
    assert full.state == before | {username: seller.shop.state[username]}
    with Recording.open(seller.db) as source, Recording.open(replayed.result.db) as recording:
        (then,) = (one.value for one in source.variables(source.run("last").id) if one.name == "site.books_1")
        (now,) = (one.value for one in recording.variables(recording.run("last").id) if one.name == "site.books_1")
    assert int(now or 0) == int(then or 0) + 1


async def _state_hashes(bench: Bench, original: Original, times: int) -> set[str]:
    shop, hashes = bench.shop("again"), set()
    for _ in range(times):
        replayed = await bench.replay(original.db, "again", shop=shop, reset=True)
        assert set(replayed.verdicts) == {"passed"}
        hashes.add(hashlib.sha256(shop.whole.encode()).hexdigest())
    return hashes


@pytest.mark.table
async def test_five_replays_give_one_state(bench: Bench, seller: Original) -> None:
    assert await _state_hashes(bench, seller, 5) == {_hash(seller)}


@pytest.mark.slow
async def test_a_hundred_replays_give_one_state(bench: Bench, seller: Original) -> None:
    assert await _state_hashes(bench, seller, 100) == {_hash(seller)}


def _hash(original: Original) -> str:
    return hashlib.sha256(original.shop.whole.encode()).hexdigest()


@pytest.mark.slow
async def test_twenty_users(bench: Bench) -> None:
    """The starter personas, at concurrency 8 and 1, and their replay at 4 and 1."""
    from simulator.persona import load_personas

    personas = [one.model_dump(mode="json", exclude_unset=True) for one in load_personas(Path("personas")).values()]
    first = await bench.record("eight", personas, count=20, concurrency=8)
    second = await bench.record("one", personas, count=20, concurrency=1)
    assert second.shop.whole == first.shop.whole
    for concurrency in (1, 4):
        replayed = await bench.replay(first.db, f"at-{concurrency}", concurrency=concurrency)
        assert set(replayed.verdicts) == {"passed"}
        assert replayed.shop.whole == first.shop.whole
