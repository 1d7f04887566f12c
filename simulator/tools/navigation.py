"""Tools that move between pages. Not responsible for: which hosts may be reached, which the browser enforces."""

from __future__ import annotations

from pydantic import JsonValue

from simulator.errors import ToolError
from simulator.tools.answers import tell_action, tell_page
from simulator.tools.context import RunContext
from simulator.tools.selectors import locate
from simulator.tools.spec import tool

WAIT_S = 8.0


@tool(
    category="navigation",
    safety="low_risk",
    replay="actions",
    aliases=["goto"],
    examples=[{"url": "/books?sort=newest"}, {"url": "/books/{{site.books_1}}"}],
)
async def navigate(ctx: RunContext, url: str) -> JsonValue:
    """Open a page of the site.

    Args:
        ctx: The run.
        url: An absolute URL on the site, or a path such as /books.

    Returns:
        The page's url, title and status, and what it says in alerts and notes.
    """
    report = await ctx.actor.goto(url)
    ctx.memo.acted(report)
    return tell_page(report.page)


@tool(category="navigation", safety="low_risk", replay="actions", aliases=["back"], examples=[{}])
async def go_back(ctx: RunContext) -> JsonValue:
    """Go back to the page before this one.

    Returns:
        The page's url, title and status.
    """
    report = await ctx.actor.back()
    ctx.memo.acted(report)
    return tell_page(report.page)


@tool(category="navigation", safety="safe", replay="actions", examples=[{}, {"pixels": 1200}])
async def scroll_down(ctx: RunContext, pixels: int = 500) -> JsonValue:
    """Scroll the page down.

    Args:
        ctx: The run.
        pixels: How far, in CSS pixels.

    Returns:
        The page.
    """
    return tell_action(await ctx.actor.scroll(pixels))


@tool(category="navigation", safety="safe", replay="skip", examples=[{"selector": "text=Your listing is live"}])
async def wait_for_element(ctx: RunContext, selector: str) -> JsonValue:
    """Wait up to 8 seconds until an element is there and visible.

    Args:
        ctx: The run.
        selector: CSS, visible text, role=button[name="…"], label=… or ref=….

    Returns:
        What was waited for.
    """
    try:
        find = await locate(ctx.actor, selector, patience_s=WAIT_S)
    except ToolError as error:
        raise ToolError("timeout", f"waited {WAIT_S:g} s: {error.message}") from error
    await ctx.actor.wait_for(find, WAIT_S * 1000)
    return f"{selector} is there"


@tool(category="navigation", safety="safe", replay="skip", examples=[{}])
async def get_page_url(ctx: RunContext) -> JsonValue:
    """Tell where the browser is.

    Returns:
        The page's url, title and status.
    """
    return tell_page(await ctx.actor.look())
