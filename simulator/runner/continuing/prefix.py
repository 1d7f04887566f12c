"""Performs the beginning of a recorded run, and lets an agent go on live from there.

Today's agent decides everything once more, against the tape; what it calls is performed on the site as a strict replay
performs it, and recorded in the new run with the recorded result. So the agent has in mind what the recorded one had.
Not responsible for: which run, and up to where (``going_on``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from simulator.agent.blocks import CONTENT
from simulator.agent.contracts import AgentEvent, ModelCalled
from simulator.bindings import Bindings
from simulator.browser.effects.model import Rules
from simulator.config import Site
from simulator.errors import ToolError
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow, StepRow, VariableRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.bind import NOT_OWN
from simulator.replay.drift import Drift
from simulator.replay.effects.checking import EffectChecker
from simulator.replay.plan import Plan, PlannedStep
from simulator.replay.tape import Tape
from simulator.runner.accounts import registered_with
from simulator.runner.continuing.continuation import CannotGoOn, Live, Reached
from simulator.runner.continuing.taped import (
    Learned,
    TapedModel,
    TapedPeers,
    TapedPerformer,
    result_of,
)
from simulator.runner.replays.recorded_steps import step_performer
from simulator.runner.surroundings.environment import Held
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult
from simulator.tools.observing import SEEN, ObservingDispatcher

_NOT_GIVEN = NOT_OWN - {"file"}
"""Kinds of variables that no step gives."""
"""Kinds of variables that no action gives again."""
NEW_BROWSER = "From here on you act in a new browser, brought to where you were; every ref=… given out before is void."


@dataclass(frozen=True, slots=True)
class Prefix:
    """The beginning of a recorded run, as a new revision of it goes on from there.

    Attributes:
        recording: holds the run.
        run: the run.
        until: the first step that is not of the beginning, from 0.
        plan: what a replay performs of the beginning.
        tape: what its agent was answered until then.
        by_model: whether the run's agent had a model.
        model: what the new run's agent asks; None where it has no model.
        steps: how many may follow; None: as many as the persona allows.
        here: writes a recorded text for the place where the site is now.
        summary: nothing is to be kept that the new run had not done itself.
    """

    recording: Recording
    run: RunRow
    until: int
    plan: Plan
    tape: Tape
    by_model: bool
    model: TapedModel | None
    steps: int | None = None
    here: Callable[[str], str] = str
    summary: Mapping[str, object] = field(default_factory=dict)

    @property
    def results(self) -> object:
        """What the run's agent was answered until then."""
        return [step.result for step in self.recording.steps(self.run.id) if step.ordinal < self.until]

    def held(self, site: Site) -> Held:
        """Give what is held still of a browser by default; what the run has is compared by its own rules."""
        return Held.going_on(site, self.run.environment)

    def restore(self, bindings: Bindings) -> None:
        """Bind what the run knew from its beginning."""
        Learned([one for one in self.recording.variables(self.run.id) if one.step_id is None], bindings)

    def noting(self, recorder: RunRecorder, summary: Mapping[str, object]) -> None:
        """Keep how far the tasks have come."""
        recorder.add_summary(summary)

    async def reach(self, live: Live) -> Reached:
        """Say how the steps of the beginning are performed: each when the agent calls it."""
        harness, ctx, view = live.harness, live.connected.ctx, live.connected.view
        performer = live.connected.performer
        if performer is not None and not self.by_model:
            performer = TapedPerformer(self.tape, performer)
        playback = SitePlayback(self, live, observed=performer is not None)

        def tell(event: AgentEvent) -> None:
            if not (isinstance(event, ModelCalled) and self.model is not None and self.model.taped):
                view.tell(event)

        return Reached(
            tape=self.tape,
            answer=playback.answer,
            shown=playback.shown,
            performer=performer,
            more=self.steps,
            peers=TapedPeers(self.recording, self.run, ctx.bindings, live=view.peers, journal=harness.journal),
            tell=tell,
        )


class SitePlayback:
    """Performs recorded calls on the site, and gives their recorded results.

    Args:
        prefix: the beginning.
        live: what goes on after it.
        observed: whether who goes on gets what the page shows.
    """

    def __init__(self, prefix: Prefix, live: Live, *, observed: bool) -> None:
        plan, ctx = prefix.plan, live.connected.ctx
        self._prefix = prefix
        self._ctx = ctx
        self._journal = live.harness.journal
        self._recorder = live.harness.recorder
        self._live = live.dispatcher
        self._observed = observed
        self._planned: Mapping[str, PlannedStep] = {planned.step.id: planned for planned in plan.steps}
        before = {*self._planned, *(dropped.step.id for dropped in plan.dropped)}
        self._variables = [one for one in plan.variables if one.step_id in before]
        self._recorded = Bindings(ctx.bindings.values())
        self._learned = Learned(plan.variables, self._recorded)
        self._replayer = step_performer(
            live.harness.setup,
            ctx.session,
            self._recorder,
            prefix.recording,
            prefix.run.id,
            self._variables,
            seed=ctx.seed,
            effects=EffectChecker(
                plan.expected, effect_ms=ctx.settings.browser.effect_ms, keep=self._recorder.add_effects
            ),
        )

    def shown(self, text: str) -> str:
        """Write a text with the values that its variables had, or have."""
        return self._ctx.bindings.shown(self._recorded.shown(text))

    async def answer(self, step: StepRow, call: ToolCall) -> ToolResult:
        """Perform one call.

        Raises:
            CannotGoOn: the site is not as it was.
        """
        written = ToolCall(id=call.id, name=call.name, input=step.input)
        step_id = self._journal.begin_step(call=written, replay=step.replay, task=step.task, withheld=step.withheld)
        try:
            await self._perform(step, step_id)
        except (Drift, ToolError) as error:
            said = error.report.sentence if isinstance(error, Drift) else error.message
            failure = ToolFailure(type="rejected", message=said)
            self._journal.end_step(step_id, ToolResult(success=False, error=failure))
            place = step.ordinal + 1
            raise CannotGoOn(f"the site is not as it was recorded, before step {place} was over: {said}") from error
        self._learned.by(step.id)
        if self._prefix.tape.over:
            expected = self._prefix.plan.expected
            self._replayer.lead(expected.rules if expected.version else Rules())
        result = result_of(step, self._prefix.recording.blobs.read, self._prefix.here)
        if self._prefix.tape.over and self._observed:
            seen = await ObservingDispatcher(self._live, self._ctx).news()
            result = with_note(result, f"{NEW_BROWSER}\n{seen}")
        self._journal.end_step(step_id, result)
        return result

    async def _perform(self, step: StepRow, step_id: str) -> None:
        ctx = self._ctx
        for variable in self._variables:
            if variable.step_id == step.id:
                self._bind(variable, step_id)
        planned = self._planned.get(step.id)
        if planned is None:
            return
        await self._replayer.perform(planned)
        if step.tool == "register" and planned.actions:
            ctx.registered[ctx.actor.name] = registered_with(planned.actions)

    def _bind(self, variable: VariableRow, step_id: str) -> None:
        """Bind a variable that the step gave and no action gives again."""
        if variable.kind not in _NOT_GIVEN and variable.action_id is None and variable.value is not None:
            self._ctx.bindings.set(variable.name, variable.value)
            self._recorder.variables.set(variable.name, variable.value, kind=variable.kind, step_id=step_id)


def with_note(result: ToolResult, note: str) -> ToolResult:
    """Add a note where a model is shown it: beside a result, or among the blocks of a toolset's member.

    Args:
        result: what a call came to.
        note: what it gets besides.
    """
    data = result.data
    if isinstance(data, dict) and isinstance(blocks := data.get(CONTENT), list):
        told: dict[str, JsonValue] = {"type": "text", "text": note}
        return result.model_copy(update={"data": {**data, CONTENT: [told, *blocks]}})
    return result.model_copy(update={"metadata": {**result.metadata, SEEN: note}})
