"""``sim data``: the data sets that users are dealt rows of. Not responsible for: reading or dealing them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.cli.options import Json, LimitMoney, Model, ModelAgent, PersonaFolder, persona_folder

if TYPE_CHECKING:
    from simulator.domain.data.rows import Kind

app = typer.Typer(help="Data sets: what users make and write of.", no_args_is_help=True)


@app.command("list")
def list_data(personas: PersonaFolder = None, as_json: Json = False) -> None:
    """List the data sets, and for how many users they suffice."""
    from simulator.agent.site_things.supply import uses_of
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import data_sets
    from simulator.persona import check_persona, persona_files
    from simulator.report.terminal.data import data_lines, data_rows

    settings = load_settings()
    found = data_sets().values()
    # 'sim personas check' reports what is wrong in a persona file: the data are there all the same.
    read = [check_persona(path).persona for path in persona_files(persona_folder(personas))]
    uses = uses_of([one for one in read if one], settings.sites.values())
    print_json(data_rows(found, uses)) if as_json else print_lines(data_lines(found, uses, output_width()))


@app.command()
def check(as_json: Json = False) -> None:
    """Read the project's data sets, and report every mistake with its place."""
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings

    read, wrong = load_settings().own_data.check()
    if as_json:
        print_json({"read": {key: len(one.rows) for key, one in read.items()}, "mistakes": wrong})
    else:
        right = [f"{key}: no mistakes in {len(one.rows)} rows" for key, one in read.items()]
        print_lines([*wrong, *right] or ["the project has no data set of its own; see [data] of sim.toml"])
    if wrong:
        raise typer.Exit(2)


@app.command()
def generate(
    what: Annotated[
        str, typer.Argument(metavar="TEXT", help="What the rows are, in plain words.", show_default=False)
    ],
    *,
    fields: Annotated[
        str,
        typer.Option(
            "--fields", metavar="NAMES", show_default=False,
            help="Fields of a row, such as title,price:number; the first one names a row.",
        ),
    ],
    to: Annotated[
        Path,
        typer.Option(
            "--to", metavar="FILE", show_default=False,
            help="A CSV or JSON Lines file; the rows that it has are kept and counted.",
        ),
    ],
    count: Annotated[int, typer.Option("--count", min=1, max=10_000, help="Rows that the file has in the end.")] = 100,
    language: Annotated[str, typer.Option("--language", metavar="LANG", help="Of the texts, such as de.")] = "",
    agent: ModelAgent = "auto",
    model: Model = "",
    limit_money: LimitMoney = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Have a model make the rows of a data set once, for people to review."""
    import os

    from simulator.cli.execution import execute
    from simulator.cli.model_agent import agent_with_a_model
    from simulator.config import load_settings
    from simulator.errors import UsageError
    from simulator.report.generated import print_estimate, show_generated
    from simulator.runner.generating import GeneratedRows, generate_rows

    if not what.strip():
        raise UsageError("say in plain words what the rows are")
    settings = load_settings()
    options = GeneratedRows(
        what=what,
        fields=_fields(fields),
        count=count,
        file=to,
        agent=agent_with_a_model(agent, "making rows"),
        model=model,
        models=settings.models,
        environ=os.environ,
        limit_money=limit_money,
        language=language,
    )
    made = execute(lambda _, stop: generate_rows(options, stop, print_estimate))
    show_generated(made, count, "row", str(to), as_json=as_json)
    if made.ended:
        raise typer.Exit(1)


def _fields(said: str) -> dict[str, Kind]:
    """Read the names of fields, each with its kind behind a colon where it is no text.

    Raises:
        UsageError: one is no name, or its kind is not one.
    """
    import re
    from typing import get_args

    from simulator.domain.data.rows import FILES, Kind
    from simulator.errors import UsageError

    kinds = [kind for kind in get_args(Kind) if kind not in FILES]
    found: dict[str, Kind] = {}
    for part in said.split(","):
        name, _, kind = (one.strip() for one in part.partition(":"))
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or name in found:
            raise UsageError(
                f"--fields: expected different names of small letters, such as title,price:number, "
                f"found '{part.strip()}'"
            )
        if kind and kind not in kinds:
            raise UsageError(f"--fields: '{name}' is to be of the kind '{kind}'; known are {', '.join(kinds)}")
        found[name] = next((one for one in kinds if one == kind), "text")
    return found
