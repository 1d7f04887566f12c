"""Presses what leads on in a page and is no link, as the items of a menu may be, to see where that is.

Not responsible for: which of them may be pressed, or holding back what they send.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.browser.views.survey import Survey
from simulator.errors import ToolError
from simulator.runner.surveying.drawing import drawn

_MOST = 12
"""Items of one page that are pressed."""
_IN_ALL = 40
"""Of a site."""
_DEEPEST = 2
"""Items that are pressed one after the other: what opens a part of a menu, and what stands in it."""


async def led_to(
    actor: Actor,
    page: Survey,
    may: Callable[[str], bool],
    pressed: set[str],
    back: Callable[[], Awaitable[bool]],
) -> list[tuple[str, Survey]]:
    """Press items of a page, each as the page is loaded, and what each of them opens there.

    Args:
        actor: whose page it is, as it was loaded.
        page: what was read of it.
        may: whether what says this may be pressed.
        pressed: what was pressed before, by its words; takes what is pressed now.
        back: loads the page again; false where it cannot.

    Returns:
        What each said, and the page that it led to.
    """
    found: list[tuple[str, Survey]] = []
    paths: list[tuple[str, ...]] = [(words,) for words in _unpressed(page, pressed, may)]
    presses = 0
    while paths and presses < _MOST and len(pressed) < _IN_ALL:
        path = paths.pop(0)
        pressed.add(path[-1])
        if presses and not await back():
            break
        presses += 1
        try:
            opened = await _pressed_in_turn(actor, page, path)
        except ToolError:
            continue
        if opened is None:
            continue
        found.append((path[-1], opened))
        if opened.address == page.address and len(path) < _DEEPEST:
            known = pressed | {one.words for one in page.items}
            paths[:0] = [(*path, words) for words in _unpressed(opened, known, may)]
    if presses:
        await back()
    return found


def _unpressed(page: Survey, pressed: Collection[str], may: Callable[[str], bool]) -> list[str]:
    words = dict.fromkeys(one.words for one in page.items)
    return [each for each in words if each not in pressed and may(each)]


async def _pressed_in_turn(actor: Actor, page: Survey, path: Sequence[str]) -> Survey | None:
    """Press items one after the other; None where one is not there any more."""
    now = await actor.reader.survey()
    for words in path:
        ref = _ref_of(words, now) or _ref_of(words, await drawn(actor))
        if ref is None:
            return None
        await actor.click(Find("ref", ref))
        now = await actor.reader.survey()
        if now.address == page.address:
            now = await drawn(actor)
    return now


def _ref_of(words: str, page: Survey) -> str | None:
    return next((one.ref for one in page.items if one.words == words), None)
