"""How each kind of action is done in the browser: alike when it is recorded and when it is replayed.

Not responsible for: which element it is, which the selector says, or what the action leads to, which is followed.
"""

from __future__ import annotations

import math
import mimetypes
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import FilePayload, Frame, Page, Position

from simulator.addresses import urlsplit
from simulator.browser.acting.drawn_lists import choose
from simulator.browser.acting.history import load_again, move_in_history
from simulator.browser.acting.touching import pick, tick, touch
from simulator.browser.acting.visiting import visit
from simulator.browser.action_recorder import ActionKind
from simulator.browser.launch.script import ARMED, BEHIND, COME, ONTO, OPEN, WHOLE, selector
from simulator.browser.views.frames import Allowed, wait_until_said, wait_until_seen
from simulator.browser.windows import Windows
from simulator.errors import ToolError

_SCROLL_AROUND = """(el, [dx, dy]) => {
  const room = (at) => (dy ? at.scrollHeight - at.clientHeight : at.scrollWidth - at.clientWidth);
  const way = dy ? "overflowY" : "overflowX";
  let at = el;
  while (at.parentElement && !(room(at) > 0 && /auto|scroll/.test(getComputedStyle(at)[way]))) at = at.parentElement;
  at.scrollBy(dx, dy);
}"""
"""Scrolls the innermost part of the page around an element that can scroll that way."""
_SCROLLER = """const scroller = (down) => {
  const room = (at) => (down ? at.scrollHeight - at.clientHeight : at.scrollWidth - at.clientWidth) > 0;
  const way = down ? "overflowY" : "overflowX";
  const page = document.scrollingElement || document.documentElement;
  if (room(page)) return page;
  let at = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  while (at && !(room(at) && /auto|scroll/.test(getComputedStyle(at)[way]))) at = at.parentElement;
  return at || page;
};"""
"""Finds what scrolls when a person turns the wheel: the page, or where that fills the window the part in its middle.

Applications that keep their menus in view are built so; the window itself has nowhere to scroll there."""
_FRAME_MS = 500
"""How long a window that is not drawn, and so has no frames, may take to hear that it was scrolled."""
_SCROLL_PAGE = f"""([dx, dy]) => {{
  {_SCROLLER}
  for (const [left, top] of [[dx, 0], [0, dy]])
    if (left || top) scroller(!left).scrollBy({{ left, top, behavior: "instant" }});
  return new Promise((done) => {{ requestAnimationFrame(() => setTimeout(done)); setTimeout(done, {_FRAME_MS}); }});
}}"""
"""Scrolls, and waits for the frame in which the page hears of it: one that goes on at its end has begun to by then."""
SCROLLED = f"""() => {{
  {_SCROLLER}
  const at = scroller(true);
  return [at.scrollTop, at.clientHeight, at.scrollHeight].map(Math.round);
}}"""
"""Returns how far what scrolls is scrolled down, how much of it is in view, and how high it is."""
_PRESS_FIRST = "the field is to be pressed first"
"""What the page says of a field that did not take a text."""
_CHOSEN = "(list) => list.multiple ? [...list.selectedOptions].map((one) => one.value) : []"
_DRAG_STEPS = 5
"""Moves between pressing and letting go: pages distinguish a drag from a click by them."""


async def gesture(
    page: Page | Frame,
    kind: ActionKind,
    found: str,
    value: str,
    options: Mapping[str, Any],
    timeout_ms: float,
) -> list[str] | None:
    """Do something to an element, once it is ready for it.

    Args:
        page: where; a frame where the element is in one.
        kind: what is done.
        found: selector of the element.
        value: what is typed, chosen or pressed, without variables; the path of a file.
        options: how, as the action's options say it.
        timeout_ms: until the element has to be ready.

    Returns:
        The values of the options that were chosen: the page may have gone by then. None for all else.

    Raises:
        PlaywrightError: it could not be done.
    """
    match kind:
        case "click":
            how = {"button": options.get("button"), "click_count": options.get("count")}
            place = _position(options)
            await touch(page.click, found, timeout_ms, modifiers=options.get("modifiers"), position=place, **how)
        case "dblclick":
            await page.dblclick(found, position=_position(options), timeout=timeout_ms)
        case "hover":
            await page.hover(found, position=_position(options), timeout=timeout_ms)
        case "fill":
            await _fill(page, found, value, timeout_ms)
        case "type":
            between = options.get("key_ms", 0)
            bound = timeout_ms + 2 * between * len(value)
            await page.type(f"{found} >> {BEHIND}", value, delay=between, timeout=bound)
        case "press":
            hold = options.get("hold_ms")
            await page.press(
                f"{found} >> {OPEN}", value, delay=hold, timeout=timeout_ms + (hold or 0), no_wait_after=True
            )
        case "select":
            if options.get("tag", "select") != "select" and await choose(page, found, value, timeout_ms):
                return None
            field = f"{found} >> {COME}"
            beside = options.get("beside")
            kept = await page.locator(field).evaluate(_CHOSEN, timeout=timeout_ms) if beside else []
            chosen = value.split("\n") if options.get("several") else [value]
            return await page.select_option(field, [*kept, *chosen], timeout=timeout_ms)
        case "check" | "uncheck":
            put = pick if options.get("role") == "option" else tick
            await put(page, found, kind == "check", timeout_ms)
        case "upload":
            await page.set_input_files(
                f"{found} >> {COME}", _file(Path(value), str(options["name"])), timeout=timeout_ms
            )
        case "focus":
            await page.focus(f"{found} >> {OPEN}", timeout=timeout_ms)
        case "scroll":
            if by := options.get("by"):
                await page.locator(found).evaluate(_SCROLL_AROUND, by, timeout=timeout_ms)
            else:
                await page.locator(found).scroll_into_view_if_needed(timeout=timeout_ms)
        case _:
            raise ValueError(f"the action '{kind}' has no element")
    return None


async def _fill(page: Page | Frame, found: str, value: str, timeout_ms: float) -> None:
    """Put a text in the place of what a field holds; one that did not take it unpressed is pressed first."""
    field = f"{found} >> {WHOLE}"
    try:
        await page.fill(field, value, timeout=timeout_ms)
    except PlaywrightError as error:
        if _PRESS_FIRST not in error.message:
            raise
        await touch(page.click, found, timeout_ms)
        await page.fill(field, value, timeout=timeout_ms)


def _file(path: Path, name: str) -> FilePayload:
    """Give a file by its bytes: by its path, the browser would read it when the form is sent, and it may be gone."""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return FilePayload(name=name, mimeType=kind, buffer=path.read_bytes())


async def come_over(page: Page | Frame, found: str, options: Mapping[str, Any], timeout_ms: float) -> None:
    """Move the pointer onto an element; what the page then puts over it is no matter, as it is for a hover.

    Args:
        page: where; a frame where the element is in one.
        found: selector of the element.
        options: how, as the action's options say it.
        timeout_ms: until it has to be ready.

    Raises:
        PlaywrightError: it could not be done.
    """
    place = _position(options)
    await page.locator(found).scroll_into_view_if_needed(timeout=timeout_ms)
    box = await page.locator(ARMED).bounding_box(timeout=timeout_ms)
    if box is None:
        raise PlaywrightError("the element is not visible")
    x = box["x"] + (place["x"] if place else box["width"] / 2)
    y = box["y"] + (place["y"] if place else box["height"] / 2)
    await (page.page if isinstance(page, Frame) else page).mouse.move(x, y)


async def type_over(page: Page | Frame, found: str, value: str, options: Mapping[str, Any], timeout_ms: float) -> None:
    """Clear a field and type a text into it key by key, as :func:`gesture` says of each."""
    await gesture(page, "fill", found, "", options, timeout_ms)
    await gesture(page, "type", found, value, options, timeout_ms)


async def drag(
    page: Page | Frame, found: str, place: Page | Frame, onto: str, options: Mapping[str, Any], timeout_ms: float
) -> None:
    """Drag an element to another one. Both are proven before anything is pressed.

    Args:
        page: where; a frame where the element is in one.
        found: selector of what is dragged.
        place: where it is let go; a frame where that is in one.
        onto: selector of where it is let go.
        options: how, as the action's options say it.
        timeout_ms: until each of the two has to be ready.

    Raises:
        PlaywrightError: it could not be done; nothing is held any longer.
    """
    await page.locator(found).wait_for(state="attached", timeout=timeout_ms)
    await place.locator(onto).wait_for(state="attached", timeout=timeout_ms)
    if place is not page:
        await page.evaluate("() => __sim.letOut()")
    mouse = (page.page if isinstance(page, Frame) else page).mouse
    goal = place.locator(ONTO)
    offset = _position(options, "onto_position")
    await goal.hover(position=offset, timeout=timeout_ms, trial=True)
    await page.hover(ARMED, position=_position(options), timeout=timeout_ms)
    await mouse.down()
    try:
        await goal.scroll_into_view_if_needed(timeout=timeout_ms)
        box = await goal.bounding_box(timeout=timeout_ms)
        if box is None:
            raise PlaywrightError("the element that it goes to is not visible")
        x = box["x"] + (offset["x"] if offset else box["width"] / 2)
        y = box["y"] + (offset["y"] if offset else box["height"] / 2)
        await mouse.move(x, y, steps=_DRAG_STEPS)
        # Once more: what has made room under the pointer has to hear of it before it takes anything.
        await mouse.move(x, y)
    finally:
        await mouse.up()


async def page_gesture(
    windows: Windows,
    kind: ActionKind,
    value: str,
    options: Mapping[str, Any],
    timeout_ms: float,
    *,
    allowed: Allowed,
) -> None:
    """Do something to the page as a whole, or to the windows.

    Args:
        windows: of the user.
        kind: what is done.
        value: an address, a distance, the number of a window, or what is waited for; without variables.
        options: how, as the action's options say it.
        timeout_ms: until there is a first answer.
        allowed: which addresses may be reached.

    Raises:
        PlaywrightError: it could not be done.
        ToolError: there is no such window, or no page to go back or forward to.
    """
    if kind == "goto":
        await windows.open_again()
    page = windows.page
    match kind:
        case "goto":
            await visit(windows, value, timeout_ms)
        case "back" | "forward":
            await move_in_history(page, kind, timeout_ms)
        case "reload":
            await load_again(page, timeout_ms)
        case "scroll":
            await page.evaluate(_SCROLL_PAGE, [float(options.get("dx", 0)), _number(value or "0")])
        case "wait":
            await _wait(page, value, options, allowed)
        case "open_tab":
            await windows.open()
            if value:
                await visit(windows, value, timeout_ms)
        case "switch_tab":
            await windows.show(int(_number(value)))
        case "close_tab":
            await windows.close(int(_number(value)))
        case _:
            raise ValueError(f"the action '{kind}' has no target")


def _number(value: str) -> float:
    """Read a number that may have been a variable.

    Raises:
        ToolError: ``invalid_input``.
    """
    try:
        number = float(value)
    except ValueError:
        number = math.inf
    if not math.isfinite(number):
        raise ToolError("invalid_input", f"expected a number, found '{value[:80]}'")
    return number


async def _wait(page: Page, value: str, options: Mapping[str, Any], allowed: Allowed) -> None:
    timeout_ms = float(options["timeout"])
    match options["until"]:
        case "url":
            await page.wait_for_url(_arrived(value), wait_until="commit", timeout=timeout_ms)
        case "text":
            await wait_until_said(page, value, allowed, timeout_ms)
        case _:
            found = selector("simfind", {"how": options["how"], "value": value, "name": options.get("name", "")})
            await wait_until_seen(page, found, allowed, timeout_ms)


def _arrived(pattern: str) -> Callable[[str], bool]:
    """Return whether an address is what is waited for; what the pattern leaves out, at its end or start, is free."""
    wanted = re.compile(".*".join(map(re.escape, pattern.split("*"))))

    def fits(url: str) -> bool:
        whole = urlsplit(url)
        bare = whole._replace(query="", fragment="")
        forms = [whole._replace(fragment=""), whole, bare]
        forms += [one._replace(scheme="", netloc="") for one in forms]
        return any(wanted.fullmatch(one.geturl()) for one in forms)

    return fits


def _position(options: Mapping[str, Any], name: str = "position") -> Position | None:
    place = options.get(name)
    return Position(x=place[0], y=place[1]) if place else None
