"""One replay shared out: among machines, among workers with a site each, and with runs whose drifts do not count."""

from __future__ import annotations

import sqlite3
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from simulator.errors import UsageError
from simulator.recording.reader import Recording
from simulator.replay.shards import Shard
from simulator.report.page import html_report
from simulator.runner.replays.quarantine import Quarantine
from simulator.runner.surroundings.workers import worker_sites
from tests.runner.bench import USERS, Bench, Original

pytestmark = pytest.mark.timeout(600)


@pytest.mark.slow
async def test_workers_have_a_site_each_and_leave_what_was_recorded(bench: Bench, original: Original) -> None:
    replayed = await bench.replay(original.db, "again", workers=2, concurrency=4)
    assert replayed.verdicts == ["passed"] * USERS
    assert replayed.result.workers == 2
    assert replayed.result.state_before == replayed.result.state_after is not None
    assert replayed.result.passed
    with Recording.open(replayed.result.db) as recording:
        sites = {run.environment["base_url"] for run in recording.runs()}
    assert len(sites) == 2
    assert not replayed.shop.file.exists(), "the section's own database is left alone"


@pytest.mark.slow
async def test_shards_together_are_the_whole_batch(bench: Bench, original: Original) -> None:
    shop = bench.shop("shared")
    runs: list[str] = []
    for number in (1, 2):
        replayed = await bench.replay(original.db, "shared", shop=shop, shard=Shard(number, 2))
        assert replayed.result.passed
        assert replayed.result.shard == f"{number}/2"
        runs += [run.source_run for run in replayed.result.runs]
    with Recording.open(original.db) as recording:
        assert sorted(runs) == [run.id for run in recording.runs()]
    assert shop.state == original.shop.state


async def test_a_share_of_nothing_is_done_without_a_site(bench: Bench, seller: Original) -> None:
    replayed = await bench.replay(seller.db, "none", shard=Shard(2, 2))
    assert (replayed.verdicts, replayed.result.passed, replayed.result.batch_id) == ([], True, "")
    assert not replayed.shop.file.exists()


@pytest.mark.table
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"identity": "fresh"}, "use --concurrency 2"),
        ({"url": "http://127.0.0.1:1"}, "start 2 copies of 'bookshop'"),
    ],
)
async def test_workers_without_sites_are_refused(
    bench: Bench, seller: Original, more: dict[str, str], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        await bench.replay(seller.db, "again", workers=2, **more)


async def test_workers_of_another_site_have_the_addresses_that_are_given(bench: Bench) -> None:
    site = bench.site(bench.shop("any")).model_copy(update={"bundled": False})
    async with AsyncExitStack() as stack:
        found = worker_sites(site, "http://127.0.0.1:800{worker}", 3, "same", stack)
        assert [one.site.base_url for one in found] == [f"http://127.0.0.1:800{number}" for number in (1, 2, 3)]
        assert {one.database for one in found} == {None}
        kept = site.model_copy(update={"disposable": False})
        with pytest.raises(UsageError, match="is not marked 'disposable = true'"):
            worker_sites(kept, "http://127.0.0.1:800{worker}", 3, "same", stack)


@pytest.mark.slow
async def test_drifts_in_quarantine_are_told_and_do_not_count(bench: Bench, original: Original, tmp_path: Path) -> None:
    """The clerk's first field has another name now; who needs what the clerk makes is excused with it, nobody else."""
    spoilt = tmp_path / "spoilt.db"
    with sqlite3.connect(original.db) as source, sqlite3.connect(spoilt) as copy:
        source.backup(copy)
        copy.execute(
            "UPDATE action SET target = replace(target, '\"Username\"', '\"Another name\"') WHERE step_id IN "
            "(SELECT step.id FROM step JOIN run ON run.id = run_id WHERE persona = 'clerk')"
        )
    source.close()
    copy.close()
    listed = tmp_path / "quarantine.txt"
    listed.write_text("# known\n\nclerk: its form is being rebuilt\nnobody: gone\n")
    replayed = await bench.replay(spoilt, "again", quarantine=Quarantine.read(listed))
    result = replayed.result
    assert result.passed
    assert result.quarantine_unused == ("nobody",)
    drifted = {run.persona for run in result.runs if run.drifted}
    assert "clerk" in drifted
    for run in result.runs:
        if run.drifted:
            assert "its form is being rebuilt" in run.quarantined
    assert any(run.verdict == "passed" for run in result.runs)
    with Recording.open(result.db) as recording:
        assert recording.batch("last").status == "failed", "the recording does not hide it"
        page = html_report(recording, "last")
    assert f"{sum(run.drifted for run in result.runs)} in quarantine drifted" in page
    assert "In quarantine, its drift does not count: " in page
    assert "its form is being rebuilt" in page
    assert not replace(result, runs=tuple(replace(run, quarantined="") for run in result.runs)).passed
