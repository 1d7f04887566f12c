"""``sim goal``: one goal in free words, done by a model and recorded like any run. Not responsible for: how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from simulator.cli.options import (
    BrowserOptions,
    Db,
    Json,
    LimitOptions,
    Model,
    ObservingOptions,
    PersonaFolder,
    Seed,
    SiteOptions,
    Yes,
    random_seed,
)

if TYPE_CHECKING:
    from simulator.persona import Persona


class WhoOptions(NamedTuple):
    """Who gets it done."""

    persona: Annotated[
        str | None, typer.Option("--persona", metavar="NAME", help="Who does it; by default an ordinary visitor.")
    ] = None
    personas: PersonaFolder = None
    max_steps: Annotated[
        int | None, typer.Option("--max-steps", min=1, max=10_000, help="Give up after this many steps.")
    ] = None


def goal(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to get done, in plain words.", show_default=False)],
    *,
    who: WhoOptions,
    agent: Annotated[
        str, typer.Option("--agent", envvar="SIM_AGENT", help="Who does it; auto takes what has a key.")
    ] = "auto",
    model: Model = "",
    place: SiteOptions,
    limits: LimitOptions,
    seed: Seed = None,
    db: Db = None,
    browser: BrowserOptions,
    observing: ObservingOptions,
    prove: Annotated[
        bool | None,
        typer.Option(
            "--prove/--no-prove",
            help="Perform it once more with a fresh user: 'sim prove'. By default on disposable sites.",
            show_default=False,
        ),
    ] = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Let a model do one thing on the site, and record it."""
    import sys

    from simulator.cli.execution import execute
    from simulator.cli.model_agent import agent_with_a_model
    from simulator.cli.prompt import ask_terminal
    from simulator.cli.prove import prove_recorded, require_consent, tell
    from simulator.config import load_settings
    from simulator.errors import UsageError
    from simulator.report.follow_up import FollowUp
    from simulator.runner.batch import RunOptions, run_batch

    if not text.strip():
        raise UsageError("the goal is empty; say in plain words what is to be done")
    chosen = agent_with_a_model(agent, "a goal in free words")
    persona = _persona(text, who)
    settings = load_settings()
    site = place.find(settings)
    proves = site.disposable if prove is None else prove
    if proves:
        require_consent(site, yes=yes)
    options = RunOptions(
        settings=settings,
        site=site,
        personas=(persona,),
        count=1,
        seed=seed or random_seed(),
        agent=chosen,
        model=model,
        db=db or settings.recording.db,
        headed=browser.headed or settings.browser.headed,
        screenshots=browser.screenshots or settings.run.screenshots,
        limit_minutes=limits.limit_minutes or settings.run.limit_minutes,
        limit_steps=limits.limit_steps or settings.run.limit_steps,
        limit_tokens=limits.limit_tokens or settings.run.limit_tokens,
        limit_money=limits.limit_money or settings.run.limit_money,
        ask=ask_terminal if not as_json and sys.stdin.isatty() else None,
        argv=tuple(sys.argv[1:]),
    )
    result = execute(lambda listener, stop: run_batch(options, listener, stop), observing)
    follow = FollowUp(db=db, base_url=place.base_url, reset=site.can_be_reset)
    proving = prove_recorded(result, options, yes=yes) if proves else None
    raise typer.Exit(tell(result, proving, follow, as_json=as_json))


def _persona(text: str, given: WhoOptions) -> Persona:
    """Give the persona that has this one thing to do."""
    from simulator.cli.options import load_given
    from simulator.persona import Persona, select_personas
    from simulator.persona.tasks import Do

    tasks = (Do(text=text),)
    if given.persona:
        (found,) = select_personas(load_given(given.personas), [given.persona])
        found = found.model_copy(update={"tasks": tasks})
    else:
        about = "An ordinary visitor with something to get done."
        found = Persona(persona="visitor", about=about, locale="en_GB", tasks=tasks)
    if given.max_steps:
        found = found.model_copy(update={"limits": found.limits.model_copy(update={"steps": given.max_steps})})
    return found
