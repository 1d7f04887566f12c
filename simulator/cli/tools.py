"""``sim tools``: what an agent may call. Not responsible for: the tools."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.cli.options import Json

app = typer.Typer(help="The tools that agents act with.", no_args_is_help=True)


@app.command("list")
def list_tools(
    toolset: Annotated[str | None, typer.Option("--toolset", help="Only those of this toolset.")] = None,
    as_json: Json = False,
) -> None:
    """List the tools."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.report.listing import tool_lines
    from simulator.report.tool_card import tool_card
    from simulator.tools.toolsets import TOOLSETS, registry_of

    tools = registry_of([toolset] if toolset else TOOLSETS).list_tools()
    if as_json:
        print_json([tool_card(spec) for spec in tools])
    else:
        print_lines(tool_lines(tools, output_width()))


@app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A tool.", show_default=False)], as_json: Json = False
) -> None:
    """Show a tool: what it does, takes and gives."""
    from simulator.cli.output import print_json, print_lines
    from simulator.errors import ToolError, UsageError
    from simulator.report.tool_card import tool_card, tool_card_lines
    from simulator.tools.toolsets import TOOLSETS, registry_of

    try:
        card = tool_card(registry_of(TOOLSETS).get_tool(name))
    except ToolError as error:
        raise UsageError(error.message) from error
    print_json(card) if as_json else print_lines(tool_card_lines(card))
