"""Stands where a recorder would, for what is not recorded: a call on trial, a look at what users left.

Not responsible for: deciding that nothing is recorded.
"""

from __future__ import annotations

from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.effects.model import Write
from simulator.canonical import sha256
from simulator.errors import ToolError
from simulator.tools.context import VariableKind


class Unrecorded:
    """Takes what a run would record, and keeps nothing."""

    def begin(self, action: ActionStart) -> str:
        """Take an action that begins."""
        return ""

    def answered(self, write: Write) -> None:
        """Take a write that was answered."""

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Take what came of an action."""

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Give the hash of bytes."""
        return sha256(data)

    def blob(self, sha256: str) -> bytes:
        """Give back nothing, as nothing is kept.

        Raises:
            ToolError: ``not_found``.
        """
        raise ToolError("not_found", f"nothing is recorded, so there is no {sha256}")

    def actions(self) -> tuple[()]:
        """Give the actions so far: none."""
        return ()

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """Take a value that was learned."""
