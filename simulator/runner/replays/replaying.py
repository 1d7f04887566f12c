"""Replaying a run or a batch: plans, identities, browser and recorder, put together. Not responsible for: its rules."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from simulator.recording.reader import Recording
from simulator.replay.bind import Part, find_blockers, for_others
from simulator.replay.drift import DriftReport
from simulator.replay.plan import Plan
from simulator.replay.shards import share
from simulator.runner import events
from simulator.runner.batch_session import BatchSession, User, open_batch
from simulator.runner.replays.choosing import Chosen, choose, population_of
from simulator.runner.replays.end_state import settled, states
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.population import Elsewhere, Member, Population
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.replay_run import RunReplayer
from simulator.runner.seeding.fan_out import ranges
from simulator.runner.seeding.fanned import FannedPopulation
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import mailbox_of
from simulator.runner.surroundings.workers import worker_sites

if TYPE_CHECKING:
    from simulator.runner.repairs.repairing import Repairs
    from simulator.runner.replays.healing import Healing


async def replay(options: ReplayOptions, listener: events.Listener, stop: Stop) -> events.ReplayResult:
    """Replay a target.

    Args:
        options: what was asked for.
        listener: gets what happens; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end between two steps.

    Raises:
        SimulatorError: the replay could not start or go on.
    """
    since = time.monotonic()
    with Recording.open(options.source) as recording:
        chosen = choose(recording, options)
        if not chosen.plans:
            return chosen.result
        population = population_of(chosen, options, stop)
        # Where a seeding goes on of which everybody had come to an end, that is all that is left to store.
        if isinstance(population, FannedPopulation) and not (population.total or options.begun):
            return replace(chosen.result, seeded=population.summary(()))
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
                result = replace(result, seeded=population.summary(result.runs))
            if healing is None or not result.passed:
                return result
            return healing.revise(result, batch.recorder, repairs.redone if repairs else None)


def _seeding(options: ReplayOptions, population: Population) -> dict[str, Any]:
    """Give what is stored of a seeding, so that another one adds to it, and that it can be gone on with."""
    if not isinstance(population, FannedPopulation) or options.fan_out is None:
        return {}
    stored = options.fan_out.as_settings(population.source.plans)
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
    return {"seeding": stored["seeding"] | {"going_on": how | options.fan_out.conditions()}}


def _healing(options: ReplayOptions, parts: Sequence[Part], recording: Recording) -> Healing | None:
    if options.mode == "strict":
        return None
    from simulator.runner.replays.healing import Healing

    return Healing.of(parts, recording, options.identity)


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


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
    """Replays runs on one site, several at once."""

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
        """Say what came of it."""
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
        self.batch.listener(events.RunEnded(part.number, run.id, "failed", drift.sentence, drift.verdict))
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
