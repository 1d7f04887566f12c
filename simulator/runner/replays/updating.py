"""Records again what pages are after each action, once a person has seen the difference: a new revision of each run.

Not responsible for: what differs (``simulator.replay.review``), asking the person, or how a revision is stored.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.revise import Changes, write_revision
from simulator.replay.review import Otherwise, Review
from simulator.runner import events
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of a replay that goes on where pages are otherwise."""

    result: events.ReplayResult
    otherwise: dict[str, tuple[Otherwise, ...]]
    """By recorded run; empty where the replay did not pass, as nothing of it may be kept."""

    def lines(self) -> list[str]:
        """Give what differs, run by run."""
        lines: list[str] = []
        for run in self.result.runs:
            found = self.otherwise.get(run.source_run, ())
            lines += ["", f"run {run.source_run}  user {run.number}, {run.persona}"] if found else []
            lines += [f"  {line}" for one in found for line in one.lines()]
        return lines


async def review(options: ReplayOptions, listener: events.Listener, stop: Stop) -> Reviewed:
    """Replay, and keep what pages are otherwise than they were.

    Raises:
        SimulatorError: the replay could not start or go on.
    """
    keeping = Review()
    result = await replay(replace(options, review=keeping), listener, stop)
    found = {run: tuple(one) for run, one in keeping.found.items()} if result.passed else {}
    return Reviewed(result, found)


def accept(reviewed: Reviewed, source: Path) -> dict[str, str]:
    """Write a revision of each run whose pages are otherwise; in the recording that holds it.

    Returns:
        The id of the revision, by the id of the run.
    """
    revisions: dict[str, str] = {}
    with Recording.open(source) as recording, Recorder.open(source) as recorder:
        for run, found in reviewed.otherwise.items():
            changes = Changes(
                after={one.action.id: one.now for one in found},
                notes=tuple("; ".join(line.strip() for line in one.lines()) for one in found),
            )
            kind = recording.run(run).kind
            revisions[run] = write_revision(recorder.writer, recording, run, changes, kind=kind)
    return revisions
