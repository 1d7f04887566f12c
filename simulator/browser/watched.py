"""A user whose traffic is recorded. Not responsible for: hearing of it (``traffic``), or any action."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from playwright.async_api import BrowserContext, Page

from simulator.browser.actor import Actor
from simulator.browser.effects.model import Write
from simulator.browser.executor import ActionReport
from simulator.browser.follow import Followed
from simulator.browser.sink import ActionOutcome, ActionSink, ActionStart
from simulator.browser.traffic import Traffic


class WatchedSink:
    """An action sink that passes everything on, and tells a user's traffic what it belongs to.

    Args:
        sink: gets the actions.
        traffic: of the user who does them.
    """

    def __init__(self, sink: ActionSink, traffic: Traffic) -> None:
        self._sink = sink
        self._traffic = traffic

    def begin(self, action: ActionStart) -> str:
        """Pass on an action that is about to happen."""
        action_id = self._sink.begin(action)
        self._traffic.acting(action_id, action)
        return action_id

    def answered(self, write: Write) -> None:
        """Pass on a write that was answered."""
        self._sink.answered(write)

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Pass on what came of it."""
        self._sink.end(action_id, outcome)


class WatchedActor(Actor):
    """A user who acts in a context of its own, and waits after each action for what is told of its exchanges.

    Args:
        name: how the run calls it.
        context: its browser context, which has visited nothing yet.
        page: its page.
        traffic: hears of its exchanges; :meth:`listen` begins that.
        sink: gets every action before and after.
        others: as for any actor.
    """

    def __init__(
        self, name: str, context: BrowserContext, page: Page, *, traffic: Traffic, sink: ActionSink, **others: Any
    ) -> None:
        super().__init__(name, context, page, sink=WatchedSink(sink, traffic), **others)
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
