"""``sim packs``: which packs there are, and whether one is whole. Not responsible for: loading or judging them."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.cli.options import Json
from simulator.cli.pictures import pictures

app = typer.Typer(help="Packs: what is known of the domains of sites.", no_args_is_help=True)


@app.command("list")
def list_packs(as_json: Json = False) -> None:
    """List the packs that are installed, and which are in use."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import find_packs
    from simulator.report.terminal.packs import pack_lines, pack_rows

    load_settings()
    found = find_packs()
    print_json(pack_rows(found)) if as_json else print_lines(pack_lines(found, output_width()))


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PACK", help="Packs, in use or not, or folders; by default all in use.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Load packs, and report what is wrong with them."""
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import find_packs
    from simulator.report.terminal.packs import problems_of

    load_settings()
    asked = names or [one.name for one in find_packs() if one.used]
    found = {name: problems_of(name) for name in dict.fromkeys(asked)}
    if as_json:
        print_json(found)
    else:
        print_lines(f"{name}: {problem}" for name, problems in found.items() for problem in problems or ["no mistakes"])
    if any(found.values()):
        raise typer.Exit(2)


@app.command()
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Small letters, digits and _.", show_default=False)],
    without_python: Annotated[
        bool, typer.Option("--folder", help="A pack without Python: a folder of things, data, words and personas.")
    ] = False,
) -> None:
    """Write a pack to begin with into a new folder."""
    import re
    from pathlib import Path

    from simulator.errors import UsageError
    from simulator.report.new_pack import new_folder, new_pack
    from simulator.version import DISTRIBUTION

    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise UsageError(f"expected a name of small letters, digits and _ for a pack, found '{name}'")
    folder = Path(name)
    if folder.exists():
        raise UsageError(f"{folder}: already here; nothing was written")
    texts = new_folder(name) if without_python else new_pack(name, DISTRIBUTION)
    try:
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be written ({error.strerror})") from error
    print(f"wrote {', '.join(texts)} into {folder}/")
    if without_python:
        print(f'next: packs = ["./{name}"] in sim.toml; then: sim packs check')
    else:
        print(f'next: pip install --editable {folder}, and packs = ["{name}"] in sim.toml; then: sim packs check')


app.command("pictures")(pictures)
