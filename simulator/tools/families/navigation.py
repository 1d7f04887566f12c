"""Tools that move between pages and on a page.

Not responsible for: which hosts may be reached, which the browser enforces, or how one logs in.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from simulator.addresses import urlsplit
from simulator.errors import ToolError
from simulator.secrets import PASSWORD
from simulator.template import SECRET
from simulator.tools.context import RunContext
from simulator.tools.failures import DetailedToolError
from simulator.tools.families.account import USERNAME, is_asked_to_log_in, login
from simulator.tools.pages.answers import action_as_json, page_as_json
from simulator.tools.selectors import locate
from simulator.tools.spec import tool

Pixels = Annotated[int, Field(gt=0)]
_TO_THE_END = 1e9
"""CSS pixels, more than any page is high: a browser stops at the end."""


@tool(
    category="navigation",
    safety="low_risk",
    replay="actions",
    aliases=["goto"],
    timeout_s=90,
    examples=[{"url": "/items?sort=newest"}, {"url": "/items/{{site.items_1}}"}],
)
async def navigate(ctx: RunContext, url: str) -> JsonValue:
    """Open a page of the site. Where the site asks for a login on the way, the user is logged in first.

    Nothing is tried where the site section gives secrets for other logins, and nothing says that the user has one.

    Args:
        ctx: The run.
        url: An absolute URL on the site, or a path such as /items. Plain http becomes https, but for this machine and
            for hosts that are known to speak nothing else.

    Returns:
        The page's url, title and status, and what it says in alerts and notes; and whether there was a login.
    """
    address = ctx.site.secured(url)
    await ctx.actor.navigation.goto(address)
    told: dict[str, JsonValue] = {}
    if await _is_in_the_way(ctx, ctx.actor.addresses.absolute(address)):
        told["login"] = await _log_in(ctx, address) if _may_have_an_account(ctx) else _untried(ctx)
    return page_as_json(ctx.actor.here) | told


async def _log_in(ctx: RunContext, address: str) -> str:
    """Log in where the site asks for it, and open the page that was asked for."""
    try:
        await login.run(ctx)
    except ToolError as error:
        data = error.data if isinstance(error, DetailedToolError) else None
        message = f"{address} asks for a login first, and that failed: {error.message}"
        raise DetailedToolError(error.type, message, data) from error
    if urlsplit(ctx.actor.page.url).path != urlsplit(ctx.actor.addresses.absolute(address)).path:
        await ctx.actor.navigation.goto(address)
    if await _is_in_the_way(ctx, ctx.actor.addresses.absolute(address)):
        raise ToolError("rejected", f"{address} asks for a login, also after one; log in as another user")
    name = ctx.logged_in_as.get(ctx.actor.name, USERNAME)
    return f"the site asked for a login on the way: logged in as {name}, then opened the page asked for"


async def _is_in_the_way(ctx: RunContext, address: str) -> bool:
    """Return whether a login stands before what was asked for: at an address of its own, or at the very address.

    Who asks for the login, for the registration, or for the first page of a site, is shown it.
    """
    if "login" not in ctx.site.grants or _is_login(ctx, address):
        return False
    if _is_login(ctx, ctx.actor.page.url):
        return True
    shown = [ctx.site.url(route) for name in ("register", "home") if (route := ctx.site.route(name) or "/")]
    if urlsplit(address).path in {urlsplit(one).path for one in shown}:
        return False
    return await is_asked_to_log_in(ctx)


def _may_have_an_account(ctx: RunContext) -> bool:
    """Return whether the user's own name and password are worth a try.

    A section that gives secrets, and neither the user's password nor accounts, says that one comes in by those; a try
    with a password that was drawn leaves a refused login on the site. Seen on Django's admin. Where it is wrong, since
    the user registered by hand or the secrets are no logins, the page of the login is shown, and one call more is made.
    """
    name = ctx.actor.name
    known = name in ctx.registered or name in ctx.logged_in_as
    return known or bool(ctx.site.accounts) or not ctx.site.secrets or PASSWORD in ctx.site.secrets


def _untried(ctx: RunContext) -> str:
    others = ", ".join(f"{{{{{SECRET}{name}}}}}" for name in sorted(ctx.site.secrets))
    return f"the site asks for a login: nothing was tried, as the user may have none; the site gives {others}"


def _is_login(ctx: RunContext, address: str) -> bool:
    route = ctx.site.route("login")
    return route is not None and urlsplit(ctx.site.url(route)).path == urlsplit(address).path


@tool(category="navigation", safety="low_risk", replay="actions", aliases=["go_back"], examples=[{}])
async def back(ctx: RunContext) -> JsonValue:
    """Go back to the page before this one.

    Returns:
        The page's url, title and status.
    """
    report = await ctx.actor.navigation.back()
    return page_as_json(report.page)


@tool(category="navigation", safety="low_risk", replay="actions", aliases=["go_forward"], examples=[{}])
async def forward(ctx: RunContext) -> JsonValue:
    """Go forward again, after going back.

    Returns:
        The page's url, title and status.
    """
    report = await ctx.actor.navigation.forward()
    return page_as_json(report.page)


@tool(category="navigation", safety="low_risk", replay="actions", aliases=["reload"], examples=[{}])
async def refresh(ctx: RunContext) -> JsonValue:
    """Load the page again.

    Returns:
        The page's url, title and status.
    """
    report = await ctx.actor.navigation.reload()
    return page_as_json(report.page)


@tool(
    category="navigation",
    safety="safe",
    replay="actions",
    examples=[{"direction": "down"}, {"direction": "up", "amount": 1200}],
)
async def scroll(ctx: RunContext, direction: Literal["up", "down"], amount: Pixels = 500) -> JsonValue:
    """Scroll the page.

    Args:
        ctx: The run.
        direction: Where to.
        amount: How far, in CSS pixels.

    Returns:
        The page, and scrolled: its position from the top, the height of the view and of the page, and whether that is
        the end.
    """
    return await _scroll(ctx, amount if direction == "down" else -amount)


@tool(category="navigation", safety="safe", replay="actions", examples=[{}, {"pixels": 1200}])
async def scroll_down(ctx: RunContext, pixels: Pixels | None = None) -> JsonValue:
    """Scroll the page down: to its bottom, or this many pixels. A page that goes on there has grown by then.

    Args:
        ctx: The run.
        pixels: How far, in CSS pixels; without it, to the bottom.

    Returns:
        The page, and scrolled: its position from the top, the height of the view and of the page, and whether that is
        the end.
    """
    return await _scroll(ctx, pixels or _TO_THE_END)


async def _scroll(ctx: RunContext, distance: float) -> JsonValue:
    told = action_as_json(await ctx.actor.navigation.scroll(distance))
    scrolled = await ctx.actor.reader.scrolled()
    return told | {"scrolled": {**scrolled._asdict(), "at_end": scrolled.at_end}}


@tool(
    category="navigation",
    safety="safe",
    replay="actions",
    examples=[{"selector": "Add to basket"}, {"selector": "#reviews"}],
)
async def scroll_to(ctx: RunContext, selector: str) -> JsonValue:
    """Scroll until an element is in view.

    Args:
        ctx: The run.
        selector: CSS, visible text, role=button[name="…"], label=… or ref=….

    Returns:
        What was scrolled to and the page.
    """
    return action_as_json(await ctx.actor.scroll_to(await locate(ctx.actor, selector)))


@tool(category="navigation", safety="safe", replay="skip", examples=[{}])
async def get_page_url(ctx: RunContext) -> JsonValue:
    """Give the address of the page.

    Returns:
        The page's url, title and status.
    """
    return page_as_json(await ctx.actor.view.look())
