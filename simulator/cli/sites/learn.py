"""``sim site learn``: a first section of a site, from a look at it. Not responsible for: looking."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simulator.cli.options import Headed, LimitMoney, Model

if TYPE_CHECKING:
    from simulator.config import Settings
    from simulator.runner.stop import Stop
    from simulator.runner.surveying.advice import Adviser as Advising
    from simulator.runner.surveying.learning import Learned

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="Where the look begins: an address, or a path on the first site of sim.toml.",
        show_default=False,
    ),
]
Name = Annotated[str, typer.Option("--name", metavar="NAME", help="Of the section; by default from the host.")]
Out = Annotated[Path, typer.Option("--out", metavar="FILE", help="Add the section to this file; '-' prints it.")]
Login = Annotated[str, typer.Option("--login", metavar="USER", help="Look once more, logged in as this user.")]
PasswordEnv = Annotated[
    str,
    typer.Option("--password-env", metavar="VARIABLE", help="The environment variable that holds the user's password."),
]
Pages = Annotated[int, typer.Option("--pages", min=1, max=500, help="Look at no more pages than this.")]
Seconds = Annotated[float, typer.Option("--seconds", min=1, help="Look for so long at most.")]
Language = Annotated[
    str,
    typer.Option("--language", metavar="LANG", help="Ask the site for its pages in this language, such as de-DE."),
]
Write = Annotated[
    bool, typer.Option("--write", help="Register a user where no account is named: this leaves it on the site.")
]
Agent = Annotated[
    Literal["none", "claude", "openai"],
    typer.Option("--agent", help="Whose model names things and answers questions about what was found."),
]

app = typer.Typer(help="The sites that users act on.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    pass


@app.command()
def learn(
    url: Url,
    *,
    name: Name = "",
    out: Out = Path("-"),
    login: Login = "",
    password_env: PasswordEnv = "",
    pages: Pages = 40,
    seconds: Seconds = 120,
    language: Language = "en-GB",
    write: Write = False,
    agent: Agent = "none",
    model: Model = "",
    limit_money: LimitMoney = None,
    headed: Headed = False,
) -> None:
    """Look at a site with a browser, and write a first section of sim.toml for it.

    The look only reads: it follows links, and holds back what pages would write. Lines that begin with '# ?' are
    questions that it could not answer.
    """
    from simulator.cli.execution import INTERRUPTED, execute
    from simulator.config import load_settings
    from simulator.report.learned import print_address, show_learned
    from simulator.runner.surveying.keeping import Place
    from simulator.runner.surveying.learning import LearnOptions, learn, site_name
    from simulator.runner.surveying.looking import Bounds

    _check_password(login, password_env)
    settings = load_settings()
    options = LearnOptions(
        settings=settings,
        url=f"{settings.site().origin}{url}" if url.startswith("/") else url,
        name=name,
        username=login,
        password_env=password_env,
        bounds=Bounds(pages, seconds),
        language=_language(language),
        write=write,
        headed=headed or settings.browser.headed,
        adviser=_adviser(settings, agent, model, limit_money),
        tell=print_address,
    )
    file = None if str(out) == "-" else out
    place = Place(file, site_name(options))
    stopped = False

    async def look(stop: Stop) -> Learned:
        nonlocal stopped
        found = await learn(options, stop)
        stopped = stop.requested
        return found

    learned = execute(lambda _, stop: look(stop))
    show_learned(learned, place.keep(learned), file)
    if stopped:
        raise typer.Exit(INTERRUPTED)


def _check_password(login: str, password_env: str) -> None:
    """See that a password is named for somebody, and is there.

    Raises:
        UsageError: it is for nobody.
        KeyMissing: it is not set.
    """
    import os

    from simulator.errors import KeyMissing, UsageError

    if password_env and not login:
        raise UsageError("--password-env is for the user that --login names; give both")
    if password_env and not os.environ.get(password_env):
        raise KeyMissing(f"the environment variable {password_env} is not set; --password-env names it")


def _language(said: str) -> str:
    """Check a tag of a language.

    Raises:
        UsageError: it is not one.
    """
    import re

    from simulator.errors import UsageError

    if not re.fullmatch(r"[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*", said):
        raise UsageError(f"--language: expected a tag such as de or de-DE, found '{said}'")
    return said


def _adviser(settings: Settings, agent: str, model: str, limit_money: float | None) -> Advising | None:
    """Give the model that is asked; None where none is.

    Raises:
        KeyMissing: there is no key for it.
    """
    import os

    from simulator.cli.model_agent import agent_with_a_model
    from simulator.report.generated import print_estimate
    from simulator.runner.surveying.advice import Adviser

    if agent == "none":
        return None
    return Adviser(
        agent=agent_with_a_model(agent, "naming what was found"),
        model=model,
        models=settings.models,
        environ=os.environ,
        limit_money=limit_money,
        tell=print_estimate,
    )
