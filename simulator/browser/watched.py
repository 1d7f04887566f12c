"""A user whose traffic is recorded. Not responsible for: hearing of it (``traffic``), or any action."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from playwright.async_api import BrowserContext, Page

from simulator.browser.acting.action_runner import ActionReport
from simulator.browser.action_recorder import ActionOutcome, ActionRecorder, ActionStart
from simulator.browser.actor import Actor
from simulator.browser.effects.model import Write
from simulator.browser.follow import Followed
from simulator.browser.wire.traffic import Traffic


class WatchedRecorder:
    """An action recorder that passes everything on, and tells a user's traffic what it belongs to.

    Args:
        recorder: gets the actions.
        traffic: of the user who does them.
    """

    def __init__(self, recorder: ActionRecorder, traffic: Traffic) -> None:
        self._recorder = recorder
        self._traffic = traffic

    def begin(self, action: ActionStart) -> str:
        """Pass on an action that is about to happen."""
        action_id = self._recorder.begin(action)
        self._traffic.acting(action_id, action)
        return action_id

    def answered(self, write: Write) -> None:
        """Pass on a write that was answered."""
        self._recorder.answered(write)

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Pass on what came of it."""
        self._recorder.end(action_id, outcome)


class WatchedActor(Actor):
    """A user who acts in a context of its own, and waits after each action for what is told of its exchanges.

    Args:
        name: how the run calls it.
        context: its browser context, which has visited nothing yet.
        page: its page.
        traffic: hears of its exchanges; :meth:`listen` begins that.
        recorder: gets every action before and after.
        others: as for any actor.
    """

    def __init__(
        self,
        name: str,
        context: BrowserContext,
        page: Page,
        *,
        traffic: Traffic,
        recorder: ActionRecorder,
        **others: Any,
    ) -> None:
        super().__init__(name, context, page, recorder=WatchedRecorder(recorder, traffic), **others)
        self.traffic = traffic
        self.observer.pages.asking_itself = traffic.own

    async def listen(self) -> None:
        """Begin to hear of exchanges."""
        await self.traffic.attend(self.context, self.urls)

    async def carry_out(
        self, start: ActionStart, operation: Callable[[], Awaitable[Any]], *others: Any, **named: Any
    ) -> ActionReport:
        """Carry out an action, after a look at the secret fields that it may send."""

        async def looked() -> None:
            await self.traffic.look(self.page)
            await operation()

        return await super().carry_out(start, looked, *others, **named)

    async def follow(self, *others: Any, **named: Any) -> Followed:
        """Follow an action to its end, and to that of its exchanges."""
        try:
            return await super().follow(*others, **named)
        finally:
            await self.traffic.look(self.page)
            await self.traffic.rest()

    async def lacks(self, texts: Sequence[str], url: str, *, exact: bool = False) -> list[str]:
        """Tell which texts are not to be read on a page; what is looked up for that is the program's own."""
        with self.traffic.own(self.absolute(url)):
            return await super().lacks(texts, url, exact=exact)
