"""Replaying one run: its part, an actor, and a recorder of the replay. Not responsible for: the batch."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from simulator.browser.acting.pace import Beat, Pace, human_beats, recorded_beats
from simulator.browser.action_recorder import ActionRecorder
from simulator.canonical import EFFECTS
from simulator.config.settings import Screenshots
from simulator.errors import BrowserCrashed, SimulatorError
from simulator.recording.reader import Recording
from simulator.recording.resuming import reopen_run
from simulator.replay.bind import Part, PartKey, values_of
from simulator.replay.drift import Drift, DriftReport, Verdict, an_error
from simulator.replay.effects.checking import EffectChecker, SecondPerformance
from simulator.replay.learning.pairing import Unlike
from simulator.replay.perform import StepPerformer
from simulator.replay.plan import IdentityPolicy, PlannedStep, effects_version
from simulator.replay.review import Review
from simulator.runner import events
from simulator.runner.batch_session import BatchSession
from simulator.runner.performing.journal import RunJournal
from simulator.runner.performing.unrecorded import Unrecorded
from simulator.runner.replays.checkpoints import CheckpointingRecorder
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.recorded_steps import step_performer
from simulator.runner.replays.step_replay import StepReplayer
from simulator.runner.replays.under_way import LeftOut, UnderWay
from simulator.runner.surroundings.around import gone, has_gone
from simulator.runner.surroundings.environment import Held, describe
from simulator.runner.surroundings.resources import Resources
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.runner.surroundings.third_parties import recorded_third_parties
from simulator.secrets import Vault
from simulator.tools.recording_dispatcher import TypingWatch

if TYPE_CHECKING:
    from simulator.replay.mail import MailReader
    from simulator.runner.repairs.repairing import Repairs
    from simulator.runner.replays.begun import Begun
    from simulator.runner.replays.healing import Healing
    from simulator.runner.replays.returning import Returning


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReplayer:
    """Replays the runs of one batch."""

    batch: BatchSession
    policy: IdentityPolicy
    recording: Recording
    """What is replayed."""
    resources: Resources
    """Of the site on which it is."""
    progress: Progress
    others: Callable[[Part], Mapping[str, str]]
    """Gives what the user of a part knows of the others of its batch from the beginning."""
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
    pairings: dict[PartKey, dict[str, str]] = field(default_factory=dict)
    """Gets the id of what each recorded action has become, by its id, for the parts that are in it."""
    repairs: Repairs | None = None
    """None: what cannot be performed ends a run."""
    begun: Begun | None = None
    """Who had begun before, where a batch goes on."""
    vaults: dict[PartKey, Vault] = field(default_factory=dict)
    """Of the users who have begun, but for those who are let go of."""

    async def replay(self, part: Part) -> events.ReplayedRun:
        """Replay one run.

        Raises:
            SimulatorError: the whole replay cannot go on.
        """
        try:
            one = self._begin(part)
        except Unlike as unlike:
            return self._left_out(part, str(unlike))
        try:
            async with self._open(one) as session:
                await self._perform_all(one, session)
        except SimulatorError as error:
            one.verdict = "environment"
            one.drift = DriftReport(one.verdict, part.run.id, 0, "", "the replay to go on", an_error(error))
            if not isinstance(error, BrowserCrashed):
                raise
        finally:
            self._end(one)
        if part.seat is not None:
            shutil.rmtree(one.setup.folder, ignore_errors=True)  # of a thousand users, files would add up
        return one.result(self.resources.vaults.mask)

    def _begin(self, part: Part) -> UnderWay:
        """Begin to record the replay of a run, or go on with one.

        Raises:
            Unlike: what it had done is not what its plan says.
        """
        res, run, identity = self.resources, part.run, part.identity
        held = Held.at_replay(res.site, run.environment, run.started_at, freeze_clock=self.freeze_clock)
        profile = held.profile(identity)
        values = {**self.others(part), **values_of(part, self.policy)}
        setup = RunSetup.of(res, identity, values)
        self.vaults[part.key] = setup.vault
        self.progress.begin(part.key, run.number, setup.bindings)
        cut = self.begun.cut_off(part) if self.begun else None
        recorder = (
            reopen_run(self.batch.recorder, cut.run.id)
            if cut
            else self.batch.recorder.begin_run(
                batch_id=self.batch.batch_id,
                number=part.number,
                kind="replay",
                agent=None,
                persona=run.persona,
                identity=identity.model_dump(mode="json"),
                environment={
                    **describe(res.site, profile, res.pool.version, None, self.batch.seed, held),
                    **_seated(part),
                },
                site=res.site.name,
                key_fingerprint=res.key.fingerprint,
                source_run=run.id,
                revision=run.revision,
            )
        )
        steps, username = len(part.plan.steps), values["identity.username"]
        self.batch.listener(events.RunStarted(part.number, recorder.id, run.persona or "", username, steps))
        healer = (
            self.healing.healer(part.plan, part.number, res.site, res.settings.browser.resolve_ms)
            if self.healing
            else None
        )
        watch = TypingWatch(recorder) if self.repairs else None
        return UnderWay(part, held, profile, setup.of_run(recorder.id), recorder, username, healer, watch, cut)

    def _open(self, one: UnderWay) -> AbstractAsyncContextManager[Session]:
        """Open the session of a run in a folder of its own."""
        res, identity = self.resources, one.part.identity
        one.setup.open_folder(files=self.policy == "fresh" or self.repairs is not None)
        # A site that still holds what these users sent would take what is drawn again for the same thing.
        again = [self.batch.batch_id] if self.policy == "reuse" else []
        recorded = one.held.third_parties == "recorded"
        still = one.held.stillness(self.batch.seed, identity.persona, identity.seed, identity.number, *again)
        watch: ActionRecorder = one.watch or one.recorder
        if self.begun and self.begun.keep:
            watch = CheckpointingRecorder(watch, self.begun.keep)
        return one.setup.session(
            one.profile,
            one.recorder,
            watch=watch,
            still=replace(still, effects=effects_version(one.part.run) or EFFECTS),
            third_parties=recorded_third_parties(self.recording, one.part.run, res, one.bindings) if recorded else None,
        )

    def _performer(self, one: UnderWay, session: Session) -> StepPerformer:
        """Give what performs the recorded steps of a run."""
        plan, resolving = one.part.plan, self.resources.settings.browser
        return step_performer(
            one.setup,
            session,
            one.recorder,
            self.recording,
            one.part.run.id,
            plan.variables,
            seed=self.batch.seed,
            fresh=self.policy == "fresh",
            repeats=self.policy == "same",
            healer=one.healer,
            review=self.review,
            effects=EffectChecker(
                plan.expected,
                effect_ms=resolving.effect_ms,
                keep=one.recorder.add_effects,
                fresh=self.policy == "fresh",
            ),
            second=self.second,
            beats=self._beats(one.part),
            rest=self.batch.stop.pause,
        )

    async def _perform_all(self, one: UnderWay, session: Session) -> None:
        """Perform all steps of a run, and note what stopped it."""
        res = self.resources
        one.performer = performer = self._performer(one, session)
        returning: Returning | None = None
        if self.policy == "reuse":
            from simulator.runner.replays.returning import Returning

            returning = Returning(one.part.plan, one.setup, session, RunJournal(one.recorder))
        mail: MailReader | None = None
        if one.part.plan.reads_mail:
            from simulator.replay.mail import MailReader

            mail = MailReader(one.part.plan, await res.inbox(known=one.cut is None), one.bindings, one.setup.vault)
        if self.repairs and one.watch:
            one.repairer = self.repairs.of_run(
                one.part, performer, setup=one.setup, session=session, recorder=one.recorder, watch=one.watch,
                policy=self.policy, listener=self.batch.listener, progress=self.progress,
            )  # fmt: skip
        try:
            left = await self._come_back(one, session, performer) if one.cut else one.part.plan.steps
            steps = StepReplayer(
                batch=self.batch, policy=self.policy, recording=self.recording, resources=self.resources,
                progress=self.progress, screenshots=self.screenshots, run=one, performer=performer,
                returning=returning, mail=mail,
            )  # fmt: skip
            if await self._perform_steps(left, steps, session):
                mended: Verdict = "healed" if one.healer and one.healer.heals else "passed"
                one.verdict = "repaired" if one.repairer and one.repairer.done else mended
        except LeftOut as out:
            step, tool = (out.step.ordinal + 1, out.step.tool or "") if out.step else (0, "")
            where = "the user to go on where it was cut off"
            report = DriftReport("interrupted", one.part.run.id, step, tool, where, f"that {out}")
            one.drift = report.masked(res.vaults.mask)
        except Drift as found:
            performer.effects.stopped(performer.actor, session.actors())
            await self._judge(one, session, found)
        finally:
            one.writes = session.proofs()
            if self.second is not None:
                self.second.performed.update(performer.effects.performed_as)
            if one.part.key in self.pairings:
                self.pairings[one.part.key].update(performer.effects.performed_as)

    async def _come_back(self, one: UnderWay, session: Session, performer: StepPerformer) -> Sequence[PlannedStep]:
        """Bring a user that was cut off back to where it was; gives what is left of its plan.

        Raises:
            LeftOut: it cannot go on.
        """
        # Only who was cut off needs what asks the site, and with it every tool.
        from simulator.runner.replays.coming_back import ComingBack

        assert one.cut is not None
        assert self.begun is not None
        back = ComingBack(
            cut=one.cut,
            setup=one.setup,
            session=session,
            recorder=one.recorder,
            whole=self.batch.recorder,
            performer=performer,
            look=lambda setup: setup.session(one.profile, None, watch=Unrecorded()),
            assumed=self.begun.assumed,
        )
        left = await back.go()
        one.done = len(one.part.plan.steps) - len(left)
        if one.done:
            self.progress.reached(one.part.key, one.part.plan.steps[one.done - 1].place)
        return left

    def let_go(self, parts: Iterable[PartKey]) -> None:
        """Let go of the secrets of users for whom nobody waits any more."""
        for part in parts:
            if (vault := self.vaults.pop(part, None)) is not None:
                self.resources.vaults.retire(vault)

    def _left_out(self, part: Part, why: str) -> events.ReplayedRun:
        """Report a user that cannot go on, as nobody knows what its run did: it stays as it was."""
        assert self.begun is not None
        run_id, run = self.begun.runs[part.number].id, part.run
        self.progress.end(part.key)
        report = DriftReport("interrupted", run.id, 0, "", "the user to go on where it was cut off", f"that {why}")
        self.batch.listener(events.RunEnded(part.number, run_id, "interrupted", report.sentence, report.verdict))
        return events.ReplayedRun(
            number=part.number,
            source_run=run.id,
            run_id=run_id,
            persona=run.persona or "",
            username=part.identity.username,
            verdict=report.verdict,
            drift=report,
            steps=0,
            actions=0,
            seconds=0,
        )

    async def _perform_steps(self, left: Sequence[PlannedStep], steps: StepReplayer, session: Session) -> bool:
        """Perform what is left of the steps of a run; returns whether all of them were.

        Raises:
            Drift: one of them was not, and nobody repairs it.
        """
        one, returning = steps.run, steps.returning
        repairer, repaired = one.repairer, -1
        for planned in left:
            if self.batch.stop.requested:
                if (why := gone(self.resources.control)) == self.batch.stop.reason:  # another run has found that
                    one.verdict = "environment"
                    one.drift = DriftReport(one.verdict, one.part.run.id, 0, "", "the replay to go on", f"that {why}")
                return False
            if planned.step.ordinal <= repaired or (returning and planned.step.id in returning.over):
                continue
            try:
                if repairer:
                    repairer.check(planned)
                await steps.replay(planned)
            except Drift as found:
                if repairer is None or await self._is_alone(session):
                    raise
                last = await repairer.repair(planned, found)
                if last is None:
                    return False
                repaired = last
            one.done += 1
        return True

    async def _judge(self, one: UnderWay, session: Session, found: Drift) -> None:
        """Note what stopped a run: a drift, or that the browser or the site has gone."""
        control = self.resources.control
        one.drift = drift = found.report.masked(self.resources.vaults.mask)
        one.verdict = drift.verdict
        if not await session.alive() or session.crashed:
            one.verdict = "environment"
        elif await has_gone(control, self.batch.stop.pause):
            # Whatever was not as recorded: a page may show in words of its own that nobody answers it.
            one.verdict, why = "environment", gone(control)
            one.drift = replace(drift, verdict=one.verdict, found=f"{drift.found}; {why}")
            self.batch.stop.request(why)

    def _end(self, one: UnderWay) -> None:
        """Record how a run ended."""
        mask = self.resources.vaults.mask
        passed = one.verdict in ("passed", "healed", "repaired")
        self.progress.end(one.part.key, passed=passed)
        status: events.RunStatus = "passed" if passed else "interrupted" if one.verdict == "interrupted" else "failed"
        reason = one.drift.sentence if one.drift else ""
        one.recorder.end_run(status=status, verdict=one.verdict, reason=reason or None, summary=one.summary(mask))
        self.batch.listener(events.RunEnded(one.part.number, one.recorder.id, status, reason, one.verdict))

    async def _is_alone(self, session: Session) -> bool:
        """Return whether what is around a run has gone, so that nobody can repair anything."""
        return (
            session.crashed
            or not await session.alive()
            or await has_gone(self.resources.control, self.batch.stop.pause)
        )

    def _beats(self, part: Part) -> Mapping[str, Beat]:
        identity = part.identity
        actions = [action for planned in part.plan.steps for action in planned.actions]
        match self.pace:
            case "recorded":
                return recorded_beats(actions)
            case "human":
                speed = identity.traits.pace
                return human_beats(actions, speed, self.batch.seed, identity.persona, identity.seed, identity.number)
            case _:
                return {}


def _seated(part: Part) -> dict[str, dict[str, int | str]]:
    """Give where in a population a user stands, as it is stored with its run."""
    seat, run = part.seat, part.run
    if seat is None:
        return {}
    return {"cast": {"copy": seat.copy, "number": run.number, "instance": seat.instance, "original": run.original}}
