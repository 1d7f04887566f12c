"""Replaying one recorded step: waiting for what it needs of other runs, performing it, and recording it.

Not responsible for: what performs its actions (``simulator.replay``), or the run (``replay_run``).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.config.settings import Screenshots
from simulator.errors import ToolError
from simulator.recording.dependencies import ordinal_of
from simulator.recording.reader import Recording
from simulator.replay.bind import bind_files
from simulator.replay.drift import Drift, an_error
from simulator.replay.failing import drift_at
from simulator.replay.perform import StepPerformer
from simulator.replay.plan import IdentityPolicy, PlannedStep
from simulator.runner import events
from simulator.runner.batch_session import BatchSession
from simulator.runner.performing.wrappers import take_snapshot
from simulator.runner.repairs.repair_segment import needed_by
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.under_way import UnderWay
from simulator.runner.surroundings.resources import Resources
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult

if TYPE_CHECKING:
    from simulator.replay.mail import MailReader
    from simulator.runner.replays.returning import Returning

_WAIT_S = 600.0
"""How long a step waits for another run's step, in seconds."""
_LAST = 2**31
"""Stands after every step of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReplayer:
    """Replays the steps of one run."""

    batch: BatchSession
    policy: IdentityPolicy
    recording: Recording
    """What is replayed."""
    resources: Resources
    """Of the site on which it is."""
    progress: Progress
    screenshots: Screenshots
    run: UnderWay
    performer: StepPerformer
    """Performs its recorded actions."""
    returning: Returning | None
    """Lets the user come in where the account that a step opens is there already; None: nobody comes back."""
    mail: MailReader | None
    """Reads the mails that were read; None: none were."""

    async def replay(self, planned: PlannedStep) -> None:
        """Perform a step once what it needs is there, and record it.

        Raises:
            Drift: it is not as it was recorded.
        """
        step, part, performer = planned.step, self.run.part, self.performer
        recorder, bindings = self.run.recorder, self.run.bindings
        await self._await_needs(planned)
        began = time.monotonic()
        call = ToolCall(id=step.call_id or step.id, name=step.tool or "by_hand", input=step.input)
        step_id = recorder.begin_step(call=call, replay=step.replay, task=step.task)
        try:
            if not planned.actions:
                await bind_files(step, part, self.policy, bindings, self.resources.pictures)
            if self.mail:
                await self.mail.read(step, performer.actor)
            instead = await _perform(performer, planned, self.returning)
        except Drift as drift:
            picture = await self._picture(failed=True)
            report = drift.report.masked(self.resources.vaults.mask)
            failure = ToolFailure(type="rejected", message=report.sentence)
            recorder.end_step(step_id, ToolResult(success=False, error=failure, metadata=picture))
            self.batch.listener(events.StepDone(part.number, step.tool or "", False, time.monotonic() - began, step_id))
            raise
        except ToolError as error:
            recorder.end_step(
                step_id, ToolResult(success=False, error=ToolFailure(type=error.type, message=error.message))
            )
            found = an_error(error.message)
            raise drift_at(part.run.id, planned, "environment", "the replay to go on", found) from error
        kept = await self._picture(failed=False) | ({"instead": instead} if instead else {})
        # What was said by a person, a shell or a search is said again; to another user something else would be said.
        given = step.result if step.replay == "result" and self.policy != "fresh" else None
        recorder.end_step(step_id, ToolResult(success=True, data=given, metadata=dict(kept)))
        self.progress.reached(part.key, planned.place)
        self.batch.listener(events.StepDone(part.number, step.tool or "", True, time.monotonic() - began, step_id))

    async def _await_needs(self, planned: PlannedStep) -> None:
        """Wait for what a step needs of other runs, and take it over.

        Raises:
            Drift: it does not come.
        """
        part, bindings = self.run.part, self.run.bindings
        for need in planned.needs:
            producer = part.key_of(need.producer_run)
            ordinal = ordinal_of(self.recording, need.producer_step) if need.producer_step else _LAST
            if not await self.progress.wait(producer, ordinal, _WAIT_S):
                expected = f"{need.name}, made by run {need.producer_run}"
                raise drift_at(part.run.id, planned, "missing_dependency", expected, "none: that run ended before")
            gone = self.progress.lost_by(producer)
            if gone and (lost := sorted(gone & needed_by(planned))):
                expected = f"{', '.join(lost)}, made by run {need.producer_run}"
                raise drift_at(part.run.id, planned, "missing_dependency", expected, "none: a repair did not give it")
            for name, value in self.progress.shared_by(producer).items():
                if bindings.get(name) != value:
                    bindings.set(name, value)

    async def _picture(self, *, failed: bool) -> dict[str, str]:
        if self.screenshots == "none" or (self.screenshots == "failures" and not failed):
            return {}
        actor, recorder = self.performer.actor, self.run.recorder
        if failed:
            await take_snapshot(actor, recorder.keep_snapshot)
        try:
            return {"screenshot": recorder.put_blob(await actor.screenshots.take(), "image/png")}
        except ToolError:
            return {}


async def _perform(performer: StepPerformer, planned: PlannedStep, returning: Returning | None) -> str:
    """Perform a step; where the account that it opens is there already, let its user come in.

    Returns:
        What was done instead of the step; empty where it was performed.
    """
    try:
        await performer.perform(planned)
    except Drift as drift:
        instead = await returning.come_in(planned, drift.report) if returning else ""
        if not instead:
            raise
        return instead
    return ""
