"""One repair: a model at the tools of a replayed run, from where it came to an end to where the task was over.

Responsible for the wiring, and for the order: has it taken effect, the model, the checks, the page that comes next. Not
responsible for: any of these, or when a repair may be.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from pydantic import JsonValue

from simulator.agent.loop import run_agent
from simulator.agent.repairer import Pursuer, Repairer
from simulator.config.settings import Screenshots
from simulator.errors import ToolError
from simulator.persona import Persona
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, EffectRow, StepRow, WriteRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.bind import Part, bind_files, read_row
from simulator.replay.drift import Drift
from simulator.replay.learning.agreement import before_effects
from simulator.replay.left.beside import addresses
from simulator.replay.perform import StepPerformer
from simulator.replay.plan import IdentityPolicy
from simulator.runner import events
from simulator.runner.accounts import registered_with
from simulator.runner.interrupted.resume_past import Past
from simulator.runner.interrupted.took_effect import Looker
from simulator.runner.performing.harness import Harness
from simulator.runner.performing.performers import Performers
from simulator.runner.repairs.repair import NotRepaired
from simulator.runner.repairs.repair_check import Check, Done, Verified
from simulator.runner.repairs.repair_effect import has_taken_effect, taken_write
from simulator.runner.repairs.repair_ending import Ending
from simulator.runner.repairs.repair_segment import Segment
from simulator.runner.repairs.repair_words import goal, task_of, words_of_actions
from simulator.runner.spending import Budget, Spending
from simulator.runner.stop import Stop
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.recording_dispatcher import TypingWatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a repair came to."""

    begun: str
    """The replay's step at which the recorded steps came to an end."""
    done: frozenset[str]
    """The steps that were done instead."""
    did: tuple[str, ...]
    said: str
    steps: int
    spending: Spending
    verified: Verified


@dataclass(slots=True, kw_only=True)
class Worker:
    """Has parts of one run done by a model.

    Attributes:
        part: the run.
        recording: holds it.
        policy: who performs it.
        performers: have the model.
        budget: of all repairs of the replay.
        steps: calls of one repair.
        stop: ends the whole replay.
        db: where the replay is recorded.
        setup: what the user acts with.
        session: the run's actors.
        recorder: of the run's replay.
        watch: the recorder of the actors.
        replayer: performs the recorded steps.
        listener: gets what happens.
        screenshots: which are kept.
    """

    part: Part
    recording: Recording
    policy: IdentityPolicy
    performers: Performers
    budget: Budget
    steps: int
    stop: Stop
    db: Path
    setup: RunSetup
    session: Session
    recorder: RunRecorder
    watch: TypingWatch
    replayer: StepPerformer
    listener: events.Listener
    screenshots: Screenshots
    spent: Spending = field(default_factory=Spending)
    """What was asked of models."""

    async def work(self, segment: Segment, drift: Drift) -> Work | None:
        """Have a part of the run done.

        Args:
            segment: the part.
            drift: why it cannot be performed.

        Returns:
            None where the replay was asked to stop.

        Raises:
            NotRepaired: it was not done, or is not for a model to do.
            Unlike: it was done in another way than was recorded.
            ModelRefused: the API takes no request of this kind.
            ModelUnavailable: no model answers.
        """
        self._refuse(segment)
        repair = _Repair(self, segment, drift)
        try:
            return await repair.work()
        finally:
            self.spent += repair.spent

    def _refuse(self, segment: Segment) -> None:
        """See that a model could do a part of the run as it was recorded, and that it can be known whether it did."""
        if before_effects(self.part.run, self.part.plan):
            raise NotRepaired(
                f"recorded before effects, so nobody could see what is done: 'sim prove {self.part.run.id}'"
            )
        if len({action.actor for action in segment.actions}) > 1:
            raise NotRepaired("several users act in the rest of this task")
        if self.policy == "fresh" and any(action.choice for action in segment.actions):
            raise NotRepaired("what a fresh user chooses in the rest of this task is drawn by a rule, not by a model")

    def persona(self) -> Persona:
        """Give whom the run was recorded as, with the bounds of a repair."""
        run, identity = self.part.run, self.part.identity
        definition = run.environment.get("persona") or {
            "persona": "user",
            "about": "Uses this site.",
            "locale": identity.locale,
            "timezone": identity.timezone,
            "tasks": ["login"],
        }
        persona = read_row(Persona, definition, run)
        return persona.model_copy(update={"limits": persona.limits.model_copy(update={"steps": self.steps})})


class _Repair:
    """One repair of a run."""

    def __init__(self, worker: Worker, segment: Segment, drift: Drift) -> None:
        self._of = worker
        self._segment = segment
        self._drift = drift
        self._ids = count(1)
        self._looked: set[str] = set()
        """Steps that only looked for what had taken effect."""
        self._tab = False
        """Whether they look in a tab of their own."""
        self._persona = worker.persona()
        self._harness = Harness(
            worker.setup,
            self._persona,
            worker.performers,
            worker.recorder,
            watch=worker.watch,
            number=worker.part.run.number,
            listener=worker.listener,
            screenshots=worker.screenshots,
            budget=worker.budget,
            label=segment.task or None,
        )
        self._shown = worker.setup.shown
        self._tools = self._harness.connect(worker.session)
        self._ctx = self._tools.ctx

    @property
    def spent(self) -> Spending:
        """What was asked of the model."""
        return self._harness.log.spent

    async def work(self) -> Work | None:
        worker, segment = self._of, self._segment
        actor = worker.replayer.actor
        await worker.session.open(actor.name)
        actor.urls.expect(None)
        await self._prepare()
        begun = self._read()[0][-1]
        undone = await self._see_effect(begun)
        end = await self._ask(undone)
        if end is None:
            return None
        await worker.session.open(actor.name)
        actor.urls.expect(None)
        if worker.replayer.healer is not None:
            worker.replayer.healer.waited = -1
        steps, actions = self._read()
        done = frozenset(step.id for step in steps if step.ordinal > begun.ordinal) - self._looked
        own = [action for action in actions if action.step_id in done]
        before = [action for action in actions if action.step_id not in done]
        writes, effects = self._observed()
        waits_s = worker.setup.resources.settings.browser.effect_ms / 1000
        check = Check(
            actor, worker.recording, worker.part.run.id, segment, begun.id, Done(before, own, writes, effects), waits_s
        )
        verified = await check.verify()
        # What is seen now takes the place of what was seen when it was recorded.
        if seen := await actor.effects.look_back(addresses(check.places(), actor)):
            worker.recorder.add_effects(actor.observer.last_action, seen)
        for name in verified.renamed.values():
            worker.recorder.variables.set(name, worker.setup.bindings.get(name), kind="site", step_id=own[-1].step_id)
        ending = Ending(actor, segment, self._ctx, worker.recorder, worker.part.plan.variables, self._call)
        await ending.take_shown(own, verified)
        await ending.arrive()
        await ending.see_session(any(taken_write(action) for action in own))
        steps, actions = self._read()
        done = frozenset(step.id for step in steps if step.ordinal > begun.ordinal) - self._looked
        changing = [action for action in actions if action.step_id in done]
        return Work(
            begun=begun.id,
            done=done,
            did=tuple(words_of_actions(changing, self._shown)),
            said=end,
            steps=self._harness.log.calls,
            spending=self._harness.log.spent,
            verified=verified,
        )

    def _read(self) -> tuple[Sequence[StepRow], Sequence[ActionRow]]:
        """Read what the replay has done so far."""
        with Recording.open(self._of.db) as recording:
            run_id = self._of.recorder.id
            return recording.steps(run_id), recording.actions(run_id)

    def _observed(self) -> tuple[Sequence[WriteRow], Sequence[EffectRow]]:
        """Read what the replay has sent so far, and what was seen of it."""
        with Recording.open(self._of.db) as recording:
            run_id = self._of.recorder.id
            return recording.writes(run_id), recording.effects(run_id)

    async def _prepare(self) -> None:
        """Bind what the recorded steps would have bound, and let the tools know what the user has done so far."""
        worker = self._of
        for planned in self._segment.open:
            if not planned.actions:
                try:
                    await bind_files(
                        planned.step, worker.part, worker.policy, worker.setup.bindings, worker.setup.resources.pictures
                    )
                except ToolError as error:
                    raise NotRepaired(error.message) from error
        before = [one for one in worker.part.plan.steps if one.step.ordinal < self._segment.out[0].ordinal]
        uploads = [one for planned in (*before, *self._segment.open) for one in planned.actions if one.kind == "upload"]
        for action in uploads if worker.policy != "fresh" else ():
            if source := str(action.options.get("source", "")):
                image = worker.recording.blobs.read(str(action.options["sha256"]))
                await worker.setup.resources.pictures.keep(worker.setup.bindings.render(source), image)
        for action in self._segment.actions:
            chosen = worker.replayer.names.get(action.id)
            if chosen is not None and worker.setup.bindings.get(chosen.name) is None:
                worker.setup.bindings.set(chosen.name, chosen.value or "")
        for planned in before:
            if planned.step.tool == "register" and planned.actions:
                self._ctx.registered[planned.actions[0].actor] = registered_with(planned.actions)

    async def _see_effect(self, begun: StepRow) -> str:
        """See that the step at which it came to an end has not taken effect, and be where it was.

        Returns:
            By what that is known.
        """
        steps, actions = self._read()
        writes, effects = self._observed()
        own: dict[str, list[ActionRow]] = {}
        for action in actions:
            own.setdefault(action.step_id, []).append(action)
        past = Past(
            self._of.part.run,
            self._persona,
            tuple(step for step in steps if step.id != begun.id),
            (begun,),
            {step_id: tuple(some) for step_id, some in own.items()},
            writes=tuple(writes),
            effects=tuple(effects),
        )
        finding = await has_taken_effect(self._drift, begun, past, Looker(self._ctx, self._tools.view, self._look))
        if finding.took is None:
            raise NotRepaired(f"whether it took effect is not known: {finding.seen}")
        if finding.took:
            raise NotRepaired(f"it took effect: {finding.seen}")
        last = own.get(begun.id, [])[-1:]
        if self._tab:
            await self._aside("close_tab", {})
        elif self._looked and last and last[0].before is not None:
            await self._call("navigate", {"url": last[0].before.url})
        return finding.seen

    async def _look(self, tool: str, input: dict[str, JsonValue]) -> ToolResult:
        """Make a call that changes nothing, in a tab of its own: the page that it came to is needed still."""
        if not self._looked:
            self._tab = (await self._aside("open_tab", {})).error is None
        return await self._aside(tool, input)

    async def _aside(self, tool: str, input: dict[str, JsonValue]) -> ToolResult:
        """Make a call that is none of what is done instead."""
        result = await self._call(tool, input)
        self._looked.add(self._harness.journal.last_step or "")
        return result

    async def _call(self, tool: str, input: dict[str, JsonValue]) -> ToolResult:
        call = ToolCall(id=f"repair_{next(self._ids)}", name=tool, input=input)
        return await self._tools.dispatcher.dispatch(call)

    async def _ask(self, undone: str) -> str | None:
        """Let the model do it.

        Args:
            undone: by what it is known that the step had no effect.

        Returns:
            What it says; None where the replay was asked to stop.
        """
        worker, over = self._of, self._of.budget.stop
        performer = self._tools.performer
        assert isinstance(performer, Pursuer), "a repair has a model"
        page = await self._tools.observer.news() if self._tools.observer else ""
        task = task_of(worker.part.run, self._persona.tasks, self._segment)
        text = goal(self._segment, self._drift.report, task, self._shown, page, undone)
        end = await run_agent(
            Repairer(performer, text),
            self._tools.dispatcher,
            self._tools.view,
            stop=lambda: worker.stop.requested or over.requested,
            stopping=self._stopping,
            allowed=worker.budget.step,
            ends_by_tool=False,
        )
        worker.recorder.model_calls.settle()
        if worker.stop.requested:
            return None
        if end.end != "finished":
            gave_up = end.end == "gave_up"
            said = over.reason or end.reason
            raise NotRepaired(f"the model gave up: {self._shown(said)}" if gave_up else said)
        return self._shown(end.reason)

    async def _stopping(self) -> None:
        """Wait until no more may be done."""
        waiting = [asyncio.ensure_future(one.wait()) for one in (self._of.stop, self._of.budget.stop)]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in waiting:
                one.cancel()
