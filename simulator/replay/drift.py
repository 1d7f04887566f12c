"""The ways in which a replay can see something else than the recording. Not responsible for: deciding that it did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

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
    expected: str
    """What the replay looked for, or what was to follow, in words that go on from ``expected``."""
    found: str
    """What was there instead, in words that go on from ``found``."""
    agreed: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    """``kind: expected … found …``."""
    candidates: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        tool = f" ({self.tool})" if self.tool else ""
        at = f" at step {self.step}{tool}" if self.step else ""
        return f"{self.verdict}{at}: expected {self.expected}; found {self.found}"

    def as_summary(self) -> dict[str, Any]:
        """Write it for the summary of a run, where :attr:`expected` is called ``sought``."""
        told = asdict(self)
        return {"sought": told.pop("expected"), **told}

    @classmethod
    def of_summary(cls, told: Mapping[str, Any]) -> DriftReport:
        """Read it from the summary of a run."""
        fields = dict(told)
        return cls(expected=fields.pop("sought"), **fields)

    def masked(self, mask: Callable[[str], str]) -> DriftReport:
        """Give the report without secrets."""
        lists = (self.agreed, self.contradicted, self.candidates)
        agreed, contradicted, candidates = (tuple(map(mask, texts)) for texts in lists)
        return replace(
            self,
            expected=mask(self.expected),
            found=mask(self.found),
            agreed=agreed,
            contradicted=contradicted,
            candidates=candidates,
        )


def an_error(message: object) -> str:
    """Say that a message is what was found, in words that go on from ``found``."""
    return f"an error: {message}"


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
