"""Runs that are known to drift: reported, but not counted against a replay. Not responsible for: what drifts.

A quarantine list is a text file with a line for each: a run's id (or the beginning or end of it), a label, or a
persona; a colon; and why. Empty lines and lines that begin with ``#`` say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simulator.errors import UsageError
from simulator.recording.rows import RunRow
from simulator.replay.plan import Plan
from simulator.runner.events import ReplayedRun
from simulator.text_file import UnreadableFile, one_sentence, read_text

_SIZE_LIMIT = 1 << 20
_MIN_ID = 6
"""Characters from which on the beginning or end of an id names a run."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """An entry of the list."""

    name: str
    reason: str

    def means(self, run: RunRow) -> bool:
        """Return whether it names a run."""
        if self.name in (run.label, run.persona):
            return True
        part = self.name.lower()
        return len(part) >= _MIN_ID and any(
            one.startswith(part) or one.endswith(part) for one in (run.id, run.original)
        )


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A quarantine list."""

    entries: tuple[Quarantined, ...]

    @classmethod
    def read(cls, path: Path) -> Quarantine:
        """Read a list.

        Raises:
            UsageError: it cannot be read, or a line lacks its reason.
        """
        try:
            lines = read_text(path, _SIZE_LIMIT).splitlines()
        except UnreadableFile as error:
            raise UsageError(f"the quarantine list {path}:{error.line}:{error.column}: {error.message}") from error
        entries = []
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            name, _, reason = (part.strip() for part in text.partition(":"))
            if not name or not reason:
                raise UsageError(
                    f"{path}:{number}: expected a run, label or persona, a colon, and why: 'collector: search is "
                    f"being rebuilt', found {one_sentence(repr(text))}"
                )
            entries.append(Quarantined(name, reason))
        return cls(tuple(entries))

    def reason(self, run: RunRow) -> str:
        """Give why a run is in quarantine; empty where it is not."""
        return next((entry.reason for entry in self.entries if entry.means(run)), "")

    def unused(self, plans: Sequence[Plan]) -> tuple[str, ...]:
        """Give the names that mean none of some runs."""
        return tuple(one.name for one in self.entries if not any(one.means(plan.run) for plan in plans))

    def judge(self, runs: Sequence[ReplayedRun], plans: Mapping[str, Plan]) -> list[ReplayedRun]:
        """Mark the runs that are in quarantine, and those that only lacked what such a run was to make.

        Args:
            runs: what came of each.
            plans: theirs, by the id of the run.
        """
        marked = {run.source_run: replace(run, quarantined=self.reason(plans[run.source_run].run)) for run in runs}
        originals = {plans[run_id].run.original: run_id for run_id in marked}
        again = True
        while again:
            again = False
            for run_id, run in marked.items():
                if run.verdict != "missing_dependency" or run.quarantined:
                    continue
                lacked = [marked[originals[need]] for need in sorted(plans[run_id].needs) if need in originals]
                lost = [one for one in lacked if one.drifted]
                if lost and all(one.quarantined for one in lost):
                    marked[run_id] = replace(run, quarantined=f"depends on {lost[0].persona}: {lost[0].quarantined}")
                    again = True
        return [marked[run.source_run] for run in runs]
