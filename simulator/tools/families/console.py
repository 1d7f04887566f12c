"""Tools that list what a page logged and requested. Not responsible for: keeping it, as the browser's driver does."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.spec import tool

_LINE = 500
"""Characters of one entry."""
Limit = Annotated[int, Field(ge=1, le=200)]


@tool(category="extraction", safety="safe", replay="skip", examples=[{}, {"contains": "error", "limit": 20}])
async def read_console(ctx: RunContext, contains: str = "", limit: Limit = 100) -> ToolResult:
    """Read what the page logged since it was opened, errors that none of its scripts caught included.

    Args:
        ctx: The run.
        contains: Only entries that have this in their level or text, whatever the case.
        limit: How many of the last entries to give; the browser keeps 200.

    Returns:
        The entries, oldest first, one line each.
    """
    lines = [
        f"[{one.level}] {one.text}" + (f" ({one.source})" if one.source else "")
        for one in await ctx.actor.reader.logged()
    ]
    return _last(ctx, lines, contains, limit)


@tool(category="extraction", safety="safe", replay="skip", examples=[{}, {"contains": "/api/"}])
async def read_network(ctx: RunContext, contains: str = "", limit: Limit = 100) -> ToolResult:
    """Read what the page requested since it was opened.

    Args:
        ctx: The run.
        contains: Only requests that have this in their method, address, kind or status, whatever the case.
        limit: How many of the last requests to give; the browser keeps 100.

    Returns:
        The requests, oldest first, one line each: method, address, kind, and status or why there is none.
    """
    lines = [
        f"{one.method} {one.url} {one.kind} {one.status or one.failure or 'not answered yet'}"
        for one in await ctx.actor.reader.requested()
    ]
    return _last(ctx, lines, contains, limit)


def _last(ctx: RunContext, lines: list[str], contains: str, limit: int) -> ToolResult:
    wanted = ctx.bindings.render(contains).casefold()
    fitting = [line for line in lines if wanted in line.casefold()]
    told: list[JsonValue] = [line[:_LINE] for line in fitting[-limit:]]
    return ToolResult(success=True, data=told, metadata={"total": len(fitting), "cut": len(told) < len(fitting)})
