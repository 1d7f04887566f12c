"""How long a user waits."""

from __future__ import annotations

from dataclasses import dataclass, field

_LONGEST = 300_000
"""Milliseconds after which a page hangs, whoever else is served meanwhile."""


@dataclass(slots=True)
class Crowd:
    """Users who act on one site at once."""

    acting: int = 0
    beside: int = 0
    """Those of other processes."""
    held: dict[str, float] = field(default_factory=dict)
    """Shapes of requests that the site was seen to hold open, each with how long a user who was alone would have waited
    for it, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Bounds in milliseconds."""

    action: float = 5_000
    navigation: float = 15_000
    """For a page to load, where a user is alone."""
    settle: float = 5_000
    crowd: Crowd = field(default_factory=Crowd)
    """Who else acts on the site."""

    @property
    def page(self) -> float:
        """For a page to load now.

        Where one user waits for so long, several may each wait for as many times that: what serves them, and what shows
        it to them, does one thing after the other. Seen of a site and eight browsers on one busy machine, where each
        login took longer than alone, and nothing was wrong. The cost: a page that hangs for everybody is reported
        later, the later the more users wait for it.
        """
        return self.shared(self.navigation)

    def shared(self, alone: float) -> float:
        """For what may take so long where a user is alone.

        Args:
            alone: milliseconds.
        """
        at_once = max(1, self.crowd.acting + self.crowd.beside)
        return max(alone, min(alone * at_once, _LONGEST))
