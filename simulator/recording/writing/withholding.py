"""What of an action's input may be stored. Not responsible for: finding which fields are for secrets."""

from __future__ import annotations

from simulator.browser.acting.keyed import typed_by
from simulator.browser.action_recorder import ActionStart
from simulator.template import PLACEHOLDER

WITHHELD = "{{secret.withheld}}"
"""Stands for what was typed into a secret field and reached the recorder without a placeholder."""


def kept_values(action: ActionStart) -> tuple[str | None, str | None]:
    """Give an action's template and rendered value, without what was typed into a secret field."""
    if action.target is None or not action.target.secret or action.value is None:
        return action.value, action.recorded_value
    if PLACEHOLDER.fullmatch(action.value) or (action.kind == "press" and not typed_by(action.value)):
        return action.value, None
    return WITHHELD, None
