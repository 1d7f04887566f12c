"""Whom earlier seedings of the same recording and seed have made.

Not responsible for: whether the site has them still.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.config import Site
from simulator.persona import Identity
from simulator.recording.reader import Recording
from simulator.recording.rows import BatchRow, RunRow
from simulator.replay.bind import read_row, shared_variables


@dataclass(frozen=True, slots=True)
class Earlier:
    """What earlier seedings came to."""

    batches: tuple[str, ...] = ()
    passed: frozenset[int] = frozenset()
    """Numbers of the users who did all that was recorded."""
    begun: frozenset[int] = frozenset()
    """Numbers of all who did anything on the site."""
    shared: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What others know of the users whom all share, by the first revision of their run; of those who passed."""

    @property
    def cut_off(self) -> int:
        """How many had begun, and did not come to their end."""
        return len(self.begun - self.passed)


def earlier_seedings(db: Path, wanted: Mapping[str, Any], seed: str, site: Site, *, without: str = "") -> Earlier:
    """Find who was made before.

    Args:
        db: where seedings land; nobody was where there is no such file.
        wanted: what decides who user n is, beside the seed: see ``FanOut.source``.
        seed: what they were drawn from.
        site: where they act.
        without: a batch that does not count, by its id.

    Raises:
        RecordingError: the file cannot be read.
    """
    if not db.exists():
        return Earlier()
    batches: list[str] = []
    passed: set[int] = set()
    begun: set[int] = set()
    shared: dict[str, Mapping[str, str]] = {}
    with Recording.open(db) as recording:
        for batch in recording.batches():
            if batch.id == without or not _is_like(batch, wanted, seed, site):
                continue
            runs = [run for run in recording.runs(batch.id, kind="replay") if _acted_on(run, site)]
            batches += [batch.id] if runs else []
            begun.update(_given(batch))
            for run in runs:
                if run.status == "passed":
                    passed.add(run.number)
                    begun.add(run.number)
                    if run.copy == 0 and run.source_run:
                        shared[recording_of(run)] = _known(recording, run)
                elif recording.actions(run.id):
                    begun.add(run.number)
    return Earlier(tuple(batches), frozenset(passed), frozenset(begun), shared)


def recording_of(run: RunRow) -> str:
    """Give the first revision of the run that a user of a seeding performed."""
    cast = run.environment["cast"]
    return cast["original"]


def _is_like(batch: BatchRow, wanted: Mapping[str, Any], seed: str, site: Site) -> bool:
    told = batch.settings.get("seeding")
    if batch.kind != "replay" or batch.seed != seed or not isinstance(told, dict):
        return False
    return batch.settings.get("site") == site.name and all(told.get(name) == value for name, value in wanted.items())


def _given(batch: BatchRow) -> Iterator[int]:
    """Give the users whom workers of a cluster were given: what they did stands in their runs, or is lost."""
    seeding: Any = batch.settings.get("seeding")
    going_on = seeding.get("going_on") if isinstance(seeding, dict) else None
    given = going_on.get("given") if isinstance(going_on, dict) else None
    yield from (one for one in given or () if isinstance(one, int))


def _acted_on(run: RunRow, site: Site) -> bool:
    """Tell whether a user acted on this very site; a bundled one answers at another port each time."""
    there = run.environment
    return (bool(there.get("bundled")) and site.bundled) or there.get("base_url") == site.base_url


def _known(recording: Recording, run: RunRow) -> Mapping[str, str]:
    identity = read_row(Identity, run.identity, run)
    values = identity.variables()
    values |= {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
    return shared_variables(run.known_as, values, identity.naming)
