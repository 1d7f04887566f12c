"""Chooses how progress is shown: a live table on a terminal, lines elsewhere. Not responsible for: either."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Protocol, Self

from simulator.runner.events import Event


class Progress(Protocol):
    """Shows a batch while it runs: a context manager, and the batch's listener."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __call__(self, event: Event) -> None:
        """Take an event in."""

    def say(self, text: str) -> None:
        """Show a sentence."""


def progress() -> Progress:
    """Choose by what standard error is."""
    if sys.stderr.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"):
        from simulator.report.terminal.live import LiveTable

        return LiveTable()
    from simulator.report.terminal.lines import PlainLines

    return PlainLines()
