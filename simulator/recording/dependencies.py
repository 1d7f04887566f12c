"""What the runs of a recording need of one another."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.errors import RecordingError
from simulator.recording.reader import Recording


def closure(recording: Recording, run_ids: Sequence[str]) -> list[str]:
    """Give runs and all runs that they depend on, directly or not, oldest first."""
    found: set[str] = set()
    waiting = list(run_ids)
    while waiting:
        run_id = waiting.pop()
        if run_id not in found:
            found.add(run_id)
            waiting += [needed.producer_run for needed in recording.dependencies(run_id)]
    return sorted(found)


def ordinal_of(recording: Recording, step_id: str) -> int:
    """Give the place of a step in its run.

    Raises:
        RecordingError: there is no such step.
    """
    for row in recording.tables.rows("SELECT ordinal FROM step WHERE id = ?", (step_id,)):
        return int(row["ordinal"])
    raise RecordingError(f"{recording.path} has no step {step_id}; look with 'sim runs verify'")
