"""The mouse of one user, as a model that points at pictures takes it to be. Not responsible for: moving it."""

from __future__ import annotations

from dataclasses import dataclass

Place = tuple[float, float]
"""CSS pixels of the viewport."""


@dataclass(slots=True)
class Mouse:
    """The mouse of one user."""

    place: Place | None = None
    pressed_at: Place | None = None
