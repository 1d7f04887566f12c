"""What a replay heals, and the revisions that it becomes. Not responsible for: what is healed, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from simulator.browser.evidence import Target
from simulator.config import Site
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.redoing import Redone
from simulator.recording.revise import Changes, bring, write_revision
from simulator.replay.bind import Part
from simulator.replay.healing import Healer
from simulator.replay.plan import IdentityPolicy, Plan
from simulator.runner import events


@dataclass(frozen=True, slots=True)
class Healing:
    """Heals the runs of one replay."""

    recording: Recording
    policy: IdentityPolicy
    recorded: Sequence[tuple[str, Target]]
    """What was acted on in all of the runs: URL template of the page, and evidence."""
    healers: dict[tuple[str, int], Healer] = field(default_factory=dict)
    """By the recorded run, and the number of who performs it."""

    @classmethod
    def of(cls, parts: Sequence[Part], recording: Recording, policy: IdentityPolicy) -> Healing:
        """Prepare to heal some runs."""
        actions = [action for part in parts for planned in part.plan.steps for action in planned.actions]
        return cls(recording, policy, [(one.before.url, one.target) for one in actions if one.target and one.before])

    def healer(self, plan: Plan, number: int, site: Site, resolve_ms: float) -> Healer:
        """Give what heals one run.

        Args:
            plan: of the run.
            number: of the user who performs it.
            site: that it acts on.
            resolve_ms: how long an element may take to appear.
        """
        healer = Healer(plan, self.policy != "fresh", site.route("login"), self.recorded, site.dismiss)
        healer.pause_s = min(healer.pause_s, resolve_ms / 1000)
        self.healers[plan.run.id, number] = healer
        return healer

    def revise(
        self,
        result: events.ReplayResult,
        recorder: Recorder,
        redone: Callable[[events.ReplayedRun], tuple[Redone, ...]] | None,
    ) -> events.ReplayResult:
        """Write a new revision of each run that was healed or repaired, beside the others that were replayed with it.

        Of a run that several users performed it is what the first of them healed.

        Args:
            result: of a replay that passed as a whole.
            recorder: takes the revisions.
            redone: gives the parts of a run that a model repaired; None: there was no model.

        Returns:
            The result that names them.
        """
        mended = [run for run in result.runs if run.heals or run.repairs]
        changed = {run.source_run: run for run in reversed(mended)}
        if changed:
            bring(recorder.writer, self.recording, list(dict.fromkeys(run.source_run for run in result.runs)))
        revisions = {
            source: self._revised(run, recorder, redone(run) if redone else ())
            for source, run in sorted(changed.items())
        }
        runs = (replace(run, revision=revisions[run.source_run]) if run in mended else run for run in result.runs)
        return replace(result, runs=tuple(runs))

    def _revised(self, run: events.ReplayedRun, recorder: Recorder, redone: tuple[Redone, ...]) -> str:
        healer = self.healers[run.source_run, run.number]
        changes = Changes(
            targets=healer.targets,
            kinds=healer.kinds,
            options=healer.options,
            after=healer.after,
            inserted=healer.inserted,
            appended=healer.appended,
            redone=redone,
            notes=(*(heal.sentence for heal in run.heals), *(repair.sentence for repair in run.repairs)),
        )
        return write_revision(recorder.writer, self.recording, run.source_run, changes, kind="heal")
