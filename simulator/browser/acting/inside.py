"""Following an action that is done in frames of a page: in whichever documents it leads to there.

Not responsible for: the page around them, which ``follow`` follows, or which frames those are (``frames``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.follow import FOLLOW, is_closed
from simulator.browser.launch.script import ask
from simulator.browser.window_changes import Opened
from simulator.canonical import url_shape
from simulator.errors import ToolError

_TOKEN = "() => (window.__sim ? __sim.documentToken : '')"
_STRAYS = "() => (window.__sim ? __sim.strays() : [])"


@dataclass(frozen=True, slots=True)
class Inside:
    """What an action led to in the frames that it was done in."""

    states: tuple[dict[str, Any], ...] = ()
    """Of each that is still there, as the page script gives it."""
    stopped: tuple[str, ...] = ()
    """Input events that were stopped because they did not reach the proven element."""
    reached: tuple[Frame, ...] = ()
    """Those in which input came through to what was proven."""
    came: frozenset[str] = frozenset()
    """How far input came, as the page script says it of each document."""
    changed: bool = False
    opened: tuple[Opened, ...] = ()
    """Windows that the action opened."""
    written: dict[str, Any] | None = None
    """What the field reports that something was put into, where that was asked; None where it has gone."""


async def documents_of(page: Page, frames: Iterable[Frame]) -> dict[Frame, str]:
    """Give what distinguishes the documents of frames from any other, before an action is done in them.

    The page around them follows what it does itself because of the action.
    """
    try:
        found = {frame: str(await frame.evaluate(_TOKEN)) for frame in frames}
        if found:
            await page.evaluate("() => window.__sim && __sim.besideAction()")
    except PlaywrightError:
        return dict.fromkeys(frames, "")  # one is on its way: whatever comes is another one
    return found


async def follow_inside(
    page: Page,
    documents: Mapping[Frame, str],
    settle_ms: float,
    navigation_ms: float,
    put: Sequence[Any] | None = None,
) -> Inside:
    """Wait until frames of a page have settled.

    Args:
        page: the page.
        documents: those that the action was done in, as :func:`documents_of` gives them.
        settle_ms: how long one document may take to become quiet.
        navigation_ms: how long everything may take together.
        put: what was put into a field of the last of them, as ``Input.asked`` gives it.

    Raises:
        ToolError: ``timeout``, as no document answers.
    """
    states: list[dict[str, Any]] = []
    stopped: list[str] = []
    reached: list[Frame] = []
    came: set[str] = set()
    changed = False
    opened: list[Opened] = []
    written: dict[str, Any] | None = None
    for frame, before in documents.items():
        raw = await _follow(frame, settle_ms, navigation_ms, put)
        other = raw is None or raw["state"]["doc"] != before
        if raw is None:
            # What it was in has left the page with it; if it was put in again, the input may have come to the new one.
            stopped += await _strays(page)
            came.add("acted")
        else:
            states.append(_told(raw["state"], other=other))
            stopped += raw["stopped"]
            came.add(raw["reached"])
            opened += raw["opened"]
            written = raw["written"]
        reached += [frame] if other or (raw is not None and raw["passed"] > 0) else []
        changed |= other or (raw is not None and raw["changed"])
    return Inside(tuple(states), tuple(stopped), tuple(reached), frozenset(came), changed, tuple(opened), written)


async def _follow(
    frame: Frame, settle_ms: float, navigation_ms: float, put: Sequence[Any] | None
) -> dict[str, Any] | None:
    """Follow one frame; None where it has left the page, or shows what runs no script of ours."""
    deadline = time.monotonic() + navigation_ms / 1000
    while not frame.is_detached():
        left = deadline - time.monotonic()
        if left <= 0:
            raise ToolError("timeout", f"the frame {frame.url} did not answer within {navigation_ms / 1000:g} s")
        try:
            raw: dict[str, Any] | None = await asyncio.wait_for(ask(frame, FOLLOW, settle_ms, {"put": put}), left)
        except TimeoutError:
            continue
        except PlaywrightError as error:
            # The document went away under the question: ask the one that came.
            if is_closed(error) or "detached" in error.message:
                return None
            continue
        return raw
    return None


async def _strays(page: Page) -> list[str]:
    """Give what input went astray in the frames of a page, and forget it."""
    found: list[str] = []
    for frame in page.frames[1:]:
        try:
            found += await frame.evaluate(_STRAYS)
        except PlaywrightError:
            continue  # its document is on its way, and nothing has been done in it
    return found


def _told(state: dict[str, Any], *, other: bool) -> dict[str, Any]:
    """Give what a frame reports of itself as its page's: a document that was loaded is one more request."""
    loaded = [["GET", url_shape(state["url"]), state["status"]]] if other and state["status"] else []
    told = {key: state[key] for key in ("alerts", "refusals", "notes", "secrets", "keyed")}
    return {"requests": [*state["requests"], *loaded], **told}
