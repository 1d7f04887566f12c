"""What one try of an action came to, and whether it can be made once more.

Not responsible for: making it (``executor``), or how far input came, which the page tells (``page/3_press.js``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulator.browser.follow import Followed
from simulator.browser.sink import ActionKind, Reached
from simulator.browser.written import Written

AGAIN: Final[frozenset[ActionKind]] = frozenset({"click", "dblclick", "check", "uncheck"})
"""What is tried once more where the page moved under the pointer and nothing was done."""
UNDONE: Final = frozenset({"nothing", "idle"})
"""How far input may have come of which nothing came."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Tried:
    """What one try of an action came to."""

    followed: Followed | None
    """None where it is not followed."""
    stopped: tuple[str, ...] = ()
    """Input events that the guard stopped."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """What the field was read back as, where something was put into one."""
    written: Written | None = None
    """What became of that, where the action is not followed."""
    reached: Reached | None = None
    """Of what was stopped, how much the page heard."""
    again: bool = False
    """Whether it was stopped before it did anything, so that it can be tried once more."""


def stopped_try(
    stopped: tuple[str, ...], came: frozenset[str], followed: Followed, requests: Sequence[tuple[str, str, int]]
) -> Tried:
    """Tell how much of an action that was stopped the page heard, and whether that came to nothing.

    Args:
        stopped: input events that the guard stopped.
        came: how far input came, as the page script says it of each document.
        followed: what the page has become.
        requests: what the action caused.
    """
    far = next((one for one in ("acted", "pressed", "idle") if one in came), "nothing")
    sent = any(method not in _READING for method, _, _ in requests)
    undone = far in UNDONE and followed.settled != "navigated" and not followed.opened and not sent
    reached: Reached = "acted" if far == "acted" else "hovered" if far == "nothing" else "pressed"
    return Tried(followed, stopped, reached=reached, again=undone)
