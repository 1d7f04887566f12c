"""The replay of one run while it is under way, and what came of it. Not responsible for: performing it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from simulator.bindings import Bindings
from simulator.browser.effects.model import WriteProof
from simulator.browser.launch.pool import ContextProfile
from simulator.recording.rows import StepRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.bind import Part
from simulator.replay.checks import Check
from simulator.replay.drift import DriftReport, Verdict
from simulator.replay.learning.agreement import before_effects
from simulator.replay.perform import StepPerformer
from simulator.runner import events
from simulator.runner.surroundings.environment import Held
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.tools.recording_dispatcher import TypingWatch

if TYPE_CHECKING:
    from simulator.replay.healing import Heal, Healer
    from simulator.runner.repairs.repair import Repair
    from simulator.runner.repairs.repairing import RunRepairer
    from simulator.runner.replays.cut_off import CutOff


class LeftOut(Exception):
    """A user cannot go on; its run stays as it was. The message says why, and what a person can do."""

    def __init__(self, why: str, step: StepRow | None = None) -> None:
        super().__init__(why)
        self.step = step


@dataclass(slots=True)
class UnderWay:
    """The replay of one run: what it was given, how far it has come, and what came of it."""

    part: Part
    held: Held
    profile: ContextProfile
    setup: RunSetup
    recorder: RunRecorder
    username: str
    healer: Healer | None
    watch: TypingWatch | None
    cut: CutOff | None = None
    """What it had done, where it goes on."""
    started: float = field(default_factory=time.monotonic)
    verdict: Verdict = "interrupted"
    drift: DriftReport | None = None
    performer: StepPerformer | None = None
    repairer: RunRepairer | None = None
    writes: tuple[WriteProof, ...] = ()
    done: int = 0

    @property
    def bindings(self) -> Bindings:
        """The variables of the run."""
        return self.setup.bindings

    @property
    def skipped(self) -> tuple[str, ...]:
        """What was optional, and not done."""
        return tuple(self.performer.skipped) if self.performer else ()

    @property
    def turned(self) -> tuple[str, ...]:
        """What stood on another page of a list than when it was recorded."""
        return tuple(self.performer.turned) if self.performer else ()

    @property
    def errors(self) -> tuple[str, ...]:
        """The errors of the pages' scripts that the recording does not have."""
        return tuple(f"step {at}: {error}" for error, at in self.performer.errors.items()) if self.performer else ()

    @property
    def checks(self) -> dict[Check, int]:
        """How often each kind of check was made."""
        performer = self.performer
        return dict(sorted((+(performer.checks + performer.effects.checks)).items())) if performer else {}

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """What a model has done again."""
        return tuple(self.repairer.done) if self.repairer else ()

    def heals(self, mask: Callable[[str], str]) -> tuple[Heal, ...]:
        """Give what was found by other evidence than the recorded one."""
        return tuple(heal.masked(mask) for heal in self.healer.heals) if self.healer else ()

    def summary(self, mask: Callable[[str], str]) -> dict[str, object]:
        """Give what is stored of it with its run."""
        told: dict[str, object] = {
            "drift": self.drift.as_summary() if self.drift else None,
            "skipped": list(self.skipped),
            "turned": list(self.turned),
            "errors": list(self.errors),
            "checks": self.checks,
            "heals": [asdict(heal) for heal in self.heals(mask)],
            "writes": [asdict(write) for write in self.writes],
            "repairs": [repair.as_summary() for repair in self.repairs],
        }
        summary = {"steps": self.done} | {name: value for name, value in told.items() if value}
        return summary | (self.repairer.spent.summary() if self.repairer else {})

    def result(self, mask: Callable[[str], str]) -> events.ReplayedRun:
        """Say what came of it."""
        run = self.part.run
        return events.ReplayedRun(
            number=self.part.number,
            source_run=run.id,
            run_id=self.recorder.id,
            persona=run.persona or "",
            username=self.username,
            verdict=self.verdict,
            drift=self.drift,
            steps=self.done,
            actions=self.performer.performed if self.performer else 0,
            seconds=time.monotonic() - self.started,
            heals=self.heals(mask),
            repairs=self.repairs,
            skipped=self.skipped,
            turned=self.turned,
            errors=self.errors,
            checks=self.checks,
            writes=self.writes,
            before_effects=before_effects(run, self.part.plan),
            cut_short="" if run.status == "passed" else run.ending,
        )
