"""What a correct replay does on each mutated bookshop: the table that the bench is held to.

A mode of the replay is a column. Not responsible for: what it does do (``bench``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Mode = Literal["strict", "heal"]
Expected = Literal["completes", "stops", "red"]
"""``completes``: passes, and the site is as when it was recorded. ``stops``: does not pass, and nothing was done that
was not done when it was recorded. ``red``: does not pass, whatever the site itself makes of what it is told."""

MODES: tuple[Mode, ...] = ("strict", "heal")

_SAME_TO_A_PERSON = (
    "ids-renamed", "fields-reordered", "decoy-button", "hidden-duplicate", "buttons-swapped", "cards-resorted",
    "extra-wrappers", "slow-answers", "late-button", "id-offset", "uuid-ids", "redirect-added", "open-shadow-root",
    "polling",
)  # fmt: skip
_REPAIRABLE = (
    "texts-reworded", "ids-and-label", "form-in-dialog", "form-in-iframe", "form-by-fetch", "cookie-banner",
    "field-type-changed",
)  # fmt: skip
_ANOTHER_SITE = (
    "twin-card", "twin-offer", "new-required-field", "field-gone", "label-moved", "confirm-step",
    "confirm-dialog",
    "session-expires", "server-error", "tightened-rule", "login-in-two-steps",
)  # fmt: skip
_LYING = (
    "lost-listing", "lost-change", "lost-save", "lost-message", "lost-matchup", "lost-vote", "listed-twice",
    "sent-twice", "paired-twice", "other-listing", "other-change", "other-save", "other-message", "other-vote",
    "optimistic-save",
)  # fmt: skip

EXPECTED: Mapping[str, Mapping[Mode, Expected]] = {
    **{name: {"strict": "completes", "heal": "completes"} for name in _SAME_TO_A_PERSON},
    **{name: {"strict": "stops", "heal": "completes"} for name in _REPAIRABLE},
    **{name: {"strict": "stops", "heal": "stops"} for name in _ANOTHER_SITE},
    **{name: {"strict": "red", "heal": "red"} for name in _LYING},
}
"""By mutation and mode."""

BY_STATE_ALONE = frozenset({"sent-twice", "other-vote"})
"""Lies that no check of a strict replay sees: only the state of the site tells."""
