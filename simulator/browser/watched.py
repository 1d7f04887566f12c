"""Says which action a user's traffic belongs to. Not responsible for: listening to it (``traffic``)."""

from __future__ import annotations

from simulator.browser.action_recorder import ActionOutcome, ActionRecorder, ActionStart
from simulator.browser.effects.model import Write
from simulator.browser.wire.traffic import Traffic


class WatchedRecorder:
    """An action recorder that passes everything on, and says which action a user's traffic belongs to.

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
