"""Has a recording kept elsewhere before anything that may change the site. Not responsible for: where it is kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from simulator.browser.action_recorder import ActionOutcome, ActionRecorder, ActionStart
from simulator.browser.effects.model import Write

_MAY_SEND = frozenset({"click", "dblclick", "press", "drag"})
"""What else is done to a page may be done again: a text that a page keeps while it is typed is the same text then."""


@dataclass(frozen=True, slots=True)
class CheckpointingRecorder:
    """An action recorder that has the recording kept elsewhere before anything may change the site.

    Attributes:
        inner: stores the actions.
        keep: keeps the recording so far; returns only when it is kept.
    """

    inner: ActionRecorder
    keep: Callable[[], None]

    def begin(self, action: ActionStart) -> str:
        """Store an action as pending, here and elsewhere."""
        action_id = self.inner.begin(action)
        if action.kind in _MAY_SEND:
            self.keep()
        return action_id

    def answered(self, write: Write) -> None:
        """Store a write that the site has answered."""
        self.inner.answered(write)

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Store what came of an action."""
        self.inner.end(action_id, outcome)
