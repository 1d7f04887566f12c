"""The tool ``computer``: what a model does that looks at the page's picture and points at it.

Not responsible for: elements. What is recorded is not the point but the element that reacts there, or has the focus,
so a replay finds the element wherever it is then.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal, TypeVar

from pydantic import Field, JsonValue

from simulator.browser.find import Find
from simulator.canonical import sha256
from simulator.errors import ToolError
from simulator.tools.compat.computer.keys import read_key, read_modifiers
from simulator.tools.compat.computer.pictures import enlarged, shown
from simulator.tools.compat.computer.pointer import Pointer
from simulator.tools.compat.computer.screen import Screen
from simulator.tools.context import RunContext
from simulator.tools.contracts import Image, ToolResult
from simulator.tools.pages.answers import action_as_json, page_as_json
from simulator.tools.spec import tool

_TURN_PX = 100
"""How far the page scrolls for one turn of the wheel, in CSS pixels."""
_SCROLLED_IN = """([x, y, dx, dy]) => {
  const room = (at) => (dy ? at.scrollHeight - at.clientHeight : at.scrollWidth - at.clientWidth);
  const way = dy ? "overflowY" : "overflowX";
  const page = [null, document.body, document.scrollingElement];
  let at = document.elementFromPoint(x, y);
  while (!page.includes(at) && !(room(at) > 0 && /auto|scroll/.test(getComputedStyle(at)[way]))) at = at.parentElement;
  return !page.includes(at);
}"""
_LONGEST_HOLD_S = 10
_T = TypeVar("_T")
Action = Literal[
    "screenshot", "key", "type", "mouse_move", "left_click", "right_click", "middle_click", "double_click",
    "triple_click", "left_click_drag", "scroll", "wait", "hold_key", "zoom", "cursor_position", "left_mouse_down",
    "left_mouse_up",
]  # fmt: skip
Point = Annotated[list[int], Field(min_length=2, max_length=2)]


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    requires_page=True,
    required_capabilities=["vision"],
    optimal_capabilities=["computer_use"],
    timeout_s=90,
    typed=["text"],
    examples=[
        {"action": "screenshot"},
        {"action": "left_click", "coordinate": [640, 400]},
        {"action": "left_click", "coordinate": [640, 400], "text": "ctrl"},
        {"action": "type", "text": "{{identity.email}}"},
        {"action": "key", "text": "ctrl+a"},
        {"action": "key", "text": "Tab", "repeat": 3},
        {"action": "hold_key", "text": "ArrowRight", "duration": 1},
        {"action": "left_click_drag", "start_coordinate": [100, 200], "coordinate": [300, 200]},
        {"action": "scroll", "coordinate": [640, 400], "scroll_direction": "down", "scroll_amount": 5},
        {"action": "zoom", "region": [0, 0, 400, 300]},
        {"action": "wait", "duration": 1},
    ],
)
async def computer(
    ctx: RunContext,
    action: Action,
    coordinate: Point | None = None,
    start_coordinate: Point | None = None,
    text: str | None = None,
    repeat: Annotated[int, Field(ge=1, le=100)] = 1,
    duration: Annotated[float, Field(ge=0, le=60)] | None = None,
    scroll_direction: Literal["up", "down", "left", "right"] | None = None,
    scroll_amount: Annotated[int, Field(ge=0, le=100)] | None = None,
    region: Annotated[list[int], Field(min_length=4, max_length=4)] | None = None,
) -> ToolResult:
    """Act on the page by mouse and keyboard, on what its picture shows; coordinates are pixels of that picture.

    Args:
        ctx: The run.
        action: What to do. Take a screenshot first, and again when the page has changed.
        coordinate: x and y, from the left and from the top: where to click, move, scroll, or end a drag.
            Clicks and scrolling without it are where the mouse is.
        start_coordinate: Where a drag begins; without it where the mouse is.
        text: For type, what goes into the focused field, {{variables}} filled in by the browser; for key and
            hold_key, a key or chord such as Return, ctrl+s or Page_Down; for clicks, keys to hold meanwhile.
        repeat: How many times the key is pressed.
        duration: Seconds to wait, or up to 10 to hold a key.
        scroll_direction: Which way to scroll.
        scroll_amount: Turns of the wheel, 100 pixels each.
        region: For zoom, left, top, right and bottom of what is shown enlarged.

    Returns:
        The picture for screenshot and zoom; else what was acted on and the page after it had settled.
    """
    pointer = Pointer.of(ctx)
    match action:
        case "screenshot":
            return await _picture(ctx, pointer.screen, await ctx.actor.screenshots.take())
        case "zoom":
            return await _zoom(ctx, pointer.screen, _required("region", region, action))
        case "cursor_position":
            x, y = pointer.seen()
            return ToolResult(success=True, data={"x": x, "y": y})
        case "wait":
            await asyncio.sleep(_required("duration", duration, action))
            return ToolResult(success=True, data=page_as_json(await ctx.actor.view.look()))
        case "key" | "hold_key":
            return await _press(ctx, action, _required("text", text, action), repeat, duration)
        case "type":
            return await _type(ctx, _required("text", text, action))
        case "scroll":
            direction = _required("scroll_direction", scroll_direction, action)
            turns = _required("scroll_amount", scroll_amount, action)
            _no_keys(text, action)
            return await _scroll(ctx, pointer.to(coordinate), direction, turns * _TURN_PX)
        case "mouse_move":
            place = pointer.to(_required("coordinate", coordinate, action))
            if pointer.held:
                return ToolResult(success=True, data="the mouse is there, its button held")
            report = await ctx.actor.hover(_at(place))
        case "left_click_drag":
            _no_keys(text, action)
            start = pointer.to(start_coordinate)
            report = await ctx.actor.drag(_at(start), _at(pointer.to(_required("coordinate", coordinate, action))))
        case "left_mouse_down":
            pointer.hold()
            return ToolResult(success=True, data="the button is held; the page hears of it when it is let go")
        case "left_mouse_up":
            start, end = pointer.let_go()
            report = await (ctx.actor.click(_at(start)) if start == end else ctx.actor.drag(_at(start), _at(end)))
        case _:
            place = pointer.to(coordinate)
            button = action.removesuffix("_click")
            report = await ctx.actor.click(
                _at(place),
                button=button if button in ("right", "middle") else "left",  # type: ignore[arg-type]
                count={"double_click": 2, "triple_click": 3}.get(action, 1),
                modifiers=read_modifiers(text),
            )
    return ToolResult(success=True, data=action_as_json(report))


COMPUTER = (computer,)


def _at(place: tuple[float, float]) -> Find:
    return Find("point", f"{place[0]:g},{place[1]:g}")


async def _picture(ctx: RunContext, screen: Screen, png: bytes) -> ToolResult:
    return await _result(ctx, screen, await asyncio.to_thread(shown, png, screen))


async def _zoom(ctx: RunContext, screen: Screen, region: list[int]) -> ToolResult:
    x0, y0, x1, y1 = region
    if not (0 <= x0 < x1 <= screen.seen.width and 0 <= y0 < y1 <= screen.seen.height):
        size = f"{screen.seen.width} by {screen.seen.height}"
        raise ToolError("invalid_input", f"region: expected left, top, right, bottom in {size} pixels; found {region}")
    png = await ctx.actor.screenshots.take()
    return await _result(ctx, screen, await asyncio.to_thread(enlarged, png, screen, screen.region(x0, y0, x1, y1)))


async def _result(ctx: RunContext, screen: Screen, png: bytes) -> ToolResult:
    size: dict[str, JsonValue] = {"width": screen.seen.width, "height": screen.seen.height}
    image = Image(media_type="image/png", data=png, sha256=sha256(png))
    return ToolResult(success=True, data=page_as_json(await ctx.actor.view.look()), images=(image,), metadata=size)


async def _press(
    ctx: RunContext, action: Literal["key", "hold_key"], text: str, repeat: int, duration: float | None
) -> ToolResult:
    key = read_key(text)
    if action == "hold_key":
        held = _required("duration", duration, action)
        if held > _LONGEST_HOLD_S:
            raise ToolError("invalid_input", f"duration: a key is held for at most {_LONGEST_HOLD_S} seconds")
        report = await ctx.actor.hold(key, held)
    else:
        for _ in range(repeat):
            report = await ctx.actor.press(key)
    return ToolResult(success=True, data=action_as_json(report))


async def _type(ctx: RunContext, text: str) -> ToolResult:
    focused = Find("focused")
    if (await ctx.actor.resolver.take(focused)).tag in ("body", "html"):
        raise ToolError("not_actionable", "nothing has the focus, so nothing was typed; click a field first")
    report = await ctx.actor.type_text(focused, text)
    return ToolResult(success=True, data=action_as_json(report))


async def _scroll(ctx: RunContext, place: tuple[float, float], direction: str, distance: int) -> ToolResult:
    dx = {"left": -distance, "right": distance}.get(direction, 0)
    dy = {"up": -distance, "down": distance}.get(direction, 0)
    if await ctx.actor.page.evaluate(_SCROLLED_IN, [*place, dx, dy]):
        report = await ctx.actor.scroll_around(_at(place), dx, dy)
    else:
        report = await ctx.actor.navigation.scroll(dy, dx)
    return ToolResult(success=True, data=action_as_json(report))


def _no_keys(text: str | None, action: str) -> None:
    if text:
        raise ToolError("invalid_input", f"text: no keys can be held during {action}")


def _required(name: str, value: _T | None, action: str) -> _T:
    if value is None:
        raise ToolError("invalid_input", f"{name}: is required by {action}")
    return value
