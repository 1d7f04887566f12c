"""A strict replay that cannot prove what it does stops, says why, and has done nothing wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulator.errors import SiteUnreachable
from simulator.recording.dependencies import closure
from simulator.recording.reader import Recording
from simulator.replay.drift import DriftReport
from simulator.report.follow_up import FollowUp
from simulator.report.replay_summary import replay_lines
from simulator.runner.events import RunEnded
from tests.runner.bench import NOWHERE, Bench, Original, Replayed, Shop

pytestmark = pytest.mark.timeout(900)

LABEL = ("Price in pounds", "What you ask for it")
BUTTON = '<button type="submit">Create account</button>'
Spoilt = Callable[..., tuple[str, Shop]]


def drift_of(replayed: Replayed) -> DriftReport:
    (run,) = replayed.result.runs
    assert run.drift is not None
    assert run.verdict == run.drift.verdict
    assert not replayed.result.passed
    (ended,) = (event for event in replayed.events if isinstance(event, RunEnded))
    assert (ended.status, ended.verdict, ended.reason) == ("failed", run.verdict, run.drift.sentence)
    return run.drift


def step_of(original: Original, tool: str, task: str) -> int:
    with Recording.open(original.db) as recording:
        steps = recording.steps(recording.run("last").id)
        return next(step.ordinal + 1 for step in steps if step.tool == tool and (step.task or "").startswith(task))


FORM = '<form class="panel" action="/account/register"'
REGISTERED = ["user.created", "session.opened"]
CASES: list[Any] = [
    pytest.param(
        {"replace": [("Username</label>", "Your handle</label>")]},
        ("target_missing", "register", "Username", "no such element", []),
        id="a renamed label",
    ),
    pytest.param(
        {"replace": [('name="password_repeat"', 'name="password_repeat" hidden')]},
        ("target_missing", "register", "Repeat password", "no such element", []),
        id="a missing field",
    ),
    pytest.param(
        {
            "replace": [
                ('<form class="panel" action="/account/register"', '<form class="panel" action="/account/close"')
            ]
        },
        ("target_contradicted", "register", "Username", "which differs", []),
        id="a form that leads elsewhere",
    ),
    pytest.param(
        {"replace": [(BUTTON, BUTTON * 2)]},
        ("target_ambiguous", "register", "Create account", "cannot be told apart", []),
        id="two alike",
    ),
    pytest.param(
        {"fail": "POST /account/register"},
        ("site_error", "register", "200", "500", []),
        id="an error of the server on a write",
    ),
    pytest.param(
        {"forget": "GET /books/new"},
        ("session_lost", "navigate", "/books/new", "login page", REGISTERED),
        id="a session that ended",
    ),
    pytest.param(
        {"replace": [LABEL]},
        ("target_missing", "fill_form", "Price in pounds", "no such element", REGISTERED),
        id="a renamed label, later",
        marks=pytest.mark.slow,
    ),
    pytest.param(
        {"die": "GET /books/new"},
        ("environment", "navigate", "/books/new", "ERR_", REGISTERED),
        id="a site that goes down",
    ),
]


@pytest.mark.parametrize(("spoil", "expected"), CASES)
async def test_a_drift_is_told_and_nothing_wrong_is_done(
    bench: Bench,
    seller: Original,
    spoilt: Spoilt,
    spoil: dict[str, Any],
    expected: tuple[str, str, str, str, list[str]],
) -> None:
    url, shop = spoilt(**spoil)
    replayed = await bench.replay(seller.db, "stopped", shop=shop, url=url)
    drift = drift_of(replayed)
    verdict, tool, wanted, found, effects = expected
    assert (drift.verdict, drift.tool) == (verdict, tool)
    assert wanted in drift.expected
    assert found in drift.found
    assert drift.step == step_of(seller, tool, "register" if tool == "register" else "list_books")
    assert shop.effects == effects
    with Recording.open(replayed.result.db) as recording:
        run = recording.run("last")
        assert (run.status, run.verdict, run.reason) == ("failed", verdict, drift.sentence)
        assert [step.status for step in recording.steps(run.id)][-1] == "failed"


@pytest.mark.slow
async def test_what_was_near_is_named(bench: Bench, seller: Original, spoilt: Spoilt) -> None:
    url, shop = spoilt(replace=[("Username</label>", "Your handle</label>")])
    drift = drift_of(await bench.replay(seller.db, "stopped", shop=shop, url=url))
    assert any("Your handle" in candidate for candidate in drift.candidates)


async def test_what_contradicts_and_what_agrees_is_named(bench: Bench, seller: Original, spoilt: Spoilt) -> None:
    url, shop = spoilt(replace=[(FORM, FORM.replace("register", "close"))])
    drift = drift_of(await bench.replay(seller.db, "stopped", shop=shop, url=url))
    assert drift.contradicted == ("form: expected 'post /account/register', found 'post /account/close'",)
    assert {"role", "tag", "type"} <= set(drift.agreed)


BROKEN = """<script>
  console.error("The gallery:", new TypeError("boom 7"), { toString() { document.title = "looked at"; } });
  Promise.reject(new Error("nobody minds"));
  setTimeout(() => { throw new RangeError("too late"); });
</script>"""


@pytest.mark.slow
async def test_errors_of_scripts_that_are_new_are_told(bench: Bench, seller: Original, spoilt: Spoilt) -> None:
    url, shop = spoilt(inline=True, replace=[(BUTTON, BUTTON + BROKEN)])
    replayed = await bench.replay(seller.db, "told", shop=shop, url=url)
    (run,) = replayed.result.runs
    assert run.verdict == "passed"
    assert [error for error in run.errors if not error.startswith("step 1: ")] == []
    assert {error.removeprefix("step 1: ") for error in run.errors} == {
        "The gallery: TypeError: boom 7",
        "Uncaught (in promise) Error: nobody minds",
        "Uncaught RangeError: too late",
    }
    told = replay_lines(replayed.result, FollowUp())
    assert f"console   user 1, {run.errors[0]}; the recording has no such error" in told
    with Recording.open(replayed.result.db) as recording:
        assert (recording.run("last").summary or {})["errors"] == list(run.errors)


async def test_an_error_of_a_script_is_the_cause_of_what_it_breaks(
    bench: Bench, seller: Original, spoilt: Spoilt
) -> None:
    sign = "<p role=alert>Something is wrong</p>"
    url, shop = spoilt(inline=True, replace=[(BUTTON, BUTTON + sign + BROKEN)])
    drift = drift_of(await bench.replay(seller.db, "broken", shop=shop, url=url))
    assert drift.verdict == "site_error"
    assert drift.found.startswith("'Something is wrong'; new in the page's console: 'The gallery: TypeError: boom 7'")
    assert shop.effects == []


async def test_a_user_who_exists_is_a_collision(bench: Bench, seller: Original) -> None:
    shop = seller.shop.copy_to(bench.shop("used").file)
    before = shop.whole
    drift = drift_of(await bench.replay(seller.db, "again", shop=shop))
    assert drift.verdict == "data_collision"
    assert "taken" in drift.found
    assert drift.step == 1
    assert shop.whole == before


async def test_a_site_that_is_down_is_no_drift(bench: Bench, seller: Original) -> None:
    with pytest.raises(SiteUnreachable, match="nothing answers at"):
        await bench.replay(seller.db, "nowhere", url=NOWHERE)


def changed(original: Original, folder: Path, *statements: str) -> Path:
    """Copy a recording, and change it as no program of ours would."""
    with Recording.open(original.db) as recording:
        path = folder / "changed.db"
        with closing(sqlite3.connect(path)) as copy:
            recording.connection.backup(copy)
            for statement in statements:
                copy.execute(statement)
            copy.commit()
            copy.execute("PRAGMA journal_mode = DELETE")
    return path


async def test_an_interrupted_run_is_refused(bench: Bench, seller: Original, tmp_path: Path) -> None:
    source = changed(
        seller, tmp_path, "UPDATE action SET status = 'interrupted' WHERE id = (SELECT max(id) FROM action)"
    )
    replayed = await bench.replay(source, "again")
    (run,) = replayed.result.runs
    assert (run.verdict, run.actions, run.run_id) == ("interrupted", 0, "")
    assert run.drift
    assert "interrupted during 'click" in run.drift.found
    assert not replayed.shop.effects


@pytest.mark.table
async def test_what_needs_a_run_that_is_gone_does_not_begin(bench: Bench, original: Original, tmp_path: Path) -> None:
    visitor = original.runs()["visitor"]
    with Recording.open(original.db) as recording:
        gone = recording.dependencies(visitor)[0].producer_run
    source = changed(original, tmp_path, f"DELETE FROM run WHERE id = '{gone}'")
    replayed = await bench.replay(source, "again", target=visitor)
    (run,) = (run for run in replayed.result.runs if run.source_run == visitor)
    assert (run.verdict, run.actions) == ("missing_dependency", 0)
    assert run.drift
    assert gone in run.drift.found
    assert run.username not in replayed.shop.state


async def test_what_needs_an_interrupted_run_does_not_begin(bench: Bench, original: Original, tmp_path: Path) -> None:
    visitor = original.runs()["visitor"]
    with Recording.open(original.db) as recording:
        needed = [run_id for run_id in closure(recording, [visitor]) if run_id != visitor]
    cut = "UPDATE action SET status = 'interrupted' WHERE step_id IN (SELECT id FROM step WHERE run_id = '{}')"
    source = changed(original, tmp_path, *map(cut.format, needed))
    replayed = await bench.replay(source, "again", target=visitor)
    told = {run.source_run: run.verdict for run in replayed.result.runs}
    assert told == {**dict.fromkeys(needed, "interrupted"), visitor: "missing_dependency"}
    assert not replayed.shop.effects
