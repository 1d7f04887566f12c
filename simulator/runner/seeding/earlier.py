"""Whom earlier seedings of the same recording and seed have made.

Not responsible for: whether the site has them still.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from simulator.config import Site
from simulator.errors import UsageError
from simulator.persona import Identity
from simulator.recording.reader import Recording
from simulator.recording.rows import BatchRow, RunRow
from simulator.replay.bind import read_row, shared_variables
from simulator.replay.plan import Plan
from simulator.replay.seeding.casts import met_among


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
    """Return whether a user acted on this very site; a bundled one answers at another port each time."""
    there = run.environment
    return (bool(there.get("bundled")) and site.bundled) or there.get("base_url") == site.base_url


def _known(recording: Recording, run: RunRow) -> Mapping[str, str]:
    identity = read_row(Identity, run.identity, run)
    values = identity.variables()
    values |= {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
    return shared_variables(run.known_as, values, identity.naming)


class Made(NamedTuple):
    """A user of a seeding that passed."""

    original: str
    """The first revision of the run that it performed."""
    persona: str
    number: int
    """By which the users of its cast know it."""
    known: Mapping[str, str]
    """What they know of it, by variable."""

    def as_user(self, number: int) -> dict[str, str]:
        """Give what is known of it as of the user of another number."""
        own, other = f"user.{self.number}.", f"user.{number}."
        return {other + name.removeprefix(own): text for name, text in self.known.items()}


def users_made(db: Path, batches: Sequence[str]) -> list[Made]:
    """Give the users of seedings who passed, in the order of the seedings and of their numbers.

    Args:
        db: where the seedings landed.
        batches: theirs.

    Raises:
        RecordingError: the file cannot be read.
    """
    found: list[Made] = []
    with Recording.open(db) as recording:
        for batch in batches:
            for run in sorted(recording.runs(batch, kind="replay"), key=lambda one: one.number):
                if run.status == "passed" and run.copy is not None:
                    known = _known(recording, run)
                    found.append(Made(recording_of(run), run.persona or "", run.known_as, known))
    return found


def met_users(plans: Sequence[Plan], names: Sequence[str], made: Sequence[Made]) -> dict[str, list[dict[str, str]]]:
    """Give who stands in the places of recorded users, by the first revisions of their runs.

    Those who performed the very run are preferred to others of its persona.

    Args:
        plans: of the recorded users.
        names: whose places are taken: personas, labels or runs.
        made: who was made before.

    Raises:
        UsageError: nobody was made of a persona.
    """
    found: dict[str, list[dict[str, str]]] = {}
    for plan in met_among(plans, names):
        run = plan.run
        users = [one for one in made if one.original == run.original]
        users = users or [one for one in made if one.persona == run.persona]
        if not users:
            raise UsageError(f"deals_with: no user of '{run.persona}' was made by a wave before")
        found[run.original] = [one.as_user(run.number) for one in users]
    return found
