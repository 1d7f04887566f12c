"""The frames of a page: by what each is known again, and finding it. Not responsible for: what is in them.

A frame is known by its name, else its title, else the shape of its address: the frame that no other of its page is
called like.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

_LOOK_S = 0.05
_CALLED = "el => el.getAttribute('name') || el.title || (window.__sim ? __sim.shapeOf(el.src) : '')"


async def frames_of(page: Page, site: str) -> list[tuple[tuple[str, ...], Frame]]:
    """Give the frames of a page that are of the site itself, with what each is known by, outermost first.

    Args:
        page: the page.
        site: how the addresses of the site begin.
    """
    found: list[tuple[tuple[str, ...], Frame]] = []
    waiting: list[tuple[tuple[str, ...], Frame]] = [((), page.main_frame)]
    while waiting:
        path, frame = waiting.pop(0)
        called = [(name, child) for name, child in await _children(frame) if child.url.startswith(site)]
        names = [name for name, _ in called]
        alone = [((*path, name), child) for name, child in called if name and names.count(name) == 1]
        found += alone
        waiting += alone
    return found


async def frame_at(page: Page, path: Sequence[str], timeout_ms: float) -> Frame | None:
    """Find a frame by what it and those around it are known by.

    Args:
        page: the page.
        path: outermost first.
        timeout_ms: how long it may take to appear.
    """
    deadline = time.monotonic() + timeout_ms / 1000
    while True:
        frame: Frame | None = page.main_frame
        for name in path:
            alike = [child for called, child in await _children(frame) if called == name] if frame else []
            frame = alike[0] if len(alike) == 1 else None
        if frame is not None or time.monotonic() > deadline:
            return frame
        await asyncio.sleep(_LOOK_S)


async def framed(page: Page, site: str, found: str) -> tuple[tuple[str, ...], Frame | None]:
    """Find the one frame of the site that holds an element, where the page around it does not.

    Args:
        page: the page.
        site: how the addresses of the site begin.
        found: selector of the element.

    Returns:
        What it is known by, outermost first, and the frame; nothing and None where no frame does, or several do.
    """
    if len(page.frames) == 1:
        return (), None
    try:
        if await page.locator(found).count():
            return (), None
        holding = [one for one in await frames_of(page, site) if await one[1].locator(found).count()]
    except PlaywrightError:
        return (), None  # a document is on its way; what is wrong with a selector is told by looking in the page
    return holding[0] if len(holding) == 1 else ((), None)


async def _children(frame: Frame) -> list[tuple[str, Frame]]:
    found = []
    for child in frame.child_frames:
        try:
            element = await child.frame_element()
            found.append((str(await element.evaluate(_CALLED)), child))
        except PlaywrightError:
            continue  # it is being taken out of the page
    return found
