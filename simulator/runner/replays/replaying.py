"""Replaying a run or a batch: plans, identities, browser and recorder, put together. Not responsible for: its rules."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simulator.browser.acting.pace import Pace
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.errors import UsageError
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow
from simulator.replay.bind import Part, bind_identity, find_blockers, for_others
from simulator.replay.drift import DriftReport
from simulator.replay.effects.checking import SecondPerformance
from simulator.replay.plan import IdentityPolicy, Plan, plan_run
from simulator.replay.review import Review
from simulator.replay.shards import Shard, share
from simulator.runner import events
from simulator.runner.accounts import as_account
from simulator.runner.batch_session import BatchSession, User, open_batch
from simulator.runner.replays.end_state import settled, states
from simulator.runner.replays.population import Elsewhere, Member, Population, RecordedPopulation
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.replay_run import RunReplayer
from simulator.runner.replays.selecting import require_acts, select
from simulator.runner.seeding.fan_out import FanOut, ranges
from simulator.runner.seeding.fanned import FannedPopulation
from simulator.runner.seeding.seats import Source
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import mailbox_of
from simulator.runner.surroundings.workers import worker_sites

if TYPE_CHECKING:
    from simulator.browser.launch.launching import Ahead
    from simulator.runner.repairs.repair import RepairOptions
    from simulator.runner.repairs.repairing import Repairs
    from simulator.runner.replays.begun import Begun
    from simulator.runner.replays.healing import Healing
    from simulator.runner.replays.quarantine import Quarantine


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions:
    """What ``sim replay`` was asked for."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    source: Path
    source_name: str = ""
    """What the source is called; empty: its own name."""
    target: str | Sequence[str]
    """A run, a batch, the unique beginning of either's id, ``last`` or ``all``; or several."""
    identity: IdentityPolicy = "same"
    mode: events.Mode = "strict"
    """``heal``: what strict evidence does not find is sought by weaker evidence, and becomes a new revision. ``agent``:
    what is not to be healed, either, is done by a model."""
    repair: RepairOptions | None = None
    """Who repairs, and within which bounds; needed by the mode ``agent``."""
    seed: str | None = None
    """What fresh users and new choices are drawn from; None: the recorded seed, and a random one for fresh users."""
    fan_out: FanOut | None = None
    """How many users are made of the recorded ones; None: every run is performed once."""
    concurrency: int | None = None
    beside: int = 0
    """How many users other processes let act on the site meanwhile."""
    workers: int = 1
    """Among how many sites of its own the runs are shared out."""
    shard: Shard | None = None
    """Replay this share of the runs only."""
    quarantine: Quarantine | None = None
    """Whose drifts do not count."""
    review: Review | None = None
    """Keeps what pages are otherwise, instead of stopping there."""
    second: SecondPerformance | None = None
    """Set where it is to prove what it performs."""
    freeze_clock: bool | None = None
    """Whether the clock of the pages stands; None: as it was recorded."""
    pace: Pace = "none"
    """When actions are done: at once, as it was recorded, or as a person would."""
    db: Path
    reset: bool = False
    headed: bool = False
    screenshots: Screenshots = "failures"
    ahead: Ahead | None = None
    """A browser that may have been started before."""
    argv: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """What was gathered in a temporary source, as it was typed: a seeding that is cut off gathers it again."""
    looked_up: Path | None = None
    """Where runs and batches among :attr:`named` stand."""
    begun: Begun | None = None
    """Who had begun before, where a seeding goes on."""
    elsewhere: Callable[[ReplayOptions, Sequence[str], str], AbstractAsyncContextManager[Elsewhere]] | None = None
    """Opens what performs the users of a seeding elsewhere: from these options, the ids of the recorded runs, and the
    fingerprint of the machine key. None: this process performs them."""


async def replay(options: ReplayOptions, listener: events.Listener, stop: Stop) -> events.ReplayResult:
    """Replay a target.

    Args:
        options: what was asked for.
        listener: told what happens; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end between two steps.

    Raises:
        SimulatorError: the replay could not start or go on.
    """
    since = time.monotonic()
    with Recording.open(options.source) as recording:
        chosen = choose(recording, options)
        if not chosen.plans:
            return chosen.result
        population = _population(chosen, options, stop)
        # Where a seeding goes on of which everybody had come to an end, that is all that is left to store.
        if isinstance(population, FannedPopulation) and not (population.total or options.begun):
            return replace(chosen.result, seeded=population.told(()))
        parts = population.parts
        healing = _healing(options, parts, recording)
        async with open_batch(options.db, listener, stop, since=since) as batch:
            batch.crowd.beside = options.beside
            repairs = await _repairs(options, recording, batch)
            replaying = _BatchReplay(options, recording, batch, chosen, population, healing, repairs)
            await replaying.open_sites()
            if options.elsewhere:
                performed = [plan.run.id for plan in chosen.plans]
                opening = options.elsewhere(options, performed, batch.resources.key.fingerprint)
                replaying.elsewhere = await batch.enter(opening)
            concurrency = batch.resources.concurrency(options.concurrency, population.total)
            kept = {"site": chosen.site.name, "identity": options.identity, "concurrency": concurrency}
            with batch.running(
                population.total,
                concurrency,
                seed=chosen.seed,
                argv=options.argv,
                settings=kept | _seeding(options, population),
                again=options.begun.batch if options.begun else None,
                kind="replay",
                source_batch=chosen.first.batch_id,
                source_path=chosen.result.source.name,
            ):
                await replaying.perform(concurrency)
            result = replaying.result()
            if isinstance(population, FannedPopulation):
                result = replace(result, seeded=population.told(result.runs))
            if healing is None or not result.passed:
                return result
            return healing.revise(result, batch.recorder, repairs.redone if repairs else None)


def _seeding(options: ReplayOptions, population: Population) -> dict[str, Any]:
    """Give what is stored of a seeding, so that another one adds to it, and that it can be gone on with."""
    if not isinstance(population, FannedPopulation) or options.fan_out is None:
        return {}
    told = options.fan_out.as_settings(population.source.plans)
    source = (options.looked_up or options.db) if options.named else options.source
    how = {
        "source": "" if _is_same(source, options.db) else str(source),
        "named": list(options.named),
        "performed": [plan.run.id for plan in population.source.plans],
        "numbers": ranges(seat.number for seat in population.seats),
        "mode": options.mode,
        "pace": options.pace,
        "freeze_clock": options.freeze_clock,
        **({"known": options.fan_out.known} if options.fan_out.known else {}),
    }
    return {"seeding": told["seeding"] | {"going_on": how | options.fan_out.conditions()}}


def _healing(options: ReplayOptions, parts: Sequence[Part], recording: Recording) -> Healing | None:
    if options.mode == "strict":
        return None
    from simulator.runner.replays.healing import Healing

    return Healing.of(parts, recording, options.identity)


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is replayed."""

    plans: Sequence[Plan]
    first: RunRow
    """Of all that was asked for, the share of others included."""
    seed: str
    site: Site
    result: events.ReplayResult
    """Of nothing, yet."""


def choose(recording: Recording, options: ReplayOptions) -> Chosen:
    """Find what a replay was asked for.

    Raises:
        SimulatorError: there is no such run, or it cannot be replayed.
    """
    selection = select(recording, options.target)
    plans: Sequence[Plan] = [plan_run(recording, run) for run in selection.runs]
    first = selection.runs[0]
    drawn = secrets.token_hex(4) if options.identity == "fresh" else str(first.environment.get("seed", "")) or first.id
    site = options.site or options.settings.site(first.site)
    require_acts(plans)
    unused = options.quarantine.unused(plans) if options.quarantine else ()
    if options.shard:
        plans = options.shard.take(plans)
    result = events.ReplayResult(
        batch_id="",
        db=options.db,
        source=Path(options.source_name or options.source),
        site=site.name,
        base_url=options.base_url or site.base_url,
        identity=options.identity,
        mode=options.mode,
        runs=(),
        seconds=0,
        shard=str(options.shard or ""),
        quarantine_unused=unused,
    )
    return Chosen(plans, first, options.seed or drawn, site, result)


def _population(chosen: Chosen, options: ReplayOptions, stop: Stop) -> Population:
    """Say who performs each run.

    Raises:
        SimulatorError: nobody can.
    """
    source = source_of(options, chosen)
    if options.fan_out:
        population = FannedPopulation(options.fan_out, source, options.db, stop, options.begun)
        if population.varying.varies and (options.mode != "strict" or options.elsewhere):
            raise UsageError(
                "what is healed, or performed by workers of a cluster, is performed as it was recorded, and 'numbers' "
                "of a persona performs something else: leave one of them out"
            )
        return population
    domain = source.email_domain
    parts = [bind_identity(plan, options.identity, chosen.seed, email_domain=domain) for plan in chosen.plans]
    if options.identity == "fresh":
        parts = [as_account(part, chosen.site) for part in parts]
    return RecordedPopulation(parts, options.identity)


def source_of(options: ReplayOptions, chosen: Chosen) -> Source:
    """Give what fresh users are made of."""
    mailed = options.settings.mailbox_for(chosen.site)
    site = chosen.site.with_base_url(options.base_url) if options.base_url and options.fan_out else chosen.site
    return Source(chosen.plans, chosen.seed, site, mailed.domain if mailed else None, options.reset)


async def _repairs(options: ReplayOptions, recording: Recording, batch: BatchSession) -> Repairs | None:
    """Open what repairs by a model need, where that is asked for; without that, nothing of it is even imported."""
    if options.mode != "agent":
        return None
    from simulator.runner.repairs.repairing import open_repairs

    assert options.repair is not None, "the mode 'agent' comes with who repairs"
    return await batch.enter(
        open_repairs(options.repair, options.settings, recording, options.db, batch.stop, options.screenshots)
    )


class _Worker(NamedTuple):
    """Replays runs on one site, so many at once."""

    replayer: RunReplayer
    slots: asyncio.Semaphore


@dataclass(slots=True)
class _BatchReplay:
    """The replay of all that was asked for.

    Users begin in the order in which they were recorded, and only earlier ones are waited for, so that a bound on how
    many act at once cannot keep anybody waiting forever.
    """

    options: ReplayOptions
    recording: Recording
    batch: BatchSession
    chosen: Chosen
    population: Population
    healing: Healing | None
    repairs: Repairs | None
    elsewhere: Elsewhere | None = None
    """What performs the users; None: this process does."""
    runs: Sequence[events.ReplayedRun] = ()
    state_before: str | None = None
    state_after: str | None = None
    progress: Progress = field(default_factory=Progress)

    @property
    def parts(self) -> Sequence[Part]:
        """Every run once."""
        return self.population.parts

    async def open_sites(self) -> None:
        """Open the site of each worker, and reset it where that is asked for.

        Raises:
            SimulatorError: one of them cannot be opened, or nobody could log in there.
        """
        options, site = self.options, self.chosen.site
        sites = worker_sites(site, options.base_url, options.workers, options.identity, self.batch.opened)
        mailbox = await self.batch.enter(mailbox_of(options.settings, site))
        for one in sites:
            await self.batch.open_site(
                options.settings,
                one.site,
                headed=options.headed,
                alone=True,
                database=one.database,
                mailbox=mailbox,
                ahead=options.ahead,
            )
        if options.identity == "reuse":
            # Only who comes back needs what logs users in, and with it every tool.
            from simulator.runner.replays.returning import require_key

            require_key((part.run for part in self.parts), self.batch.resources.key, self.batch.resources.site)
        if options.begun:
            options.begun.require_key(self.batch.resources.key)
        if options.reset:
            for each in self.batch.sites:
                await each.control.reset()

    async def perform(self, concurrency: int) -> None:
        """Replay every run; each step waits for what it needs of others.

        Args:
            concurrency: how many users act at once.
        """
        options, batch, parts, population = self.options, self.batch, self.parts, self.population
        workers = self._workers(concurrency)
        blockers = find_blockers(parts, options.identity)
        performed = {part.run.id: part.plan for part in parts}
        if options.identity == "fresh":
            performed = {part.run.id: for_others(part, parts).plan for part in parts}
        for key, place in population.done.items():
            self.progress.reached(key, place)
            self.progress.end(key)
        runs: list[events.ReplayedRun] = []
        for wave in population.waves():
            if self.elsewhere is not None and isinstance(population, FannedPopulation):
                came_to = await self.elsewhere.perform(batch, population, population.casts(wave))
            else:
                users = [self._user(one, performed[one.run], workers[one.run], blockers.get(one.run)) for one in wave]
                came_to = await batch.all(users)
            runs += came_to
            population.judge(came_to)
            if population.halted or batch.stop.requested:
                break
        self.runs = runs
        if options.quarantine:
            self.runs = options.quarantine.judge(self.runs, {plan.run.id: plan for plan in self.chosen.plans})
            for run in self.runs:
                if run.drifted and run.quarantined:
                    batch.recorder.writer.add_summary(run.run_id, {"quarantined": run.quarantined})
        whole = len(self.runs) == population.total
        controls = {run: worker.replayer.resources.control for run, worker in workers.items()}
        compared = settled(parts, self.runs) if whole and not batch.stop.requested else []
        self.state_before, self.state_after = await states(compared, options.identity, controls)
        left_out = any(run.verdict == "interrupted" for run in self.runs) or bool(options.begun and options.begun.given)
        if not batch.stop.requested and not left_out and (whole or population.halted):
            drifted = any(run.drifted for run in self.runs) or bool(options.begun and options.begun.failed())
            batch.status = "failed" if drifted or population.halted else "passed"

    def result(self) -> events.ReplayResult:
        """Tell what came of it."""
        batch = self.batch
        return replace(
            self.chosen.result,
            batch_id=batch.batch_id,
            base_url=batch.resources.site.base_url,
            runs=tuple(self.runs),
            seconds=batch.seconds,
            state_before=self.state_before,
            state_after=self.state_after,
            blocked=batch.blocked,
            interrupted=batch.status == "interrupted" and batch.stop.requested,
            reason=batch.stop.reason,
            lost_events=batch.losses.counts,
            workers=len(batch.sites),
        )

    def _workers(self, concurrency: int) -> Mapping[str, _Worker]:
        """Give who replays each run, by its id."""
        options = self.options
        each = max(1, concurrency // len(self.batch.sites))
        workers = [
            _Worker(
                RunReplayer(
                    batch=self.batch,
                    policy=options.identity,
                    recording=self.recording,
                    resources=resources,
                    progress=self.progress,
                    others=self.population.others,
                    screenshots=options.screenshots,
                    healing=self.healing,
                    review=options.review,
                    second=options.second,
                    freeze_clock=options.freeze_clock,
                    pace=options.pace,
                    pairings=self.population.pairings,
                    repairs=self.repairs,
                    begun=options.begun,
                ),
                asyncio.Semaphore(each),
            )
            for resources in self.batch.sites
        ]
        shares = share(self.chosen.plans, len(workers))
        return {plan.run.id: worker for worker, plans in zip(workers, shares, strict=True) for plan in plans}

    def _user(
        self, member: Member, plan: Plan, worker: _Worker, blocker: DriftReport | None
    ) -> User[events.ReplayedRun]:
        async def act() -> events.ReplayedRun | None:
            if not await self.population.begin() or self.batch.stop.requested:
                self.progress.end(member.key)  # nobody waits for who never begins
                return None
            part = self.population.fit(replace(member.bind(), plan=plan))
            run = self._not_performed(part, blocker) if blocker else await worker.replayer.replay(part)
            done = self.population.ended(part, run)
            self.progress.forget(done)
            worker.replayer.let_go(done)
            return run

        return User(f"run {member.run}", act, worker.slots, absent=partial(self.progress.end, member.key))

    def _not_performed(self, part: Part, drift: DriftReport) -> events.ReplayedRun:
        run = part.run
        self.progress.end(part.key)
        self.batch.listener(events.RunEnded(part.number, run.id, "failed", drift.found, drift.verdict))
        return events.ReplayedRun(
            number=part.number,
            source_run=run.id,
            run_id="",
            persona=run.persona or "",
            username=part.identity.username,
            verdict=drift.verdict,
            drift=drift,
            steps=0,
            actions=0,
            seconds=0,
        )
