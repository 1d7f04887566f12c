"""Finds the site's pages for logging in, registering and logging out, and its sign of being logged in.

By the routes of the site section, or else by the words of links and buttons, in menus that are closed, too. Not
responsible for: forms.
"""

from __future__ import annotations

from typing import Literal

from simulator.browser.find import Find
from simulator.browser.views.reading import ClosedItem
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.pages.vocabulary import says_purpose

Purpose = Literal["login", "register", "logout"]
SIGN_WAIT_MS = 3000.0
_NO_PAGE = (404, 410)
"""Statuses of an address at which there is no page; a page that refuses may be one to log in on."""


async def open_page_for(ctx: RunContext, purpose: Purpose) -> str:
    """Go to the page where something is done.

    Returns:
        How it was found.

    Raises:
        ToolError: ``not_found``; no route is set and no link says it.
    """
    how = await _opened(ctx, purpose)
    if how is None and purpose == "register" and await _opened(ctx, "login") is not None:
        # Many sites offer it beside the login alone.
        find = await control_for(ctx, purpose)
        if find is not None:
            await ctx.actor.click(find)
            return "by a link beside the login"
    if how is None:
        raise ToolError(
            "not_found",
            f"no link or button on {ctx.actor.here.url} leads to {purpose}; {ctx.site.how_to_lead(purpose)}",
        )
    return how


async def _opened(ctx: RunContext, purpose: Purpose) -> str | None:
    """Go to the page where something is done, if a route, a link or a menu leads there; returns which."""
    route = ctx.site.route(purpose)
    if route is not None:
        await ctx.actor.navigation.goto(ctx.site.url(route))
        if ctx.actor.here.status in _NO_PAGE:
            raise ToolError(
                "not_found",
                f"{route} answers with status {ctx.actor.here.status}: correct routes.{purpose} in "
                f"[site.{ctx.site.name}] of sim.toml, or leave it out to follow the links",
            )
        return f"by the route {route}"
    find = await control_for(ctx, purpose) or await _in_a_menu(ctx, purpose)
    if find is None:
        await ctx.actor.navigation.goto(ctx.site.url(ctx.site.route("home") or "/"))
        find = await control_for(ctx, purpose) or await _in_a_menu(ctx, purpose, any_menu=True)
    if find is None:
        return None
    await ctx.actor.click(find)
    return "by a link or a button of the page"


async def _in_a_menu(ctx: RunContext, purpose: Purpose, *, any_menu: bool = False) -> Find | None:
    """Open the menu that holds a link or a button whose words say a purpose.

    Args:
        ctx: the run.
        purpose: what they say.
        any_menu: whether menus are opened, too, that do not show before what they hold.
    """
    items = await _closed_menus(ctx)
    holding = [one.opener for one in items if says_purpose(one.name, purpose, ctx.site.words)]
    others = [one.opener for one in items if any_menu and not one.name]
    for opener in dict.fromkeys([*holding, *others]):
        await ctx.actor.click(Find("ref", opener))
        find = await control_for(ctx, purpose)
        if find is not None:
            return find
    return None


async def _closed_menus(ctx: RunContext) -> tuple[ClosedItem, ...]:
    return await ctx.actor.reader.closed_menus() if ctx.actor.here.url else ()


async def control_for(ctx: RunContext, purpose: Purpose) -> Find | None:
    """Find the first link or button on the page whose words say a purpose, the shortest name first.

    A link in a card speaks of what the card shows; in an item of a menu, which shows nothing else, of the site.
    """
    if not ctx.actor.here.url:
        return None
    buttons = [
        (button.name, button.ref)
        for button in await ctx.actor.reader.buttons()
        if not button.disabled and not any(says_purpose(name, purpose, ctx.site.words) for name in button.holds)
    ]
    links = await ctx.actor.reader.links()
    apart = [(link.name, link.ref) for link in links if not link.card]
    items = [(link.name, link.ref) for link in links if link.card == (link.name,)]
    for among in ([*apart, *buttons], items):
        said = [pair for pair in among if says_purpose(pair[0], purpose, ctx.site.words)]
        if said:
            return Find("ref", min(said, key=lambda pair: len(pair[0]))[1])
    return None


async def _offers_logout(ctx: RunContext) -> bool:
    """Return whether a link or a button of the page says that one can log out, also one in a menu that is closed."""
    if await control_for(ctx, "logout") is not None:
        return True
    return any(says_purpose(item.name, "logout", ctx.site.words) for item in await _closed_menus(ctx))


def sign_of(ctx: RunContext) -> Find | None:
    """Give the site's sign that somebody is logged in; None where none is set."""
    sign = ctx.site.logged_in
    if sign is None:
        return None
    if sign.role is not None:
        return Find("role", sign.role, sign.name or "")
    return Find("css", sign.selector) if sign.selector is not None else Find("text", sign.text or "")


async def is_logged_in(ctx: RunContext, *, wait: bool = False) -> bool | None:
    """Return whether the page shows the site's sign; where the site section has none, what offers to log out is one.

    Args:
        ctx: the run.
        wait: whether to give the page a moment to show it.

    Returns:
        None where nothing shows it: the site section has no sign, and the page does not offer to log out.
    """
    sign = sign_of(ctx)
    if sign is None:
        return True if await _offers_logout(ctx) else None
    if not ctx.actor.here.url:
        return False
    if not wait or await ctx.actor.frames.visible(sign):
        return await ctx.actor.frames.visible(sign)
    try:
        await ctx.actor.frames.wait_for(sign, SIGN_WAIT_MS)
    except ToolError as error:
        if error.type != "timeout":
            raise
        return False
    return True
