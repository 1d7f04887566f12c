"""Recordings: SQLite files that hold batches, runs, steps, actions and what they used.

Not responsible for: what is recorded (dispatch and the browser report it), or performing it again.
"""

from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.rows import (
    ActionRow,
    ActorRow,
    BatchRow,
    CreatedRow,
    DependencyRow,
    RunRow,
    StepRow,
    VariableRow,
    VariableUseRow,
)
from simulator.recording.run_recorder import RunRecorder

__all__ = [
    "ActionRow",
    "ActorRow",
    "BatchRow",
    "CreatedRow",
    "DependencyRow",
    "Recorder",
    "Recording",
    "RunRecorder",
    "RunRow",
    "StepRow",
    "VariableRow",
    "VariableUseRow",
]
