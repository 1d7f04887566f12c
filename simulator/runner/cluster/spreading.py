"""Spreads the casts of a seeding over the workers of a Dask.distributed cluster, and merges what they recorded.

A worker that dies is known to the scheduler, which gives its cast to another one. Not responsible for: performing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.errors import EnvironmentFailure, ExtraMissing, KeyMissing
from simulator.recording.database import connect
from simulator.recording.reader import Recording
from simulator.recording.upkeep.promote import copy_runs, insert, promote
from simulator.replay.plan import Plan
from simulator.replay.seeding.casts import Seat
from simulator.runner import events
from simulator.runner.batch_session import BatchSession
from simulator.runner.cluster.jobs import CONNECTING_S, Done, Job, Ready, kept_as, packed, project_of, unpacked
from simulator.runner.cluster.performing import perform, say_ready
from simulator.runner.seeding.fan_out import ranges
from simulator.scratch import scratch_folder
from simulator.version import DISTRIBUTION, VERSION

if TYPE_CHECKING:
    from distributed import Client, Variable

    from simulator.recording.writer import Writer
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.seeding.fanned import FannedPopulation

_LOOK_S = 0.2
"""How often it is looked whether anything has ended, in seconds."""
_DEATHS = 3
"""How many workers may die over one cast: after that, it is the cast that kills them."""


@dataclass(slots=True)
class Spread:
    """A cluster that performs casts.

    Attributes:
        client: is connected to the scheduler.
        options: of the seeding.
        source: the recording that users are made of, without what is not performed, compressed.
    """

    client: Client
    options: ReplayOptions
    source: bytes
    _shared: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _project: dict[str, bytes] = field(default_factory=dict)

    async def perform(
        self, batch: BatchSession, population: FannedPopulation, copies: Sequence[Sequence[Seat]]
    ) -> list[events.ReplayedRun]:
        """Perform casts, as many at once as the workers have threads.

        Args:
            batch: that they belong to.
            population: of the seeding.
            copies: the casts, each with the seats of its users.

        Raises:
            SimulatorError: a worker cannot perform anything.
        """
        waiting, came_to = list(copies), list[events.ReplayedRun]()
        going: dict[asyncio.Task[Done], Sequence[Seat]] = {}
        try:
            while waiting or going:
                while waiting and len(going) < await self._threads() and not batch.stop.requested:
                    seats = waiting.pop(0)
                    if not all([await population.begin() for _ in seats]) or batch.stop.requested:
                        waiting.clear()
                        break
                    going[asyncio.create_task(self._one(batch, population, seats))] = seats
                if batch.stop.requested:
                    waiting.clear()
                if going:
                    done, _ = await asyncio.wait(going, timeout=_LOOK_S, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        seats = going.pop(task)
                        came_to += self._take(batch, population, seats, task.result())
        finally:
            for task in going:
                task.cancel()
            await asyncio.gather(*going, return_exceptions=True)
        return sorted(came_to, key=lambda run: run.number)

    async def _threads(self) -> int:
        """Give how many casts the workers perform at once; one waits where none is there for the moment."""
        threads: Mapping[str, int] = await self.client.nthreads()
        return max(1, sum(threads.values()))

    async def _one(self, batch: BatchSession, population: FannedPopulation, seats: Sequence[Seat]) -> Done:
        """Have one cast performed, by another worker where one dies over it."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        job = self._job(batch, population, seats, (await self._threads() - 1) * len(seats))
        kept = self._kept(batch, seats)
        await kept.set(b"")
        self._give(batch, [seat.number for seat in seats])
        for seat in seats:
            who = population.members.draw(seat).identity
            batch.listener(events.RunStarted(seat.number, "", who.persona, who.username, len(seat.plan.steps)))
        for left in range(_DEATHS, -1, -1):
            future = self.client.submit(perform, job, key=f"{job.name}/{left}", pure=False, retries=0)
            try:
                done: Done = await future
                return done
            except (KilledWorker, FutureCancelledError) as error:
                if not left or isinstance(error, KilledWorker):
                    snapshot = await kept.get(timeout=CONNECTING_S)
                    return Done(snapshot, error=f"every worker that was given it has died ({error})")
        raise AssertionError("the last try returns")

    def _kept(self, batch: BatchSession, seats: Sequence[Seat]) -> Variable:
        """Give what the scheduler keeps of a cast."""
        from distributed import Variable

        return Variable(kept_as(batch.batch_id, [seat.number for seat in seats]), client=self.client)

    def _job(self, batch: BatchSession, population: FannedPopulation, seats: Sequence[Seat], beside: int) -> Job:
        options = self.options
        resources = batch.resources
        assert options.fan_out is not None
        everybody = population.standing_for(seats)
        identities = {seat.number: population.members.draw(seat).identity for seat in everybody}
        files = project_of(options.settings, identities.values())
        return Job(
            name=kept_as(batch.batch_id, [seat.number for seat in seats]),
            project=files,
            source=self.source,
            batch=packed(_batch_alone(batch.recorder.path, batch.batch_id)),
            batch_id=batch.batch_id,
            site=resources.site.name,
            base_url=resources.site.base_url,
            performed=tuple(plan.run.id for plan in population.source.plans),
            numbers=tuple(seat.number for seat in seats),
            identities={number: one.model_dump(mode="json") for number, one in identities.items()},
            beside=beside,
            shared=self._shared,
            seed=batch.seed,
            fan_out=options.fan_out,
            mode=options.mode,
            pace=options.pace,
            freeze_clock=options.freeze_clock,
            screenshots=options.screenshots,
            exchanges=options.settings.run.exchanges,
            key=resources.key.fingerprint,
        )

    def _give(self, batch: BatchSession, numbers: Sequence[int]) -> None:
        """Store whom a worker is given: should this process die, nobody makes them once more."""
        writer = batch.recorder.writer
        with writer.transaction() as change:
            (text,) = writer.execute("SELECT settings FROM batch WHERE id = ?", (batch.batch_id,)).fetchone()
            settings = json.loads(text)
            going_on = settings["seeding"]["going_on"]
            going_on["given"] = sorted({*going_on.get("given", ()), *numbers})
            going_on["casts"] = [*going_on.get("casts", ()), ranges(sorted(numbers))]
            writer.execute(
                "UPDATE batch SET settings = ?, change = ? WHERE id = ?",
                (writer.json(settings), change, batch.batch_id),
            )

    def _take(
        self, batch: BatchSession, population: FannedPopulation, seats: Sequence[Seat], done: Done
    ) -> list[events.ReplayedRun]:
        """Merge what a worker recorded, and report it."""
        if done.error and not done.recording:
            raise EnvironmentFailure(f"a worker of the cluster cannot perform users: {done.error}")
        if done.recording:
            merge(unpacked(done.recording), batch.batch_id, batch.recorder.writer)
        self._kept(batch, seats).delete()  # not before: a process that dies here has it there, or has merged it
        runs = {run.number: run for run in done.runs}
        for seat in seats:
            if (run := runs.get(seat.number)) is None:
                continue
            status: events.RunStatus = "failed" if run.drifted else "passed"
            status = "interrupted" if run.verdict == "interrupted" else status
            reason = run.drift.sentence if run.drift else ""
            batch.listener(events.RunEnded(run.number, run.run_id, status, reason, run.verdict))
            part = population.members.part(seat)
            key = part.key
            if key in population.pairings:
                population.pairings[key].update(pairing_of(batch.recorder.path, run.run_id, seat.plan))
            if not seat.copy and not run.drifted:
                self._shared[seat.plan.run.original] = known_of(batch.recorder.path, run.run_id)
            population.ended(part, run)
        return [*done.runs]


def known_of(db: Path, run_id: str) -> dict[str, str]:
    """Give what others know of a user who has been performed."""
    from simulator.runner.replays.begun import Begun

    with Recording.open(db) as recording:
        run = recording.run(run_id)
    return Begun(db, run.batch_id, (), {run.number: run}).known(run.number)


def pairing_of(db: Path, run_id: str, plan: Plan) -> dict[str, str]:
    """Give the id of what each recorded action has become in a run, by its id; empty where that cannot be known."""
    from simulator.runner.replays.begun import Begun

    with Recording.open(db) as recording:
        run = recording.run(run_id)
    return Begun(db, run.batch_id, (), {run.number: run}).pairing(run.number, plan)


def merge(recording: bytes, batch_id: str, writer: Writer) -> None:
    """Put the runs of a worker's recording into that of the batch.

    Args:
        recording: of the worker.
        batch_id: the batch.
        writer: of the recording that they are put into.
    """
    with scratch_folder() as folder:
        path = folder / "done.db"
        path.write_bytes(recording)
        with closing(connect(path)) as connection, connection:
            for table in ("run", "batch"):
                connection.execute(f"UPDATE {table} SET status = 'interrupted' WHERE status = 'running'")
        with Recording.open(path) as found:
            ids = [run.id for run in found.runs(batch_id, kind="replay")]
            copy_runs(found, ids, writer.connection)
    with writer.transaction() as change:
        marks = ", ".join("?" * len(ids))
        for table, own in (("run", "id"), ("step", "run_id"), ("created", "run_id")):
            writer.execute(f"UPDATE {table} SET change = ? WHERE {own} IN ({marks})", (change, *ids))
        writer.execute(
            f"UPDATE action SET change = ? WHERE step_id IN (SELECT id FROM step WHERE run_id IN ({marks}))",
            (change, *ids),
        )


def _batch_alone(db: Path, batch_id: str) -> bytes:
    """Give a recording that holds a batch, and nothing of it."""
    with scratch_folder() as folder:
        path = folder / "batch.db"
        with closing(connect(path)) as target:
            with Recording.open(db) as recording:
                rows = recording.connection.execute("SELECT * FROM batch WHERE id = ?", (batch_id,)).fetchall()
            with target:
                insert(target, "batch", [{**dict(row), "process_id": None, "status": "interrupted"} for row in rows])
            return target.serialize()


@asynccontextmanager
async def open_spread(
    scheduler: str, options: ReplayOptions, performed: Sequence[str], key: str
) -> AsyncIterator[Spread]:
    """Connect to a scheduler, and see that its workers can perform users.

    Args:
        scheduler: its address, such as ``tcp://10.0.0.5:8786``.
        options: of the seeding.
        performed: ids of the recorded runs.
        key: the fingerprint of the machine key here.

    Raises:
        ExtraMissing: Dask.distributed is not installed.
        EnvironmentFailure: nobody answers there, there is no worker, or a worker has another version.
        KeyMissing: a worker has another machine key.
    """
    async with connected(scheduler) as client:
        await check_workers(client, scheduler, key)
        with scratch_folder() as folder:
            path = folder / "source.db"
            promote(options.source, performed, path)
            yield Spread(client, options, packed(path.read_bytes()))


@asynccontextmanager
async def connected(scheduler: str) -> AsyncIterator[Client]:
    """Connect to a scheduler.

    Args:
        scheduler: its address.

    Raises:
        ExtraMissing: Dask.distributed is not installed.
        EnvironmentFailure: nobody answers there.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        if error.name not in ("distributed", "dask"):
            raise
        raise ExtraMissing(
            f"--scheduler needs the package distributed; install it with: pip install '{DISTRIBUTION}[cluster]'"
        ) from None
    try:
        client = await Client(scheduler, asynchronous=True, timeout=CONNECTING_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise EnvironmentFailure(
            f"no scheduler of a Dask cluster answers at {scheduler}: {error}; start one with 'dask scheduler'"
        ) from None
    async with client:
        yield client


async def check_workers(client: Client, scheduler: str, key: str) -> None:
    """See that every worker has this version and this machine key. The key itself goes nowhere.

    Raises:
        EnvironmentFailure: there is no worker, or one has another version.
        KeyMissing: one has another machine key.
    """
    found: dict[str, Ready] = await client.run(say_ready)
    if not found:
        raise EnvironmentFailure(
            f"the scheduler at {scheduler} has no worker; start some with 'dask worker {scheduler}'"
        )
    for address, one in sorted(found.items()):
        if one.error:
            raise KeyMissing(f"the worker {address} has no machine key: {one.error}")
        if one.version != VERSION:
            raise EnvironmentFailure(
                f"the worker {address} has version {one.version} of the program, and this is {VERSION}"
            )
        if one.key != key:
            raise KeyMissing(
                f"the worker {address} has another machine key ({one.key}) than this machine ({key}), and would draw "
                "other passwords: start it with the same SIM_KEY"
            )
