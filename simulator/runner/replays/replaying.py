"""Replaying a run or a batch: plans, identities, browser and recorder, put together. Not responsible for: its rules."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.browser.acting.pace import Pace
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.errors import SimulatorError
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.replay.bind import Part, bind_identity, find_blockers, for_others, shared_variables, values_of
from simulator.replay.drift import DriftReport
from simulator.replay.effects import SecondPerformance
from simulator.replay.plan import IdentityPolicy, Plan, plan_run
from simulator.replay.review import Review
from simulator.replay.shards import Shard, share
from simulator.runner import events
from simulator.runner.accounts import as_account
from simulator.runner.delivery import Losses, guarded
from simulator.runner.repairs.repair import RepairOptions
from simulator.runner.replays.end_state import settled, states
from simulator.runner.replays.healing import Healing, nothing_redone
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.quarantine import Quarantine
from simulator.runner.replays.replay_run import RunReplayer
from simulator.runner.replays.selecting import require_acts, select
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import mailbox_of, open_resources
from simulator.runner.surroundings.workers import worker_sites
from simulator.secrets import Vaults

if TYPE_CHECKING:
    from simulator.browser.launch.launching import Ahead
    from simulator.runner.repairs.repairing import Repairs


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
    concurrency: int | None = None
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


async def replay(options: ReplayOptions, listener: events.Listener, stop: Stop) -> events.ReplayResult:
    """Replay a target.

    Args:
        options: what was asked for.
        listener: told what happens; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end between two steps.

    Raises:
        SimulatorError: the replay could not start or go on.
    """
    started = time.monotonic()
    losses = Losses()
    listener = guarded(listener, losses)
    with Recording.open(options.source) as recording:
        selection = select(recording, options.target)
        plans: Sequence[Plan] = [plan_run(recording, run) for run in selection.runs]
        first = selection.runs[0]
        fresh = options.identity == "fresh"
        seed = options.seed or (secrets.token_hex(4) if fresh else str(first.environment.get("seed", "")) or first.id)
        site = options.site or options.settings.site(first.site)
        source = Path(options.source_name or options.source)
        require_acts(plans)
        unused = options.quarantine.unused(plans) if options.quarantine else ()
        if options.shard:
            plans = options.shard.take(plans)
        result = events.ReplayResult(
            batch_id="",
            db=options.db,
            source=source,
            site=site.name,
            base_url=options.base_url or site.base_url,
            identity=options.identity,
            mode=options.mode,
            runs=(),
            seconds=0,
            shard=str(options.shard or ""),
            quarantine_unused=unused,
        )
        if not plans:
            return result
        mailed = options.settings.mailbox_for(site)
        domain = mailed.domain if mailed else None
        parts = [bind_identity(plan, options.identity, seed, email_domain=domain) for plan in plans]
        parts = [as_account(part, site) for part in parts] if fresh else parts
        healing = Healing.of(parts, recording, options.identity) if options.mode != "strict" else None
        vaults = Vaults()
        with Recorder.open(options.db, mask=vaults.mask_all) as recorder:
            async with AsyncExitStack() as stack:
                repairs = await _repairs(options, recording, stop, stack)
                sites = worker_sites(site, options.base_url, options.workers, options.identity, stack)
                mailbox = await stack.enter_async_context(mailbox_of(options.settings, site))
                opened = [
                    await stack.enter_async_context(
                        open_resources(
                            options.settings,
                            one.site,
                            vaults=vaults,
                            headed=options.headed,
                            alone=True,
                            database=one.database,
                            mailbox=mailbox,
                            ahead=options.ahead,
                        )
                    )
                    for one in sites
                ]
                resources = opened[0]
                if options.identity == "reuse":
                    # Only who comes back needs what logs users in, and with it every tool.
                    from simulator.runner.replays.returning import require_key

                    require_key((part.run for part in parts), resources.key, resources.site)
                if options.reset:
                    for each in opened:
                        await each.control.reset()
                concurrency = resources.concurrency(options.concurrency, len(parts))
                batch_id = recorder.begin_batch(
                    argv=options.argv,
                    seed=seed,
                    settings={"site": site.name, "identity": options.identity, "concurrency": concurrency},
                    kind="replay",
                    source_batch=first.batch_id,
                    source_path=source.name,
                )
                listener(
                    events.BatchStarted(batch_id, len(parts), concurrency, seed, site.name, resources.site.base_url)
                )
                status: events.RunStatus = "interrupted"
                try:
                    progress, others = Progress(), _shared(parts, options.identity)
                    replayers = [
                        RunReplayer(
                            batch_id=batch_id,
                            seed=seed,
                            policy=options.identity,
                            recording=recording,
                            recorder=recorder,
                            resources=each,
                            progress=progress,
                            others=others,
                            listener=listener,
                            stop=stop,
                            screenshots=options.screenshots,
                            healing=healing,
                            review=options.review,
                            second=options.second,
                            freeze_clock=options.freeze_clock,
                            pace=options.pace,
                            repairs=repairs,
                        )
                        for each in opened
                    ]
                    shares = share(plans, len(opened))
                    workers = _workers(shares, replayers, concurrency)
                    fresh = options.identity == "fresh"
                    performed = [for_others(part, parts) for part in parts] if fresh else parts
                    runs = await _all(performed, find_blockers(parts, options.identity), workers)
                    if options.quarantine:
                        runs = options.quarantine.judge(runs, {plan.run.id: plan for plan in plans})
                        for run in runs:
                            if run.drifted and run.quarantined:
                                recorder.writer.add_summary(run.run_id, {"quarantined": run.quarantined})
                    controls = {run: worker.replayer.resources.control for run, worker in workers.items()}
                    compared = settled(parts, runs) if len(runs) == len(parts) and not stop.requested else []
                    before, after = await states(compared, options.identity, controls)
                    if not stop.requested and len(runs) == len(parts):
                        status = "failed" if any(run.drifted for run in runs) else "passed"
                finally:
                    recorder.end_batch(batch_id, status=status)
                listener(events.BatchEnded(status))
                result = replace(
                    result,
                    batch_id=batch_id,
                    base_url=resources.site.base_url,
                    runs=tuple(runs),
                    seconds=time.monotonic() - started,
                    state_before=before,
                    state_after=after,
                    blocked=tuple(url for each in opened for url in each.pool.blocked),
                    interrupted=status == "interrupted",
                    reason=stop.reason,
                    lost_events=losses.counts,
                    workers=len(opened),
                )
                if healing is None or not result.passed:
                    return result
                return healing.revise(result, recorder, repairs.redone if repairs else nothing_redone)


async def _repairs(options: ReplayOptions, recording: Recording, stop: Stop, stack: AsyncExitStack) -> Repairs | None:
    """Open what repairs by a model need, where that is asked for; without that, nothing of it is even imported."""
    if options.mode != "agent":
        return None
    from simulator.runner.repairs.repairing import open_repairs

    assert options.repair is not None, "the mode 'agent' comes with who repairs"
    opening = open_repairs(options.repair, options.settings, recording, options.db, stop, options.screenshots)
    return await stack.enter_async_context(opening)


def _shared(parts: Sequence[Part], policy: IdentityPolicy) -> Mapping[str, Mapping[str, str]]:
    """Give what the users of each batch know of each other, and of whom else they depend on, by batch."""
    shared: dict[str, dict[str, str]] = {}
    for part in parts:
        known = shared.setdefault(part.run.batch_id, {})
        for other in (part, *(one for one in parts if one.run.original in part.plan.needs)):
            known.update(shared_variables(other.run.number, values_of(other, policy)))
    return shared


@dataclass(frozen=True, slots=True)
class _Worker:
    """Replays runs on one site, so many at once."""

    replayer: RunReplayer
    slots: asyncio.Semaphore


def _workers(
    shares: Sequence[Sequence[Plan]], replayers: Sequence[RunReplayer], concurrency: int
) -> Mapping[str, _Worker]:
    """Give who replays each run, by its id."""
    each = max(1, concurrency // len(replayers))
    workers = [_Worker(replayer, asyncio.Semaphore(each)) for replayer in replayers]
    return {plan.run.id: worker for worker, plans in zip(workers, shares, strict=True) for plan in plans}


async def _all(
    parts: Sequence[Part], blockers: Mapping[str, DriftReport], workers: Mapping[str, _Worker]
) -> list[events.ReplayedRun]:
    """Replay every part; each step waits for what it needs of others.

    Users begin in the order in which they were recorded, and only earlier ones are waited for, so that a bound on how
    many act at once cannot keep anybody waiting forever.
    """
    finished: list[events.ReplayedRun] = []

    async def one(part: Part) -> None:
        replayer = workers[part.run.id].replayer
        async with workers[part.run.id].slots:
            if replayer.stop.requested:
                return
            blocker = blockers.get(part.run.id)
            finished.append(_not_performed(part, blocker, replayer) if blocker else await replayer.replay(part))

    try:
        async with asyncio.TaskGroup() as group:
            for part in parts:
                group.create_task(one(part), name=f"run {part.run.id}")
    except* SimulatorError as failures:
        error: BaseException = failures
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        raise error from None
    order = {part.run.id: place for place, part in enumerate(parts)}
    return sorted(finished, key=lambda run: order[run.source_run])


def _not_performed(part: Part, drift: DriftReport, replayer: RunReplayer) -> events.ReplayedRun:
    run = part.run
    replayer.progress.end(run.original)
    replayer.listener(events.RunEnded(run.number, run.id, "failed", drift.found, drift.verdict))
    return events.ReplayedRun(
        number=run.number,
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
