"""Recording a batch: many users, a bounded number at once. Not responsible for: a single run, or showing anything."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from simulator.agent.interactions import plan_batch, sets_of_things
from simulator.agent.site_things.known import provided
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.errors import UsageError
from simulator.persona import Persona, draw_population
from simulator.persona.tasks import Do
from simulator.runner import events
from simulator.runner.accounts import dealt
from simulator.runner.batch_session import User, open_batch
from simulator.runner.peers import Board
from simulator.runner.performing.performers import MEMBERS, open_performers
from simulator.runner.performing.run import Member, RecordedRun, RunMaker
from simulator.runner.spending import Budget, Limits
from simulator.runner.stop import Stop
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
    interactions = plan_batch(people, options.seed, sets_of_things(options.site))
    return [
        Member(number, persona, dealt(identity, options.site, number), interactions[number])
        for number, (persona, identity) in enumerate(people, start=1)
    ]


async def run_batch(options: RunOptions, listener: events.Listener, stop: Stop) -> events.BatchResult:
    """Record a batch.

    Args:
        options: what was asked for.
        listener: gets each event; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end: steps in progress are finished, and no other begins.

    Raises:
        SimulatorError: the batch could not start or go on.
    """
    options = replace(options, personas=equipped(options))
    check_workspace(options.personas, allowed=options.allow_workspace)
    people = members(options)
    async with open_batch(options.db, listener, stop) as batch:
        performers = await batch.enter(
            open_performers(
                options.agent,
                options.personas,
                os.environ,
                models=options.settings.models,
                model=options.model,
                all_by_model=options.all_by_model,
                money=options.limit_money is not None,
            )
        )
        resources = await batch.open_site(options.settings, options.site, headed=options.headed)
        concurrency = resources.concurrency(options.concurrency, options.count)
        kept = {
            "site": resources.site.name,
            "concurrency": concurrency,
            **_kept(options),
            **performers.prices.as_settings(),
        }
        with batch.running(len(people), concurrency, seed=options.seed, argv=options.argv, settings=kept):
            maker = RunMaker(
                batch,
                Board(),
                options.screenshots,
                own_tools=options.own_tools,
                allow_workspace=options.allow_workspace,
                ask=options.ask,
                performers=performers,
                budget=Budget(stop, performers.prices, options.limit_steps, options.limit_tokens, options.limit_money),
                freeze_clock=options.freeze_clock,
                human=options.human,
            )
            with stop.after(options.limit_minutes, options.limits.over):
                runs = await batch.all(_users(people, maker, concurrency, options.ramp_s))
            batch.status = _status(runs, len(people), stop)
            made = await batch.keep_states((run.recorder, run.username) for run in runs)
        return batch.result(
            [run.outcome for run in runs],
            made,
            interrupted=batch.status == "interrupted",
            cancelled=len(people) - len(runs),
        )


def _kept(options: RunOptions) -> dict[str, object]:
    """Give what of the options is kept with the batch: who its users are, and what limits them."""
    return {
        "count": options.count,
        "personas": sorted(persona.persona for persona in options.personas),
        "agent": options.agent,
        "model": options.model,
        "all_by_model": options.all_by_model,
        "email_domain": options.email_domain,
        "definitions": [persona.model_dump(mode="json") for persona in options.personas],
        "limits": options.limits.summary(),
        "human": options.human,
        "things": sets_of_things(options.site),
    }


def _users(people: Sequence[Member], maker: RunMaker, concurrency: int, ramp_s: float) -> list[User[RecordedRun]]:
    """Let the users begin in their order, evenly over this many seconds."""
    slots = asyncio.Semaphore(concurrency)
    return [
        User(
            f"user {member.number}",
            partial(maker.record, member),
            slots,
            absent=partial(maker.cancel, member),
            after_s=ramp_s * (member.number - 1) / len(people),
        )
        for member in people
    ]


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
    personas = tuple(provided(persona, options.site) for persona in personas)
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


def _status(runs: Iterable[RecordedRun], asked: int, stop: Stop) -> events.RunStatus:
    statuses = [run.outcome.status for run in runs]
    if stop.requested or len(statuses) < asked:
        return "interrupted"
    return "passed" if all(status == "passed" for status in statuses) else "failed"
