"""Which recorded action each action of a replay performed, read from the rows of the replay.

Pure functions over rows. Not responsible for: what follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.recording.resuming import RESUME
from simulator.recording.rows import ActionRow, StepRow
from simulator.replay.healing import OPTIONAL
from simulator.replay.plan import Plan, PlannedStep


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """How far a plan has been performed: what comes before is done."""

    step: int = 0
    """The place of a step in the plan, from 0."""
    action: int = 0
    """The place of an action in that step, from 0."""


@dataclass(frozen=True, slots=True)
class Paired:
    """An action of a replay."""

    place: Place
    """Of the recorded action in the plan."""
    recorded: ActionRow
    row: ActionRow
    """As the replay has recorded it."""


class Unlike(Exception):
    """A replay did not perform the plan that it is compared with. The message says where."""


def pair_steps(plan: Plan, steps: Sequence[StepRow]) -> list[tuple[int, StepRow]]:
    """Give the planned step, by its place in the plan, that each step of a replay performed.

    What was begun again later, and what led a user back, is left out. A step that was cut off after its effect is gone
    on with in another one.

    Args:
        plan: of the recorded run.
        steps: of the replay, in order.

    Raises:
        Unlike: one of them performed none that was due.
    """
    found: list[tuple[int, StepRow]] = []
    at = -1
    for step in steps:
        if step.flags.get(RESUME) in ("anew", "back"):
            continue
        due = [place for place in (at + 1, at) if 0 <= place < len(plan.steps)]
        own = next((place for place in due if _performs(step, plan.steps[place])), None)
        if own is None:
            raise Unlike(f"step {step.ordinal + 1} ({step.tool or 'by hand'}) is none that was due")
        at = own
        found.append((own, step))
    return found


def pair_actions(
    plan: Plan, steps: Sequence[tuple[int, StepRow]], actions: Mapping[str, Sequence[ActionRow]]
) -> list[Paired]:
    """Give the recorded action that each action of a replay performed.

    What a replay did beside the recorded actions, such as closing a dialog, is left out.

    Args:
        plan: of the recorded run.
        steps: of the replay, as :func:`pair_steps` gives them.
        actions: of the replay, by step.

    Raises:
        Unlike: a step that has not ended did something that is none of its recorded actions.
    """
    found: list[Paired] = []
    done: dict[int, int] = {}
    for place, step in steps:
        planned = plan.steps[place].actions
        at = done.get(place, 0)
        for row in actions.get(step.id, ()):
            skipped = at
            while skipped < len(planned) and not _is_like(planned[skipped], row):
                skipped += 1
            may_skip = all(one.options.get(OPTIONAL) for one in planned[at:skipped])
            if skipped == len(planned) or not may_skip:
                if step.success:
                    continue
                raise Unlike(f"step {step.ordinal + 1} ({step.tool or 'by hand'}) did something beside its actions")
            found.append(Paired(Place(place, skipped), planned[skipped], row))
            at = skipped + 1
        done[place] = at
    return found


def after(plan: Plan, place: Place) -> Place:
    """Give the place that follows an action of a plan."""
    last = place.action + 1 >= len(plan.steps[place.step].actions)
    return Place(place.step + 1) if last else Place(place.step, place.action + 1)


def _performs(step: StepRow, planned: PlannedStep) -> bool:
    recorded = planned.step
    return step.call_id == (recorded.call_id or recorded.id) and step.tool == (recorded.tool or "by_hand")


def _is_like(recorded: ActionRow, row: ActionRow) -> bool:
    """Return whether a row may be what a recorded action has become."""
    if recorded.kind != row.kind or (recorded.target is None) != (row.target is None):
        return False
    if recorded.target is None or row.target is None or recorded.aim == "choice":
        return True
    there, here = recorded.target, row.target
    if (there.tag, there.role) != (here.tag, here.role):
        return False
    return there.name == here.name or (recorded.value is not None and recorded.value == row.value)
