"""``sim personas``: persona files, the people drawn from them, and letting them act. Not responsible for: any of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simulator.cli.options import (
    BaseUrl,
    Concurrency,
    Db,
    Events,
    ExchangePolicy,
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

if TYPE_CHECKING:
    from simulator.persona import Persona

app = typer.Typer(help="Personas: who acts on the site, and what they want.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A persona.", show_default=False)]


@app.command("list")
def list_personas(personas: PersonaFolder = None, as_json: Json = False) -> None:
    """List the personas."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.report.terminal.listing import persona_lines

    known = list(load_given(personas).values())
    if as_json:
        print_json(known)
    else:
        print_lines(persona_lines(known, output_width()))


@app.command()
def show(name: Name, personas: PersonaFolder = None, as_json: Json = False) -> None:
    """Show a persona: traits, tastes and tasks."""
    from simulator.cli.output import print_json, print_lines
    from simulator.persona import describe_persona, select_personas

    (persona,) = select_personas(load_given(personas), [name])
    print_json(persona) if as_json else print_lines(describe_persona(persona).splitlines())


@app.command()
def check(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Persona files; by default all of the folder.", show_default=False),
    ] = None,
    personas: PersonaFolder = None,
    as_json: Json = False,
) -> None:
    """Check persona files, and tell every mistake with its place."""
    from simulator.cli.output import print_json, print_lines
    from simulator.persona import check_persona, persona_files

    paths = files or persona_files(_folder(personas))
    problems = [problem for path in paths for problem in check_persona(path).problems]
    if as_json:
        print_json([problem._asdict() for problem in problems])
    else:
        print_lines(map(str, problems))
        if not problems:
            print(f"{len(paths)} persona files, no mistakes" if len(paths) != 1 else f"{paths[0]}: no mistakes")
    if problems:
        raise typer.Exit(2)


@app.command()
def schema() -> None:
    """Print the JSON Schema of persona files, for editors."""
    from simulator.cli.output import print_json
    from simulator.persona import persona_schema

    print_json(persona_schema())


@app.command()
def preview(
    name: Name,
    count: Annotated[int, typer.Option("--count", envvar="SIM_COUNT", min=1, help="How many people.")] = 3,
    seed: Seed = None,
    personas: PersonaFolder = None,
    as_json: Json = False,
) -> None:
    """Show people as a run would draw them."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.persona import draw_identity, select_personas
    from simulator.report.terminal.listing import identity_lines

    (persona,) = select_personas(load_given(personas), [name])
    drawn = seed or random_seed()
    people = [draw_identity(persona, seed=drawn, number=number) for number in range(1, count + 1)]
    if as_json:
        print_json(people)
    else:
        print_lines(identity_lines(people, output_width()))


@app.command()
def run(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Personas to mix by weight; by default all.", show_default=False),
    ] = None,
    count: Annotated[int, typer.Option("--count", envvar="SIM_COUNT", min=1, help="How many users.")] = 1,
    concurrency: Concurrency = None,
    seed: Seed = None,
    site: SiteName = None,
    base_url: BaseUrl = None,
    agent: Annotated[
        Literal["auto", "autopilot", "claude", "openai"],
        typer.Option("--agent", envvar="SIM_AGENT", help="Who decides what to do next; auto takes the best there is."),
    ] = "auto",
    model: Annotated[
        str, typer.Option("--model", envvar="SIM_MODEL", help="Which model does what is in free words.")
    ] = "",
    all_by_model: Annotated[
        bool, typer.Option("--all-by-model", help="Let the model do the structured tasks, too.")
    ] = False,
    db: Db = None,
    headed: Headed = False,
    screenshots: ScreenshotPolicy = None,
    exchanges: ExchangePolicy = None,
    freeze_clock: Annotated[
        bool,
        typer.Option("--freeze-clock", envvar="SIM_FREEZE_CLOCK", help="Let the pages' clock stand at a run's start."),
    ] = False,
    pace: Annotated[
        str,
        typer.Option(
            "--pace",
            envvar="SIM_PACE",
            metavar="none|human",
            help="When actions are done: at once, or as the user would, typing key by key.",
        ),
    ] = "none",
    ramp: Annotated[
        float, typer.Option("--ramp", envvar="SIM_RAMP", min=0, metavar="SECONDS", help="Spread the starts over this.")
    ] = 0,
    limit_minutes: LimitMinutes = None,
    limit_steps: LimitSteps = None,
    limit_tokens: LimitTokens = None,
    limit_money: LimitMoney = None,
    toolset: Annotated[
        list[str] | None,
        typer.Option(
            "--toolset", metavar="NAME", help="Offer this toolset instead of those of the persona; may be repeated."
        ),
    ] = None,
    tools: Annotated[
        list[Path] | None,
        typer.Option("--tools", metavar="FILE", help="Offer the tools of this Python file, too; may be repeated."),
    ] = None,
    allow_workspace: Annotated[
        bool,
        typer.Option(
            "--allow-workspace",
            help="Give the toolset 'workspace' to personas that name it: it runs commands on this machine.",
        ),
    ] = False,
    events: Events = None,
    log: Log = None,
    otel: Otel = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what a model would be told, and about how long it is; do nothing.")
    ] = False,
    prove: Annotated[bool, typer.Option("--prove", help="Perform it once more with fresh users: 'sim prove'.")] = False,
    yes: Yes = False,
    personas: PersonaFolder = None,
    as_json: Json = False,
) -> None:
    """Let users act on the site, and record what they do."""
    import os
    import sys

    from simulator.agent.models.choose import choose_agent
    from simulator.cli.execution import execute
    from simulator.cli.output import print_json, print_lines
    from simulator.cli.prompt import ask_terminal
    from simulator.cli.prove import prove_recorded, require_consent, tell
    from simulator.config import load_settings
    from simulator.persona import select_personas
    from simulator.report.follow_up import FollowUp
    from simulator.runner.batch import RunOptions, run_batch
    from simulator.tools.plugins import load_file

    settings = load_settings().with_exchanges(exchanges)
    chosen = settings.site(site)
    chosen = chosen.with_base_url(base_url) if base_url else chosen
    if prove:
        require_consent(chosen, yes=yes)
    configured = settings.run.concurrency
    options = RunOptions(
        settings=settings,
        site=chosen,
        personas=select_personas(load_given(personas), names or ()),
        count=count,
        seed=seed or random_seed(),
        agent=choose_agent(agent, os.environ),
        model=model,
        all_by_model=all_by_model,
        concurrency=concurrency or (None if configured == "auto" else configured),
        db=db or settings.recording.db,
        headed=headed or settings.browser.headed,
        screenshots=screenshots or settings.run.screenshots,
        freeze_clock=freeze_clock,
        human=_is_human(pace),
        ramp_s=ramp,
        limit_minutes=limit_minutes or settings.run.limit_minutes,
        limit_steps=limit_steps or settings.run.limit_steps,
        limit_tokens=limit_tokens or settings.run.limit_tokens,
        limit_money=limit_money or settings.run.limit_money,
        toolsets=tuple(toolset or ()),
        own_tools=tuple(spec for path in tools or () for spec in load_file(path)),
        allow_workspace=allow_workspace,
        ask=ask_terminal if count == 1 and not as_json and sys.stdin.isatty() else None,
        argv=tuple(sys.argv[1:]),
    )
    if dry_run:
        from simulator.runner.performing.rehearsal import rehearsal_lines, rehearse

        told = rehearse(options)
        print_json(told) if as_json else print_lines(line for one in told for line in rehearsal_lines(one))
        return
    result = execute(lambda listener, stop: run_batch(options, listener, stop), events=events, log=log, otel=otel)
    follow = FollowUp(db=db, base_url=base_url, reset=chosen.can_be_reset)
    proving = prove_recorded(result, options, yes=yes) if prove else None
    raise typer.Exit(tell(result, proving, follow, as_json=as_json))


def _is_human(pace: str) -> bool:
    """Tell whether users take the time of a person."""
    from simulator.errors import UsageError

    if pace == "recorded":
        raise UsageError("--pace recorded is of a replay: here nothing has been recorded yet; give none or human")
    if pace not in ("none", "human"):
        raise UsageError(f"--pace: expected none or human, found {pace!r}")
    return pace == "human"


def _folder(given: Path | None) -> Path:
    from simulator.config import load_settings
    from simulator.persona import starter_personas

    if given is not None:
        return given
    own = load_settings().root / "personas"
    return own if own.is_dir() else starter_personas()


def load_given(given: Path | None) -> dict[str, Persona]:
    """Load the personas of a folder; by default those beside sim.toml, else the ones that come along."""
    from simulator.persona import load_personas

    return load_personas(_folder(given))
