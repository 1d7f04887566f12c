"""Proving a recording: it is performed once more, and what both performances agree on is kept in a new revision.

Not responsible for: what agrees (``simulator.replay.learning``), how a revision is stored,
or asking whether it may be done.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from simulator.browser.action_recorder import PageState
from simulator.browser.evidence import Target
from simulator.canonical import canonical_json
from simulator.errors import UsageError
from simulator.persona import Identity
from simulator.recording.layout import rows_of_run
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.revise import Changes, write_revision
from simulator.recording.rows import ActionRow, RunRow, StepRow, WriteRow
from simulator.recording.stamps import wall_time
from simulator.replay.bind import bind_identity, read_row, recorded_values
from simulator.replay.effects.checking import SecondPerformance
from simulator.replay.healing import OPTIONAL
from simulator.replay.learning.agreement import (
    Seen,
    agreed_requests,
    before_effects,
    ids_shifted,
    preferences,
    values_put,
    why_not,
)
from simulator.replay.learning.learn import LEARNT, Learnt, learn, learnt_of
from simulator.replay.plan import Plan, plan_run
from simulator.runner import events
from simulator.runner.accounts import as_account
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.replays.selecting import select
from simulator.runner.stop import Stop

Policy = Literal["same", "fresh"]
"""Who performs a run to prove it."""
_OBSERVED = ("write", "effect")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What both performances showed after an action."""

    place: str
    """``step.action``, from 1."""
    required: tuple[str, ...]
    volatile: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ProvenRun:
    """What came of proving one run."""

    number: int
    source: str
    """The recorded run."""
    persona: str
    why_not: str = ""
    """Why it is not proven; empty where it is."""
    run: str = ""
    """The new revision; empty where there is none."""
    revision: int = 0
    lessons: tuple[Lesson, ...] = ()
    """What is required from now on."""

    @property
    def proven(self) -> bool:
        """Whether a second performance showed the same effects."""
        return not self.why_not


@dataclass(frozen=True, slots=True)
class Proving:
    """What came of proving a run or a batch."""

    policy: Policy
    result: events.ReplayResult
    """The second performance."""
    runs: tuple[ProvenRun, ...] = ()
    observed: tuple[str, ...] = ()
    """Runs from before effects, which got them from a performance of its own."""

    @property
    def proven(self) -> bool:
        """Whether every run is."""
        return bool(self.runs) and all(run.proven for run in self.runs) and not self.result.interrupted


class _Found(NamedTuple):
    """What is learnt of the page after an action."""

    step: StepRow
    action: ActionRow
    learnt: Learnt

    @property
    def place(self) -> str:
        """``step.action``, from 1."""
        return f"{self.step.ordinal + 1}.{self.action.ordinal + 1}"

    @property
    def lesson(self) -> Lesson:
        """What is reported of it."""
        return Lesson(self.place, (*self.learnt.required, *self.learnt.requests), self.learnt.volatile)


@dataclass(slots=True)
class _Performance:
    """A second performance of some runs, beside the first."""

    plans: Mapping[str, Plan]
    result: events.ReplayResult
    pairing: Mapping[str, str]
    addresses: Mapping[str, str]
    """The address that a recorded action leads to, where it is another one each time."""
    targets: Mapping[str, Target]
    """What a recorded action is done to, without words of its card that are others each time."""

    def targets_of(self, plan: Plan) -> dict[str, Target]:
        """Give the evidence of a run in which words of a card are left out."""
        own = (action.id for step in plan.steps for action in step.actions)
        return {one: self.targets[one] for one in own if one in self.targets}

    def addresses_of(self, plan: Plan) -> dict[str, PageState]:
        """Give the pages after the actions of a run whose address is another one each time."""
        actions = [action for step in plan.steps for action in step.actions]
        return {
            action.id: replace(action.after, url=self.addresses[action.id])
            for action in actions
            if action.id in self.addresses and action.after is not None
        }


def plans_of(options: ReplayOptions) -> list[Plan]:
    """Give the plans of what would be performed once more.

    Raises:
        UsageError: no run of it passed when it was recorded.
        RecordingError: there is no such run or batch.
    """
    with Recording.open(options.source) as recording:
        plans = [plan_run(recording, run) for run in select(recording, options.target).runs]
    if not any(plan.run.status == "passed" for plan in plans):
        first = plans[0].run
        raise UsageError(f"the run {first.id} was {_cut(first)}")
    return plans


def what_stays(plans: Sequence[Plan], options: ReplayOptions) -> list[str]:
    """Say what a second performance leaves on a site: who does what again.

    Args:
        plans: of the runs.
        options: with the seed that fresh users are drawn from.
    """
    lines = []
    for plan in plans:
        part = bind_identity(plan, options.identity, options.seed or "")
        site = options.site or options.settings.site(plan.run.site)
        identity = (as_account(part, site) if options.identity == "fresh" else part).identity
        lines.append(f"user {plan.run.number}, {identity.username}: {', '.join(what_is_sent(plan))}")
    return lines


def what_is_sent(plan: Plan) -> tuple[str, ...]:
    """Say what a run leaves on a site: each request that its user meant, once."""
    meant = (plan.expected.meant(writes) for writes in plan.expected.writes.values())
    sent = dict.fromkeys(_sent(write) for writes in meant for write in writes)
    made = dict.fromkeys(one.kind for step in plan.steps for one in step.created)
    return tuple([*sent] or [f"a {kind}" for kind in made] or ["nothing that is known of"])


def _sent(write: WriteRow) -> str:
    parts = ", ".join(dict.fromkeys(one.part for one in write.carried if one.part))
    return f"{write.method} {write.url}" + (f" ({parts})" if parts else "")


def _cut(run: RunRow) -> str:
    return f"recorded as {run.ending}: only what passed can be proven"


async def prove(options: ReplayOptions, listener: events.Listener, stop: Stop) -> Proving:
    """Perform runs once more, and write a revision of each that is proven by it.

    A run from before effects is performed twice: what is observed of the first time is compared with the second.

    Args:
        options: of the replay; its identity is ``same`` or ``fresh``, and its source gets the revisions.
        listener: gets what happens.
        stop: asks for an early end; then nothing is proven.

    Raises:
        UsageError: no run of it passed when it was recorded.
        SimulatorError: the replay could not start or go on.
    """
    assert options.identity != "reuse"
    policy: Policy = options.identity
    plans = plans_of(options)
    observed: tuple[str, ...] = ()
    if any(before_effects(plan.run, plan) for plan in plans):
        first = await _perform(options, plans, listener, stop)
        if first.result.interrupted or all(run.drifted for run in first.result.runs):
            return Proving(policy, first.result, tuple(_judged(options, first)))
        observed = tuple(_observe(options, first))
        options = replace(options, seed=f"{options.seed}.2" if options.seed else None)
        plans = plans_of(replace(options, target=_newest(options, plans)))
    second = await _perform(options, plans, listener, stop)
    return Proving(policy, second.result, tuple(_judged(options, second)), observed)


async def _perform(
    options: ReplayOptions, plans: Sequence[Plan], listener: events.Listener, stop: Stop
) -> _Performance:
    second = SecondPerformance()
    chosen = replace(options, target=[plan.run.id for plan in plans], second=second)
    result = await replay(chosen, listener, stop)
    return _Performance(
        {plan.run.id: plan for plan in plans}, result, second.performed, second.addresses, second.targets
    )


def _newest(options: ReplayOptions, plans: Sequence[Plan]) -> list[str]:
    """Give the newest revision of each run."""
    with Recording.open(options.source) as recording:
        runs = [run for run in recording.runs() if run.kind != "replay"]
    return [max((one for one in runs if one.original == plan.run.original), key=_number).id for plan in plans]


def _number(run: RunRow) -> int:
    return run.revision


def _observe(options: ReplayOptions, first: _Performance) -> Iterator[str]:
    """Write a revision of each run from before effects, with those that were observed of it now."""
    with Recording.open(options.source) as recording, Recording.open(options.db) as other:
        for replayed in first.result.runs:
            plan = first.plans[replayed.source_run]
            if replayed.drifted or not before_effects(plan.run, plan):
                continue
            changes = Changes(
                observed=_rows(other, replayed.run_id, first.pairing),
                notes=("what its writes did was observed in a second performance",),
            )
            with Recorder.open(options.source) as recorder:
                yield write_revision(recorder.writer, recording, plan.run.id, changes, kind=plan.run.kind)


def _rows(other: Recording, run_id: str, pairing: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Give what was observed of a performance, as of the recorded actions."""
    recorded = {performed: action for action, performed in pairing.items()}

    def as_recorded(row: dict[str, Any]) -> dict[str, Any]:
        return {name: recorded.get(value, value) for name, value in row.items()}

    rows = {name: [as_recorded(row) for row in rows_of_run(other.connection, name, run_id)] for name in _OBSERVED}
    for row in rows["write"]:
        carried = [one | {"input": recorded.get(one["input"], one["input"])} for one in json.loads(row["carried"])]
        row["carried"] = canonical_json(carried)
    return rows


def _judged(options: ReplayOptions, second: _Performance) -> Iterator[ProvenRun]:
    """Say of each run whether it is proven, and write the revision of each that is."""
    result = second.result
    differs = result.state_before is not None and result.state_before != result.state_after
    with Recording.open(options.source) as recording, Recording.open(options.db) as other:
        for replayed in result.runs:
            plan = second.plans[replayed.source_run]
            run = plan.run
            judged = ProvenRun(run.number, run.id, run.persona or "")
            if run.status != "passed":
                why = _cut(run)
            elif replayed.drifted:
                why = replayed.drift.sentence if replayed.drift else str(replayed.verdict)
            elif result.interrupted or differs:
                why = "it was interrupted" if result.interrupted else "the site ended in another state than recorded"
            else:
                rows = other.writes(replayed.run_id), other.effects(replayed.run_id)
                seen = Seen(*rows, values_put(other.actions(replayed.run_id)))
                why = why_not(plan, seen, second.pairing)
            shifted = not why and ids_shifted(plan.variables, other.variables(replayed.run_id))
            learns = shifted or options.identity == "fresh"
            if not why and not learns and second.addresses_of(plan):
                why = "an address is another one each time, which only '--identity fresh' can find out"
            if not why and not learns and second.targets_of(plan):
                why = "a word of a card is another one each time, which only '--identity fresh' can find out"
            if why:
                yield replace(judged, why_not=why)
                continue
            again = other.run(replayed.run_id)
            found = list(_found(plan, other, again, second.pairing)) if learns else []
            proof = {
                "run": replayed.run_id,
                "at": wall_time(),
                "writes": len(replayed.writes),
                "proven": sum(one.proven for one in replayed.writes),
                **({"by": _dealt(again)} if options.identity == "fresh" else {}),
            }
            performed = {action.id: action for action in other.actions(replayed.run_id)}
            optional = preferences(plan, performed, second.pairing, seen)
            known = {str(name): dict(one) for name, one in (run.summary or {}).get("proofs", {}).items()}
            changes = Changes(
                flags=_flags(found),
                after=second.addresses_of(plan) if learns else {},
                targets=second.targets_of(plan),
                options={one.id: {**one.options, OPTIONAL: True} for one in optional},
                proofs={**known, str(options.identity): proof},
                notes=(f"proven({options.identity})", *_notes(found, second.targets_of(plan))),
            )
            with Recorder.open(options.source) as recorder:
                revision = write_revision(recorder.writer, recording, run.id, changes, kind=run.kind)
            with Recording.open(options.source) as revised:
                number = revised.run(revision).revision
            lessons = tuple(one.lesson for one in found)
            yield replace(judged, run=revision, revision=number, lessons=lessons)


def _dealt(again: RunRow) -> Mapping[str, Any]:
    """Give who proved a run, and what it was dealt, as it is stored with the proof."""
    return read_row(Identity, again.identity, again).as_dealt().model_dump(mode="json")


def _flags(found: Sequence[_Found]) -> dict[str, dict[str, object]]:
    marks: dict[str, dict[str, object]] = {}
    for one in found:
        marked = marks.setdefault(one.step.id, dict(one.step.flags.get(LEARNT, {})))
        marked[str(one.action.ordinal)] = one.learnt.as_json()
    return {step: {LEARNT: mark} for step, mark in marks.items()}


def _notes(found: Sequence[_Found], targets: Mapping[str, Target]) -> list[str]:
    required = sum(len(one.learnt.required) for one in found)
    notes = [f"{required} texts that both performances showed are required"] if required else []
    return notes + [f"words of the card of {one.words} are others each time" for one in targets.values()]


def _found(plan: Plan, other: Recording, again: RunRow, pairing: Mapping[str, str]) -> Iterator[_Found]:
    """Compare the pages after each action; of what was learnt before, only what is new to be learnt is given."""
    was = recorded_values(bind_identity(plan, "same", ""))
    now = Identity.model_validate(again.identity).variables()
    now |= {one.name: one.value for one in other.variables(again.id) if one.value is not None}
    was |= {one.name: one.value for one in plan.variables if one.value is not None}
    performed = {action.id: action for action in other.actions(again.id)}
    agreed = agreed_requests(plan, performed, pairing)
    for planned in plan.steps:
        for action in planned.actions:
            second = performed.get(pairing.get(action.id, ""))
            if action.after is None or second is None or second.after is None:
                continue
            if learnt_of(planned.step.flags, action.ordinal):  # what two performances agreed on stands
                continue
            found = replace(learn(action.after, second.after, was, now), requests=agreed.get(action.id, ()))
            if found or found.volatile:
                yield _Found(planned.step, action, found)
