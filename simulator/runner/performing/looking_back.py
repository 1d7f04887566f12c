"""Looks, between tasks, for what was sent and no later page has shown. Not responsible for: where, or what counts."""

from __future__ import annotations

from collections.abc import Callable

from simulator.recording.run_recorder import RunRecorder
from simulator.tools.context import ActorSession
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult


class LookingBackDispatcher:
    """Looks back before the first call of each task.

    Args:
        inner: does the calls, and records them.
        session: the actors of the run.
        recorder: stores what is seen.
        label: tells what the agent is at.
    """

    def __init__(
        self, inner: Dispatcher, session: ActorSession, recorder: RunRecorder, label: Callable[[], str | None]
    ) -> None:
        self._inner = inner
        self._session = session
        self._recorder = recorder
        self._label = label
        self._task: str | None = None

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call; before the first one of a task, look back."""
        task = self._label()
        if task != self._task:
            await self.look_back()
            self._task = task
        return await self._inner.dispatch(call)

    async def look_back(self) -> None:
        """Look for what the current actor has sent and nobody has seen again, and store what is seen."""
        actor = self._session.current
        if effects := await actor.effects.look_back():
            self._recorder.add_effects(actor.observer.last_action, effects)
