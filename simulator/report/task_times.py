"""How long each task type of a batch took, and how often it failed. Not responsible for: single runs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simulator.runner.events import RunOutcome


@dataclass(frozen=True, slots=True)
class TaskTimes:
    """One kind of task over all users."""

    task_type: str
    count: int
    """Tasks that were tried; skipped ones are not."""
    p50: float
    """Seconds."""
    p95: float
    max: float
    failed: int
    skipped: int


def percentile(ordered: Sequence[float], share: float) -> float:
    """Give a percentile by the nearest rank: the least value that so large a share does not exceed.

    Args:
        ordered: values in ascending order; at least one.
        share: above 0, at most 1.
    """
    return ordered[math.ceil(share * len(ordered)) - 1]


def task_times(runs: Iterable[RunOutcome]) -> list[TaskTimes]:
    """Give the times of each task type, in the order in which task types first occur."""
    tasks: dict[str, list[tuple[float, str]]] = {}
    for run in runs:
        for task in run.tasks:
            tasks.setdefault(_task_type(task.task), []).append((task.seconds, task.status))
    found = []
    for task_type, outcomes in tasks.items():
        seconds = sorted(taken for taken, status in outcomes if status != "skipped")
        statuses = [status for _, status in outcomes]
        found.append(
            TaskTimes(
                task_type=task_type,
                count=len(seconds),
                p50=percentile(seconds, 0.50) if seconds else 0.0,
                p95=percentile(seconds, 0.95) if seconds else 0.0,
                max=seconds[-1] if seconds else 0.0,
                failed=statuses.count("failed"),
                skipped=statuses.count("skipped"),
            )
        )
    return found


def _task_type(task: str) -> str:
    """Give a task's name without what comes after it: its place, parameters or text."""
    found = re.match(r"[a-z_]+(?:\.[a-z_]+)*", task)
    return found.group() if found else task
