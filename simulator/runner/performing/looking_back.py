"""Looks, between tasks, for what was sent and no later page has shown. Not responsible for: where, or what counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable

from simulator.recording.run_recorder import RunRecorder
from simulator.tools.context import ActorSession
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult


class LookingBackDispatcher:
    """Looks back when a task begins, while the agent decides what to do first, and no later than before that.

    Args:
        inner: does the calls, and records them.
        session: the actors of the run.
        recorder: stores what is seen.
        at: says what the agent is at: another value, another task or part of one.
    """

    def __init__(
        self, inner: Dispatcher, session: ActorSession, recorder: RunRecorder, at: Callable[[], Hashable]
    ) -> None:
        self._inner = inner
        self._session = session
        self._recorder = recorder
        self._at = at
        self._task = at()
        self._calling = False
        self._looking: asyncio.Task[None] | None = None

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call; before the first one of a task, look back."""
        self.begin()
        await self._looked()
        self._calling = True
        try:
            return await self._inner.dispatch(call)
        finally:
            self._calling = False

    def begin(self) -> None:
        """Begin to look back where a task has begun; the next call waits until that is over."""
        task = self._at()
        if task == self._task or self._calling:
            return
        self._task = task
        if self._looking is None:  # else nothing was done since that began
            self._looking = asyncio.create_task(self._look(), name="looking back")

    async def look_back(self) -> None:
        """Look for what the current actor has sent and nobody has seen again, and store what is seen."""
        await self._looked()
        await self._look(ended=True)

    async def close(self) -> None:
        """Stop looking where the run ended meanwhile."""
        looking, self._looking = self._looking, None
        if looking:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    async def _looked(self) -> None:
        if self._looking:
            await self._looking
            self._looking = None

    async def _look(self, *, ended: bool = False) -> None:
        actor = self._session.current
        if effects := await actor.effects.look_back(ended=ended):
            self._recorder.add_effects(actor.observer.last_action, effects)
