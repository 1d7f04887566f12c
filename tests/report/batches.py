"""A batch of users told event by event, on a clock that the test moves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from simulator.runner.events import (
    BatchEnded,
    BatchResult,
    BatchStarted,
    Event,
    RunEnded,
    RunOutcome,
    RunStarted,
    StepDone,
    TaskEnded,
    TaskOutcome,
    TaskStarted,
)

BATCH = "01a20046-7de1-737d-90ca-dc144ce1ebb5"
REASON = "the site refused the price: it must be between 1 and 500, in the form 'Sell a book', after three attempts"


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def begun(total: int) -> BatchStarted:
    return BatchStarted(BATCH, total, 4, "7", "bookshop", "http://127.0.0.1:43210")


def user(number: int, *, ends: str | None = "passed", errors: int = 0) -> Iterator[Event]:
    """One user with two tasks of three steps each; one that does not end is in its second task."""
    yield RunStarted(number, f"run-{number}", "window_shopper", f"antonina{number}yjplyrfr", 2)
    for index, task in enumerate(("register", "save_listings")):
        yield TaskStarted(number, task, index)
        for step in range(3):
            yield StepDone(number, "click", step >= errors, 0.2)
        if index == 0 or ends is not None:
            yield TaskEnded(number, task, "done", 0.6)
    if ends == "failed":
        yield RunEnded(number, f"run-{number}", "failed", REASON)
    elif ends == "passed":
        yield RunEnded(number, f"run-{number}", "passed")


def whole(total: int) -> Iterator[Event]:
    yield begun(total)
    for number in range(1, total + 1):
        yield from user(number)
    yield BatchEnded("passed")


def outcome(number: int, *tasks: TaskOutcome, reason: str = "") -> RunOutcome:
    failed = bool(reason) or any(task.status == "failed" for task in tasks)
    return RunOutcome(
        number, f"01a20046-7dea-75e5-88bb-00000000000{number}", "collector", f"ann{number}",
        "failed" if failed else "passed", reason, tasks, 12, 3.5,
    )  # fmt: skip


def batch(*runs: RunOutcome, **changes: object) -> BatchResult:
    values: dict[str, object] = {
        "batch_id": BATCH,
        "db": Path("/project/recordings/runs.db"),
        "seed": "7",
        "site": "bookshop",
        "base_url": "http://127.0.0.1:43210",
        "runs": runs,
        "seconds": 61.2,
    }
    return BatchResult(**(values | changes))  # type: ignore[arg-type]
