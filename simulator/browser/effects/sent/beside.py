"""What stands beside a pressed control: what its request may carry, whatever a script calls that.

Not responsible for: which part of a request holds it (``carried``, ``boxes``).
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.browser.action_recorder import ActionStart
from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.user_input import UserInput, standing


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside a pressed control."""

    stands_in: tuple[str, ...]
    """Its form, or the part of the page."""
    ids: frozenset[str]
    """What the request that it has sent calls its card; empty where that names none."""
    card: str
    """What the card is called that the control stands in; empty for none."""

    def has(self, one: UserInput) -> bool:
        """Return whether an input was put into what stands there."""
        in_card = bool(one.form) or not self.card or self.card in one.cards
        return one.stands_in == self.stands_in and in_card and (not self.ids or bool(self.ids & one.ids))


def place_of(action_id: str, start: ActionStart, inputs: Inputs) -> tuple[str, ...] | None:
    """Give where a pressed control stands; None where it is an input itself, or by the rules nothing is beside it.

    Args:
        action_id: the press.
        start: what it was.
        inputs: what is put in and not sent, and the rules.
    """
    own = any(one.action_id == action_id for one in inputs.may_be_sent())
    if start.target is None or own or not inputs.rules.sent_beside:
        return None
    return standing(start.target.form, start.target.part)
