"""What one try of an action came to, why it failed, and whether it can be made once more.

Not responsible for: making it (``attempts``), or how far input came, which the page reports (``page/3_press.js``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.action_recorder import ActionKind, ActionStart, Reached
from simulator.browser.follow import Followed, translate
from simulator.browser.written import Written
from simulator.errors import ToolError

AGAIN: Final[frozenset[ActionKind]] = frozenset({"click", "dblclick", "check", "uncheck"})
"""What is tried once more where the page moved under the pointer and nothing was done."""
PUT_IN: Final[frozenset[ActionKind]] = frozenset({"fill", "type"})
"""What is tried once more where the page took the focus elsewhere before anything was put in."""
UNDONE: Final = frozenset({"nothing", "idle"})
"""How far input may have come of which nothing came."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Tried:
    """What one try of an action came to."""

    followed: Followed | None
    """None where it is not followed."""
    stopped: tuple[str, ...] = ()
    """Input events that the guard stopped."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """What the field was read back as, where something was put into one."""
    written: Written | None = None
    """What became of that, where the action is not followed."""
    reached: Reached | None = None
    """Of what was stopped, how much the page heard."""
    again: bool = False
    """Whether it was stopped before it did anything, so that it can be tried once more."""


def stopped_try(
    stopped: tuple[str, ...], came: frozenset[str], followed: Followed, requests: Sequence[tuple[str, str, int]]
) -> Tried:
    """Return how much of an action that was stopped the page heard, and whether that came to nothing.

    Args:
        stopped: input events that the guard stopped.
        came: how far input came, as the page script says it of each document.
        followed: what the page has become.
        requests: what the action caused.
    """
    far = next((one for one in ("acted", "pressed", "idle") if one in came), "nothing")
    sent = any(method not in _READING for method, _, _ in requests)
    undone = far in UNDONE and followed.settled != "navigated" and not followed.opened and not sent
    reached: Reached = "acted" if far == "acted" else "hovered" if far == "nothing" else "pressed"
    return Tried(followed, stopped, reached=reached, again=undone)


class Failure(NamedTuple):
    """Why a try failed in the browser."""

    error: ToolError
    stopped: tuple[str, ...] = ()
    """Input events that the guard stopped."""
    came: frozenset[str] = frozenset()
    """How far input came, as the page script says it of each document."""


async def failure_of(
    error: PlaywrightError, start: ActionStart, act: str, wheres: Sequence[Page | Frame], bound_ms: float
) -> Failure:
    """Take back what an action that failed was to reach, and say what stood in its way.

    Args:
        error: as Playwright raised it.
        start: the action.
        act: the action in words.
        wheres: the page, or the frames that its elements are in.
        bound_ms: how long these may take to answer.
    """
    if start.kind == "wait" and isinstance(error, PlaywrightTimeout):
        seconds = start.options["timeout"] / 1000
        sought = f"{start.options.get('how', start.options['until'])} {start.recorded_value!r}"
        return Failure(ToolError("timeout", f"{sought} did not appear within {seconds:g} s on {wheres[0].url}"))
    script = "act => window.__sim ? __sim.giveUp(act) : {stopped: [], reached: 'acted', why: ''}"
    asked = "type" if start.kind in ("fill", "type") else "point"
    try:
        async with asyncio.timeout(bound_ms / 1000) as limit:
            told, *others = [await where.evaluate(script, asked) for where in dict.fromkeys(wheres)]
    except PlaywrightError:
        return Failure(translate(error, act))  # its document has gone, and the guard of it
    except TimeoutError:
        if not limit.expired():
            raise
        return Failure(translate(error, act))  # it is at work for ever, or waits for a successor that does not come
    if stopped := tuple(why for one in (told, *others) for why in one["stopped"]):
        failure = ToolError("not_actionable", f"the {start.kind} was stopped in the page: {'; '.join(stopped)}")
        return Failure(failure, stopped, frozenset(one["reached"] for one in (told, *others)))
    if told["why"] and isinstance(error, PlaywrightTimeout):
        return Failure(ToolError("not_actionable", f"could not {act}: it {told['why']}"))
    return Failure(translate(error, act))
