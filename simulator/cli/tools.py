"""``sim tools``: what an agent may call, and trying it. Not responsible for: the tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.cli.options import Headed, Json, SiteName

if TYPE_CHECKING:
    from pydantic import JsonValue

app = typer.Typer(help="The tools that agents act with.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="A tool, by its name or an alias.", show_default=False)]
Toolset = Annotated[
    str | None, typer.Option("--toolset", metavar="NAME", help="Of this toolset; two may mean two tools by one name.")
]


@app.command("list")
def list_tools(
    toolset: Annotated[str | None, typer.Option("--toolset", help="Only those of this toolset.")] = None,
    category: Annotated[str | None, typer.Option("--category", help="Only those of this category.")] = None,
    safety: Annotated[
        str | None, typer.Option("--safety", metavar="LEVEL", help="Only those up to this safety level.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the tools."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.report.terminal.listing import tool_lines
    from simulator.report.terminal.tool_card import tool_card
    from simulator.tools.metadata import CATEGORIES, SAFETY_LEVELS
    from simulator.tools.toolsets import offers

    _check("category", category, CATEGORIES)
    _check("safety", safety, SAFETY_LEVELS)
    allowed = SAFETY_LEVELS[: SAFETY_LEVELS.index(safety) + 1] if safety else SAFETY_LEVELS
    found = [
        offer
        for offer in offers([toolset] if toolset else None)
        if category in (None, offer.spec.category) and offer.spec.safety in allowed
    ]
    if as_json:
        print_json([tool_card(*offer) for offer in found])
    else:
        print_lines(tool_lines(found, output_width()))


@app.command()
def show(name: Name, toolset: Toolset = None, as_json: Json = False) -> None:
    """Show a tool: what it does, takes and gives, and which models see it."""
    from simulator.cli.output import print_json, print_lines
    from simulator.report.terminal.tool_card import tool_card, tool_card_lines
    from simulator.tools.toolsets import find_offer

    card = tool_card(*find_offer(name, toolset))
    print_json(card) if as_json else print_lines(tool_card_lines(card))


@app.command()
def call(
    name: Name,
    url: Annotated[str, typer.Option("--url", metavar="URL", help="The page: an address, or a path on the site.")],
    input: Annotated[
        str, typer.Option("--input", metavar="JSON", help="What the tool takes, as a JSON object.")
    ] = "{}",
    toolset: Toolset = None,
    tools: Annotated[
        list[Path] | None, typer.Option("--tools", metavar="FILE", help="Also the tools of this Python file.")
    ] = None,
    image: Annotated[
        Path | None, typer.Option("--image", metavar="FILE", help="Write the picture that the tool gives to this file.")
    ] = None,
    site: SiteName = None,
    headed: Headed = False,
    allow_workspace: Annotated[
        bool, typer.Option("--allow-workspace", help="Let the tool work on this machine, as 'bash' does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Try a tool on a page, and print what it answers.

    Opens a browser there. Nothing is recorded.
    """
    import asyncio

    from simulator.cli.output import print_json, print_lines, write_file
    from simulator.config import load_settings
    from simulator.errors import ToolError, UsageError
    from simulator.report.tool_answer import tool_answer, tool_answer_lines
    from simulator.runner.performing.trial import TrialOptions, site_at, try_call
    from simulator.tools.contracts import ToolCall
    from simulator.tools.dispatch import validated
    from simulator.tools.plugins import load_file
    from simulator.tools.registry import Registry
    from simulator.tools.toolsets import find_offer

    own = Registry(spec for path in tools or () for spec in load_file(path))
    spec = own.find(name) or find_offer(name, toolset).spec
    given = _object(input)
    try:
        validated(spec, given)
    except ToolError as error:
        raise UsageError(error.message) from None
    settings = load_settings()
    options = TrialOptions(
        settings=settings,
        site=site_at(settings, url, site),
        page=url,
        registry=Registry([spec]),
        call=ToolCall(id="trial", name=spec.name, input=given),
        headed=headed or settings.browser.headed,
        allow_workspace=allow_workspace,
    )
    result = asyncio.run(try_call(options))
    if image and result.images:
        write_file(image, result.images[0].data)
    print_json(tool_answer(result)) if as_json else print_lines(tool_answer_lines(result))
    raise typer.Exit(0 if result.success else 1)


def _check(option: str, given: str | None, known: tuple[str, ...]) -> None:
    from simulator.errors import UsageError

    if given is not None and given not in known:
        raise UsageError(f"--{option}: expected one of {', '.join(known)}, found '{given}'")


def _object(text: str) -> dict[str, JsonValue]:
    import json

    from simulator.errors import UsageError

    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"--input: expected JSON, found '{text}': {error.msg} at character {error.pos + 1}") from None
    if not isinstance(value, dict):
        raise UsageError(f'--input: expected a JSON object such as {{"selector": "Save"}}, found \'{text}\'')
    return value
