"""Performs a cast on a worker of a cluster, where another worker may have begun it and died.

Before each action that may change the site the recording so far is kept by the scheduler, and the whole of it when the
cast is done. So what a worker had in hand when it died is known to the next one, which asks the site whether it took
effect; and what was done for a command that died is known to who goes on with the seeding. Not responsible for: who
gets a cast.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.config import load_settings
from simulator.errors import KeyMissing, SimulatorError
from simulator.persona import Identity
from simulator.persona.tasks import RECORDED
from simulator.recording.database import connect
from simulator.recording.reader import Recording
from simulator.runner.cluster.jobs import Done, Job, Ready, packed, unpacked, write_project
from simulator.runner.replays.begun import Begun
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from simulator.scratch import scratch_folder
from simulator.secrets import load_key
from simulator.version import VERSION

if TYPE_CHECKING:
    from distributed import Worker

_PATIENCE_S = 30
"""How long the scheduler may take to keep a checkpoint; after that a worker does not dare to go on."""
_PERFORMED: set[str] = set()
"""Names of the casts that this worker performs now."""
_OVER = ("memory", "error")
"""States of a task of Dask that runs no more."""
_CLOSED = "UPDATE {table} SET status = 'interrupted', process_id = NULL WHERE status = 'running'"


def say_ready() -> Ready:
    """Say whether this worker can perform anything: its version, and the fingerprint of its machine key."""
    try:
        return Ready(VERSION, load_key(os.environ).fingerprint)
    except SimulatorError as error:
        return Ready(VERSION, "", str(error))


def is_performed(name: str, dask_worker: Worker | None = None) -> bool:
    """Return whether this worker performs a cast, or is about to, for whichever command.

    Args:
        name: by which the scheduler keeps it.
        dask_worker: the worker, as Dask gives it.
    """
    tasks = dask_worker.state.tasks.items() if dask_worker is not None else ()
    waits = any(str(key).startswith(f"{name}/") and task.state not in _OVER for key, task in tasks)
    return waits or name in _PERFORMED


def perform(job: Job) -> Done:
    """Perform a cast on this worker, or go on with it where another worker died over it.

    Args:
        job: the cast.
    """
    _PERFORMED.add(job.name)
    try:
        return _perform_kept(job)
    finally:
        _PERFORMED.discard(job.name)


def _perform_kept(job: Job) -> Done:
    from distributed import Variable, get_client

    kept = Variable(job.name, client=get_client())
    before = kept.get(timeout=_PATIENCE_S)
    try:
        with scratch_folder() as folder:
            db = folder / "seeded.db"
            db.write_bytes(unpacked(before or job.batch))
            _close_what_died(db)

            def keep() -> None:
                kept.set(packed(_whole(db)), timeout=_PATIENCE_S)

            done = asyncio.run(_perform(job, folder, db, keep))
            kept.set(done.recording, timeout=_PATIENCE_S)
            return done
    except SimulatorError as error:
        return Done(error=str(error))


def _close_what_died(db: Path) -> None:
    """Mark what the worker that had a cast before has left: the scheduler has said that it is dead."""
    with closing(connect(db)) as connection, connection:
        for table in ("run", "batch"):
            connection.execute(_CLOSED.format(table=table))
        connection.execute("UPDATE step SET status = 'interrupted' WHERE status = 'pending'")
        connection.execute("UPDATE action SET status = 'interrupted' WHERE status = 'pending'")


async def _perform(job: Job, folder: Path, db: Path, keep: Callable[[], None]) -> Done:
    project, source = folder / "project", folder / "source.db"
    project.mkdir()
    write_project(job.project, project)
    source.write_bytes(unpacked(job.source))
    toml = project / "sim.toml"
    settings = load_settings(toml if toml.exists() else None).with_exchanges(job.exchanges)  # type: ignore[arg-type]
    if (here := load_key(os.environ).fingerprint) != job.key:
        raise KeyMissing(f"the machine key of this worker ({here}) is not the one of the seeding ({job.key})")
    with Recording.open(db) as recording:
        runs = {run.number: run for run in recording.runs(job.batch_id, kind="replay")}
    identities = {number: Identity.model_validate(one, context=RECORDED) for number, one in job.identities.items()}
    options = ReplayOptions(
        settings=settings,
        site=settings.site(job.site).with_base_url(job.base_url),
        source=source,
        target=job.performed,
        identity="fresh",
        mode=job.mode,
        seed=job.seed,
        fan_out=job.fan_out,
        begun=Begun(db, job.batch_id, job.numbers, runs, identities=identities, shared=job.shared, keep=keep),
        concurrency=len(job.numbers),
        beside=job.beside,
        freeze_clock=job.freeze_clock,
        pace=job.pace,
        db=db,
        screenshots=job.screenshots,
    )
    over = {run.number for run in runs.values() if options.begun and options.begun.is_over(run.number)}
    if over >= set(job.numbers):
        return Done(packed(_whole(db)))
    result = await replay(options, lambda event: None, Stop())
    return Done(packed(_whole(db)), result.runs, blocked=result.blocked)


def _whole(db: Path) -> bytes:
    with closing(connect(db)) as connection:
        return connection.serialize()
