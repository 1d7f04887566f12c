"""``sim continue``: letting an agent go on live from a step of a run. Not responsible for: how."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simulator.cli.options import (
    AgentName,
    BrowserOptions,
    Db,
    ExchangePolicy,
    Json,
    Model,
    ModelLimitOptions,
    ObservingOptions,
    Reset,
    SiteOptions,
    ToolOptions,
)


def continue_run(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="An id, the beginning or end of one, or 'last'.", show_default=False)
    ],
    *,
    step: Annotated[
        int,
        typer.Option("--from", metavar="STEP", help="The first step that the agent does; replay those before it."),
    ],
    agent: AgentName = "auto",
    model: Model = "",
    max_steps: Annotated[
        int | None, typer.Option("--max-steps", min=1, max=10_000, help="How many steps may follow.")
    ] = None,
    limits: ModelLimitOptions,
    place: SiteOptions,
    reset: Reset = False,
    db: Db = None,
    tools: ToolOptions,
    browser: BrowserOptions,
    exchanges: ExchangePolicy = None,
    observing: ObservingOptions,
    as_json: Json = False,
) -> None:
    """Replay the beginning of a run, and let an agent go on.

    It goes on live, as the recorded user: a new revision of the run.
    """
    import os
    import sys

    from simulator.agent.models.choose import choose_agent
    from simulator.cli.execution import execute, exit_code
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.errors import UsageError
    from simulator.report.follow_up import FollowUp
    from simulator.report.summary import batch_lines
    from simulator.runner.continuing.going_on import GoOnOptions, go_on

    if Path(run).suffix:
        raise UsageError("'sim continue' goes on with one run, in the recording that holds it: name the run, and --db")
    settings = load_settings().with_exchanges(exchanges)
    options = GoOnOptions(
        settings=settings,
        site=place.named(settings),
        base_url=place.base_url,
        db=db or settings.recording.db,
        run=run,
        step=step,
        agent=choose_agent(agent, os.environ),
        model=model,
        max_steps=max_steps,
        limit_minutes=limits.limit_minutes or settings.run.limit_minutes,
        limit_tokens=limits.limit_tokens,
        limit_money=limits.limit_money,
        reset=reset,
        headed=browser.headed or settings.browser.headed,
        screenshots=browser.screenshots or settings.run.screenshots,
        own_tools=tools.load(),
        allow_workspace=tools.allow_workspace,
        argv=tuple(sys.argv[1:]),
    )
    result = execute(lambda listener, stop: go_on(options, listener, stop), observing)
    follow = FollowUp(db=db, base_url=place.base_url, reset=reset)
    print_json(result) if as_json else print_lines(batch_lines(result, follow))
    raise typer.Exit(exit_code(result))
