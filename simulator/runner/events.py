"""What happens while a batch runs or is replayed, and what came of it, as values. Not responsible for: showing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from simulator.replay.drift import DriftReport, Verdict

RunStatus = Literal["passed", "failed", "interrupted"]
TaskStatus = Literal["done", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class BatchStarted:
    """A batch is about to run, or to be replayed."""

    batch_id: str
    total: int
    concurrency: int
    seed: str
    site: str
    base_url: str


@dataclass(frozen=True, slots=True)
class RunStarted:
    """One user starts."""

    number: int
    run_id: str
    persona: str
    username: str
    tasks: int


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A user begins a task."""

    number: int
    task: str
    index: int


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """A user has ended a task."""

    number: int
    task: str
    status: TaskStatus
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StepDone:
    """A tool call, or a replayed step, is over."""

    number: int
    tool: str
    success: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class RunEnded:
    """One user is done."""

    number: int
    run_id: str
    status: RunStatus
    reason: str = ""
    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class BatchEnded:
    """Every user is done, or the batch was stopped."""

    status: RunStatus


Event = BatchStarted | RunStarted | TaskStarted | TaskEnded | StepDone | RunEnded | BatchEnded
Listener = Callable[[Event], None]
"""Called in the event loop for every event; it must be quick, and what it raises ends the batch."""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came of one task."""

    task: str
    status: TaskStatus
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What came of one recorded user."""

    number: int
    run_id: str
    persona: str
    username: str
    status: RunStatus
    reason: str
    tasks: tuple[TaskOutcome, ...]
    steps: int
    seconds: float


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What came of a batch."""

    batch_id: str
    db: Path
    seed: str
    site: str
    base_url: str
    runs: tuple[RunOutcome, ...]
    seconds: float
    blocked: tuple[str, ...] = ()
    """URLs that the network policy refused."""
    made: dict[str, int] = field(default_factory=dict)
    """What the bundled site holds of the batch's users now, by kind; empty for other sites."""
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class ReplayedRun:
    """What came of replaying one run."""

    number: int
    source_run: str
    run_id: str
    persona: str
    username: str
    verdict: Verdict
    drift: DriftReport | None
    steps: int
    actions: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """What came of a replay."""

    batch_id: str
    db: Path
    source: Path
    site: str
    base_url: str
    identity: Literal["same", "fresh", "reuse"]
    runs: tuple[ReplayedRun, ...]
    seconds: float
    state_before: str | None = None
    """Hash of the recorded site state, where the recording holds one and it can be compared."""
    state_after: str | None = None
    """Hash of the site's state after the replay; None where the site cannot tell."""
    blocked: tuple[str, ...] = ()
    """URLs that the network policy refused."""
    interrupted: bool = False

    @property
    def passed(self) -> bool:
        """Whether every run passed, and the end state is the recorded one where both are known."""
        runs = all(run.verdict in ("passed", "healed") for run in self.runs) and not self.interrupted
        return runs and (self.state_before is None or self.state_before == self.state_after)
