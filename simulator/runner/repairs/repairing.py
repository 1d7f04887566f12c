"""Lets a model do a part of a replayed run that cannot be performed any more, on the same live session.

Responsible for when that may be, for the bounds of all repairs of a replay, and for what is kept of one. Not
responsible for: what the model is given (``repair_words``), or whether it did what was recorded (``repair_check``).
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from simulator.config import Settings
from simulator.config.settings import Screenshots
from simulator.errors import ModelRefused, ModelUnavailable, UsageError
from simulator.recording.reader import Recording
from simulator.recording.redoing import Redone, place_of
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.bind import Part
from simulator.replay.drift import Drift, DriftReport
from simulator.replay.failing import drift_at
from simulator.replay.perform import StepPerformer
from simulator.replay.plan import IdentityPolicy, PlannedStep
from simulator.runner import events
from simulator.runner.performing.performers import Performers, open_performers
from simulator.runner.repairs.repair import NotRepaired, Repair, RepairOptions
from simulator.runner.repairs.repair_check import Unlike, Verified
from simulator.runner.repairs.repair_effect import repairable
from simulator.runner.repairs.repair_rows import redone
from simulator.runner.repairs.repair_segment import Segment, generated_in, needed_by, segment_of
from simulator.runner.repairs.repair_work import Work, Worker
from simulator.runner.replays.progress import Progress
from simulator.runner.spending import Budget, Spending
from simulator.runner.stop import Stop
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.tools.recording_dispatcher import TypingWatch

STEPS = 60
"""Calls of one repair, where nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A repair, and where the replay has recorded it."""

    repair: Repair
    segment: Segment
    begun: str
    """The replay's step at which the recorded steps came to an end."""
    done: frozenset[str]
    """The steps that were done instead."""
    verified: Verified


@dataclass(slots=True)
class Repairs:
    """What the repairs of one replay share."""

    performers: Performers
    budget: Budget
    """Its stop ends repairs; the replay goes on without any."""
    steps: int
    """Calls of one repair."""
    recording: Recording
    """What is replayed."""
    db: Path
    """Where the replay is recorded."""
    stop: Stop
    """Ends the whole replay."""
    screenshots: Screenshots
    kept: dict[str, list[Kept]] = field(default_factory=dict)
    """By recorded run."""

    def of_run(
        self,
        part: Part,
        performer: StepPerformer,
        *,
        setup: RunSetup,
        session: Session,
        recorder: RunRecorder,
        watch: TypingWatch,
        policy: IdentityPolicy,
        listener: events.Listener,
        progress: Progress,
    ) -> RunRepairer:
        """Give what repairs one run.

        Args:
            part: the run.
            performer: performs its recorded steps.
            setup: what its user acts with.
            session: its actors.
            recorder: of its replay.
            watch: the recorder of its actors.
            policy: who the users of the replay are.
            listener: gets each event.
            progress: of all runs.
        """
        worker = Worker(
            part=part,
            recording=self.recording,
            policy=policy,
            performers=self.performers,
            budget=self.budget,
            steps=self.steps,
            stop=self.stop,
            db=self.db,
            setup=setup,
            session=session,
            recorder=recorder,
            watch=watch,
            replayer=performer,
            listener=listener,
            screenshots=self.screenshots,
        )
        return RunRepairer(repairs=self, part=part, worker=worker, progress=progress)

    def redone(self, run: events.ReplayedRun) -> tuple[Redone, ...]:
        """Give what takes the place of parts of a run in a revision of it."""
        kept = self.kept.get(run.source_run, [])
        known = {one.name: one for one in self.recording.variables(run.source_run)}
        actions = self.recording.actions(run.source_run)
        uploads = {
            str(source): one for one in actions if one.kind == "upload" and (source := one.options.get("source"))
        }
        names = {old: new for one in kept for old, new in one.verified.renamed.items()}
        with Recording.open(self.db) as recording:
            return tuple(
                redone(
                    recording,
                    run.run_id,
                    one.segment,
                    one.begun,
                    one.done,
                    replace(one.verified, renamed=names),
                    known,
                    uploads,
                )
                for one in kept
            )


@asynccontextmanager
async def open_repairs(
    options: RepairOptions, settings: Settings, recording: Recording, db: Path, stop: Stop, screenshots: Screenshots
) -> AsyncIterator[Repairs]:
    """Open what repairs need; nothing is asked of a model by that.

    Args:
        options: who repairs, within which bounds.
        settings: of ``sim.toml``.
        recording: what is replayed.
        db: where the replay is recorded.
        stop: ends the whole replay.
        screenshots: which are kept.

    Raises:
        KeyMissing: there is no key for the model.
        ExtraMissing: its client is not installed.
        UsageError: the agent has no model, or there is a limit of money, and nobody knows what the model costs.
    """
    if options.agent == "autopilot":
        raise UsageError("the autopilot cannot repair a run: it has no model; --agent claude or openai can")
    opening = open_performers(
        options.agent,
        [],
        os.environ,
        models=settings.models,
        model=options.model,
        all_by_model=True,
        money=options.limit_money is not None,
    )
    async with opening as performers:
        over, limit = Stop(), options.limit_minutes
        budget = Budget(over, performers.prices, None, options.limit_tokens, options.limit_money)
        with over.after(limit, f"the limit of {limit or 0:g} minutes is over"):
            yield Repairs(performers, budget, options.max_steps or STEPS, recording, db, stop, screenshots)


@dataclass(slots=True, kw_only=True)
class RunRepairer:
    """Repairs one run.

    Attributes:
        repairs: what all runs share.
        part: the run.
        worker: makes the calls.
        progress: of all runs.
    """

    repairs: Repairs
    part: Part
    worker: Worker
    progress: Progress
    lost: set[str] = field(default_factory=set)
    """Variables that the recorded steps gave and the repaired ones did not."""

    @property
    def done(self) -> Sequence[Repair]:
        """The repairs of the run."""
        return [one.repair for one in self.repairs.kept.get(self.part.run.id, ())]

    @property
    def spent(self) -> Spending:
        """What was asked of models for the run, also for what was not repaired."""
        return self.worker.spent

    async def repair(self, planned: PlannedStep, drift: Drift) -> int | None:
        """Have the rest of a task done by a model.

        Args:
            planned: the recorded step that could not be performed.
            drift: why.

        Returns:
            Ordinal of the last recorded step that is done by that; None where the replay was asked to stop.

        Raises:
            Drift: it is not for a model to repair, was not repaired, or in another way than was recorded.
        """
        if not repairable(drift):
            raise drift
        run, report = self.part.run, drift.report
        segment = segment_of(self.part.plan, self.repairs.recording.steps(run.id), planned)
        try:
            work = await self._work(segment, drift)
        except NotRepaired as reason:
            raise Drift(replace(report, found=f"{report.found}; not repaired: {reason}")) from drift
        except Unlike as unlike:
            found = f"{unlike.found}, after a model had repaired the step ({report.sentence})"
            told = DriftReport("postcondition", run.id, report.step, report.tool, unlike.expected, found)
            raise Drift(told) from drift
        if work is None:
            return None
        self.lost |= {
            name
            for name in generated_in(segment, self.part.plan.variables)
            if self.worker.setup.bindings.get(name) is None
        }
        mask = self.worker.setup.resources.vaults.mask
        repair = Repair(
            report.step,
            report.tool,
            segment.task,
            mask(report.sentence),
            work.did,
            work.said,
            tuple(map(mask, work.verified.words)),
            work.steps,
            work.spending,
        )
        kept = Kept(repair, segment, work.begun, work.done, work.verified)
        self.repairs.kept.setdefault(run.id, []).append(kept)
        self.progress.lose(self.part.key, self.lost)
        last = segment.out[-1]
        self.progress.reached(self.part.key, place_of(last.ordinal, last.flags))
        return last.ordinal

    async def _work(self, segment: Segment, drift: Drift) -> Work | None:
        if reason := self.repairs.budget.spent() or (self.repairs.budget.stop.reason):
            raise NotRepaired(reason)
        try:
            return await self.worker.work(segment, drift)
        except (ModelRefused, ModelUnavailable) as error:
            raise NotRepaired(str(error)) from error

    def check(self, planned: PlannedStep) -> None:
        """See that a step does not need a value that a repaired part did not give.

        Raises:
            Drift: ``missing_dependency``.
        """
        self.lost -= {name for name in self.lost if self.worker.setup.bindings.get(name) is not None}
        lost = sorted(needed_by(planned) & self.lost)
        if lost:
            expected = f"{', '.join(lost)}, which the recorded steps gave"
            found = "none: the repaired part of the run did not give it"
            raise drift_at(self.part.run.id, planned, "missing_dependency", expected, found)
