"""Recording a batch: many users, a bounded number at once. Not responsible for: a single run, or showing anything."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from simulator.agent.interactions import plan_batch
from simulator.canonical import content_hash
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.domain import packs_in_use
from simulator.errors import SimulatorError, UsageError
from simulator.persona import Persona, draw_population
from simulator.persona.tasks import Do
from simulator.recording.recorder import Recorder
from simulator.recording.run_recorder import RunRecorder
from simulator.runner import events
from simulator.runner.accounts import dealt
from simulator.runner.delivery import Losses, guarded
from simulator.runner.peers import Board
from simulator.runner.performing.performers import MEMBERS, open_performers
from simulator.runner.performing.run import Member, RecordedRun, RunMaker
from simulator.runner.spending import Budget, Limits, Spending, together
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import Resources, open_resources
from simulator.secrets import Vaults
from simulator.tools.spec import ToolSpec
from simulator.tools.toolsets import MAIL, registry_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What ``sim personas run`` was asked for."""

    settings: Settings
    site: Site
    personas: tuple[Persona, ...]
    count: int
    seed: str
    agent: str = "autopilot"
    model: str = ""
    """Which model an agent asks that has one; empty: its usual one."""
    all_by_model: bool = False
    """Whether the model does the structured tasks, too."""
    concurrency: int | None = None
    """Users at once; None: as the settings say."""
    freeze_clock: bool = False
    """Whether the clock of the pages stands at each run's start."""
    human: bool = False
    """Whether users take the time of a person."""
    db: Path
    headed: bool = False
    screenshots: Screenshots = "failures"
    ramp_s: float = 0
    """Seconds over which the users start, evenly."""
    limit_minutes: float | None = None
    """When the batch is asked to end; None: never."""
    limit_steps: int | None = None
    """How many steps all users together may take; so the other limits."""
    limit_tokens: int | None = None
    limit_money: float | None = None
    """In the currency of the model's prices."""
    toolsets: tuple[str, ...] = ()
    """What every user is offered; empty: what its persona names."""
    own_tools: tuple[ToolSpec, ...] = ()
    """What every user is offered beside its toolsets."""
    allow_workspace: bool = False
    """Whether personas that name the toolset ``workspace`` get it."""
    ask: Callable[[str], Awaitable[str]] | None = None
    """Puts a user's question to the person at the terminal; None where nobody attends."""
    argv: tuple[str, ...] = ()

    @property
    def limits(self) -> Limits:
        """What limits all its users together."""
        return Limits(self.limit_minutes, self.limit_steps, self.limit_tokens, self.limit_money)

    @property
    def email_domain(self) -> str | None:
        """Domain of its users' addresses; None: one that nobody has."""
        mailbox = self.settings.mailbox_for(self.site)
        return mailbox.domain if mailbox else None


def members(options: RunOptions) -> list[Member]:
    """Draw the users of a batch and plan whom they deal with."""
    by_name = {persona.persona: persona for persona in options.personas}
    drawn = draw_population(options.personas, options.count, options.seed, email_domain=options.email_domain)
    people = [(by_name[one.persona], one) for one in drawn]
    interactions = plan_batch(people, options.seed)
    return [
        Member(number, persona, dealt(identity, options.site, number), interactions[number])
        for number, (persona, identity) in enumerate(people, start=1)
    ]


async def run_batch(options: RunOptions, listener: events.Listener, stop: Stop) -> events.BatchResult:
    """Record a batch.

    Args:
        options: what was asked for.
        listener: told what happens; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end: steps in progress are finished, and no other begins.

    Raises:
        SimulatorError: the batch could not start or go on.
    """
    options = replace(options, personas=equipped(options))
    check_workspace(options.personas, allowed=options.allow_workspace)
    people = members(options)
    vaults = Vaults()
    started = time.monotonic()
    losses = Losses()
    listener = guarded(listener, losses)
    with Recorder.open(options.db, mask=vaults.mask_all) as recorder:
        async with (
            open_performers(
                options.agent,
                options.personas,
                os.environ,
                models=options.settings.models,
                model=options.model,
                all_by_model=options.all_by_model,
                money=options.limit_money is not None,
            ) as performers,
            open_resources(options.settings, options.site, vaults=vaults, headed=options.headed) as resources,
        ):
            concurrency = resources.concurrency(options.concurrency, options.count)
            batch_id = recorder.begin_batch(
                argv=options.argv,
                seed=options.seed,
                settings={
                    "site": resources.site.name,
                    "count": options.count,
                    "concurrency": concurrency,
                    "personas": sorted(persona.persona for persona in options.personas),
                    "agent": options.agent,
                    "model": options.model,
                    "all_by_model": options.all_by_model,
                    "email_domain": options.email_domain,
                    "definitions": [persona.model_dump(mode="json") for persona in options.personas],
                    "limits": options.limits.summary(),
                    "human": options.human,
                    **performers.prices.as_settings(),
                },
            )
            listener(
                events.BatchStarted(
                    batch_id, len(people), concurrency, options.seed, resources.site.name, resources.site.base_url
                )
            )
            maker = RunMaker(
                batch_id,
                options.seed,
                recorder,
                resources,
                Board(),
                listener,
                stop,
                options.screenshots,
                options.own_tools,
                options.allow_workspace,
                options.ask,
                performers,
                Budget(stop, performers.prices, options.limit_steps, options.limit_tokens, options.limit_money),
                freeze_clock=options.freeze_clock,
                human=options.human,
            )
            status: events.RunStatus = "interrupted"
            try:
                runs = await _all(people, maker, concurrency, options)
                status = _status(runs, len(people), stop)
                made = await keep_states(resources, [(run.recorder, run.username) for run in runs])
            finally:
                recorder.end_batch(batch_id, status=status)
            listener(events.BatchEnded(status))
            return events.BatchResult(
                batch_id=batch_id,
                db=options.db,
                seed=options.seed,
                site=resources.site.name,
                base_url=resources.site.base_url,
                runs=tuple(run.outcome for run in runs),
                seconds=time.monotonic() - started,
                blocked=tuple(resources.pool.blocked),
                made=made,
                interrupted=status == "interrupted",
                cancelled=len(people) - len(runs),
                reason=stop.reason,
                spending=together(run.outcome.spending for run in runs),
                by_persona=spent_by_persona(runs),
                lost_events=losses.counts,
            )


def equipped(options: RunOptions) -> tuple[Persona, ...]:
    """Give the personas with the toolsets that were asked for, all of which there are."""
    personas = options.personas
    if options.toolsets:
        personas = tuple(
            persona.model_copy(update={"tools": persona.tools.model_copy(update={"toolsets": options.toolsets})})
            for persona in personas
        )
    if options.settings.mailbox_for(options.site):
        personas = tuple(_with_mail(persona) for persona in personas)
    check_toolsets(personas, options.agent)
    for persona in personas:
        toolsets = persona.tools.toolsets
        registry_of(toolsets, options.own_tools)
        alone = next((task.task_type for task in persona.tasks if not isinstance(task, Do)), None)
        if alone and not options.all_by_model and not {"browser", MEMBERS} & {*toolsets}:
            raise UsageError(
                f"the persona '{persona.persona}' does '{alone}' without a model, which takes the toolset 'browser', "
                f"not only {', '.join(toolsets)}; name 'browser', too, or write the task in free words, with 'do'"
            )
    return personas


def _with_mail(persona: Persona) -> Persona:
    tools = persona.tools
    toolsets = tuple(dict.fromkeys((*tools.toolsets, MAIL)))
    return persona.model_copy(update={"tools": tools.model_copy(update={"toolsets": toolsets})})


def check_toolsets(personas: Iterable[Persona], agent: str) -> None:
    """See that an agent can offer what personas name.

    Raises:
        UsageError: it cannot.
    """
    if agent == "openai" and any(MEMBERS in persona.tools.toolsets for persona in personas):
        raise UsageError(
            f"the toolset '{MEMBERS}' belongs to the Messages API, which the agent 'openai' does not speak; "
            "take --agent claude, or --toolset browser"
        )


def check_workspace(personas: Iterable[Persona], *, allowed: bool) -> None:
    """See that nobody asks for the toolset ``workspace`` who may not have it.

    Raises:
        UsageError: a persona names it, and it is not allowed.
    """
    for persona in personas:
        if "workspace" in persona.tools.toolsets and not allowed:
            raise UsageError(
                f"the persona '{persona.persona}' names the toolset 'workspace', which runs commands on this machine; "
                "allow it with --allow-workspace, or take it out of tools.toolsets"
            )


async def _all(people: list[Member], maker: RunMaker, concurrency: int, options: RunOptions) -> list[RecordedRun]:
    slots = asyncio.Semaphore(concurrency)
    finished: list[RecordedRun] = []

    async def one(member: Member) -> None:
        if options.ramp_s:
            await maker.stop.pause(options.ramp_s * (member.number - 1) / len(people))
        async with slots:
            if maker.stop.requested:
                maker.cancel(member)
            else:
                finished.append(await maker.record(member))

    try:
        with maker.stop.after(options.limit_minutes, options.limits.over):
            async with asyncio.TaskGroup() as group:
                for member in people:
                    group.create_task(one(member), name=f"user {member.number}")
    except* SimulatorError as failures:
        raise first_failure(failures) from None
    return sorted(finished, key=lambda run: run.outcome.number)


def first_failure(failures: BaseExceptionGroup[SimulatorError]) -> SimulatorError:
    """Give one of the errors that ended a batch; they mostly have one cause."""
    error: BaseException = failures
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert isinstance(error, SimulatorError)
    return error


def _status(runs: Iterable[RecordedRun], asked: int, stop: Stop) -> events.RunStatus:
    statuses = [run.outcome.status for run in runs]
    if stop.requested or len(statuses) < asked:
        return "interrupted"
    return "passed" if all(status == "passed" for status in statuses) else "failed"


def spent_by_persona(runs: Iterable[RecordedRun]) -> dict[str, Spending]:
    """Add up what the users of each persona have asked of models."""
    spent: dict[str, Spending] = {}
    for outcome in (run.outcome for run in runs if run.outcome.spending):
        spent[outcome.persona] = spent.get(outcome.persona, Spending()) + outcome.spending
    return spent


async def keep_states(resources: Resources, runs: Iterable[tuple[RunRecorder, str]]) -> dict[str, int]:
    """Keep with each run the hash of what the site holds of its user, for replays to compare with.

    Args:
        resources: of the batch.
        runs: where each is recorded, and the name by which the site knows its user.

    Returns:
        How much the site holds of all of them, by kind; empty for a site that does not tell.
    """
    runs = tuple(runs)
    if (snapshot := await resources.control.snapshot()) is not None:
        for recorder, _ in runs:
            recorder.add_summary({"snapshot": snapshot})
    if not resources.control.can_tell_state:
        return {}
    state = await resources.control.state()
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
