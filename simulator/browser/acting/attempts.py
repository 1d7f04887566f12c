"""Makes a try of an action, and follows it to its end.

Not responsible for: whether there is another try, or what an action came to in the end (``action_runner``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.acting.action_report import ActionReporter, aimed
from simulator.browser.acting.inside import documents_of, follow_inside
from simulator.browser.acting.tries import AGAIN, PUT_IN, UNDONE, Tried, failure_of, stopped_try
from simulator.browser.action_recorder import ActionKind, ActionStart
from simulator.browser.effects.observer import Observer
from simulator.browser.follow import was_clicked
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.page_view import PageView
from simulator.browser.window_changes import WindowChanges
from simulator.browser.windows import Windows
from simulator.browser.written import Input
from simulator.errors import ToolError

VISITS: frozenset[ActionKind] = frozenset({"goto", "open_tab"})
"""What leads to an address."""
SETS_ALL: frozenset[ActionKind] = frozenset({"fill", "select", "check", "uncheck"})
"""What takes the place of all that a field holds, so that it can be done twice."""
_PUT_IN_AGAIN = 2
"""How often something is put in once more."""
_UNTAKEN = "untaken"
"""Says of a field that it holds again what it held before."""
_REACHING: frozenset[ActionKind] = frozenset({"click", "dblclick", "press", "drag"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Makes tries of the actions of one user.

    Attributes:
        windows: of the user.
        changes: follow which of them the user looks at.
        tracker: knows the page as it was last seen.
        view: follows the page.
        reporter: judges what a field holds.
        observer: says what a new document is asked for.
        timeouts: bounds.
    """

    windows: Windows
    changes: WindowChanges
    tracker: PageTracker
    view: PageView
    reporter: ActionReporter
    observer: Observer
    timeouts: Timeouts

    async def make(
        self,
        start: ActionStart,
        operation: Callable[[], Awaitable[Any]],
        wheres: Sequence[Page | Frame],
        put: Input | None,
        *,
        following: bool = True,
    ) -> Tried:
        """Do an action, and follow it to its end.

        Raises:
            ToolError: it could not be done, or leads nowhere.
        """
        frames = [where for where in dict.fromkeys(wheres) if isinstance(where, Frame)]
        documents = await documents_of(self.windows.page, frames) if frames else {}
        did = None
        try:
            did = await operation()
        except PlaywrightError as error:
            if not (was_clicked(error) and await self.changes.closes()):
                act = f"{start.kind} {aimed(start)}".strip()
                failed = await failure_of(error, start, act, wheres or (self.windows.page,), self.timeouts.action)
                if start.kind not in AGAIN or not failed.stopped or failed.came - UNDONE:
                    raise failed.error from error
                return stopped_try(failed.stopped, failed.came, await self.view.follow(), self.tracker.here.requests)
        if not following:
            told = await put.read_back(wheres[-1]) if put else {}
            written = self.reporter.judged(put, told) if put else None
            # What its field does not hold, the page may show that it took: that is followed after all.
            if not told.get(_UNTAKEN) and (written is None or written.became in ("held", "changed")):
                return Tried(None, told=told, written=written)
        if start.kind in VISITS:
            self.view.readying.begin(self.windows.page)
        asked = put.asked if put else None
        bounds = self.timeouts.settle, self.timeouts.page
        inside = await follow_inside(self.windows.page, documents, *bounds, asked) if frames else None
        followed = await self.view.follow(inside, put=None if frames else asked, asked=self.observer.asking())
        stopped = followed.stopped + (inside.stopped if inside else ())
        if stopped and start.kind in AGAIN:
            came = followed.reached | (inside.came if inside else frozenset())
            return stopped_try(stopped, came, followed, self.tracker.here.requests)
        # What is dragged has to arrive: between frames in processes of their own the browser lets nothing pass.
        last = wheres[-1] if wheres else self.windows.page
        reached = last in inside.reached if inside and isinstance(last, Frame) else followed.passed
        if start.kind in _REACHING and not (stopped or reached or followed.settled == "navigated"):
            stopped = ("no input event reached the page",)
        told = (inside.written if inside else followed.written) or {}
        if stopped and start.kind in PUT_IN:
            came = followed.reached | (inside.came if inside else frozenset())
            return Tried(followed, stopped, told, again=came <= {"nothing"} and followed.settled != "navigated")
        if did and put and "chosen" not in told:  # choosing has left the page
            told = {**told, "chosen": [[value, put.given] for value in did]}
        return Tried(followed, stopped, told)

    async def put_in_again(
        self,
        tried: Tried,
        start: ActionStart,
        again: Callable[[], Awaitable[Any]],
        wheres: Sequence[Page | Frame],
        put: Input,
    ) -> Tried:
        """Put once more into a field what its page has written over or not taken, once that is at rest, a few times.

        A person sees that and types it again. Where it cannot be put in any more, the last try counts.
        """
        for _ in range(_PUT_IN_AGAIN):
            if start.kind not in SETS_ALL or not (tried.told.get("overwritten") or tried.told.get(_UNTAKEN)):
                break
            await self.view.follow()
            try:
                tried = await self.make(start, again, wheres, put)
            except ToolError:
                break
        return tried

    async def make_again(
        self,
        before: Tried,
        start: ActionStart,
        again: Callable[[], Awaitable[Any]],
        wheres: Sequence[Page | Frame],
        put: Input | None,
    ) -> Tried:
        """Try once more what was stopped before it did anything; where that cannot be done, it stays stopped."""
        try:
            tried = await self.make(start, again, wheres, put)
        except ToolError as failure:
            return replace(before, stopped=(*before.stopped, failure.message))
        pressed = tried.stopped and before.reached == "pressed" and tried.reached == "hovered"
        return replace(tried, reached="pressed") if pressed else tried
