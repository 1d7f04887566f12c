"""Replaying a run up to a step, and letting an agent go on live from there, as a new revision of the run.

Not responsible for: how the beginning is performed (``prefix``), or the agent.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.errors import RecordingError, UsageError
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow
from simulator.replay.plan import plan_run
from simulator.replay.tape import Tape, TapeEnd
from simulator.runner import events
from simulator.runner.batch_session import BatchSession, open_batch
from simulator.runner.continuing.continuation import Continuation
from simulator.runner.continuing.offline import RecordedAgent
from simulator.runner.continuing.prefix import Prefix
from simulator.runner.continuing.taped import TapedModel, TapedPerformer, as_recorded
from simulator.runner.peers import Board
from simulator.runner.performing.performers import Performers, open_performers
from simulator.runner.performing.run import Member, RecordedRun, RunMaker
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.spending import Budget
from simulator.runner.stop import Stop
from simulator.tools.spec import ToolSpec

_KEPT = ("definitions", "count")
"""Settings of the recorded batch that say who its users were."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoOnOptions:
    """What ``sim continue`` was asked for."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    db: Path
    """Holds the run, and gets the new one."""
    run: str
    step: int
    """The first one that is not replayed, from 1."""
    agent: str
    model: str = ""
    max_steps: int | None = None
    """How many may follow; None: as many as the persona allows."""
    limit_minutes: float | None = None
    limit_tokens: int | None = None
    limit_money: float | None = None
    reset: bool = False
    headed: bool = False
    screenshots: Screenshots = "failures"
    own_tools: tuple[ToolSpec, ...] = ()
    allow_workspace: bool = False
    argv: tuple[str, ...] = ()


async def go_on(options: GoOnOptions, listener: events.Listener, stop: Stop) -> events.BatchResult:
    """Replay the beginning of a run, and let an agent go on.

    Args:
        options: what was asked for.
        listener: gets what happens; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end.

    Raises:
        RecordingError: the run cannot be gone on with from there.
        UsageError: the agent cannot do what is left of it.
        SimulatorError: it could not start or go on.
    """
    since = time.monotonic()
    with Recording.open(options.db) as recording:
        run = recording.run(options.run)
        past = RecordedAgent.read(recording, run, options.settings)
        until = _checked(recording, past, options)
        await _rehearse(recording, past, until, options)
        site = options.site or options.settings.site(run.site)
        site = site.with_base_url(options.base_url) if options.base_url else site
        reset = await _replay_producers(recording, run, options, site, stop)
        batch_row = recording.batch(run.batch_id)
        async with open_batch(options.db, listener, stop, since=since) as batch:
            performers = await batch.enter(
                open_performers(
                    options.agent,
                    [past.persona],
                    os.environ,
                    models=options.settings.models,
                    model=options.model,
                    all_by_model=past.all_by_model,
                    money=options.limit_money is not None,
                )
            )
            resources = await batch.open_site(options.settings, site, headed=options.headed)
            if reset:
                await resources.control.reset()
            drawn = {**batch_row.settings, **batch_row.settings.get("from", {})}
            users = {name: drawn[name] for name in _KEPT if name in drawn}
            settings = {
                "site": resources.site.name,
                "agent": options.agent,
                "model": options.model,
                "from": {"run": run.id, "step": options.step, **users},
                **performers.prices.as_settings(),
            }
            limit = options.limit_minutes
            with (
                batch.running(1, 1, seed=batch_row.seed, argv=options.argv, settings=settings),
                stop.after(limit, f"the limit of {limit or 0:g} minutes is over"),
            ):
                made = await _record(recording, past, until, options, batch, performers)
                batch.status = made.outcome.status
                counts = await batch.keep_states([(made.recorder, made.username)])
            return batch.result([made.outcome], counts, interrupted=stop.requested)


async def _record(
    recording: Recording,
    past: RecordedAgent,
    until: int,
    options: GoOnOptions,
    batch: BatchSession,
    performers: Performers,
) -> RecordedRun:
    """Record the new revision: its beginning from the tape, and what the agent does then."""
    run, resources = past.run, batch.resources
    tape = Tape(past.tape(recording, until), ended=False)
    model = TapedModel(tape, performers.model) if performers.model else None
    maker = RunMaker(
        batch,
        _nobody_else(run.number),
        options.screenshots,
        own_tools=options.own_tools,
        allow_workspace=options.allow_workspace,
        performers=replace(performers, model=model, all_by_model=past.all_by_model),
        budget=Budget(batch.stop, performers.prices, None, options.limit_tokens, options.limit_money),
    )
    member = Member(run.number, past.persona, past.identity, past.interactions)
    origin, here = past.site.origin, resources.site.origin
    prefix = Prefix(
        recording,
        run,
        until,
        plan_run(recording, run, until=until),
        tape,
        past.by_model,
        model,
        options.max_steps,
        lambda text: text.replace(origin, here),
    )
    return await maker.record(member, Continuation(prefix, maker.begin(member, run)))


def _checked(recording: Recording, past: RecordedAgent, options: GoOnOptions) -> int:
    """See that the run can be gone on with from a step.

    Returns:
        The step's place, from 0.
    """
    run, until = past.run, options.step - 1
    if run.kind == "replay":
        raise RecordingError(f"the run {run.id} is itself a replay; go on with its source, {run.source_run}")
    if not 0 <= until <= len(past.steps):
        raise RecordingError(
            f"the run {run.id} has {len(past.steps)} steps: --from takes 1 (everything anew) to {len(past.steps) + 1} "
            f"(after the last one), not {options.step}"
        )
    if past.by_model and options.agent == "autopilot":
        raise UsageError("the run was done by a model; say which agent goes on with it: --agent claude or openai")
    if past.resumed is not None and past.resumed < until:
        raise RecordingError(
            f"the run {run.id} was cut off and resumed at step {past.resumed + 1}; go on from there or before"
        )
    plan = plan_run(recording, run, until=until)
    if until and plan.refused:
        raise RecordingError(f"the run {run.id} cannot be replayed up to step {options.step}: {plan.refused}")
    return until


async def _rehearse(recording: Recording, past: RecordedAgent, until: int, options: GoOnOptions) -> None:
    """See, without the site, that today's agent does what was recorded, and has something left to do after it."""
    tape = Tape(past.tape(recording, until), ended=False)
    performers = Performers(TapedModel(tape) if past.by_model else None, past.all_by_model, agent=options.agent)
    try:
        with as_recorded(past.run.id):
            await past.again(recording, tape, performers, own_tools=options.own_tools, alone=TapedPerformer(tape, None))
    except TapeEnd:
        return
    raise RecordingError(f"the run {past.run.id} has no task left at step {until + 1}: all of them had ended by then")


async def _replay_producers(recording: Recording, run: RunRow, options: GoOnOptions, site: Site, stop: Stop) -> bool:
    """Replay the runs that a run depends on; the site is reset before the first one where that is asked for.

    Returns:
        Whether it is still to be reset.

    Raises:
        RecordingError: one of them does not do what it did.
    """
    reset = options.reset
    for producer in sorted({need.producer_run for need in recording.dependencies(run.id)}):
        replayed = await replay(
            ReplayOptions(
                settings=options.settings,
                site=site,
                source=options.db,
                target=producer,
                db=options.db,
                reset=reset,
                headed=options.headed,
                screenshots=options.screenshots,
                argv=options.argv,
            ),
            lambda event: None,
            stop,
        )
        reset = False
        if not replayed.passed:
            raise RecordingError(
                f"the run {run.id} depends on {producer}, whose replay did not pass; look at it with "
                f"'sim replay {producer} --reset'"
            )
    return reset


def _nobody_else(number: int) -> Board:
    """Give a board on which nobody else will ever make anything."""
    board = Board()
    for other in range(1, number):
        board.end(other)
    return board
