"""Row ``step``: what writing one step costs this process, against the same rows through sqlite-utils' row API."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlite_utils.db import Database, Table

from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.stage import SEED
from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Box, Scope, Target
from simulator.recording.recorder import Recorder
from simulator.recording.run_recorder import RunRecorder
from simulator.secrets import Vault, Vaults
from simulator.tools.contracts import ToolCall, ToolResult

_STEPS = 50
"""Steps of one sample."""
_TARGET = Target(
    tag="input",
    role="textbox",
    name="E-mail",
    label="E-mail",
    name_attr="email",
    form="post /account/register",
    css="form.panel > div:nth-child(4) > input",
    scopes=(Scope(kind="form", name="Open an account"),),
    box=Box(x=320, y=410, width=460, height=44),
)
_BEGUN = {"success", "result", "status", "ended_at", "ended_ns", "settled", "after_page"}
"""Columns that are written when a row is completed."""


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row: begin step, begin action, end action, end step, each committed."""
    with TemporaryDirectory(prefix="bench-") as folder:
        own, plain = Path(folder) / "own.db", Path(folder) / "plain.db"
        vaults = Vaults()
        for number in range(20):
            vaults.add(Vault(b"k" * 32, scope=str(number))).reveal("password")
        with Recorder.open(own, mask=vaults.mask_all) as recorder, Recorder.open(plain) as other:
            run, numbers = _begin(recorder), itertools.count()
            _record(run, next(numbers))
            step = _row(recorder, "step")
            action = _row(recorder, "action")
            _begin(other)
            other.close()
            with Database(plain) as database:
                database.conn.execute("PRAGMA synchronous = NORMAL")

                async def ours() -> float:
                    began = time.process_time()
                    for _ in range(_STEPS):
                        _record(run, next(numbers))
                    return (time.process_time() - began) / _STEPS * 1000

                async def theirs() -> float:
                    began = time.process_time()
                    for _ in range(_STEPS):
                        _store(database, step, action, next(numbers))
                    return (time.process_time() - began) / _STEPS * 1000

                recorded, stored = await interleave(rounds, ours, theirs)
    budget = Budget(0.3, of="ours")
    return [Row("step", "one step, CPU", "its rows by sqlite-utils, CPU", "ms", recorded, stored, budget)]


def _begin(recorder: Recorder) -> RunRecorder:
    batch = recorder.begin_batch(argv=(), seed=SEED, settings={})
    run = recorder.begin_run(
        batch_id=batch, number=1, kind="record", agent=None, persona=None, identity={}, environment={}, site="bookshop"
    )
    run.actors.add("user")
    return run


def _record(run: RunRecorder, number: int) -> None:
    call = ToolCall(id=f"call {number}", name="fill", input={"selector": "E-mail", "value": "{{identity.email}}"})
    step = run.begin_step(call=call, replay="actions", task="register")
    page = PageState(url="/account/register", title="Register", status=200)
    action = run.begin(ActionStart("fill", "user", _TARGET, "{{identity.email}}", "ann.lee@example.com", before=page))
    run.end(action, ActionOutcome("done", after=page))
    run.end_step(step, ToolResult(success=True, data={"filled": "E-mail", "page": "/account/register"}))


def _row(recorder: Recorder, table: str) -> dict[str, Any]:
    """Read back a row that the recorder wrote, so that both sides write the same."""
    cursor = recorder.writer.execute(f"SELECT * FROM {table}")
    return dict(zip([column[0] for column in cursor.description], cursor.fetchone(), strict=True))


def _store(database: Database, step: dict[str, Any], action: dict[str, Any], number: int) -> None:
    steps, actions = database.table("step"), database.table("action")
    one = {**step, "id": f"step {number}", "ordinal": number, "batch_ordinal": number}
    other = {**action, "id": f"action {number}", "step_id": one["id"]}
    _insert(steps, one)
    _insert(actions, other)
    _complete(actions, other)
    _complete(steps, one)


def _insert(table: Table, row: dict[str, Any]) -> None:
    begun = {name: None if name in _BEGUN else value for name, value in row.items()}
    table.insert({**begun, "status": "pending"})


def _complete(table: Table, row: dict[str, Any]) -> None:
    table.update(row["id"], {name: value for name, value in row.items() if name in _BEGUN})
