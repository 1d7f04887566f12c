"""Tools that wait for something. Not responsible for: waiting for what an action causes, which every action does."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field, JsonValue

from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import page_as_json
from simulator.tools.selectors import locate
from simulator.tools.spec import tool

WAIT_S = 8.0
MOST_S = 30
PAGE_WAIT_MS = 10_000


@tool(
    category="navigation",
    safety="safe",
    replay="actions",
    requires_page=True,
    examples=[{"selector": "#results"}, {"selector": "Your entry is saved", "timeout": 20_000}],
)
async def wait_for(ctx: RunContext, selector: str, timeout: int = PAGE_WAIT_MS) -> JsonValue:
    """Wait until an element is there and visible.

    Args:
        ctx: The run.
        selector: CSS, visible text, role=button[name="…"], label=… or ref=….
        timeout: How long, in milliseconds.

    Returns:
        What was waited for, and the page.
    """
    await _until_visible(ctx, selector, timeout / 1000)
    return {"there": selector, "page": page_as_json(ctx.actor.here)}


@tool(
    category="navigation",
    safety="safe",
    replay="actions",
    requires_page=True,
    examples=[{"selector": "text=Your entry is saved"}],
)
async def wait_for_element(ctx: RunContext, selector: str) -> JsonValue:
    """Wait up to 8 seconds until an element is there and visible.

    Args:
        ctx: The run.
        selector: CSS, visible text, role=button[name="…"], label=… or ref=….

    Returns:
        What was waited for.
    """
    await _until_visible(ctx, selector, WAIT_S)
    return f"{selector} is there"


@tool(
    category="navigation",
    safety="safe",
    replay="actions",
    examples=[{"text": "Thank you for your order"}, {"url": "/orders/*"}, {"seconds": 2}],
)
async def wait(
    ctx: RunContext,
    seconds: Annotated[float, Field(gt=0, le=MOST_S)] | None = None,
    text: str = "",
    url: str = "",
    timeout: int = PAGE_WAIT_MS,
) -> JsonValue:
    """Wait for a text, for an address, or for some seconds: for exactly one of them.

    Args:
        ctx: The run.
        seconds: How long; up to 30. What the page does by itself is waited for by every action: seldom needed.
        text: Wait until the page shows this.
        url: Wait until the page is at this path or address; * stands for anything.
        timeout: For text and url: how long at most, in milliseconds.

    Returns:
        The page.
    """
    if (seconds is not None) + bool(text) + bool(url) != 1:
        raise ToolError("invalid_input", 'wait: give one of seconds, text or url. Example: {"text": "Thank you"}')
    if seconds is not None:
        await asyncio.sleep(seconds)
        return page_as_json(await ctx.actor.view.look())
    if text:
        report = await ctx.actor.navigation.wait("text", text, timeout_ms=timeout)
    else:
        report = await ctx.actor.navigation.wait("url", ctx.actor.addresses.relative(url), timeout_ms=timeout)
    return page_as_json(report.page)


async def _until_visible(ctx: RunContext, selector: str, wait_s: float) -> None:
    try:
        find = await locate(ctx.actor, selector, patience_s=wait_s)
    except ToolError as error:
        if error.type != "not_found":
            raise
        raise ToolError("timeout", f"waited {wait_s:g} s: {error.message}") from error
    if find.how == "ref":
        # A reference means nothing to a replay, and what it means is there already.
        await ctx.actor.frames.wait_for(find, wait_s * 1000)
        return
    await ctx.actor.navigation.wait(find, timeout_ms=wait_s * 1000)
