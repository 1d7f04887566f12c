"""Goes on writing a run that ended before it was done, and notes what became of the steps it was cut off in.

Not responsible for: deciding what took effect, or doing anything again.
"""

from __future__ import annotations

import json
import time
from typing import Final

from simulator.canonical import canonical_json
from simulator.errors import RecordingError
from simulator.recording.documents import Fate
from simulator.recording.generations import generation_of
from simulator.recording.recorder import Recorder
from simulator.recording.run_recorder import RunRecorder
from simulator.tools.contracts import ToolResult

RESUME: Final = "resume"
"""The flag of a step that says what resuming made of it."""

_TIMES = {"run": "id = ?2", "step": "run_id = ?2", "action": "step_id IN (SELECT id FROM step WHERE run_id = ?2)"}


def reopen_batch(recorder: Recorder, batch_id: str) -> None:
    """Store a batch as running again."""
    writer = recorder.writer
    with writer.transaction() as change:
        writer.execute(
            "UPDATE batch SET status = 'running', ended_at = NULL, ended_ns = NULL, process_id = ?, change = ? "
            "WHERE id = ?",
            (writer.process(), change, batch_id),
        )


def reopen_run(recorder: Recorder, run_id: str) -> RunRecorder:
    """Store a run as running again, under this process; its numbering goes on.

    Its times are moved so that they go on now: they say how long it was at work, and another boot counts from zero.

    Args:
        recorder: of the recording that holds it.
        run_id: the run.

    Returns:
        Where its further steps are recorded, by actors with new names: each acts in a new browser context.

    Raises:
        RecordingError: it is being performed.
    """
    writer = recorder.writer
    with writer.transaction() as change:
        batch_id, status = writer.execute("SELECT batch_id, status FROM run WHERE id = ?", (run_id,)).fetchone()
        if status == "running":
            raise RecordingError(f"the run {run_id} is being performed right now")
        (steps, last), names = (
            writer.execute(
                "SELECT count(*), max(coalesce(ended_ns, started_ns)) FROM step WHERE run_id = ?", (run_id,)
            ).fetchone(),
            [name for (name,) in writer.execute("SELECT name FROM actor WHERE run_id = ?", (run_id,))],
        )
        if last is not None:
            moved = time.monotonic_ns() - last
            for table, own in _TIMES.items():
                writer.execute(
                    f"UPDATE {table} SET started_ns = started_ns + ?1, ended_ns = ended_ns + ?1 WHERE {own}",
                    (moved, run_id),
                )
        writer.execute(
            "UPDATE run SET status = 'running', verdict = NULL, reason = NULL, ended_at = NULL, ended_ns = NULL, "
            "process_id = ?, change = ? WHERE id = ?",
            (writer.process(), change, run_id),
        )
    return RunRecorder(
        writer,
        run_id=run_id,
        batch_id=batch_id,
        steps=steps,
        actors=len(names),
        generation=1 + max(map(generation_of, names), default=0),
    )


def mark_step(recorder: Recorder, step_id: str, fate: Fate, why: str = "") -> None:
    """Note what resuming made of a step.

    Args:
        recorder: of the recording that holds it.
        step_id: the step.
        fate: what became of it.
        why: by what that is known, in words.
    """
    writer = recorder.writer
    with writer.transaction() as change:
        (text,) = writer.execute("SELECT flags FROM step WHERE id = ?", (step_id,)).fetchone()
        flags = json.loads(text or "{}") | {RESUME: fate} | ({"why": why} if why else {})
        writer.execute("UPDATE step SET flags = ?, change = ? WHERE id = ?", (writer.json(flags), change, step_id))


def settle_step(recorder: Recorder, step_id: str, result: ToolResult, why: str) -> None:
    """Store what an interrupted step came to, as the site showed it later; it stays ``interrupted``."""
    writer = recorder.writer
    data, metadata = writer.texts(canonical_json(result.data), canonical_json(result.metadata))
    with writer.transaction() as change:
        writer.execute(
            "UPDATE step SET success = ?, result = ?, error_type = NULL, error_message = NULL, metadata = ?, "
            "change = ? WHERE id = ?",
            (result.success, data, metadata, change, step_id),
        )
    mark_step(recorder, step_id, "took effect", why)
