"""How each kind of action on an element is done in the browser: alike when it is recorded and when it is replayed.

Not responsible for: which element it is, which the selector says, or what the action leads to, which is followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playwright.async_api import FilePayload, Page, Position

from simulator.browser.sink import ActionKind


async def gesture(
    page: Page,
    kind: ActionKind,
    found: str,
    value: str | FilePayload | None,
    options: Mapping[str, Any],
    timeout_ms: float,
) -> None:
    """Do something to an element, once it is ready for it.

    Args:
        page: where.
        kind: what is done.
        found: selector of the element.
        value: what is typed, chosen or pressed, without variables; a file or its path.
        options: how, as the action's options say it.
        timeout_ms: until the element has to be ready.

    Raises:
        PlaywrightError: it could not be done.
    """
    text = value if isinstance(value, str) else ""
    match kind:
        case "click":
            # Where an action leads is followed with a bound of its own: not within that of finding the element.
            await page.click(
                found,
                button=options.get("button"),
                click_count=options.get("count"),
                modifiers=options.get("modifiers"),
                position=_position(options),
                timeout=timeout_ms,
                no_wait_after=True,
            )
        case "dblclick":
            await page.dblclick(found, position=_position(options), timeout=timeout_ms)
        case "hover":
            await page.hover(found, position=_position(options), timeout=timeout_ms)
        case "fill":
            await page.fill(found, text, timeout=timeout_ms)
        case "type":
            await page.type(found, text, timeout=timeout_ms)
        case "press":
            await page.press(found, text, timeout=timeout_ms, no_wait_after=True)
        case "select":
            await page.select_option(found, text, timeout=timeout_ms)
        case "check":
            await page.check(found, timeout=timeout_ms)
        case "uncheck":
            await page.uncheck(found, timeout=timeout_ms)
        case "upload":
            await page.set_input_files(found, value or [], timeout=timeout_ms)
        case _:
            raise ValueError(f"the action '{kind}' has no element")


def _position(options: Mapping[str, Any]) -> Position | None:
    place = options.get("position")
    return Position(x=place[0], y=place[1]) if place else None
