"""What keeps a run from being resumed, in sentences; and what a person may say of a step."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from simulator.demo.state import reset
from simulator.errors import KeyMissing, RecordingError, SimulatorError, SiteUnreachable
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.runner.events import BatchResult
from simulator.runner.interrupted.resume import ResumeOptions, resume
from simulator.runner.stop import Stop
from tests.ports import port_of_nobody
from tests.runner.bench import Bench, Original
from tests.runner.program import KEY
from tests.runner.resuming import Cut, cut

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("a run that was cut off goes on", quick=2)]

WRITER = {"persona": "writer", "tasks": ["register", "message_seller"]}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Cut:
    """A writer who was killed before the message was sent."""
    from tests.runner.bench import settings

    bench = Bench(tmp_path_factory.mktemp("killed"), settings())
    return cut(bench, (WRITER,), route="POST /sellers/[^/]+/message", when="before")


@pytest.fixture(scope="module")
def unresumed(killed: Cut) -> Path:
    """The recording of the killed writer as it stays, also where another test of this file resumes the writer."""
    return rewritten(killed.db, killed.bench.folder / "unresumed.db", "SELECT 1")


async def refused(bench: Bench, db: Path, target: str = "last", **more: object) -> str:
    site = bench.site(bench.shop("nobody"))
    options = ResumeOptions(settings=bench.settings, site=site, db=db, target=target, **more)  # type: ignore[arg-type]
    with pytest.raises(SimulatorError) as told:
        await resume(options, lambda _: None, Stop())
    return str(told.value)


def rewritten(source: Path, copy: Path, sql: str) -> Path:
    """Copy a recording that nobody writes, and change it."""
    with Recording.open(source) as recording, closing(sqlite3.connect(copy)) as target:
        recording.connection.backup(target)
        target.execute(sql)
        target.commit()
    return copy


async def test_a_run_that_came_to_its_end_is_not_resumed(bench: Bench, seller: Original) -> None:
    run = seller.result.runs[0].run_id
    assert await refused(bench, seller.db, run) == (
        f"the run {run} cannot be resumed: it has passed, and nothing is left to do"
    )
    assert await refused(bench, seller.db) == (
        f"nothing is left to do in the batch {seller.result.batch_id}: every run of it has come to its end"
    )
    failed = rewritten(
        seller.db, bench.folder / "failed.db", "UPDATE run SET status = 'failed', reason = 'login: wrong password'"
    )
    assert "it came to its own end, and failed: login: wrong password" in await refused(bench, failed, run)
    replayed = rewritten(seller.db, bench.folder / "replay.db", "UPDATE run SET kind = 'replay', source_run = id")
    told = await refused(bench, replayed, run)
    assert "it is a run of the kind 'replay'" in told
    assert told.endswith(f"'sim replay {run}' begins anew")


async def test_a_limit_is_no_end_of_its_own(bench: Bench, seller: Original) -> None:
    limited = rewritten(
        seller.db,
        bench.folder / "limited.db",
        "UPDATE run SET status = 'failed', summary = json_set(summary, '$.end', 'step_limit')",
    )
    # It gets as far as the site's absence.
    site = bench.site(bench.shop("nobody")).model_copy(update={"bundled": False, "database": None})
    options = ResumeOptions(
        settings=bench.settings, site=site, db=limited, target="last", base_url=f"http://127.0.0.1:{port_of_nobody()}"
    )
    with pytest.raises(SiteUnreachable):
        await resume(options, lambda _: None, Stop())


@pytest.mark.table
async def test_a_run_that_is_being_recorded_is_left_alone(bench: Bench, unresumed: Path) -> None:
    going = rewritten(unresumed, bench.folder / "going.db", "SELECT 1")
    with Recorder.open(going) as recorder:
        batch = recorder.begin_batch(argv=(), seed="7", settings={})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent="autopilot", persona="writer", identity={}, environment={},
            site="bookshop",
        )  # fmt: skip
        told = await refused(bench, going, run.id)
    assert told == (f"the run {run.id} cannot be resumed: it is being recorded right now, by a process that is alive")


@pytest.mark.table
async def test_another_key_has_other_secrets(
    bench: Bench, killed: Cut, unresumed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIM_KEY", "another key, long enough to be one of a machine")
    options = ResumeOptions(settings=bench.settings, site=bench.site(killed.shop), db=unresumed, target="last")
    with pytest.raises(KeyMissing, match="set SIM_KEY to the key that it was recorded with") as told:
        await resume(options, lambda _: None, Stop())
    assert told.value.exit_code == 3


async def test_an_unknown_run(bench: Bench, unresumed: Path) -> None:
    with pytest.raises(RecordingError):
        await resume(ResumeOptions(settings=bench.settings, db=unresumed, target="ffffffff"), lambda _: None, Stop())


@pytest.mark.usefixtures("unresumed")
async def test_what_cannot_be_told_waits_for_a_person(killed: Cut) -> None:
    site = killed.bench.site(killed.shop)
    unknown = site.model_copy(update={"listed": ()})

    async def go_on(**more: object) -> BatchResult:
        given = {"screenshots": "none", "assumed": {}, **more}
        options = ResumeOptions(settings=killed.bench.settings, site=unknown, db=killed.db, target="last", **given)  # type: ignore[arg-type]
        return await resume(options, lambda _: None, Stop())

    stuck = (await go_on()).runs[0]
    with Recording.open(killed.db) as recording:
        row = recording.run(stuck.run_id)
        (cut_off,) = [step for step in recording.steps(row.id) if step.status == "interrupted"]
    place = cut_off.ordinal + 1
    assert (stuck.status, row.status, row.reason) == ("interrupted", "interrupted", stuck.reason)
    assert stuck.reason.startswith(
        f"whether step {place} (fill_form: 'Send message') took effect is not known: "
        "what was sent is not to be seen at /"
    )
    assert stuck.reason.endswith(f". Look at the site, and say it: --assume-done {place} or --assume-not-done {place}")
    assert "message.created" not in killed.shop.effects
    done = await go_on(assumed={place: False})
    assert [(run.status, run.reason) for run in done.runs] == [("passed", "")]
    assert killed.shop.effects.count("message.created") == 1


@pytest.mark.slow
async def test_a_site_that_was_reset_does_not_know_the_user(bench: Bench) -> None:
    reset_since = cut(bench, (WRITER,), route="POST /sellers/[^/]+/message", when="before", seed="8")
    reset(reset_since.shop.file)
    (run,) = (await reset_since.resume()).runs
    assert run.status == "interrupted"
    assert "cannot log in any more" in run.reason
    assert run.reason.endswith("has the site been reset since?")
