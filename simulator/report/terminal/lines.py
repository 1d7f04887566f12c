"""A batch reported line by line, for logs and pipes. Not responsible for: what came of it all."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self, TextIO

from simulator.report.terminal.board import Board
from simulator.report.wording import counted, duration, one_line, short_id
from simulator.runner.events import BatchStarted, Event, RunEnded, RunStarted, TaskEnded

_FREE = "do"
"""A task in words: what a model says of it is its own account, which the run has."""


class PlainLines:
    """Writes a line when a user starts, fails at a task, or ends. A context manager, and the batch's listener.

    Args:
        stream: where it is written; standard error by default.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.board = Board()
        self._stream = stream or sys.stderr
        self._told: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave what was written."""

    def __call__(self, event: Event) -> None:
        """Take an event in, and write what is worth a line."""
        self.board(event)
        match event:
            case BatchStarted():
                # A cleanup draws nobody, and has no seed.
                seed = f", seed {event.seed}" if event.seed else ""
                self.say(
                    f"batch {short_id(event.batch_id)}: {counted(event.total, 'user')} on {event.site} "
                    f"at {event.base_url}, {event.concurrency} at once{seed}"
                )
            case RunStarted():
                self.say(f"{self._who(event.number)} started")
            case TaskEnded(status="failed"):
                self.say(f"{self._who(event.number)}: {event.task} failed: {event.reason}")
            case TaskEnded(status="done") if event.reason and event.task != _FREE and event.reason not in self._told:
                self._told.add(event.reason)  # many users of a batch have the same to say
                self.say(f"{self._who(event.number)}: {event.task}: {event.reason}")
            case RunEnded():
                user = self.board.users[event.number]
                seconds = (user.ended or user.started) - user.started
                reason = f": {event.reason}" if event.reason else ""
                self.say(
                    f"{self._who(event.number)} {user.word} in {duration(seconds)}, "
                    f"{counted(user.steps, 'step')}{reason}"
                )

    def say(self, text: str) -> None:
        """Write a sentence as a line of its own."""
        print(one_line(text), file=self._stream, flush=True)

    def _who(self, number: int) -> str:
        user, total = self.board.users[number], self.board.total
        # Of users who are added, or left, the numbers are those of the population.
        place = f"{number}/{total}" if number <= total else str(number)
        return f"[{place}] {user.persona} {user.username}"
