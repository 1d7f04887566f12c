"""Tools that act on one element. Not responsible for: whole forms, or finding and proving the element."""

from __future__ import annotations

from pydantic import JsonValue

from simulator.browser.evidence import Choice
from simulator.browser.find import Find
from simulator.tools.answers import tell_action
from simulator.tools.context import RunContext
from simulator.tools.selectors import locate
from simulator.tools.spec import tool


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    examples=[
        {"selector": "Put it up for sale"},
        {"selector": 'role=button[name="Save"]'},
        {"selector": "ref=e12", "aim": {"rule": "a listing of another seller"}},
    ],
)
async def click(ctx: RunContext, selector: str, aim: Choice | None = None) -> JsonValue:
    """Click one element. Several that fit are an error that lists them.

    Args:
        ctx: The run.
        selector: CSS or visible text (the one is tried when the other finds nothing),
            role=button[name="…"], label=… or ref=….
        aim: Set when this element is only one of a collection that would do as well, with the rule in words.

    Returns:
        What was clicked and the page after it had settled.
    """
    report = await ctx.actor.click(await locate(ctx.actor, selector), choice=aim)
    ctx.memo.acted(report)
    return tell_action(report)


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    aliases=["type"],
    typed=["value"],
    examples=[{"selector": "E-mail", "value": "{{identity.email}}"}],
)
async def fill(ctx: RunContext, selector: str, value: str) -> JsonValue:
    """Clear a text field and fill it.

    Args:
        ctx: The run.
        selector: The field's label, CSS, role=textbox[name="…"] or ref=….
        value: The text; {{variables}} are filled in by the browser.

    Returns:
        What was filled and the page.
    """
    find = await locate(ctx.actor, selector, field=True)
    report = await ctx.actor.fill(find, value)
    ctx.memo.put(report, value)
    return tell_action(report)


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    typed=["key"],
    examples=[{"key": "Enter"}, {"key": "Control+a", "selector": "#notes"}],
)
async def press_key(ctx: RunContext, key: str, selector: str = "") -> JsonValue:
    """Press a key or a chord in the focused element, or in another.

    Args:
        ctx: The run.
        key: As Playwright names it: Enter, Escape, ArrowDown, Control+a.
        selector: Where to press it; empty for the element that has the focus.

    Returns:
        Where it was pressed and the page after it had settled.
    """
    find = await locate(ctx.actor, selector, field=True) if selector else Find("focused")
    report = await ctx.actor.press(key, find)
    ctx.memo.acted(report)
    return tell_action(report)


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    aliases=["select"],
    examples=[{"selector": "Genre", "value": "Poetry"}],
)
async def select_option(ctx: RunContext, selector: str, value: str) -> JsonValue:
    """Choose an option of a drop-down list.

    Args:
        ctx: The run.
        selector: The list's label, CSS or ref=….
        value: The option's text, or else its value.

    Returns:
        What was chosen from and the page.
    """
    find = await locate(ctx.actor, selector, field=True)
    report = await ctx.actor.select(find, value)
    ctx.memo.put(report, value)
    return tell_action(report)


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    examples=[{"selector": "I accept the terms"}, {"selector": "Good", "checked": True}],
)
async def check(ctx: RunContext, selector: str, checked: bool = True) -> JsonValue:
    """Tick a checkbox or choose a radio button; or clear a checkbox.

    Args:
        ctx: The run.
        selector: Its label, CSS or ref=….
        checked: False clears a checkbox.

    Returns:
        What was ticked and the page.
    """
    find = await locate(ctx.actor, selector, field=True)
    report = await ctx.actor.check(find, checked)
    return tell_action(report)
