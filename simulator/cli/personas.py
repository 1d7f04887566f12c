"""``sim personas``: persona files, the people drawn from them, and letting them act. Not responsible for: any of it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from simulator.cli.option_groups import grouped
from simulator.cli.options import (
    AgentName,
    AllowWorkspace,
    BaseUrl,
    Concurrency,
    Db,
    ExchangePolicy,
    Headed,
    Json,
    LimitMinutes,
    LimitMoney,
    LimitSteps,
    LimitTokens,
    Model,
    ModelAgent,
    ObservingOptions,
    PersonaFolder,
    ScreenshotPolicy,
    Seed,
    SiteName,
    SiteOptions,
    ToolFiles,
    Yes,
    load_given,
    load_tools,
    persona_folder,
    random_seed,
    users_at_once,
)

if TYPE_CHECKING:
    from simulator.config import Settings, Site
    from simulator.runner.batch import RunOptions

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
    """Check persona files, and report every mistake with its place."""
    from simulator.cli.output import print_json, print_lines
    from simulator.persona import check_persona, persona_files

    paths = files or persona_files(persona_folder(personas))
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
    from simulator.agent.site_things.known import provided
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.errors import PersonaError
    from simulator.persona import draw_identity, select_personas
    from simulator.report.terminal.listing import identity_lines

    (persona,) = select_personas(load_given(personas), [name])
    with suppress(PersonaError):  # what its tasks name is of another site than the usual one
        persona = provided(persona, load_settings().site())
    drawn = seed or random_seed()
    people = [draw_identity(persona, seed=drawn, number=number) for number in range(1, count + 1)]
    if as_json:
        print_json(people)
    else:
        print_lines(identity_lines(people, output_width()))


class BatchOptions(NamedTuple):
    """Who acts, where and how, and when it ends."""

    users: Annotated[int, typer.Option("--count", envvar="SIM_COUNT", min=1, help="How many users.")] = 1
    concurrency: Concurrency = None
    seed: Seed = None
    site: SiteName = None
    base_url: BaseUrl = None
    agent: AgentName = "auto"
    model: Annotated[
        str, typer.Option("--model", envvar="SIM_MODEL", help="Which model does what is in free words.")
    ] = ""
    all_by_model: Annotated[
        bool, typer.Option("--all-by-model", help="Let the model do the structured tasks, too, of every user.")
    ] = False
    db: Db = None
    headed: Headed = False
    screenshots: ScreenshotPolicy = None
    exchanges: ExchangePolicy = None
    freeze_clock: Annotated[
        bool,
        typer.Option("--freeze-clock", envvar="SIM_FREEZE_CLOCK", help="Let the pages' clock stand at a run's start."),
    ] = False
    pace: Annotated[
        str,
        typer.Option(
            "--pace",
            envvar="SIM_PACE",
            metavar="none|human",
            help="When actions are done: at once, or as the user would, typing key by key.",
        ),
    ] = "none"
    ramp: Annotated[
        float, typer.Option("--ramp", envvar="SIM_RAMP", min=0, metavar="SECONDS", help="Spread the starts over this.")
    ] = 0
    limit_minutes: LimitMinutes = None
    limit_steps: LimitSteps = None
    limit_tokens: LimitTokens = None
    limit_money: LimitMoney = None
    toolset: Annotated[
        list[str] | None,
        typer.Option(
            "--toolset", metavar="NAME", help="Offer this toolset instead of those of the persona; may be repeated."
        ),
    ] = None
    tools: ToolFiles = None
    allow_workspace: AllowWorkspace = False
    personas: PersonaFolder = None


@app.command()
def generate(
    what: Annotated[
        str, typer.Argument(metavar="TEXT", help="The site and its users, in plain words.", show_default=False)
    ],
    *,
    count: Annotated[int, typer.Option("--count", min=1, max=100, help="Personas that the folder has in the end.")] = 8,
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="Where the files go; those there are kept.")
    ] = Path("personas"),
    agent: ModelAgent = "auto",
    model: Model = "",
    limit_money: LimitMoney = None,
    as_json: Json = False,
) -> None:
    """Have a model write persona files once, for people to review."""
    import os

    from simulator.cli.execution import execute
    from simulator.cli.model_agent import agent_with_a_model
    from simulator.config import load_settings
    from simulator.errors import UsageError
    from simulator.report.generated import print_estimate, show_generated
    from simulator.runner.generating import GeneratedPersonas, generate_personas

    if not what.strip():
        raise UsageError("say in plain words what the site is about, and who its users are")
    settings = load_settings()
    options = GeneratedPersonas(
        what=what,
        count=count,
        folder=to,
        agent=agent_with_a_model(agent, "writing personas"),
        model=model,
        models=settings.models,
        environ=os.environ,
        limit_money=limit_money,
    )
    made = execute(lambda _, stop: generate_personas(options, stop, print_estimate))
    show_generated(made, count, "persona", str(to), as_json=as_json)
    if made.ended:
        raise typer.Exit(1)


@app.command()
@grouped
def run(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Personas to mix by weight; by default all.", show_default=False),
    ] = None,
    *,
    given: BatchOptions,
    observing: ObservingOptions,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what a model would be given, and about how long it is; do nothing.")
    ] = False,
    prove: Annotated[bool, typer.Option("--prove", help="Perform it once more with fresh users: 'sim prove'.")] = False,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Let users act on the site, and record what they do."""
    from simulator.cli.execution import execute
    from simulator.cli.output import print_json, print_lines
    from simulator.cli.prove import prove_recorded, require_consent, tell
    from simulator.config import load_settings
    from simulator.report.follow_up import FollowUp
    from simulator.runner.batch import run_batch

    settings = load_settings().with_exchanges(given.exchanges)
    site = SiteOptions(site=given.site, base_url=given.base_url).find(settings)
    if prove:
        require_consent(site, yes=yes)
    options = _run_options(names or (), given, settings, site, attended=not as_json)
    if not (dry_run or prove):
        _made_of_a_recorded_one(options, given, observing, yes=yes, as_json=as_json)
    if dry_run:
        from simulator.runner.performing.rehearsal import rehearsal_lines, rehearse

        told = rehearse(options)
        print_json(told) if as_json else print_lines(line for one in told for line in rehearsal_lines(one))
        return
    result = execute(lambda listener, stop: run_batch(options, listener, stop), observing)
    follow = FollowUp(db=given.db, base_url=given.base_url, reset=site.can_be_reset)
    proving = prove_recorded(result, options, yes=yes) if prove else None
    raise typer.Exit(tell(result, proving, follow, as_json=as_json))


def _run_options(
    names: Sequence[str], given: BatchOptions, settings: Settings, site: Site, *, attended: bool
) -> RunOptions:
    import os
    import sys

    from simulator.agent.models.choose import choose_agent
    from simulator.cli.prompt import ask_terminal
    from simulator.persona import select_personas
    from simulator.runner.batch import RunOptions

    return RunOptions(
        settings=settings,
        site=site,
        personas=select_personas(load_given(given.personas), names),
        count=given.users,
        seed=given.seed or random_seed(),
        agent=choose_agent(given.agent, os.environ),
        model=given.model,
        all_by_model=given.all_by_model,
        concurrency=users_at_once(given.concurrency, settings),
        db=given.db or settings.recording.db,
        headed=given.headed or settings.browser.headed,
        screenshots=given.screenshots or settings.run.screenshots,
        freeze_clock=given.freeze_clock,
        human=_is_human(given.pace),
        ramp_s=given.ramp,
        limit_minutes=given.limit_minutes or settings.run.limit_minutes,
        limit_steps=given.limit_steps or settings.run.limit_steps,
        limit_tokens=given.limit_tokens or settings.run.limit_tokens,
        limit_money=given.limit_money or settings.run.limit_money,
        toolsets=tuple(given.toolset or ()),
        own_tools=load_tools(given.tools),
        allow_workspace=given.allow_workspace,
        ask=ask_terminal if attended and given.users == 1 and sys.stdin.isatty() else None,
        argv=tuple(sys.argv[1:]),
    )


def _made_of_a_recorded_one(
    options: RunOptions, given: BatchOptions, observing: ObservingOptions, *, yes: bool, as_json: bool
) -> None:
    """Make the users of a persona of which a run is proven without a model; where there is none, say why.

    That is for tasks in free words alone: the others need no model.

    Raises:
        Exit: they are made.
    """
    from simulator.cli.replays.originals import FirstOptions, Wanted, less_those_there, numbers_of, origin_lines, say
    from simulator.cli.replays.performance import PerformingOptions, ReportOptions, RequiringOptions
    from simulator.cli.replays.preview import Seeding
    from simulator.cli.replays.seed import make_users
    from simulator.runner.seeding.fan_out import FanOut
    from simulator.runner.seeding.originals import find_originals, is_free

    (persona, *others) = options.personas
    if options.count == 1 or others or options.all_by_model or not is_free(persona):
        return
    (found,) = find_originals(options.db, [persona], options.site)
    say(origin_lines(found))
    if found.run is None:
        if options.agent != "autopilot":
            say([f"so the model is asked for each of {options.count} users; 'sim seed {persona.persona} "
                 f"--count {options.count}' asks it for one"])  # fmt: skip
        return
    say(["so no model is asked; --all-by-model asks it for every user"])
    wanted = Wanted(
        settings=options.settings,
        site=options.site,
        base_url=given.base_url,
        source=options.db,
        db=options.db,
        first=FirstOptions(),
        headed=options.headed,
        yes=yes,
    )
    performing = PerformingOptions(
        identity="fresh",
        db=given.db,
        site=options.site.name,
        base_url=given.base_url,
        seed=options.seed,
        freeze_clock=given.freeze_clock or None,
        pace="human" if options.human else "none",
        concurrency=given.concurrency,
        headed=given.headed,
        screenshots=given.screenshots,
        exchanges=given.exchanges,
    )
    asked = FanOut(count=options.count, ramp_s=options.ramp_s, numbers_of=numbers_of([persona]))
    fan_out = less_those_there(asked, [found], wanted, performing)
    seeding = Seeding(fan_out, yes=yes, limit_minutes=options.limit_minutes)
    make_users([found.run.id], performing, seeding, RequiringOptions(), ReportOptions(as_json=as_json), observing)


def _is_human(pace: str) -> bool:
    """Return whether users take the time of a person."""
    from simulator.errors import UsageError

    if pace == "recorded":
        raise UsageError("--pace recorded is of a replay: here nothing has been recorded yet; give none or human")
    if pace not in ("none", "human"):
        raise UsageError(f"--pace: expected none or human, found {pace!r}")
    return pace == "human"
