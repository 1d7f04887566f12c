"""Finds the site's pages for logging in, registering and logging out, and its sign of being logged in.

By the routes of the site section, or else by the words of links and buttons. Not responsible for: forms.
"""

from __future__ import annotations

from typing import Literal

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.vocabulary import says_deed

Deed = Literal["login", "register", "logout"]
SIGN_WAIT_MS = 3000.0


async def open_page_for(ctx: RunContext, deed: Deed) -> str:
    """Go to the page where something is done.

    Returns:
        How it was found.

    Raises:
        ToolError: ``not_found``; no route is set and no link says it.
    """
    route = ctx.site.route(deed)
    if route is not None:
        ctx.memo.acted(await ctx.actor.goto(ctx.site.url(route)))
        return f"by the route {route}"
    find = await control_for(ctx, deed)
    if find is None:
        ctx.memo.acted(await ctx.actor.goto(ctx.site.url(ctx.site.route("home") or "/")))
        find = await control_for(ctx, deed)
    if find is None:
        raise ToolError(
            "not_found",
            f"no link or button on {ctx.actor.here.url} leads to {deed}; set routes.{deed} or words.{deed} of the site",
        )
    ctx.memo.acted(await ctx.actor.click(find))
    return "by a link of the page"


async def control_for(ctx: RunContext, deed: Deed) -> Find | None:
    """Find the first link or button on the page whose words say a deed, the shortest name first.

    A link in a card speaks of what the card shows; in an item of a menu, which shows nothing else, of the site.
    """
    if not ctx.actor.here.url:
        return None
    buttons = [(button.name, button.ref) for button in await ctx.actor.buttons() if not button.disabled]
    links = await ctx.actor.links()
    apart = [(link.name, link.ref) for link in links if not link.card]
    items = [(link.name, link.ref) for link in links if link.card == (link.name,)]
    for among in ([*apart, *buttons], items):
        said = [pair for pair in among if says_deed(pair[0], deed, ctx.site.words)]
        if said:
            return Find("ref", min(said, key=lambda pair: len(pair[0]))[1])
    return None


def sign_of(ctx: RunContext) -> Find | None:
    """Give the site's sign that somebody is logged in; None where none is set."""
    sign = ctx.site.logged_in
    if sign is None:
        return None
    if sign.role is not None:
        return Find("role", sign.role, sign.name or "")
    return Find("css", sign.selector) if sign.selector is not None else Find("text", sign.text or "")


async def is_logged_in(ctx: RunContext, *, wait: bool = False) -> bool | None:
    """Tell whether the page shows the site's sign.

    Args:
        ctx: the run.
        wait: whether to give the page a moment to show it.

    Returns:
        None where the site section has no sign.
    """
    sign = sign_of(ctx)
    if sign is None:
        return None
    if not ctx.actor.here.url:
        return False
    if not wait or await ctx.actor.visible(sign):
        return await ctx.actor.visible(sign)
    try:
        await ctx.actor.wait_for(sign, SIGN_WAIT_MS)
    except ToolError as error:
        if error.type != "timeout":
            raise
        return False
    return True
