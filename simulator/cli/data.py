"""``sim data``: the data sets that users are dealt rows of. Not responsible for: reading or dealing them."""

from __future__ import annotations

import typer

from simulator.cli.options import Json

app = typer.Typer(help="Data sets: what users make and write of.", no_args_is_help=True)


@app.command("list")
def list_data(as_json: Json = False) -> None:
    """List the data sets of the project and of its packs."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import data_sets
    from simulator.report.terminal.data import data_lines, data_rows

    load_settings()
    found = data_sets().values()
    print_json(data_rows(found)) if as_json else print_lines(data_lines(found, output_width()))


@app.command()
def check(as_json: Json = False) -> None:
    """Read the project's data sets, and report every mistake with its place."""
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings

    read, wrong = load_settings().own_data.check()
    if as_json:
        print_json({"read": {key: len(one.rows) for key, one in read.items()}, "mistakes": wrong})
    else:
        print_lines([*wrong, *(f"{key}: no mistakes in {len(one.rows)} rows" for key, one in read.items())])
    if wrong:
        raise typer.Exit(2)
