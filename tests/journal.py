"""Entries of the journal that tools kept before effects, as recordings of that time hold them."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.recording.run_recorder import RunRecorder
from simulator.recording.stamps import new_id


def enter(run: RunRecorder, *, step_id: str, kind: str, url: str, fields: Mapping[str, str]) -> None:
    """Store that a step made something."""
    writer = run._writer
    with writer.transaction() as change:
        (place,) = writer.execute("SELECT count(*) FROM created WHERE run_id = ?", (run.id,)).fetchone()
        writer.insert(
            "created", id=new_id(), run_id=run.id, step_id=step_id, ordinal=place, kind=kind, url=writer.text(url),
            fields=writer.json(dict(fields)), status="live", change=change,
        )  # fmt: skip
