"""Which part of a recorded run belongs together when one of its steps cannot be performed any more.

The steps of one task, or of one of its parts ("list_books 2/3"); of a run without tasks, those up to the next thing
that was written. Pure reading of plans. Not responsible for: what is done about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from simulator.browser.operations import options_json
from simulator.browser.written import READS
from simulator.canonical import canonical_json
from simulator.recording.resuming import RESUME
from simulator.recording.rows import ActionRow, EffectRow, RunRow, StepRow, VariableRow, WriteRow
from simulator.replay.left.made import kind_of
from simulator.replay.plan import Plan, PlannedStep
from simulator.template import placeholders, stem_of

_PUTS = frozenset({"fill", "type", "select"})


@dataclass(frozen=True, slots=True)
class Owed:
    """What a recorded action wrote, and what was seen of it: it has to be on the site in the end."""

    action: ActionRow
    write: WriteRow
    effects: tuple[EffectRow, ...]
    fields: Mapping[str, str]
    """What it carried, by what the field is called, as templates; without files and ticks."""

    @property
    def at(self) -> str:
        """The own address of what it made, a template; empty where it made nothing, or none is known."""
        return next((one.thing.at for one in self.effects if one.thing.new and one.thing.at), "")

    @property
    def makes(self) -> str:
        """What it made is called by its address, in the singular; empty where it made nothing new."""
        new = any(one.thing.new for one in self.effects)
        return kind_of(self.at or self.write.url) if new else ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a run, from the point of view of the step at which a replay came to an end."""

    task: str
    """What the recorded user was at; empty where that is not known."""
    before: tuple[PlannedStep, ...]
    """Steps of it that were performed."""
    failed: PlannedStep
    left: tuple[PlannedStep, ...]
    """Steps of it that would follow."""
    out: tuple[StepRow, ...]
    """All recorded steps from the failed one to its end, those that only read included."""
    owed: tuple[Owed, ...] = ()
    """What the open steps wrote when they were recorded."""

    @property
    def open(self) -> tuple[PlannedStep, ...]:
        """The steps that are to be done in another way: the failed one, and those that would follow."""
        return (self.failed, *self.left)

    @property
    def actions(self) -> tuple[ActionRow, ...]:
        """What the open steps did when they were recorded."""
        return tuple(action for planned in self.open for action in planned.actions)


def segment_of(plan: Plan, steps: Sequence[StepRow], failed: PlannedStep) -> Segment:
    """Give what belongs together with a step.

    Args:
        plan: of the run.
        steps: all its recorded steps.
        failed: the step at which the replay came to an end.
    """
    place = next(at for at, step in enumerate(steps) if step.id == failed.step.id)
    first, end = _by_task(plan.run, steps, place) if failed.step.task else _by_things(plan, steps, place)
    inside = {step.id for step in steps[first:end]}
    own = [planned for planned in plan.steps if planned.step.id in inside]
    at = next(at for at, planned in enumerate(own) if planned.step.id == failed.step.id)
    out = tuple(steps[place:end])
    owed = tuple(_owed(plan, {action.id: action for planned in own[at:] for action in planned.actions}))
    return Segment(failed.step.task or "", tuple(own[:at]), failed, tuple(own[at + 1 :]), out, owed)


def _owed(plan: Plan, actions: Mapping[str, ActionRow]) -> Iterator[Owed]:
    """Give what actions wrote; what carried nothing, and did nothing that was seen, is incidental."""
    every = {action.id: action for planned in plan.steps for action in planned.actions}
    secret = {one.target.form for one in every.values() if one.target is not None and one.target.secret}
    effects = [one for some in plan.expected.effects.values() for one in some]
    for action in actions.values():
        for write in plan.expected.writes.get(action.id, ()):
            own = tuple(one for one in effects if one.write_id == write.id)
            carried = [every[one.input] for one in write.carried if one.input in every]
            if secret & {one.target.form for one in (action, *carried) if one.target is not None}:
                continue  # it opens a session, or an account
            if write.status < 400 and (carried or own):
                yield Owed(action, write, own, _fields(carried))


def _fields(inputs: Iterable[ActionRow]) -> dict[str, str]:
    put = {
        one.target.name_attr or one.target.label or one.target.name: str(one.options.get(READS) or one.value)
        for one in inputs
        if one.target is not None and not one.target.secret and one.kind in _PUTS and one.value
    }
    return dict(sorted(put.items()))


def _by_task(run: RunRow, steps: Sequence[StepRow], place: int) -> tuple[int, int]:
    """Give where the steps begin and end that a task has in a row; where a name comes twice, the end separates them."""
    resumed = any(step.flags.get(RESUME) for step in steps)
    ends = set() if resumed else {int(end) for end in (run.summary or {}).get("ends", ())}
    task = steps[place].task
    first = place
    while first > 0 and steps[first - 1].task == task and steps[first].ordinal not in ends:
        first -= 1
    end = place + 1
    while end < len(steps) and steps[end].task == task and steps[end].ordinal not in ends:
        end += 1
    return first, end


def _by_things(plan: Plan, steps: Sequence[StepRow], place: int) -> tuple[int, int]:
    """Give where the steps without a task begin and end around a place, as far as to the next write."""
    making = {
        action.step_id
        for planned in plan.steps
        for action in planned.actions
        if any(map(plan.expected.requires, plan.expected.writes.get(action.id, ())))
    }
    first = place
    while first > 0 and steps[first - 1].task is None and steps[first - 1].id not in making:
        first -= 1
    end = place + 1
    while end < len(steps) and steps[end].task is None and steps[end - 1].id not in making:
        end += 1
    return first, end


def generated_in(segment: Segment, variables: Sequence[VariableRow]) -> frozenset[str]:
    """Give the names of the variables that the open steps gave."""
    ids = {step.id for step in segment.out}
    return frozenset(one.name for one in variables if one.step_id in ids and one.kind == "site")


def needed_by(planned: PlannedStep) -> frozenset[str]:
    """Give the variables without whose values a step cannot be performed.

    An address that an action leads to gives its values itself.
    """
    given: set[str] = set()
    found: set[str] = set()
    for action in planned.actions:
        said = [action.value or ""]
        said += [action.target.model_dump_json(exclude_defaults=True)] if action.target else []
        said += [canonical_json(options_json(action.kind, action.options))] if action.options else []
        found |= {stem_of(name) for text in said for name in placeholders(text)} - given
        given |= set(placeholders(action.after.url)) if action.after else set()
    for made in planned.created:
        found |= {stem_of(name) for text in (made.url, *made.fields.values()) for name in placeholders(text)} - given
    return frozenset(found)
