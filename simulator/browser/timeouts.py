"""How long a user waits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Bounds in milliseconds."""

    action: float = 5_000
    navigation: float = 15_000
    settle: float = 5_000
