"""The ways in which a replay can see something else than the recording. Not responsible for: deciding that it did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from simulator.recording.documents import Verdict as Verdict
from simulator.recording.rows import ActionRow


@dataclass(frozen=True, slots=True)
class DriftReport:
    """Where and how a replay saw something else than the recording."""

    verdict: Verdict
    run: str
    step: int
    """Ordinal of the recorded step, from 1; 0 before the first."""
    tool: str
    sought: str
    """What the replay looked for, or expected."""
    found: str
    """What was there."""
    agreed: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    """``kind: expected … found …``."""
    candidates: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        return f"{self.verdict} at step {self.step} ({self.tool}): sought {self.sought}; found {self.found}"

    def masked(self, mask: Callable[[str], str]) -> DriftReport:
        """Give the report without secrets."""
        lists = (self.agreed, self.contradicted, self.candidates)
        agreed, contradicted, candidates = (tuple(map(mask, texts)) for texts in lists)
        return replace(
            self,
            sought=mask(self.sought),
            found=mask(self.found),
            agreed=agreed,
            contradicted=contradicted,
            candidates=candidates,
        )


class Drift(Exception):
    """A replay saw something else than the recording.

    Args:
        report: where and how.
        untouched: whether the action certainly did nothing on the page: its element was not there, or not ready.
    """

    action: ActionRow | None = None
    """What was being done; None where it was seen before or after everything that its step does."""

    def __init__(self, report: DriftReport, *, untouched: bool = False) -> None:
        super().__init__(report.sentence)
        self.report = report
        self.untouched = untouched
