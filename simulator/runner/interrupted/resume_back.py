"""Brings a run that was cut off back to where it was: its variables, its sessions, its page, and what is known of it.

Not responsible for: the batch (``resume``), whether something took effect (``took_effect``), or going on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pydantic import JsonValue

from simulator.agent.contracts import RunView
from simulator.bindings import Bindings
from simulator.canonical import map_strings
from simulator.config import Site
from simulator.persona import Identity
from simulator.recording.documents import Metadata
from simulator.recording.generations import plain_name
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.resuming import RESUME, mark_step, settle_step
from simulator.recording.rows import StepRow, VariableRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.bind import shared_variables
from simulator.replay.plan import effects_version
from simulator.replay.tape import Tape
from simulator.runner.accounts import registered_with
from simulator.runner.continuing.continuation import CannotGoOn, Live, Reached
from simulator.runner.continuing.taped import result_of
from simulator.runner.interrupted.resume_memory import RememberingPerformer
from simulator.runner.interrupted.resume_past import Past, Sent, Stay
from simulator.runner.interrupted.resume_writes import Cut, look_where_found, watch_again, watch_cut
from simulator.runner.interrupted.took_effect import Looker, took_effect
from simulator.runner.interrupted.took_press import Finding
from simulator.runner.performing.journal import RunJournal
from simulator.runner.surroundings.environment import Held
from simulator.template import CHOICE
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import TimeoutDispatcher, ToolDispatcher
from simulator.tools.pages.answers import page_as_json
from simulator.tools.recording_dispatcher import RecordingDispatcher
from simulator.tools.spec import Replay
from simulator.tools.toolsets import registry_of

_GENERATED = "site."
_SAID = "as the person said who resumed the run"
_PASSING = (CHOICE, "file.", _GENERATED)
"""Variables that are bound again where their step is begun again."""


class _Cut(NamedTuple):
    """What became of the step that a run was cut off in."""

    settled: StepRow | None = None
    """The step, as it took effect; None: it is done again, or there was none."""
    write: tuple[Sent, Finding] | None = None
    """What it sent, and by what that is known to have taken effect."""
    there: bool = False
    """Whether the user is on the page to which it led."""
    known: str = ""
    """What a model reads of it."""


@dataclass(slots=True)
class Return:
    """What a run did that was cut off, and how it comes back to where it was.

    Attributes:
        past: what it did.
        whole: the recording.
        assumed: what a person says of steps, by their place from 1: whether each took effect.
    """

    past: Past
    whole: Recorder
    assumed: Mapping[int, bool] = field(default_factory=dict)
    _variables: Sequence[VariableRow] = ()

    @property
    def summary(self) -> Mapping[str, object]:
        """What is kept of a run that cannot go on: all that was there."""
        return self.past.run.summary or {}

    @property
    def results(self) -> object:
        """What its agent was answered and said."""
        return [[step.result, step.input] for step in self.past.steps]

    def noting(self, recorder: RunRecorder, summary: Mapping[str, object]) -> None:
        """Keep how far the tasks have come, once they have come further than they had."""
        tasks = summary["tasks"]
        if isinstance(tasks, list) and len(tasks) > len(self.past.outcomes):
            recorder.add_summary(summary)

    def held(self, site: Site) -> Held:
        """Give what was held still of the browser that was lost."""
        run = self.past.run
        held = Held.at_replay(site, run.environment, run.started_at, freeze_clock=None)
        return replace(held, effects=effects_version(run) or held.effects)

    def restore(self, bindings: Bindings) -> None:
        """Bind what the run had learned, in the order in which it did."""
        with Recording.open(self.whole.path) as recording:
            found = recording.variables(self.past.run.id)
            dropped = {step.id for step in recording.steps(self.past.run.id) if step.flags.get(RESUME) == "anew"}
            for name, value in _of_others(recording, self.past.run.id).items():
                bindings.set(name, value)
        kept = [one for one in found if not (one.step_id in dropped and one.name.startswith(_PASSING))]
        self._variables = sorted(kept, key=lambda one: (one.step_id or "", one.action_id or "", one.name))
        for variable in self._variables:
            if variable.value is not None and not variable.name.startswith(_GENERATED):
                bindings.set(variable.name, variable.value)

    async def reach(self, live: Live) -> Reached:
        """Log in, look what took effect of what was cut off, and go where the run was.

        Raises:
            CannotGoOn: the user cannot log in any more, or it cannot be known what took effect.
            SiteUnreachable: the site does not answer any more.
            BrowserCrashed: the page crashed.
        """
        past, ctx = self.past, live.connected.ctx
        back = _Back(live, self.whole, past)
        self._remember(ctx)
        await self._begin_anew(ctx, past.broken)
        stays, _ = past.stays(past.steps)
        for name, stay in stays.items():
            if stay.login is not None:
                await self._log_in(ctx, back, name, stay)
        cut = await self._look_for_cut(live, back)
        await watch_again(ctx, past)
        if cut.write is not None:
            await self._go_on_looking(live, *cut.write)
        given = [*past.steps, *([cut.settled] if cut.settled else [])]
        count, ids = past.given(cut.settled is not None), {one.id for one in given}
        await self._begin_anew(ctx, [*given[count:], *(one for one in past.lost if one.id not in ids)])
        stays, current = past.stays(given[:count])
        await self._go(ctx, back, stays, current, cut.there)
        return self._reached(live, Tape(given[:count], ended=False), cut.known)

    async def _look_for_cut(self, live: Live, back: _Back) -> _Cut:
        """Find out whether the step that was cut off took effect, and store what became of it."""
        if self.past.cut is None:
            return _Cut()
        step, sent = self.past.cut
        ctx = live.connected.ctx
        known_before = ctx.bindings.values().keys()
        looked = len(back.steps)
        finding = await self._found(ctx, live.connected.view, back, step, sent)
        if finding.took:
            settled = await self._settled(ctx, back, step, sent, finding)
            there = finding.url != "" or not (sent.answered or finding.seen == _SAID)
            return _Cut(settled, (sent, finding), there)
        mark_step(self.whole, step.id, "anew", finding.seen)
        for looking in back.steps[looked:]:
            mark_step(self.whole, looking, "anew")
        await _forget(ctx, ctx.bindings.values().keys() - known_before)
        return _Cut(known=f"Your last call, {step.tool}, had not taken effect ({finding.seen}): do it anew.")

    def _reached(self, live: Live, tape: Tape, known: str) -> Reached:
        """Say what its agent is answered of what was done before: its results, and nothing is done again."""
        ctx, journal = live.connected.ctx, live.harness.journal
        past, performer = self.past, live.connected.performer

        async def give(step: StepRow, call: ToolCall) -> ToolResult:
            journal.passed(step.id)
            if step.withheld:
                self._make_whole(ctx, journal, step, call)
            return result_of(step, journal.blob)

        if performer or past.run.agent != "autopilot":
            performer = RememberingPerformer(performer, tape, past.outcomes, past.ends, known)
        return Reached(tape=tape, answer=give, shown=ctx.bindings.shown, performer=performer)

    def _remember(self, ctx: RunContext) -> None:
        """Give the tools what they know of the run, beside its variables."""
        choices = {one.id for own in self.past.actions.values() for one in own if one.aim == "choice"}
        for variable in self._variables:
            if variable.value is not None and variable.name.startswith(_GENERATED):
                ctx.actor.urls.variables.depart("", choosing=variable.action_id in choices)
                ctx.actor.urls.variables.learn(variable.name, variable.value)
        for step in (*self.past.steps, *self.past.lost):
            if step.tool == "register" and (actions := self.past.actions.get(step.id)):
                ctx.registered[plain_name(actions[0].actor)] = registered_with(actions)

    async def _log_in(self, ctx: RunContext, back: _Back, name: str, stay: Stay) -> None:
        await ctx.session.open(name)
        given = dict(stay.login or {})
        own = [ctx.bindings.get("identity.username"), ctx.bindings.get("identity.email")]
        if stay.named and "username" not in given and stay.named not in own:
            given["username"] = stay.named  # whoever registered since took the run's name
        result = await back("login", given)
        if result.error is not None:
            user = stay.named or own[0]
            raise CannotGoOn(
                f"the user {user} cannot log in any more: {result.error.message}; has the site been reset since?"
            )

    async def _found(self, ctx: RunContext, view: RunView, back: _Back, step: StepRow, sent: Sent) -> Finding:
        place = step.ordinal + 1
        if place in self.assumed:
            return Finding(self.assumed[place], _SAID)
        await ctx.session.open(plain_name(sent.action.actor))
        if sent.answered and sent.action.after is not None:
            return Finding(True, f"the page that followed, {sent.action.after.url}, did not object")
        finding = await took_effect(Looker(ctx, view, back), self.past, step, sent)
        if finding.took is None:
            button = sent.action.target.name if sent.action.target else ""
            raise CannotGoOn(
                f"whether step {place} ({step.tool}: {button!r}) took effect is not known: {finding.seen}. "
                f"Look at the site, and say it: --assume-done {place} or --assume-not-done {place}"
            )
        return finding

    async def _settled(self, ctx: RunContext, back: _Back, step: StepRow, sent: Sent, finding: Finding) -> StepRow:
        """Store that a step took effect, and where that led."""
        after, before = sent.action.after, sent.action.before
        if sent.answered and after is not None:
            await ctx.session.open(plain_name(sent.action.actor))
            await back("navigate", {"url": after.url})
        elif finding.seen == _SAID and before is not None:
            await ctx.session.open(plain_name(sent.action.actor))
            await back("navigate", {"url": before.url})
        # Where it was looked up is not the answer that the step would have got.
        page = {
            key: told
            for key, told in page_as_json(await ctx.actor.view.look()).items()
            if key not in ("status", "alerts")
        }
        notes = page.get("notes")
        said = [one.value for one in sent.fields if one.value] if finding.seen == _SAID else []
        page["notes"] = [*(notes if isinstance(notes, list) else []), finding.seen, *said]
        registered = step.tool == "register" and not sent.answered
        metadata: Metadata = {"logged_in": True} if registered else {}
        result = ToolResult(success=True, data={"page": page}, metadata=metadata)
        settle_step(self.whole, step.id, result, finding.seen)
        return replace(step, success=True, result=result.data, error_type=None, metadata=metadata)

    async def _go_on_looking(self, live: Live, sent: Sent, finding: Finding) -> None:
        """Report what was cut off and took effect as of any write, and look for what came of it from now on."""
        ctx = live.connected.ctx
        actor = await ctx.session.open(plain_name(sent.action.actor))
        cut = Cut.of(self.past, sent, ctx.bindings)
        if cut is not None:
            watched = watch_cut(actor, cut, finding.url, ctx.bindings)
            live.harness.recorder.answered(watched.write)
            seen = await look_where_found(actor, cut, watched, finding, at=finding.url)
            live.harness.recorder.add_effects(sent.action.id, seen)

    def _make_whole(self, ctx: RunContext, journal: RunJournal, step: StepRow, call: ToolCall) -> None:
        """Store what was typed in a step that was cut off before it was known to be no secret, and that took effect."""
        actions = self.past.actions.get(step.id, ())
        if step.status != "interrupted" or not actions or any(one.target and one.target.secret for one in actions):
            return
        journal.amend_step_input(step.id, map_strings(call.input, lambda text: _masked(ctx, text)))

    async def _begin_anew(self, ctx: RunContext, steps: Sequence[StepRow]) -> None:
        """Store that steps are done again, and forget what they bound: a replay, too, learns it from the later ones."""
        for step in steps:
            if step.flags.get(RESUME) != "anew":
                mark_step(self.whole, step.id, "anew")
        ids = {step.id for step in steps}
        await _forget(
            ctx, [one.name for one in self._variables if one.step_id in ids and one.name.startswith(_PASSING)]
        )

    async def _go(self, ctx: RunContext, back: _Back, stays: Mapping[str, Stay], current: str, there: bool) -> None:
        """Open the page that each actor was on; the one who acts last."""
        for name in sorted(stays, key=lambda name: name == current):
            await ctx.session.open(name)
            url = stays[name].url
            if not url or (name == current and there):
                continue
            result = await back("navigate", {"url": url})
            if result.error is not None and name == current:
                raise CannotGoOn(f"the page that the run was on cannot be opened: {result.error.message}")


def _of_others(recording: Recording, run_id: str) -> dict[str, str]:
    """Give the variables of the users whom a run has dealt with."""
    found: dict[str, str] = {}
    for producer in sorted({need.producer_run for need in recording.dependencies(run_id)}):
        row = recording.run(producer)
        known = {one.name: one.value for one in recording.variables(producer) if one.value is not None}
        identity = Identity.model_validate(row.identity)
        found |= shared_variables(row.number, identity.variables() | known, identity.naming)
    return found


def _masked(ctx: RunContext, text: str) -> str:
    """Write a text as a template, without secrets."""
    return ctx.vault.mask(ctx.bindings.recognise(text))


async def _forget(ctx: RunContext, names: Collection[str]) -> None:
    """Take variables out of what any actor of a run knows."""
    current = ctx.actor.name
    for each in ctx.session.names():
        urls = (await ctx.session.open(each)).urls
        for name in names:
            urls.variables.forget(name)
    await ctx.session.open(current)


class _Back:
    """Makes the calls that bring a run back: they are recorded, and distinguished from what its agent does.

    Args:
        live: what goes on.
        whole: the recording.
        past: the run.
    """

    def __init__(self, live: Live, whole: Recorder, past: Past) -> None:
        ctx = live.connected.ctx
        registry = registry_of(("browser",))
        self._journal = live.harness.journal
        self._whole = whole
        self.steps: list[str] = []
        """Of the calls so far."""
        tasks = past.persona.tasks[past.task - 1 :]
        recording = RecordingDispatcher(
            TimeoutDispatcher(ToolDispatcher(registry, ctx), registry),
            self,
            watch=live.harness.watch,
            registry=registry,
            template=live.harness.setup.template,
            task=lambda: tasks[0].task_type if tasks else None,
        )
        self._dispatcher = live.dispatcher.around(recording)

    async def __call__(self, tool: str, input: dict[str, JsonValue]) -> ToolResult:
        """Make a call.

        Raises:
            SiteUnreachable: it failed, as the site does not answer any more.
            BrowserCrashed: the page crashed.
        """
        return await self._dispatcher.dispatch(ToolCall(id=f"back_{len(self.steps) + 1}", name=tool, input=input))

    def begin_step(self, *, call: ToolCall, replay: Replay, task: str | None, withheld: bool) -> str:
        """Store a step as pending."""
        self.steps.append(self._journal.begin_step(call=call, replay=replay, task=task, withheld=withheld))
        mark_step(self._whole, self.steps[-1], "back")
        return self.steps[-1]

    def amend_step_input(self, step_id: str, input: dict[str, JsonValue]) -> None:
        """Store the whole input of a step."""
        self._journal.amend_step_input(step_id, input)

    def end_step(self, step_id: str, result: ToolResult) -> None:
        """Store what a step came to."""
        self._journal.end_step(step_id, result)
