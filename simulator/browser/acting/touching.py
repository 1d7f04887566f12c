"""Touching an element with the pointer: clicks, ticks and choices.

Not responsible for: all other gestures (``gestures``), or whether the right element is hit, which the guard sees to.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.follow import CLICKED
from simulator.browser.launch.script import ARMED, RESTING, RESTLESS, STILL, TOUCH

_SHOWN_S, _LOOKS = 2.0, 20
"""How long a box that was clicked may take to show that it is ticked, in seconds, and how often one looks."""
_NOT_YET = re.compile(rf"{RESTLESS}|Element is (?:not visible|outside of the viewport)")
"""What Playwright says of an element that cannot be touched at once."""
_NO_BOX = "Not a checkbox or radio button"
"""What Playwright says of an element that has no state to be set."""
_TICKED = """(found) => found.map((at) => {
  const box = at.matches("input,[role=checkbox],[role=radio],[role=switch]") ? at : at.closest("label")?.control || at;
  return box.localName === "input" ? box.checked : box.getAttribute("aria-checked") === "true";
})"""
_SAYS_TICKED = """(found) => found.map((at) => {
  const box = at.closest("label")?.control || at;
  return box.localName === "input" ? box.getAttribute("aria-checked") === "true" : null;
})"""
"""Returns whether a box says that it is ticked, whatever the browser has made of it."""
_STATED = """(found) => found.some((at) => {
  const box = (at.localName === "label" && at.control) || at;
  return box.matches("input[type=checkbox],input[type=radio],[aria-checked],[aria-selected]");
})"""
"""Returns whether a box says by itself that it is ticked: what became of one that does not can only be guessed."""
_SAYS_IF_TICKED = """(found) => found.some((at) => {
  const box = at.closest("label")?.control || at;
  return box.matches("input,[aria-checked],[role=checkbox],[role=radio],[role=switch]");
})"""
"""Returns whether anybody can know of an element that it is not ticked."""
_LOOKS_SO = """(found) => found.map((at) => {
  const part = at.closest("form") ?? at.parentElement?.parentElement ?? at.parentElement ?? at.getRootNode().host ?? at;
  const inside = [...part.querySelectorAll("*")].flatMap((one) => [...("checked" in one ? [one.checked] : []), one.shadowRoot?.innerHTML ?? ""]);
  return part.outerHTML + (at.shadowRoot?.innerHTML ?? "") + inside.join();
})"""  # noqa: E501
"""Returns how the part of the page looks that what is drawn for a box stands in."""
_PICKED = '(at) => (at.getAttribute("aria-checked") ?? at.getAttribute("aria-selected")) === "true"'


async def touch(by: Callable[..., Awaitable[None]], found: str, timeout_ms: float, **how: Any) -> None:
    """Touch an element with the pointer: at once where it is at rest, else once Playwright has seen it in two frames.

    What goes astray all the same is stopped by the guard, and nothing in that document is touched at once any more.

    Args:
        by: clicks what a selector finds.
        found: selector of the element.
        timeout_ms: until it has to be ready.
        how: given to that, too.
    """
    # Where an action leads is followed with a bound of its own: not within that of finding the element.
    how |= {"timeout": timeout_ms, "no_wait_after": True}
    if how.get("position") is None:
        try:
            return await by(f"{RESTING} >> {found} >> {STILL}", force=True, **how)
        except PlaywrightError as error:
            if not _NOT_YET.search(error.message) or CLICKED.search(error.message):
                raise
    await by(f"{found} >> {TOUCH}", **how)


async def tick(page: Page | Frame, found: str, checked: bool, timeout_ms: float) -> None:
    """Tick or clear a box, once: one that the page has set back was clicked all the same, as is read back."""
    try:
        await touch(page.set_checked, found, timeout_ms, checked=checked)
    except PlaywrightError as error:
        if _NO_BOX in error.message:  # what is drawn for a box that nobody sees, and has no state of its own
            if not checked and not await page.locator(ARMED).evaluate_all(_SAYS_IF_TICKED):
                raise
            if await page.locator(ARMED).evaluate_all(_TICKED) != [checked]:
                before = await page.locator(ARMED).evaluate_all(_LOOKS_SO)
                await touch(page.click, ARMED, timeout_ms)
                if found == ARMED:  # an agent's words may fit what is only beside the box
                    await _await_change(page, before)
            return
        if "did not change its state" not in error.message:
            # One that leaves the page when it is ticked, as in a list of what is to be done, shows no state any more.
            if CLICKED.search(error.message) and not await page.locator(ARMED).count():
                return
            raise
        for _ in range(_LOOKS):
            await asyncio.sleep(_SHOWN_S / _LOOKS)
            # Redrawn, it is proven again; an agent, who has no proof of it, sees what came of the click.
            drawn_anew = not await page.locator(ARMED).count()
            if drawn_anew and found == ARMED:
                return
            # Asked without waiting: it may be redrawn between two questions.
            box = page.locator(found if drawn_anew else ARMED)
            if await box.evaluate_all(_TICKED) == [checked] or await box.evaluate_all(_SAYS_TICKED) == [checked]:
                return
        if not await page.locator(ARMED).evaluate_all(_STATED):
            raise


async def pick(page: Page | Frame, found: str, checked: bool, timeout_ms: float) -> None:
    """Choose an option of a list that a script draws, or leave it out, once; it is gone where the list closes."""
    if await page.locator(found).evaluate(_PICKED, timeout=timeout_ms) == checked:
        return
    await touch(page.click, found, timeout_ms)
    for _ in range(_LOOKS):
        if await page.locator(ARMED).evaluate_all(f"(found) => found.map({_PICKED})") in ([], [checked]):
            return
        await asyncio.sleep(_SHOWN_S / _LOOKS)
    raise PlaywrightError("Clicking the option did not change its state")


async def _await_change(page: Page | Frame, before: list[str]) -> None:
    """Wait until what was pressed as a box shows that something came of it.

    Raises:
        PlaywrightError: nothing did.
    """
    for _ in range(_LOOKS):
        if await page.locator(ARMED).evaluate_all(_LOOKS_SO) != before:
            return
        await asyncio.sleep(_SHOWN_S / _LOOKS)
    raise PlaywrightError(f"{_NO_BOX}, and pressing it ticked nothing")
