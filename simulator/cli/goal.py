"""``sim goal``: one goal in free words, done by a model and recorded like any run. Not responsible for: how."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.cli.options import (
    BaseUrl,
    Db,
    Events,
    Headed,
    Json,
    LimitMinutes,
    LimitMoney,
    LimitSteps,
    LimitTokens,
    Log,
    Otel,
    PersonaFolder,
    ScreenshotPolicy,
    Seed,
    SiteName,
    Yes,
    random_seed,
)


def goal(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to get done, in plain words.", show_default=False)],
    persona: Annotated[
        str | None, typer.Option("--persona", metavar="NAME", help="Who does it; by default an ordinary visitor.")
    ] = None,
    max_steps: Annotated[
        int | None, typer.Option("--max-steps", min=1, max=10_000, help="Give up after so many steps.")
    ] = None,
    site: SiteName = None,
    base_url: BaseUrl = None,
    agent: Annotated[
        str, typer.Option("--agent", envvar="SIM_AGENT", help="Who does it; auto takes what has a key.")
    ] = "auto",
    model: Annotated[str, typer.Option("--model", envvar="SIM_MODEL", help="Which model.")] = "",
    limit_minutes: LimitMinutes = None,
    limit_steps: LimitSteps = None,
    limit_tokens: LimitTokens = None,
    limit_money: LimitMoney = None,
    seed: Seed = None,
    db: Db = None,
    events: Events = None,
    log: Log = None,
    otel: Otel = False,
    headed: Headed = False,
    screenshots: ScreenshotPolicy = None,
    prove: Annotated[
        bool | None,
        typer.Option(
            "--prove/--no-prove",
            help="Perform it once more with a fresh user: 'sim prove'. By default on disposable sites.",
            show_default=False,
        ),
    ] = None,
    yes: Yes = False,
    personas: PersonaFolder = None,
    as_json: Json = False,
) -> None:
    """Let a model do one thing on the site, and record it."""
    import os
    import sys

    from simulator.agent.models.choose import choose_agent
    from simulator.cli.execution import execute
    from simulator.cli.personas import load_given
    from simulator.cli.prompt import ask_terminal
    from simulator.cli.prove import prove_recorded, require_consent, tell
    from simulator.config import load_settings
    from simulator.errors import KeyMissing, UsageError
    from simulator.persona import Persona, select_personas
    from simulator.persona.tasks import Do
    from simulator.report.follow_up import FollowUp
    from simulator.runner.batch import RunOptions, run_batch

    if not text.strip():
        raise UsageError("the goal is empty; say in plain words what is to be done")
    chosen = choose_agent(agent, os.environ)
    if chosen == "autopilot":
        need = "a goal in free words needs a model"
        if agent == "auto":
            raise KeyMissing(f"{need}, and there is no key for one: set ANTHROPIC_API_KEY or OPENAI_API_KEY")
        raise UsageError(f"{need}, which the agent 'autopilot' does without; name another one")
    given = {"tasks": (Do(text=text),)}
    if persona:
        (who,) = select_personas(load_given(personas), [persona])
        who = who.model_copy(update=given)
    else:
        about = "An ordinary visitor with something to get done."
        who = Persona(persona="visitor", about=about, locale="en_GB", tasks=given["tasks"])
    if max_steps:
        who = who.model_copy(update={"limits": who.limits.model_copy(update={"steps": max_steps})})
    settings = load_settings()
    place = settings.site(site)
    place = place.with_base_url(base_url) if base_url else place
    proves = place.disposable if prove is None else prove
    if proves:
        require_consent(place, yes=yes)
    options = RunOptions(
        settings=settings,
        site=place,
        personas=(who,),
        count=1,
        seed=seed or random_seed(),
        agent=chosen,
        model=model,
        db=db or settings.recording.db,
        headed=headed or settings.browser.headed,
        screenshots=screenshots or settings.run.screenshots,
        limit_minutes=limit_minutes or settings.run.limit_minutes,
        limit_steps=limit_steps or settings.run.limit_steps,
        limit_tokens=limit_tokens or settings.run.limit_tokens,
        limit_money=limit_money or settings.run.limit_money,
        ask=ask_terminal if not as_json and sys.stdin.isatty() else None,
        argv=tuple(sys.argv[1:]),
    )
    result = execute(lambda listener, stop: run_batch(options, listener, stop), events=events, log=log, otel=otel)
    follow = FollowUp(db=db, base_url=base_url, reset=place.can_be_reset)
    proving = prove_recorded(result, options, yes=yes) if proves else None
    raise typer.Exit(tell(result, proving, follow, as_json=as_json))
