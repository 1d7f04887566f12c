"""What is going on in a batch, kept up to date by its events. Not responsible for: showing it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from simulator.replay.drift import Verdict
from simulator.report.wording import one_line
from simulator.runner.events import (
    AgentSaid,
    BatchEnded,
    BatchStarted,
    Event,
    LimitReached,
    ModelCalled,
    RunEnded,
    RunStarted,
    StepDone,
    TaskEnded,
    TaskStarted,
)

UserState = Literal["running", "passed", "failed", "interrupted"]
_RATE_WINDOW = 10.0
"""Seconds over which steps a second are counted."""
_FORESEEABLE = 0.05
"""Share of the work that must be done before the time left is estimated."""


@dataclass(slots=True)
class UserRow:
    """One user of the batch."""

    number: int
    persona: str
    username: str
    tasks: int
    """Of a replay, which has no tasks, its steps."""
    started: float
    task: str = ""
    text: str = ""
    """What the task is in free words, or what a model said last."""
    tasks_ended: int = 0
    tells_tasks: bool = False
    steps: int = 0
    errors: int = 0
    state: UserState = "running"
    verdict: Verdict | None = None
    reason: str = ""
    ended: float | None = None

    @property
    def word(self) -> str:
        """The state, or for a replay that drifted, how."""
        return self.verdict if self.verdict and self.state == "failed" else self.state


@dataclass(slots=True)
class Board:
    """The users and totals of one batch. Call it with every event.

    Args:
        clock: gives seconds that never go back.
    """

    clock: Callable[[], float] = time.monotonic
    batch: BatchStarted | None = None
    users: dict[int, UserRow] = field(default_factory=dict)
    """By number, in the order in which they started."""
    steps: int = 0
    errors: int = 0
    """Steps that did not succeed; a user may still have gone on and passed."""
    tokens: int = 0
    """Of all requests to models, those read from a cache included."""
    started: float = 0.0
    ended: bool = False
    _recent: deque[float] = field(default_factory=deque)

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        now = self.clock()
        match event:
            case BatchStarted():
                self.batch, self.started = event, now
            case RunStarted():
                self.users[event.number] = UserRow(event.number, event.persona, event.username, event.tasks, now)
            case TaskStarted():
                user = self.users[event.number]
                user.task, user.text, user.tells_tasks = event.task, one_line(event.text), True
            case AgentSaid():
                self.users[event.number].text = one_line(event.text)
            case ModelCalled(usage=used):
                self.tokens += used.input + used.cache_write + used.cache_read + used.output
            case LimitReached():
                self.users[event.number].text = one_line(event.reason)
            case TaskEnded():
                self.users[event.number].tasks_ended += 1
            case StepDone():
                user = self.users[event.number]
                user.steps += 1
                self.steps += 1
                if not user.tells_tasks:
                    user.task, user.tasks_ended = event.tool, user.steps
                self._recent.append(now)
                if not event.success:
                    user.errors += 1
                    self.errors += 1
            case RunEnded():
                user = self.users.setdefault(event.number, UserRow(event.number, "", "", 0, now))
                user.state, user.reason, user.verdict = event.status, one_line(event.reason), event.verdict
                user.ended = now
            case BatchEnded():
                self.ended = True

    @property
    def total(self) -> int:
        """Users of the batch, those included who have not started."""
        return self.batch.total if self.batch else 0

    @property
    def elapsed(self) -> float:
        """Seconds since the batch started."""
        return self.clock() - self.started if self.batch else 0.0

    @property
    def rate(self) -> float:
        """Steps a second, over the last ten seconds."""
        now = self.clock()
        while self._recent and self._recent[0] < now - _RATE_WINDOW:
            self._recent.popleft()
        seconds = min(_RATE_WINDOW, now - self.started)
        return len(self._recent) / seconds if seconds > 0 else 0.0

    @property
    def time_left(self) -> float | None:
        """Seconds until the end if the rest goes as it went so far; None while too little is known."""
        users = list(self.users.values())
        planned = sum(user.tasks for user in users)
        if not planned:
            return None
        expected = planned * self.total / len(users)
        done = sum(user.tasks if user.ended is not None else user.tasks_ended for user in users) / expected
        return self.elapsed * (1 - done) / done if done >= _FORESEEABLE else None

    def count(self, state: UserState) -> int:
        """Return how many users are in a state."""
        return sum(user.state == state for user in list(self.users.values()))

    def window(self, size: int) -> list[UserRow]:
        """Choose the users to show where there is room for some only.

        All of them while they fit; else those that run, then those that failed, then the last to end.

        Args:
            size: how many there is room for.
        """
        users = sorted(self.users.values(), key=lambda user: user.number)
        if len(users) <= size:
            return users
        running = [user for user in users if user.state == "running"]
        ended = sorted((user for user in users if user.ended is not None), key=lambda user: -(user.ended or 0))
        others = sorted(ended, key=lambda user: user.state == "passed")
        return (running + others)[: max(size, 0)]
