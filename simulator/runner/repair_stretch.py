"""Which part of a recorded run belongs together when one of its steps cannot be performed any more.

The steps of one task, or of one of its parts ("list_books 2/3"); of a run without tasks, those up to the next thing
that was read back. Pure reading of plans. Not responsible for: what is done about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.browser.operations import options_json
from simulator.canonical import canonical_json
from simulator.recording.resuming import RESUME
from simulator.recording.rows import ActionRow, CreatedRow, RunRow, StepRow, VariableRow
from simulator.replay.plan import Plan, PlannedStep
from simulator.template import placeholders, stem_of


@dataclass(frozen=True, slots=True)
class Stretch:
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

    @property
    def open(self) -> tuple[PlannedStep, ...]:
        """The steps that are to be done in another way: the failed one, and those that would follow."""
        return (self.failed, *self.left)

    @property
    def owed(self) -> tuple[CreatedRow, ...]:
        """What the open steps made when they were recorded."""
        return tuple(made for planned in self.open for made in planned.created)

    @property
    def actions(self) -> tuple[ActionRow, ...]:
        """What the open steps did when they were recorded."""
        return tuple(action for planned in self.open for action in planned.actions)


def stretch_of(plan: Plan, steps: Sequence[StepRow], failed: PlannedStep) -> Stretch:
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
    return Stretch(failed.step.task or "", tuple(own[:at]), failed, tuple(own[at + 1 :]), tuple(steps[place:end]))


def _by_task(run: RunRow, steps: Sequence[StepRow], place: int) -> tuple[int, int]:
    """Give where the steps begin and end that a task has in a row; two tasks of one name are told by their ends."""
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
    """Give where the steps without a task begin and end around a place, as far as to the next thing that was made."""
    making = {planned.step.id for planned in plan.steps if planned.created}
    first = place
    while first > 0 and steps[first - 1].task is None and steps[first - 1].id not in making:
        first -= 1
    end = place + 1
    while end < len(steps) and steps[end].task is None and steps[end - 1].id not in making:
        end += 1
    return first, end


def minted_in(stretch: Stretch, variables: Sequence[VariableRow]) -> frozenset[str]:
    """Give the names of the variables that the open steps gave."""
    ids = {step.id for step in stretch.out}
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
