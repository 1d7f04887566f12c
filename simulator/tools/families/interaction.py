"""Tools that act on one element by pointer and keys.

Not responsible for: what goes into fields (``entry``), whole forms, or finding and proving the element.
"""

from __future__ import annotations

from itertools import takewhile

from pydantic import JsonValue

from simulator.browser.acting.keyed import typed_by
from simulator.browser.evidence import Choice
from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.secrets import CODE, TYPED
from simulator.template import PLACEHOLDER, SECRET
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import action_as_json
from simulator.tools.selectors import ACTION_MS, locate, patience
from simulator.tools.spec import tool


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    examples=[
        {"selector": "Put it up for sale"},
        {"selector": 'role=button[name="Save"]'},
        {"selector": "ref=e12", "aim": {"rule": "an entry of another user"}},
    ],
)
async def click(ctx: RunContext, selector: str, aim: Choice | None = None, timeout: int = ACTION_MS) -> JsonValue:
    """Click one element. Several that fit are an error that lists them.

    Args:
        ctx: The run.
        selector: CSS or visible text (the one is tried when the other finds nothing),
            role=button[name="…"], label=… or ref=….
        aim: Set when this element is only one of a collection that would do as well, with the rule in words.
        timeout: How long it may take until it is visible, enabled and not covered, in milliseconds.

    Returns:
        What was clicked and the page after it had settled.
    """
    find = await locate(ctx.actor, selector, patience_s=patience(timeout))
    return action_as_json(await ctx.actor.click(find, choice=aim, timeout_ms=_bound(timeout)))


@tool(category="interaction", safety="low_risk", replay="actions", examples=[{"selector": "Rename me"}])
async def double_click(ctx: RunContext, selector: str, timeout: int = ACTION_MS) -> JsonValue:
    """Click one element twice in one go.

    Args:
        ctx: The run.
        selector: As for click.
        timeout: How long it may take until it is visible, enabled and not covered, in milliseconds.

    Returns:
        What was clicked and the page after it had settled.
    """
    find = await locate(ctx.actor, selector, patience_s=patience(timeout))
    return action_as_json(await ctx.actor.dblclick(find, timeout_ms=_bound(timeout)))


@tool(category="interaction", safety="low_risk", replay="actions", examples=[{"selector": "#picture"}])
async def right_click(ctx: RunContext, selector: str, timeout: int = ACTION_MS) -> JsonValue:
    """Click one element with the right button, for its context menu.

    Args:
        ctx: The run.
        selector: As for click.
        timeout: How long it may take until it is visible, enabled and not covered, in milliseconds.

    Returns:
        What was clicked and the page after it had settled.
    """
    find = await locate(ctx.actor, selector, patience_s=patience(timeout))
    return action_as_json(await ctx.actor.click(find, button="right", timeout_ms=_bound(timeout)))


@tool(category="interaction", safety="safe", replay="actions", examples=[{"selector": "My account"}])
async def hover(ctx: RunContext, selector: str, timeout: int = ACTION_MS) -> JsonValue:
    """Rest the pointer on an element, for what shows only then.

    Args:
        ctx: The run.
        selector: As for click.
        timeout: How long it may take until it is visible and not covered, in milliseconds.

    Returns:
        What the pointer is on and the page after it had settled.
    """
    find = await locate(ctx.actor, selector, patience_s=patience(timeout))
    return action_as_json(await ctx.actor.hover(find, timeout_ms=_bound(timeout)))


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    examples=[{"source": "The Moonstone", "target": "#wish-list"}],
)
async def drag(ctx: RunContext, source: str, target: str, timeout: int = ACTION_MS) -> JsonValue:
    """Drag an element to another one and let it go there.

    Args:
        ctx: The run.
        source: What to drag, as for click.
        target: Where to let it go, as for click.
        timeout: How long each may take until it is visible and not covered, in milliseconds.

    Returns:
        What was dragged and the page after it had settled.
    """
    find = await locate(ctx.actor, source, patience_s=patience(timeout))
    onto = await locate(ctx.actor, target, patience_s=patience(timeout))
    return action_as_json(await ctx.actor.drag(find, onto, timeout_ms=_bound(timeout)))


@tool(category="interaction", safety="safe", replay="actions", examples=[{"selector": "E-mail"}])
async def focus(ctx: RunContext, selector: str) -> JsonValue:
    """Give an element the focus: press_key presses keys there.

    Args:
        ctx: The run.
        selector: A field's label, CSS, visible text, role=textbox[name="…"] or ref=….

    Returns:
        What has the focus and the page.
    """
    return action_as_json(await ctx.actor.focus(await locate(ctx.actor, selector, field=True)))


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
    return action_as_json(await ctx.actor.press(key, find))


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    typed=["keys"],
    examples=[{"selector": "Search", "keys": "Enter"}, {"selector": "#menu", "keys": ["ArrowDown", "Enter"]}],
)
async def press_keys(ctx: RunContext, selector: str, keys: str | list[str]) -> JsonValue:
    """Press keys one after the other: the first in an element, the others where the focus is by then.

    Args:
        ctx: The run.
        selector: Where to press the first: a field's label, CSS, visible text or ref=….
        keys: One key or chord, or several: Enter, Tab, Control+a.

    Returns:
        Where the last was pressed and the page after it had settled.
    """
    pressed = [keys] if isinstance(keys, str) else keys
    if not pressed:
        raise ToolError("invalid_input", 'press_keys: keys: expected at least one. Example: {"keys": ["Tab", "Enter"]}')
    find = await locate(ctx.actor, selector, field=True)
    secret, rest = _own_secret(ctx, pressed)
    if secret and (await ctx.actor.elements.inspect(find)).secret:
        # Key by key it would be withheld, and no replay could press it.
        report = await ctx.actor.type_text(find, secret)
        find, pressed = Find("focused"), rest
    for key in pressed:
        report = await ctx.actor.press(key, find)
        find = Find("focused")
    return action_as_json(report)


def _own_secret(ctx: RunContext, keys: list[str]) -> tuple[str, list[str]]:
    """Return which of the user's own secrets keys type, as its placeholder, and the keys after it.

    Returns:
        An empty text where they type none, or the code of the moment, of which each digit may have a field of its own.
    """
    letters = list(takewhile(bool, map(typed_by, keys)))
    text = "".join(letters)
    told = ctx.vault.mask(text)
    match = PLACEHOLDER.fullmatch(told)
    name = match.group(1).removeprefix(SECRET) if match else ""
    own = name in ctx.vault.names() and not name.startswith(TYPED) and name != CODE
    if not own or ctx.bindings.render(told, secrets=True) != text:
        return "", keys
    return told, keys[len(letters) :]


def _bound(timeout_ms: int) -> float | None:
    """Give the bound of an action; the usual one is as the settings have it."""
    return None if timeout_ms == ACTION_MS else timeout_ms
