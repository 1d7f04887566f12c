"""The tool that acts on one discovered element, once that is possible. Not responsible for: how an action is done."""

from __future__ import annotations

from typing import Literal

from pydantic import JsonValue

from simulator.browser.find import Find
from simulator.tools.compat.elements.answering import naming_misses, needed
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import action_as_json
from simulator.tools.pages.pointing import first_fit, reachable
from simulator.tools.spec import tool

Interaction = Literal[
    "click",
    "type_text",
    "clear_and_type",
    "check_visibility",
    "get_text",
    "get_value",
    "hover",
    "scroll_to",
    "press_keys",
]
Key = Literal["Enter", "Tab", "Escape", "Space", "Backspace"]


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    echoes=["action", "query"],
    typed=["text"],
    examples=[
        {"action": "click", "selector": "#send", "query": "send the form"},
        {"action": "clear_and_type", "selector": 'input[name="email"]', "text": "{{identity.email}}"},
        {"action": "press_keys", "selector": "#search", "keys": "Enter"},
        {"action": "get_text", "selector": "h1"},
    ],
)
async def element_interaction(
    ctx: RunContext,
    action: Interaction,
    selector: str = "",
    text: str = "",
    keys: Key | None = None,
    query: str | None = None,
) -> JsonValue:
    """Act on one element, or read it. It has to be visible, enabled, editable and not covered, as the action needs.

    Args:
        ctx: The run.
        action: click, hover and scroll_to; type_text types behind what is there, clear_and_type replaces it; press_keys
            presses one key; check_visibility, get_text and get_value read.
        selector: The element, by a selector that element_discovery gave: CSS, visible text, a label,
            role=button[name="…"] or ref=…. press_keys may leave it out, for the element that has the focus.
        text: What type_text and clear_and_type type; {{variables}} are filled in by the browser.
        keys: What press_keys presses.
        query: What this is for, in your words; it comes back in the metadata.

    Returns:
        What was acted on and the page after it had settled; or what was read.
    """
    with naming_misses(selector):
        return await _do(ctx, action, selector, text, keys)


async def _do(ctx: RunContext, action: Interaction, selector: str, text: str, keys: Key | None) -> JsonValue:
    if action == "press_keys":
        key = needed(action, "keys", keys or "")
        find = await reachable(ctx.actor, selector, "look", field=True) if selector else Find("focused")
        report = await ctx.actor.press(key, find)
        return action_as_json(report)
    needed(action, "selector", selector)
    if action in ("type_text", "clear_and_type"):
        return await _type(ctx, selector, needed(action, "text", text), clear=action == "clear_and_type")
    if action in ("check_visibility", "get_text", "get_value"):
        return await _read(ctx, action, selector)
    find = await reachable(ctx.actor, selector, "look" if action == "scroll_to" else "point")
    if action == "click":
        report = await ctx.actor.click(find)
    else:
        report = await (ctx.actor.hover(find) if action == "hover" else ctx.actor.scroll_to(find))
    return action_as_json(report)


async def _type(ctx: RunContext, selector: str, text: str, *, clear: bool) -> JsonValue:
    find = await reachable(ctx.actor, selector, "type", field=True)
    if clear:
        report = await ctx.actor.fill(find, text)
    else:
        report = await ctx.actor.type_text(find, text)
    return action_as_json(report)


async def _read(ctx: RunContext, action: Interaction, selector: str) -> JsonValue:
    async def read(find: Find) -> dict[str, JsonValue]:
        detail = await ctx.actor.elements.inspect(find)
        if action == "check_visibility":
            return {"visible": detail.visible, "enabled": detail.enabled}
        if action == "get_text":
            (text, *_), _ = await ctx.actor.elements.texts(find, 1)
            return {"text": text}
        # What stands in a password field is nobody's business.
        return {"value": None, "secret": True} if detail.secret else {"value": detail.value}

    return await first_fit(ctx.actor, selector, read, field=action == "get_value")
