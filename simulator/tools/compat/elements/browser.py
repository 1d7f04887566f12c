"""The tool that opens the browser, leads it to a page, and closes it. Not responsible for: which browser a run has."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from simulator.errors import ToolError
from simulator.tools.compat.elements.answering import needed
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.families.navigation import navigate
from simulator.tools.pages.answers import page_as_json
from simulator.tools.spec import tool

WindowAction = Literal["open_browser", "navigate", "open_and_navigate", "close_browser"]


@tool(
    category="navigation",
    safety="low_risk",
    replay="actions",
    echoes=["action", "query"],
    examples=[
        {"action": "open_browser"},
        {"action": "navigate", "url": "/items"},
        {"action": "open_and_navigate", "browser": "chromium", "url": "/account/login", "query": "log in"},
        {"action": "close_browser"},
    ],
)
async def unified_browser(
    ctx: RunContext,
    action: WindowAction,
    browser: Literal["chrome", "chromium", "safari"] = "chrome",
    url: str = "",
    query: str | None = None,
) -> JsonValue:
    """Open the browser, go to a page, or close the browser's windows. A run keeps one browser and its session.

    Args:
        ctx: The run.
        action: open_browser, navigate, open_and_navigate, or close_browser.
        browser: What open_browser is to open: chrome and chromium are the run's own; safari is Playwright's WebKit.
        url: Where navigate and open_and_navigate lead: an absolute URL on the site, or a path.
        query: What this is for, in your words; it comes back in the metadata.

    Returns:
        Which browser runs, and the page that is open.
    """
    if action == "close_browser":
        return await _close(ctx)
    if action != "open_browser":
        needed(action, "url", url)
    told = {} if action == "navigate" else _running(ctx, browser)
    if ctx.actor.windows.lost:
        if action == "navigate":
            raise ToolError("page_closed", "the browser is closed; use open_browser or open_and_navigate")
        await ctx.actor.navigation.open_tab()
    if action == "open_browser":
        shows = ctx.actor.page.url.startswith("http")
        return {**told, "page": page_as_json(await ctx.actor.view.look()) if shows else None}
    page = await navigate.run(ctx, url=url)
    assert not isinstance(page, ToolResult)
    return {**told, "page": page}


def _running(ctx: RunContext, asked: str) -> dict[str, JsonValue]:
    """Say which browser the run has.

    Raises:
        ToolError: ``unavailable``; another one is asked for.
    """
    runs = ctx.actor.context.browser
    assert runs is not None, "an actor's context belongs to a browser"
    kind = runs.browser_type
    if (asked == "safari") != (kind.name == "webkit"):
        safari = "safari is Playwright's WebKit, and " if asked == "safari" else ""
        raise ToolError("unavailable", f"{safari}this run's browser is {kind.name}, which it keeps; go on with that")
    return {"browser": kind.name, "version": runs.version, "open": True}


async def _close(ctx: RunContext) -> JsonValue:
    for page in ctx.actor.context.pages:
        await page.close()
    return {"open": False}
