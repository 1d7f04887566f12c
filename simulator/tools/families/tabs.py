"""Tools for the tabs of the browser. Not responsible for: tabs that a page opens itself, which are followed to."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, JsonValue

from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import page_as_json
from simulator.tools.spec import tool

Number = Annotated[int, Field(ge=1)]


@tool(category="navigation", safety="low_risk", replay="actions", examples=[{"url": "/items"}, {}], aliases=["new_tab"])
async def open_tab(ctx: RunContext, url: str = "") -> JsonValue:
    """Open a tab and look at it.

    Args:
        ctx: The run.
        url: The page to open in it, as for navigate; empty for a blank one.

    Returns:
        The tabs, the one that is looked at, and its page.
    """
    await ctx.actor.navigation.open_tab(ctx.site.secured(url))
    return await _tabs_as_json(ctx)


@tool(category="navigation", safety="low_risk", replay="actions", examples=[{"tab": 1}])
async def switch_tab(ctx: RunContext, tab: Number) -> JsonValue:
    """Look at another tab.

    Args:
        ctx: The run.
        tab: Its number, as list_tabs gives it.

    Returns:
        The tabs, the one that is looked at, and its page.
    """
    _check(ctx, tab)
    await ctx.actor.navigation.switch_tab(tab)
    return await _tabs_as_json(ctx)


@tool(category="navigation", safety="low_risk", replay="actions", examples=[{}, {"tab": 2}])
async def close_tab(ctx: RunContext, tab: Number | None = None) -> JsonValue:
    """Close a tab; the one that was looked at before is shown then. The last tab stays.

    Args:
        ctx: The run.
        tab: Its number, as list_tabs gives it; the one that is looked at by default.

    Returns:
        The tabs, the one that is looked at, and its page.
    """
    number = tab or next(one.number for one in ctx.actor.windows.tabs() if one.current)
    _check(ctx, number)
    if len(ctx.actor.windows.tabs()) == 1:
        raise ToolError("not_allowed", f"tab {number} is the only one; open another before closing it")
    await ctx.actor.navigation.close_tab(number)
    return await _tabs_as_json(ctx)


@tool(category="navigation", safety="safe", replay="skip", examples=[{}])
async def list_tabs(ctx: RunContext) -> JsonValue:
    """List the tabs that are open, with their numbers.

    Returns:
        The tabs, the one that is looked at, and its page.
    """
    await ctx.actor.view.look()
    return await _tabs_as_json(ctx)


def _check(ctx: RunContext, number: int) -> None:
    numbers = [one.number for one in ctx.actor.windows.tabs()]
    if number not in numbers:
        raise ToolError("not_found", f"there is no tab {number}; there are: {', '.join(map(str, numbers))}")


async def _tabs_as_json(ctx: RunContext) -> JsonValue:
    tabs: list[JsonValue] = [
        {"tab": number, "url": url, "title": title} for number, url, title in await ctx.actor.navigation.tab_titles()
    ]
    current = next(one.number for one in ctx.actor.windows.tabs() if one.current)
    return {"tabs": tabs, "current": current, "page": page_as_json(ctx.actor.here)}
