"""Following an action to its end, through navigations. Not responsible for: what counts as quiet (``page/``)."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.action_recorder import Settled
from simulator.browser.launch.script import ask
from simulator.browser.views.modules import Modules
from simulator.browser.window_changes import Opened
from simulator.errors import ToolError

_CALL = re.compile(r"^\w+\.\w+: (?:Error: )?")
"""What stands before the words of an error: the call that raised it."""
CLICKED = re.compile(r"\bperforming (?:dbl)?click action\b")
"""What Playwright notes when the element is ready, and the next thing is the button of the mouse."""
FOLLOW = "follow"
"""Asks a document to settle, and what the action led to in it."""


@dataclass(frozen=True, slots=True)
class Followed:
    """What an action led to."""

    state: dict[str, Any]
    """The page's state, as the page script gives it."""
    settled: Settled
    stopped: tuple[str, ...]
    """Input events that were stopped because they did not reach the proven element."""
    passed: int = 0
    """Input events that reached it in this document."""
    reached: frozenset[str] = frozenset()
    """How far input came, as the page script says it of each document."""
    opened: tuple[Opened, ...] = ()
    """Windows that the action opened."""
    dismissed: bool = False
    """Whether the action did nothing but make the part of the page go away that its button stood in."""
    put_away: bool = False
    """Whether it did nothing else but send something, and the part had opened by itself."""
    generated: dict[str, str] = field(default_factory=dict)
    written: dict[str, Any] | None = None
    """What the field reports that something was put into, where that was asked; None where its document has gone."""
    sets: Sequence[str] | None = None
    """Which field of its form a member of a widget set, and to what."""
    field: Mapping[str, Any] | None = None
    """The field that a press has put something into, as ``fieldSet`` gives it; None for none, or several."""
    met: Mapping[str, Any] | None = None
    """What a document says that the asker did not know, as ``readMet`` gives it; None where it was not asked."""


async def follow(
    page: Page,
    modules: Modules,
    settle_ms: float,
    navigation_ms: float,
    late_ms: float = 0,
    put: Sequence[Any] | None = None,
    asked: Mapping[str, Any] | None = None,
    departed: Callable[[Page], None] = lambda page: None,
) -> Followed:
    """Wait until a page has settled, in whichever document the action leads to.

    Args:
        page: the page.
        modules: knows which scripts it is fetching.
        settle_ms: how long one document may take to become quiet before it is reported as unsettled.
        navigation_ms: how long everything may take together.
        late_ms: how long a page that had settled is given for a writing request that it puts off.
        put: what was put into a field of it, as ``Input.asked`` gives it.
        asked: what another document than the known one is asked for, as ``readMet`` takes it.
        departed: gets the page when its document has gone, and another one is on its way.

    Raises:
        ToolError: ``page_closed``, or ``timeout`` when no document answers.
    """
    deadline = time.monotonic() + navigation_ms / 1000
    stopped: tuple[str, ...] = ()
    opened: tuple[Opened, ...] = ()
    passed = 0
    reached: set[str] = set()
    patience = settle_ms / 1000
    more = late_ms > 0
    assembling = False
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise ToolError("timeout", f"{page.url} did not answer within {navigation_ms / 1000:g} s")
        opening = assembling or not modules.knows(page)
        how = {"opening": opening, "more": more, "late": late_ms, "put": put, "asked": asked}
        here_by_now = modules.came(page)
        try:
            raw = await asyncio.wait_for(ask(page, FOLLOW, settle_ms, how), left)
        except TimeoutError:
            continue
        except PlaywrightError as error:
            # The document went away under the question: ask the one that came.
            if page.is_closed() or is_closed(error):
                raise translate(error, "follow the page") from error
            departed(page)
            continue
        if raw is None:
            return Followed(_foreign(page), "quiet", ())
        stopped += tuple(raw["stopped"])
        passed += raw["passed"]
        reached.add(raw["reached"])
        opened += tuple(raw["opened"])
        if raw["modular"] and not modules.knows(page):
            modules.watch(page)
            # A script that was on its way by then is not heard of, but those that it imports are.
            if patience > 0 and not raw["unsettled"]:
                more = True
                continue
        # A script that came while the document was asked may not have run by then: a busy machine takes seconds for it.
        # Seen on a shop's administration in Angular, whose login was over before its next view was there.
        if modules.are_coming(page, here_by_now, raw["standing"]) and patience > 0 and not raw["unsettled"]:
            began = time.monotonic()
            more = assembling = await modules.arrive(page, patience)
            patience -= time.monotonic() - began
            if more:
                continue
        settled: Settled = "unsettled" if raw["unsettled"] else "changed" if raw["changed"] else "quiet"
        came = frozenset(reached)
        return Followed(
            raw["state"], settled, stopped, passed, came, opened, raw["dismissed"], raw.get("put_away", False),
            written=raw["written"], sets=raw.get("set"), field=raw.get("field"),
            met=raw["met"],
        )  # fmt: skip


def _foreign(page: Page) -> dict[str, Any]:
    """Describe a document that runs no script of ours: the browser's own error page, for one."""
    return {
        "url": page.url,
        "title": "",
        "status": 0,
        "requests": [],
        "alerts": [],
        "refusals": [],
        "dialogs": [],
        "notes": [],
        "secrets": [],
        "keyed": [],
        "doc": page.url,
    }


def is_closed(error: PlaywrightError) -> bool:
    """Return whether an error says that the page, its context or the browser is gone."""
    return "has been closed" in error.message or "crashed" in error.message.splitlines()[0]


def was_clicked(error: PlaywrightError) -> bool:
    """Return whether an error is that of a click which closed its own window, so that nothing answered it any more."""
    return "has been closed" in error.message and CLICKED.search(error.message) is not None


def translate(error: PlaywrightError, doing: str) -> ToolError:
    """Say a browser's error as a tool's.

    Args:
        error: as Playwright raised it.
        doing: what was being done, as a verb and its object.
    """
    first = error.message.strip().splitlines()[0] if error.message.strip() else "no reason given"
    if is_closed(error):
        return ToolError("page_closed", f"could not {doing}: the page or its browser has closed")
    if "ERR_PROXY_CONNECTION_FAILED" in first or "ERR_BLOCKED" in first:
        return ToolError("blocked", f"could not {doing}: it leads to a host that is not allowed")
    if "net::ERR_" in first:
        return ToolError("navigation", f"could not {doing}: {first.split('net::', 1)[1].split(' ')[0]}")
    if isinstance(error, PlaywrightTimeout):
        return ToolError("not_actionable", f"could not {doing} in time: {_last_reason(error.message)}")
    return ToolError("not_actionable", f"could not {doing}: {_CALL.sub('', first)}")


def _last_reason(message: str) -> str:
    """Find in Playwright's call log why an element could not be acted on."""
    reasons = [line.strip(" -") for line in message.splitlines() if "element" in line or "intercepts" in line]
    return reasons[-1] if reasons else message.strip().splitlines()[0]
