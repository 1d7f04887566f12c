"""Asking a batch to end early, politely. Not responsible for: signals."""

from __future__ import annotations


class Stop:
    """A request to finish the steps in progress and to begin no other."""

    def __init__(self) -> None:
        self._requested = False

    def request(self) -> None:
        """Ask for the end."""
        self._requested = True

    @property
    def requested(self) -> bool:
        """Whether the end was asked for."""
        return self._requested
