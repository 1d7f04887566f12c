"""``sim packs``: which packs there are, and whether one is whole. Not responsible for: loading or judging them."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.cli.options import Json

app = typer.Typer(help="Packs: what is known of the domains of sites.", no_args_is_help=True)


@app.command("list")
def list_packs(as_json: Json = False) -> None:
    """List the packs that are installed, and which are in use."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import find_packs
    from simulator.report.packs import pack_lines, pack_rows

    load_settings()
    found = find_packs()
    print_json(pack_rows(found)) if as_json else print_lines(pack_lines(found, output_width()))


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="PACK", help="Packs, in use or not; by default all in use.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Load packs, and tell what is wrong with them."""
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import find_packs
    from simulator.report.packs import problems_of

    load_settings()
    asked = names or [one.name for one in find_packs() if one.used]
    found = {name: problems_of(name) for name in dict.fromkeys(asked)}
    if as_json:
        print_json(found)
    else:
        print_lines(f"{name}: {problem}" for name, problems in found.items() for problem in problems or ["no mistakes"])
    if any(found.values()):
        raise typer.Exit(2)
