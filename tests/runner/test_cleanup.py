"""What users left on a site: looked for again, and taken back."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.config.site import Snapshot
from simulator.errors import RecordingError
from simulator.recording.journal import CHANGE
from simulator.recording.reader import Recording
from simulator.runner.stop import Stop
from simulator.runner.upkeep.cleanup import CleanupOptions, CleanupResult, clean_up, plan_cleanup
from simulator.runner.upkeep.verify_site import SiteVerified, VerifySiteOptions, verify_site
from tests.runner.bench import CLERK, MATCHER, NOWHERE, SELLER, VISITOR, Bench, Original, settings

pytestmark = pytest.mark.promise("what users left on a site")


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bench, Original]:
    """Users who listed, changed, deleted and paired books, and one who dealt with the others."""
    bench = Bench(tmp_path_factory.mktemp("left"), settings())
    return bench, asyncio.run(bench.record("left", (SELLER, CLERK, MATCHER, VISITOR), count=4, concurrency=4))


def _copy(left: tuple[Bench, Original], folder: Path) -> tuple[Bench, Original]:
    """Give a recording and a shop of a test's own."""
    bench, original = left
    db = folder / "left.db"
    for suffix in ("", "-wal"):
        beside = original.db.with_name(original.db.name + suffix)
        if beside.exists():
            db.with_name(db.name + suffix).write_bytes(beside.read_bytes())
    return Bench(folder, bench.settings), Original(db, original.shop.copy_to(folder / "left.shop.db"), original.result)


async def _verify(bench: Bench, original: Original, target: str = "last", **more: Any) -> SiteVerified:
    site = bench.site(original.shop).model_copy(update=more)
    options = VerifySiteOptions(settings=bench.settings, site=site, db=original.db, target=target)
    return await verify_site(options, Stop())


async def _clean_up(bench: Bench, original: Original, target: str = "last") -> CleanupResult:
    options = CleanupOptions(
        settings=bench.settings, site=bench.site(original.shop), db=original.db, target=target, screenshots="none"
    )
    return await clean_up(options, lambda _: None, Stop())


def _listings(original: Original) -> dict[str, int]:
    state = original.shop.state
    return {run.username: len(state[run.username].get("listing", ())) for run in original.result.runs}


@pytest.mark.table
async def test_a_batch_is_verified_and_cleaned_up(left: tuple[Bench, Original], tmp_path: Path) -> None:
    bench, original = _copy(left, tmp_path)
    assert sum(_listings(original).values()) == 4
    before = await _verify(bench, original)
    assert before.whole, "\n".join(before.lines())
    assert before.visited == (), "no tool keeps a journal"
    assert before.compared == 4
    assert {one.became for one in before.places} == {"shown"}
    assert "{{" not in "".join(one.url + one.found for one in (*before.visited, *before.places))

    cleaned = await _clean_up(bench, original)
    became = [(one.became, one.reason) for one in cleaned.cleaned if one.kind == "book"]
    assert became == [("removed", "")] * 4
    assert set(_listings(original).values()) == {0}
    kept = {one.kind: one.reason for one in cleaned.cleaned if one.became == "left"}
    assert kept.pop(CHANGE) == f"nothing is known that takes back a {CHANGE}"
    assert sorted(kept) == ["this-or-that"], "the page of a book that a message is sent from is not made by it"
    assert all("nothing on" in reason for reason in kept.values()), "a matchup cannot be taken back"
    left_there = sorted(one.kind for one in cleaned.cleaned if one.became == "left")
    assert (len(left_there), left_there.count(CHANGE)) == (5, 4)

    with Recording.open(original.db) as recording:
        batch = recording.batch(cleaned.batch_id)
        assert (batch.kind, batch.status) == ("cleanup", "failed")
        assert {run.kind for run in recording.runs(batch.id)} == {"cleanup"}
        assert sum(run.steps for run in recording.runs(batch.id)) > 10
    with closing(sqlite3.connect(original.db)) as db:
        rows = db.execute("SELECT kind, status FROM v_created ORDER BY kind").fetchall()
    live = [kind for kind, status in rows if status == "live"]
    assert live == [kind for kind in left_there if kind != CHANGE]
    removed = [kind for kind, status in rows if status == "removed"]
    assert removed == ["book"] * 5, "one of them was deleted by its own user"

    again = await _clean_up(bench, original)
    assert sorted(one.kind for one in again.cleaned) == left_there, "'last' is still the batch that made something"
    with pytest.raises(RecordingError, match="made nothing"):
        await _clean_up(bench, original, cleaned.batch_id)


@pytest.mark.table
async def test_what_is_missing_or_altered_is_told(left: tuple[Bench, Original], tmp_path: Path) -> None:
    bench, original = _copy(left, tmp_path)
    seller = original.runs()["seller"]
    with sqlite3.connect(original.shop.file) as db:
        db.execute("UPDATE listing SET pence = pence + 100")
    verified = await _verify(bench, original, seller)
    assert len(verified.differing) == 1
    assert "CONTRADICTED" in "\n".join(verified.lines())
    changed = [one.found for one in verified.places if one.became == "contradicted"]
    assert changed
    assert all("where" in one for one in changed)


@pytest.mark.table
async def test_a_cleanup_asks_before_it_deletes(left: tuple[Bench, Original], tmp_path: Path) -> None:
    bench, original = _copy(left, tmp_path)
    options = CleanupOptions(
        settings=bench.settings, site=bench.site(original.shop), db=original.db, target=original.runs()["clerk"]
    )
    plan = plan_cleanup(options)
    assert (plan.count, len(plan.users)) == (1, 1), "what was deleted by its user is not deleted again"
    assert "delete 1 thing of 1 user" in plan.question()


@pytest.mark.slow
def test_the_commands(
    left: tuple[Bench, Original], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, original = _copy(left, tmp_path)
    given = Path("sim.toml").read_text("utf-8").replace("http://127.0.0.1:8765", NOWHERE)
    (tmp_path / "sim.toml").write_text(given.replace(".sim/bookshop.db", str(original.shop.file)), "utf-8")
    monkeypatch.chdir(tmp_path)
    run = original.runs()["seller"]

    def sim(*arguments: str) -> tuple[int, str]:
        code = main([*arguments, run, "--db", str(original.db)])
        return code, capsys.readouterr().out

    told: list[str] = []

    def refuse(text: str, **_: object) -> None:
        told.append(text)
        sys.exit(1)

    monkeypatch.setattr("typer.confirm", refuse)
    assert sim("cleanup")[0] == 1
    assert told == [f"delete 1 thing of 1 user from the site 'bookshop' at {NOWHERE}?"]
    assert sum(_listings(original).values()) == 4, "who does not say yes deletes nothing"
    code, out = sim("runs", "verify-site")
    assert code == 0
    found = re.search(
        r"^(\d+) of (\d+) places show what was written; the site's state is the one that was kept$", out, re.M
    )
    assert found, out
    assert found[1] == found[2] != "0"
    code, out = sim("cleanup", "--yes", "--json")
    assert (code, [one["became"] for one in json.loads(out)["cleaned"]]) == (0, ["removed"])
    assert sum(_listings(original).values()) == 3
    code, out = sim("runs", "verify-site", "--json")
    assert code == 1, "the site's state is not the one that was kept"


@pytest.mark.slow
async def test_a_snapshot_by_a_command_is_compared(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    told.write_text(json.dumps({"things": 1}))
    command = (sys.executable, "-c", "import pathlib, sys; print(pathlib.Path(sys.argv[1]).read_text())", str(told))
    found = settings()
    shop = found.site("bookshop").model_copy(update={"snapshot": Snapshot(command=command)})
    bench = Bench(tmp_path, found.model_copy(update={"sites": {**found.sites, "bookshop": shop}}))
    original = await bench.record("kept", ({"persona": "guest", "tasks": ["register"]},), count=1, concurrency=1)
    same = await _verify(bench, original)
    assert same.whole, same
    assert same.compared == 2
    told.write_text('{"things":2}')
    other = await _verify(bench, original)
    assert other.differing == ("the site's snapshot is not the one that was kept",)


def test_nothing_to_delete_is_told() -> None:
    assert CleanupResult(batch_id="", cleaned=(), seconds=0).lines() == ["nothing to delete"]
