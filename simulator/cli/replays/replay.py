"""``sim replay``: performing a recording again. Not responsible for: how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import typer

from simulator.cli.options import LimitMinutes, LimitMoney, LimitTokens, ObservingOptions, Paths
from simulator.cli.replays.performance import PerformingOptions, ReportOptions, RequiringOptions
from simulator.cli.replays.seed import Count

if TYPE_CHECKING:
    from simulator.config import Settings
    from simulator.runner.repairs.repair import RepairOptions
    from simulator.runner.seeding.fan_out import FanOut


class RepairingOptions(NamedTuple):
    """Who repairs a run that cannot be performed any more, and within which bounds."""

    agent: Annotated[
        Literal["auto", "autopilot", "claude", "openai"],
        typer.Option("--agent", envvar="SIM_AGENT", help="With --mode agent: who repairs."),
    ] = "auto"
    model: Annotated[
        str, typer.Option("--model", envvar="SIM_MODEL", help="With --mode agent: which model repairs.")
    ] = ""
    max_steps: Annotated[
        int | None, typer.Option("--max-steps", min=1, max=10_000, help="How many steps each repair may take.")
    ] = None
    limit_minutes: LimitMinutes = None
    limit_tokens: LimitTokens = None
    limit_money: LimitMoney = None


def replay(
    paths: Paths,
    *,
    mode: Annotated[
        Literal["strict", "heal", "agent"],
        typer.Option(
            "--mode",
            envvar="SIM_MODE",
            help="heal: seek what strict evidence does not find by weaker evidence; agent: let a model do the tasks "
            "that are not to be healed, either. Both make a new revision.",
        ),
    ] = "strict",
    given: PerformingOptions,
    count: Count = None,
    yes: Annotated[
        bool,
        typer.Option("--yes", "-y", help="With --count: leave on a site that is not disposable what the users make."),
    ] = False,
    repairing: RepairingOptions,
    requiring: RequiringOptions,
    reports: ReportOptions,
    observing: ObservingOptions,
) -> None:
    """Perform recorded runs again, without any model.

    Only --mode agent asks one.
    """
    from dataclasses import replace

    from simulator.cli.replays.performance import lacks, performance

    repairer = _repairer(repairing.agent) if mode == "agent" else None
    with performance(paths, given, reports, observing) as ready:
        from simulator.cli.execution import exit_code
        from simulator.runner.replays.replaying import replay as replay_recording

        repair = _repair(repairing, repairer, ready.options.settings) if repairer else None
        options = replace(ready.options, mode=mode, repair=repair, fan_out=_fan_out(count, mode, given))
        if options.fan_out:
            from simulator.cli.replays.preview import require_consent

            require_consent(options, yes=yes)
        result = ready.run(lambda listener, stop: replay_recording(options, listener, stop))
    ready.report(result)
    raise typer.Exit(exit_code(result) or int(lacks(result, requiring)))


def _fan_out(count: int | None, mode: str, given: PerformingOptions) -> FanOut | None:
    """Give how many users are made of the recorded ones; None where every run is performed once.

    Raises:
        UsageError: another option speaks against making any.
    """
    from simulator.errors import UsageError

    if count is None:
        return None
    against = {
        "--identity fresh": given.identity != "fresh",
        "--mode strict or heal": mode == "agent",
        "no --shard": given.shard is not None,
        "no --quarantine": given.quarantine is not None,
    }
    if wanted := [words for words, is_against in against.items() if is_against]:
        raise UsageError(f"--count makes more users than were recorded, and takes {', '.join(wanted)}")
    from simulator.runner.seeding.fan_out import FanOut

    return FanOut(count=count)


def _repairer(named: str) -> str:
    """Choose the agent that repairs.

    Raises:
        KeyMissing: it has no key.
        UsageError: there is no such agent.
    """
    import os

    from simulator.agent.models.choose import choose_agent
    from simulator.errors import KeyMissing

    chosen = choose_agent(named, os.environ)
    if chosen == "autopilot" and named == "auto":
        raise KeyMissing(
            "--mode agent needs a model, and no key of one is set: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or take "
            "--mode heal"
        )
    return chosen


def _repair(repairing: RepairingOptions, agent: str, settings: Settings) -> RepairOptions:
    from simulator.runner.repairs.repair import RepairOptions

    return RepairOptions(
        agent=agent,
        model=repairing.model,
        max_steps=repairing.max_steps,
        limit_minutes=repairing.limit_minutes or settings.run.limit_minutes,
        limit_tokens=repairing.limit_tokens,
        limit_money=repairing.limit_money,
    )
