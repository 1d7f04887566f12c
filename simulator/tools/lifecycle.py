"""Tools that end a run, or go on as another user. Not responsible for: what a run's end means to its batch."""

from __future__ import annotations

from pydantic import JsonValue

from simulator.tools.answers import tell_page
from simulator.tools.context import RunContext
from simulator.tools.spec import tool


@tool(
    category="context",
    safety="low_risk",
    replay="call",
    examples=[{"name": "buyer"}],
)
async def switch_user(ctx: RunContext, name: str) -> JsonValue:
    """Go on as another user, in a browser session of their own; a new name begins a new session.

    Args:
        ctx: The run.
        name: The user's name within this run.

    Returns:
        Who acts now, all users of this run, and the page of the one who acts.
    """
    actor = await ctx.session.open(ctx.bindings.render(name))
    return {"user": actor.name, "users": list(ctx.session.names()), "page": tell_page(await actor.look())}


@tool(
    category="system",
    safety="safe",
    replay="skip",
    aliases=["done"],
    is_terminal=True,
    examples=[{"result": "Listed three books and wrote to one seller."}],
)
async def complete(ctx: RunContext, result: str) -> JsonValue:
    """End the run: everything that was to be done is done.

    Args:
        ctx: The run.
        result: What was done, in a sentence or two.

    Returns:
        The same text.
    """
    return ctx.bindings.render(result)


@tool(
    category="system",
    safety="safe",
    replay="skip",
    is_terminal=True,
    examples=[{"reason": "The site refuses every cover picture: 'file too large'."}],
)
async def fail(ctx: RunContext, reason: str) -> JsonValue:
    """End the run: what was to be done cannot be done.

    Args:
        ctx: The run.
        reason: What stood in the way.

    Returns:
        The same text.
    """
    return ctx.bindings.render(reason)
