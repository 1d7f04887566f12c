"""The life of a batch, whatever its runs do: what it is recorded in and what it opens, its beginning, its end.

Recording, resuming, going on, replaying and cleaning up each say only what their runs do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from simulator.browser.timeouts import Crowd
from simulator.canonical import content_hash
from simulator.config import Settings, Site
from simulator.domain import packs_in_use
from simulator.errors import SimulatorError
from simulator.recording.recorder import Recorder
from simulator.recording.resuming import reopen_batch
from simulator.recording.rows import RunKind
from simulator.recording.run_recorder import RunRecorder
from simulator.runner import events
from simulator.runner.delivery import Losses, guarded
from simulator.runner.spending import Spending, together
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import Resources, open_resources
from simulator.secrets import Vaults

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class User(Generic[T]):
    """What one user of a batch does.

    Attributes:
        name: of its task in the event loop.
        act: does it; what it gives is kept, unless that is None.
        slots: bounds how many act at once; None: it waits for no slot.
        absent: is called instead where the batch was asked to end before.
        after_s: how long it waits before it wants a slot, in seconds.
    """

    name: str
    act: Callable[[], Awaitable[T | None]]
    slots: asyncio.Semaphore | None = None
    absent: Callable[[], object] = lambda: None
    after_s: float = 0


@dataclass(slots=True, kw_only=True)
class BatchSession:
    """One batch while it is performed.

    Attributes:
        recorder: of the file that holds it.
        listener: gets each event.
        stop: asks for an early end.
        sites: what each of its sites gives; mostly there is one.
        batch_id: empty before it has begun.
        seed: what its users draw from; empty where that is nothing recorded.
        status: as it is stored at the end.
        vaults: the secrets of its users.
        losses: counts what the listener missed.
        started: when it was asked for, by the monotonic clock.
        opened: closes with the batch.
        crowd: how many of its users act at once now, and how many beside them.
    """

    recorder: Recorder
    listener: events.Listener
    stop: Stop
    sites: list[Resources] = field(default_factory=list)
    batch_id: str = ""
    seed: str = ""
    status: events.RunStatus = "interrupted"
    vaults: Vaults = field(default_factory=Vaults)
    losses: Losses = field(default_factory=Losses)
    started: float = field(default_factory=time.monotonic)
    opened: AsyncExitStack = field(default_factory=AsyncExitStack)
    crowd: Crowd = field(default_factory=Crowd)

    @property
    def resources(self) -> Resources:
        """What its first site gives."""
        return self.sites[0]

    @property
    def seconds(self) -> float:
        """How long ago it was asked for."""
        return time.monotonic() - self.started

    @property
    def blocked(self) -> tuple[str, ...]:
        """URLs that the network policy refused."""
        return tuple(url for each in self.sites for url in each.pool.blocked)

    async def enter(self, opening: AbstractAsyncContextManager[T]) -> T:
        """Open something that the batch needs until its end."""
        return await self.opened.enter_async_context(opening)

    async def open_site(self, settings: Settings, site: Site, *, headed: bool, **how: Any) -> Resources:
        """Open a site, and the browser for it.

        Args:
            settings: of ``sim.toml``.
            site: the site's section, with the address that was asked for.
            headed: whether browser windows are shown.
            how: what else :func:`open_resources` takes.

        Raises:
            SimulatorError: one of them cannot be opened.
        """
        opening = open_resources(settings, site, vaults=self.vaults, headed=headed, crowd=self.crowd, **how)
        self.sites.append(await self.enter(opening))
        # What is stored of the batch is masked, too, before any user is there: a persona may name a secret of the site.
        self.sites[-1].vault("", "", 0)
        return self.sites[-1]

    @contextmanager
    def running(
        self,
        total: int,
        concurrency: int,
        *,
        seed: str,
        drawn: bool = True,
        argv: Sequence[str] = (),
        settings: Mapping[str, Any] | None = None,
        kind: RunKind = "record",
        source_batch: str | None = None,
        source_path: str | None = None,
        again: str | None = None,
    ) -> Iterator[None]:
        """Store the batch as running, and at the end with the status that it came to.

        Args:
            total: how many users it has.
            concurrency: how many of them act at once.
            seed: what everything is drawn from.
            drawn: whether its users draw from that, too; a site might take what is drawn as it was drawn then for what
                it holds already.
            argv: the command line.
            settings: the settings in force.
            kind: what its runs are.
            source_batch: the batch that is replayed or cleaned up.
            source_path: name of the file that is replayed.
            again: a batch that goes on instead of a new one.
        """
        self.seed = seed if drawn else ""
        if again is not None:
            self.batch_id = again
            reopen_batch(self.recorder, again)
        else:
            self.batch_id = self.recorder.begin_batch(
                argv=argv,
                seed=seed,
                settings=settings or {},
                kind=kind,
                source_batch=source_batch,
                source_path=source_path,
            )
        site = self.resources.site
        self.listener(events.BatchStarted(self.batch_id, total, concurrency, self.seed, site.name, site.base_url))
        try:
            yield
        finally:
            self.recorder.end_batch(self.batch_id, status=self.status)
        self.listener(events.BatchEnded(self.status))

    async def all(self, users: Sequence[User[T]]) -> list[T]:
        """Let users act, as many at once as their slots allow.

        Returns:
            What those who began came to, in the order of the users.

        Raises:
            SimulatorError: the batch cannot go on. The other users are cancelled.
        """
        came_to: dict[int, T] = {}
        failed: BaseException | None = None

        async def one(place: int, user: User[T]) -> None:
            if user.after_s:
                await self.stop.pause(user.after_s)
            async with user.slots or nullcontext():
                if self.stop.requested:
                    user.absent()
                    return
                self.crowd.acting += 1
                try:
                    came = await user.act()
                finally:
                    self.crowd.acting -= 1
                if came is not None:
                    came_to[place] = came

        try:
            async with asyncio.TaskGroup() as group:
                for place, user in enumerate(users):
                    group.create_task(one(place, user), name=user.name)
        except* SimulatorError as failures:
            # They mostly have one cause. Some releases of Python 3.11 wrap what is raised in here into a group.
            failed = failures
            while isinstance(failed, BaseExceptionGroup):
                failed = failed.exceptions[0]
        if failed is not None:
            raise failed from None
        return [came_to[place] for place in sorted(came_to)]

    async def keep_states(self, runs: Iterable[tuple[RunRecorder, str]]) -> dict[str, int]:
        """Keep with each run the hash of what the site holds of its user, for replays to compare with.

        Args:
            runs: where each is recorded, and the name by which the site knows its user.

        Returns:
            How much the site holds of all of them, by kind; empty for a site that does not say.
        """
        runs, control = tuple(runs), self.resources.control
        if (snapshot := await control.snapshot()) is not None:
            for recorder, _ in runs:
                recorder.add_summary({"snapshot": snapshot})
        if not control.reports_state:
            return {}
        state = await control.state()
        made: dict[str, int] = {"users": 0}
        for recorder, username in runs:
            part = state.get(username) if isinstance(state, Mapping) else None
            if part is None:
                continue
            recorder.add_summary({"state": content_hash(part)})
            made["users"] += 1
            for tally in (pack.tally for pack in packs_in_use() if pack.tally):
                for title, count in tally(part).items():
                    made[title] = made.get(title, 0) + count
        return made

    def result(
        self, outcomes: Sequence[events.RunOutcome], made: dict[str, int], *, interrupted: bool, cancelled: int = 0
    ) -> events.BatchResult:
        """Report what came of a batch in which agents acted.

        Args:
            outcomes: of its runs.
            made: how much the site holds of its users now, by kind.
            interrupted: whether it ended before it was done.
            cancelled: how many users had not begun.
        """
        site = self.resources.site
        return events.BatchResult(
            batch_id=self.batch_id,
            db=self.recorder.path,
            seed=self.seed,
            site=site.name,
            base_url=site.base_url,
            runs=tuple(outcomes),
            seconds=self.seconds,
            blocked=self.blocked,
            made=made,
            interrupted=interrupted,
            cancelled=cancelled,
            reason=self.stop.reason,
            spending=together(one.spending for one in outcomes),
            by_persona=_by_persona(outcomes),
            lost_events=self.losses.counts,
        )


def _by_persona(outcomes: Iterable[events.RunOutcome]) -> dict[str, Spending]:
    """Add up what the users of each persona have asked of models."""
    spent: dict[str, Spending] = {}
    for one in outcomes:
        if one.spending:
            spent[one.persona] = spent.get(one.persona, Spending()) + one.spending
    return spent


@asynccontextmanager
async def open_batch(
    db: Path, listener: events.Listener, stop: Stop, *, since: float | None = None
) -> AsyncIterator[BatchSession]:
    """Open the file that a batch is recorded in, and close with it what the batch has opened.

    Args:
        db: the recording.
        listener: gets each event; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end.
        since: when the batch was asked for, by the monotonic clock; None: now.

    Raises:
        RecordingError: the file cannot be written.
    """
    vaults, losses = Vaults(), Losses()
    with Recorder.open(db, mask=vaults.mask_all) as recorder:
        batch = BatchSession(
            recorder=recorder,
            listener=guarded(listener, losses),
            stop=stop,
            vaults=vaults,
            losses=losses,
            started=since or time.monotonic(),
        )
        async with batch.opened:
            yield batch
