"""The frames of a page: by what each is known again, and finding it. Not responsible for: what is in them.

A frame is known by its name, else its title, else the shape of its address: the frame that no other of its page is
called like. What the site generates is no name. A frame of another host is known by that host, too. A document that the
page itself wrote into a frame is the page's; a frame of a host that may not be reached is not one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.addresses import urlsplit
from simulator.browser.find import Find

_LOOK_S = 0.05
_LOADING_S = 2.0
"""How long a reading of a page waits for the frames in it."""
_SLICE_MS = 250.0
_WRITTEN_HERE = frozenset({"about:blank", "about:srcdoc"})
_CALLED = "el => window.__sim ? __sim.frameNamed(el) : ''"
_AWAITS = "el => /^https?:/.test(el.src) && el.loading !== 'lazy'"
_ENTERED = "(el, point) => window.__sim ? __sim.entered(el, point) : null"

Allowed = Callable[[str], bool]
"""Returns whether an address may be reached."""
Framed = tuple[tuple[str, ...], Frame]
"""What a frame and those around it are known by, outermost first; and the frame."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a description means something: in a page, or in a frame of it."""

    where: Page | Frame
    find: Find
    """As it is said there: a point is one of the frame's."""
    path: tuple[str, ...] = ()
    """What the frame and those around it are known by, outermost first; empty for the page itself."""

    @property
    def frame(self) -> Frame | None:
        """The frame, if it is one."""
        return self.where if isinstance(self.where, Frame) else None


async def frames_of(page: Page, allowed: Allowed) -> list[Framed]:
    """Give the frames of a page that may be acted in, with what each is known by, outermost first."""
    found: list[Framed] = []
    waiting: list[Framed] = [((), page.main_frame)]
    while waiting:
        path, frame = waiting.pop(0)
        called = await _children(frame, allowed)
        names = [name for name, _ in called]
        alone = [((*path, name), child) for name, child in called if name and names.count(name) == 1]
        found += alone
        waiting += alone
    return found


def framed(page: Page, allowed: Allowed) -> list[Frame]:
    """Give the frames of a page that show documents of their own, of hosts that may be reached, outermost first."""
    found: list[Frame] = []
    for frame in page.frames[1:]:
        inside = frame.parent_frame in (page.main_frame, *found)
        if inside and frame.url.startswith("http") and allowed(frame.url):
            found.append(frame)
    return found


async def loaded_frames(page: Page, allowed: Allowed, given_up: set[Frame]) -> list[Framed]:
    """Do as :func:`frames_of`, once those that the page is loading are there; not for long, and not again.

    Args:
        page: the page.
        allowed: which addresses may be reached.
        given_up: those that were waited for in vain; gets more.
    """
    deadline = time.monotonic() + _LOADING_S
    while awaited := {frame for frame in page.frames[1:] if frame not in given_up and await _awaits(frame)}:
        if time.monotonic() > deadline:
            given_up |= awaited
            break
        await asyncio.sleep(_LOOK_S)
    return await frames_of(page, allowed)


async def frame_at(page: Page, path: Sequence[str], allowed: Allowed, timeout_ms: float) -> Frame | None:
    """Find a frame by what it and those around it are known by.

    Args:
        page: the page.
        path: outermost first.
        allowed: which addresses may be reached.
        timeout_ms: how long it may take to appear.
    """
    deadline = time.monotonic() + timeout_ms / 1000
    while True:
        frame: Frame | None = page.main_frame
        for name in path:
            alike = [child for called, child in await _children(frame, allowed) if called == name] if frame else []
            frame = alike[0] if len(alike) == 1 else None
        if frame is not None or time.monotonic() > deadline:
            return frame
        await asyncio.sleep(_LOOK_S)


async def entered(page: Page, point: str = "") -> tuple[Page | Frame, str]:
    """Go into the frames that a point of the viewport is in, or the focus where none is given.

    Returns:
        The innermost one, or the page; and the point as it is one of that frame's viewport.
    """
    where: Page | Frame = page
    while True:
        for child in inner(where):
            try:
                told = await (await child.frame_element()).evaluate(_ENTERED, point)
            except PlaywrightError:
                continue  # it is being taken out of the page
            if told is not None:
                where, point = child, told
                break
        else:
            return where, point


async def wait_until_seen(page: Page, found: str, allowed: Allowed, timeout_ms: float) -> None:
    """Wait until something visible fits a selector, in the page or in a frame of it.

    Raises:
        PlaywrightError: nothing does in time, or the selector is not one.
    """

    async def seen(frame: Frame) -> bool:
        return await frame.locator(found).first.is_visible()

    async def here(slice_ms: float) -> None:
        await page.locator(found).first.wait_for(state="visible", timeout=slice_ms)

    await _wait(page, here, seen, allowed, timeout_ms)


async def wait_until_said(page: Page, text: str, allowed: Allowed, timeout_ms: float) -> None:
    """Wait until the page, or a frame of it, shows a text.

    Raises:
        PlaywrightError: none does in time.
    """
    script = "text => !!window.__sim && __sim.shows(text)"

    async def said(frame: Frame) -> bool:
        return bool(await frame.evaluate(script, text))

    async def here(slice_ms: float) -> None:
        await page.wait_for_function(script, arg=text, timeout=slice_ms)

    await _wait(page, here, said, allowed, timeout_ms)


async def _wait(
    page: Page,
    here: Callable[[float], Awaitable[None]],
    there: Callable[[Frame], Awaitable[bool]],
    allowed: Allowed,
    timeout_ms: float,
) -> None:
    deadline = time.monotonic() + timeout_ms / 1000
    while True:
        left = (deadline - time.monotonic()) * 1000
        try:
            return await here(max(1.0, min(left, _SLICE_MS)))
        except PlaywrightTimeout:
            if await in_some_frame(page, allowed, there):
                return
            if left <= _SLICE_MS:
                raise


async def in_some_frame(page: Page, allowed: Allowed, holds: Callable[[Frame], Awaitable[bool]]) -> bool:
    """Return whether something holds of a frame of the page that may be acted in."""
    if len(page.frames) == 1:
        return False
    for _, frame in await frames_of(page, allowed):
        try:
            if await holds(frame):
                return True
        except PlaywrightError:
            continue  # its document is on its way
    return False


def host_in(path: Sequence[str]) -> str:
    """Give the scheme, host and port of the frame that a path leads to, where the path names one; else nothing."""
    for name in reversed(path):
        parts = urlsplit(name.partition(" ")[0])
        if parts.scheme in ("http", "https") and parts.netloc:
            return f"{parts.scheme}://{parts.netloc}"
    return ""


def inner(where: Page | Frame) -> list[Frame]:
    """Give the frames that stand in a page, or in a frame."""
    return where.child_frames if isinstance(where, Frame) else where.main_frame.child_frames


async def _awaits(frame: Frame) -> bool:
    """Return whether a frame is to show another document than the empty one that it was made with."""
    if frame.url not in ("", "about:blank"):
        return False
    try:
        return bool(await (await frame.frame_element()).evaluate(_AWAITS))
    except PlaywrightError:
        return False  # it is being taken out of the page


async def _children(frame: Frame, allowed: Allowed) -> list[tuple[str, Frame]]:
    found = []
    for child in frame.child_frames:
        if not (allowed(child.url) or child.url in _WRITTEN_HERE):
            continue
        try:
            called = str(await (await child.frame_element()).evaluate(_CALLED))
        except PlaywrightError:
            continue  # it is being taken out of the page
        host = _origin(child)
        found.append((called if host == _origin(frame) or called.startswith(host) else f"{host} {called}", child))
    return found


def _origin(frame: Frame) -> str:
    """Give scheme, host and port of a frame; of what a page wrote into one, those of the page."""
    at: Frame = frame
    while at.url in _WRITTEN_HERE and at.parent_frame:
        at = at.parent_frame
    parts = urlsplit(at.url)
    return f"{parts.scheme}://{parts.netloc}"
