"""Replaying one run: its part, an actor, and a recorder of the replay. Not responsible for: the batch."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.browser.actor import Actor
from simulator.browser.effects.model import Told
from simulator.browser.pace import Beat, Pace, human_beats, recorded_beats
from simulator.config.settings import Screenshots
from simulator.errors import BrowserCrashed, RecordingError, SimulatorError, ToolError
from simulator.filenames import base_name, stored_names
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.agreement import before_effects
from simulator.replay.bind import Part, bind_files, values_of
from simulator.replay.drift import Drift, DriftReport, Verdict
from simulator.replay.effects import EffectChecker, SecondPerformance
from simulator.replay.failing import drift_at
from simulator.replay.mail import MailReader, reads_mail
from simulator.replay.perform import Performer
from simulator.replay.plan import IdentityPolicy, PlannedStep
from simulator.replay.review import Review
from simulator.runner import events
from simulator.runner.around import gone, has_gone
from simulator.runner.environment import Held, describe
from simulator.runner.healing import Healing
from simulator.runner.progress import Progress
from simulator.runner.repair_stretch import needed_by
from simulator.runner.resources import Resources
from simulator.runner.session import Session
from simulator.runner.stop import Stop
from simulator.runner.third_parties import recorded_third_parties
from simulator.runner.wrappers import take_snapshot
from simulator.template import CHOICE, Bindings
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult
from simulator.tools.covers.service import CoverService
from simulator.tools.recording_dispatcher import TypingWatch

if TYPE_CHECKING:
    from simulator.runner.repairing import Repairs, RunRepairer
    from simulator.runner.returning import Returning

_WAIT_S = 600.0
"""How long a step waits for another run's step, in seconds."""
_SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


@dataclass(frozen=True, slots=True)
class RecordedFiles:
    """Puts uploads in place: the recorded bytes, or the cover of a fresh user's book."""

    recording: Recording
    recorder: RunRecorder
    covers: CoverService
    bindings: Bindings
    fresh: bool
    folder: Path

    async def path(self, source: str, sha256: str, name: str) -> tuple[Path, str, str]:
        """Put a file in place; on disk it goes by its hash, whatever the site is told."""
        try:
            name = base_name(name)
        except ValueError as error:
            raise RecordingError(f"{self.recording.path}: an upload is called {name[:80]!r}: {error}") from None
        if self.fresh and source:
            image = await self.covers.image(self.bindings.render(source))
            data, name = image.data, f"cover{_SUFFIX[image.media_type]}"
            media_type: str = image.media_type
        else:
            data, media_type = self.recording.blob(sha256), self.recording.media_type(sha256) or ""
        stored = self.recorder.put_blob(data, media_type)
        path = self.folder / stored_names({stored: media_type})[stored]
        path.write_bytes(data)
        return path, stored, name


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReplayer:
    """Replays the runs of one batch."""

    batch_id: str
    seed: str
    policy: IdentityPolicy
    recording: Recording
    recorder: Recorder
    resources: Resources
    progress: Progress
    others: Mapping[str, Mapping[str, str]]
    """What the users of a batch know of each other, by the id of the recorded batch."""
    listener: events.Listener
    stop: Stop
    screenshots: Screenshots
    healing: Healing | None = None
    """None: a run stops where strict evidence does not prove its element."""
    review: Review | None = None
    """None: a run stops where a page is otherwise than it was."""
    second: SecondPerformance | None = None
    """Set where it is to prove what it performs."""
    freeze_clock: bool | None = None
    """Whether the clock of the pages stands; None: as it was recorded."""
    pace: Pace = "none"
    """When actions are done: at once, as it was recorded, or as a person would."""
    repairs: Repairs | None = None
    """None: what cannot be performed ends a run."""

    async def replay(self, part: Part) -> events.ReplayedRun:
        """Replay one run.

        Raises:
            SimulatorError: the whole replay cannot go on.
        """
        res, run, identity = self.resources, part.run, part.identity
        held = Held.at_replay(res.site, run.environment, run.started_at, freeze_clock=self.freeze_clock)
        profile = held.profile(identity)
        # A site that still holds what these users sent would take what is drawn again for the same thing.
        again = [self.batch_id] if self.policy == "reuse" else []
        still = held.stillness(self.seed, identity.persona, identity.seed, identity.number, *again)
        values = {**self.others.get(run.batch_id, {}), **values_of(part, self.policy)}
        vault = res.vault(identity.persona, identity.seed, identity.number, identity.username)
        bindings = Bindings(values, secret=vault.reveal)
        self.progress.begin(run.original, run.number, bindings)
        recorder = self.recorder.begin_run(
            batch_id=self.batch_id,
            number=run.number,
            kind="replay",
            agent=None,
            persona=run.persona,
            identity=identity.model_dump(mode="json"),
            environment=describe(res.site, profile, res.pool.version, None, self.seed, held),
            site=res.site.name,
            key_fingerprint=res.key.fingerprint,
            source_run=run.id,
            revision=run.revision,
        )
        steps = len(part.plan.steps)
        self.listener(events.RunStarted(run.number, recorder.id, run.persona or "", values["identity.username"], steps))
        started = time.monotonic()
        verdict: Verdict = "interrupted"
        drift: DriftReport | None = None
        performer: Performer | None = None
        writes: tuple[Told, ...] = ()
        healer = self.healing.healer(part.plan, res.site, res.settings.browser.resolve_ms) if self.healing else None
        repairer: RunRepairer | None = None
        watch = TypingWatch(recorder) if self.repairs else None
        done = 0
        try:
            folder = res.folder / recorder.id
            folder.mkdir()
            recorded = held.third_parties == "recorded"
            opening = res.session(
                profile,
                recorder,
                sink=watch or recorder,
                bindings=bindings,
                vault=vault,
                still=still,
                third_parties=recorded_third_parties(self.recording, run, res, bindings) if recorded else None,
            )
            async with opening as session:
                performer = Performer(
                    run=run.id,
                    actor=session.current,
                    open_actor=session.open,
                    files=RecordedFiles(self.recording, recorder, res.covers, bindings, self.policy == "fresh", folder),
                    choosing=self.policy == "fresh",
                    repeats=self.policy == "same",
                    seed=self.seed,
                    login_path=res.site.route("login"),
                    names={
                        one.action_id: one
                        for one in part.plan.variables
                        if one.name.startswith(CHOICE) and one.action_id
                    },
                    minted=frozenset(one.name for one in part.plan.variables if one.name.startswith("site.")),
                    resolve_ms=res.settings.browser.resolve_ms,
                    healer=healer,
                    review=self.review,
                    effects=EffectChecker(expected=part.plan.expected, effect_ms=res.settings.browser.effect_ms),
                    second=self.second,
                    beats=self._beats(part),
                    rest=self.stop.pause,
                )
                returning: Returning | None = None
                if self.policy == "reuse":
                    from simulator.runner.returning import Returning

                    returning = Returning(part.plan, res, session, recorder, bindings, vault, folder)
                inbox = await res.inbox() if reads_mail(part.plan) else None
                mail = MailReader(part.plan, inbox, bindings, vault)
                if self.repairs and watch:
                    repairer = self.repairs.of_run(
                        part, performer, session=session, recorder=recorder, watch=watch, vault=vault, replayer=self
                    )
                repaired = -1
                try:
                    for planned in part.plan.steps:
                        if self.stop.requested:
                            if (why := gone(res.control)) == self.stop.reason:  # another run has found that
                                verdict = "environment"
                                drift = DriftReport(verdict, run.id, 0, "", "to go on", why)
                            break
                        if planned.step.ordinal <= repaired or (returning and planned.step.id in returning.over):
                            continue
                        try:
                            if repairer:
                                repairer.check(planned)
                            await self._step(part, planned, performer, recorder, bindings, returning, mail)
                        except Drift as found:
                            if repairer is None or await self._is_alone(session):
                                raise
                            last = await repairer.repair(planned, found)
                            if last is None:
                                break
                            repaired = last
                        done += 1
                    else:
                        mended: Verdict = "healed" if healer and healer.heals else "passed"
                        verdict = "repaired" if repairer and repairer.done else mended
                except Drift as found:
                    drift = found.report.masked(res.vaults.mask)
                    verdict = drift.verdict
                    performer.effects.stopped(performer.actor, session.actors())
                    if not await session.alive() or session.crashed:
                        verdict = "environment"
                    elif await has_gone(res.control, self.stop.pause):
                        # Whatever was not as recorded: a page may show in words of its own that nobody answers it.
                        verdict, why = "environment", gone(res.control)
                        drift = replace(drift, verdict=verdict, found=f"{drift.found}; {why}")
                        self.stop.request(why)
                finally:
                    writes = session.told()
                    if self.second is not None:
                        self.second.performed.update(performer.effects.performed_as)
        except SimulatorError as error:
            drift = DriftReport("environment", run.id, 0, "", "to go on", str(error))
            verdict = "environment"
            if not isinstance(error, BrowserCrashed):
                raise
        finally:
            passed = verdict in ("passed", "healed", "repaired")
            self.progress.end(run.original, passed=passed)
            status: events.RunStatus = "passed" if passed else "interrupted" if verdict == "interrupted" else "failed"
            reason = drift.sentence if drift else ""
            heals = tuple(heal.masked(res.vaults.mask) for heal in healer.heals) if healer else ()
            summary: dict[str, object] = {"steps": done} | ({"drift": asdict(drift)} if drift else {})
            skipped = tuple(performer.skipped) if performer else ()
            summary |= {"skipped": list(skipped)} if skipped else {}
            errors = tuple(f"step {at}: {error}" for error, at in performer.errors.items()) if performer else ()
            summary |= {"errors": list(errors)} if errors else {}
            checks = dict(sorted((+(performer.checks + performer.effects.checks)).items())) if performer else {}
            summary |= {"checks": checks} if checks else {}
            summary |= {"heals": [asdict(heal) for heal in heals]} if heals else {}
            summary |= {"writes": [asdict(one) for one in writes]} if writes else {}
            repairs = tuple(repairer.done) if repairer else ()
            summary |= {"repairs": [repair.as_summary() for repair in repairs]} if repairs else {}
            summary |= repairer.spent.summary() if repairer else {}
            recorder.end_run(status=status, verdict=verdict, reason=reason or None, summary=summary)
            self.listener(events.RunEnded(run.number, recorder.id, status, reason, verdict))
        return events.ReplayedRun(
            number=run.number,
            source_run=run.id,
            run_id=recorder.id,
            persona=run.persona or "",
            username=values["identity.username"],
            verdict=verdict,
            drift=drift,
            steps=done,
            actions=performer.performed if performer else 0,
            seconds=time.monotonic() - started,
            heals=heals,
            repairs=repairs,
            skipped=skipped,
            errors=errors,
            checks=checks,
            writes=writes,
            before_effects=before_effects(run, part.plan),
            cut_short="" if run.status == "passed" else run.ending,
        )

    async def _is_alone(self, session: Session) -> bool:
        """Tell whether what is around a run has gone, so that nobody can repair anything."""
        return session.crashed or not await session.alive() or await has_gone(self.resources.control, self.stop.pause)

    async def _step(
        self,
        part: Part,
        planned: PlannedStep,
        performer: Performer,
        recorder: RunRecorder,
        bindings: Bindings,
        returning: Returning | None,
        mail: MailReader,
    ) -> None:
        step = planned.step
        for need in planned.needs:
            if not await self.progress.wait(need.producer_run, self._ordinal(need.producer_step), _WAIT_S):
                sought = f"{need.name}, made by run {need.producer_run}"
                raise drift_at(part.run.id, planned, "missing_dependency", sought, "that run ended before")
            gone = self.progress.lost_by(need.producer_run)
            if gone and (lost := sorted(gone & needed_by(planned))):
                sought = f"{', '.join(lost)}, made by run {need.producer_run}"
                raise drift_at(part.run.id, planned, "missing_dependency", sought, "a repair did not give it")
            for name, value in self.progress.shared_by(need.producer_run).items():
                if bindings.get(name) != value:
                    bindings.set(name, value)
        began = time.monotonic()
        call = ToolCall(id=step.call_id or step.id, name=step.tool or "by_hand", input=step.input)
        step_id = recorder.begin_step(call=call, replay=step.replay, task=step.task)
        try:
            if not planned.actions:
                await bind_files(step, part, self.policy, bindings, self.resources.covers)
            await mail.read(step, performer.actor)
            instead = await _perform(performer, planned, returning)
        except Drift as drift:
            picture = await self._picture(performer.actor, recorder, failed=True)
            report = drift.report.masked(self.resources.vaults.mask)
            failure = ToolFailure(type="rejected", message=report.sentence)
            recorder.end_step(step_id, ToolResult(success=False, error=failure, metadata=picture))
            self.listener(events.StepDone(part.run.number, step.tool or "", False, time.monotonic() - began, step_id))
            raise
        except ToolError as error:
            recorder.end_step(
                step_id, ToolResult(success=False, error=ToolFailure(type=error.type, message=error.message))
            )
            raise Drift(
                DriftReport("environment", part.run.id, step.ordinal + 1, step.tool or "", "to go on", error.message)
            ) from error
        told = await self._picture(performer.actor, recorder, failed=False) | ({"instead": instead} if instead else {})
        # What was said by a person, a shell or a search is said again; to another user something else would be said.
        given = step.result if step.replay == "result" and self.policy != "fresh" else None
        recorder.end_step(step_id, ToolResult(success=True, data=given, metadata=dict(told)))
        self.progress.reached(part.run.original, planned.place)
        self.listener(events.StepDone(part.run.number, step.tool or "", True, time.monotonic() - began, step_id))

    def _beats(self, part: Part) -> Mapping[str, Beat]:
        identity = part.identity
        actions = [action for planned in part.plan.steps for action in planned.actions]
        match self.pace:
            case "recorded":
                return recorded_beats(actions)
            case "human":
                speed = identity.traits.pace
                return human_beats(actions, speed, self.seed, identity.persona, identity.seed, identity.number)
            case _:
                return {}

    def _ordinal(self, step_id: str | None) -> int:
        return self.recording.ordinal(step_id) if step_id else 2**31

    async def _picture(self, actor: Actor, recorder: RunRecorder, *, failed: bool) -> dict[str, str]:
        if self.screenshots == "none" or (self.screenshots == "failures" and not failed):
            return {}
        if failed:
            await take_snapshot(actor, recorder.keep_snapshot)
        try:
            return {"screenshot": recorder.put_blob(await actor.screenshot(), "image/png")}
        except ToolError:
            return {}


async def _perform(performer: Performer, planned: PlannedStep, returning: Returning | None) -> str:
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
