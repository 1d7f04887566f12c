"""From a recorded run to the steps that a replay performs, and the reason for each that it does not.

Not responsible for: values, or performing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final, Literal, TypeVar

from simulator.browser.action_recorder import STOPPED, ActionKind, PageState
from simulator.recording.reader import Recording
from simulator.recording.redoing import place_of
from simulator.recording.resuming import RESUME
from simulator.recording.rows import (
    ActionRow,
    CreatedRow,
    DependencyRow,
    EffectRow,
    RunRow,
    StepRow,
    VariableRow,
    WriteRow,
)
from simulator.replay.detours import drop_detours, way_of_rejected
from simulator.replay.effects.expected import Expected
from simulator.tools.mail import MAIL

_PRESSES: Final[frozenset[ActionKind]] = frozenset({"click", "dblclick", "press"})
_NO_PAGE: Final = ("", "about:blank")
"""Addresses of a window that shows nothing yet, as that of a run which goes on."""
IdentityPolicy = Literal["same", "fresh", "reuse"]


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step that is performed."""

    step: StepRow
    actions: tuple[ActionRow, ...]
    created: tuple[CreatedRow, ...] = ()
    """What it made on the site: read back when it has been performed."""
    needs: tuple[DependencyRow, ...] = ()
    """What it uses of other runs."""

    @property
    def place(self) -> int:
        """Up to where the first revision of the run is done once this step is done, by ordinal from 0."""
        return place_of(self.step.ordinal, self.step.flags)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A recorded step or action that is not performed."""

    step: StepRow
    reason: str
    action: ActionRow | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """What a replay of one run does."""

    run: RunRow
    steps: tuple[PlannedStep, ...]
    dropped: tuple[Dropped, ...]
    variables: tuple[VariableRow, ...]
    refused: str = ""
    """Why the run cannot be replayed at all; empty when it can."""
    expected: Expected = field(default_factory=Expected)
    """What was seen of its effects."""

    @property
    def needs(self) -> frozenset[str]:
        """Ids of the runs that this one depends on."""
        return frozenset(need.producer_run for step in self.steps for need in step.needs)

    @property
    def reads_mail(self) -> bool:
        """Whether the run read mail."""
        return any(MAIL in planned.step.metadata for planned in self.steps)

    def lines(self) -> list[str]:
        """Put the plan into words, a line for each performed step and each dropped one."""
        performed = {
            planned.step.ordinal: [_words(planned), *(f"      {_action_words(action)}" for action in planned.actions)]
            for planned in self.steps
        }
        for dropped in self.dropped:
            what = _action_words(dropped.action) if dropped.action else dropped.step.tool or "by hand"
            performed.setdefault(dropped.step.ordinal, []).append(
                f"{dropped.step.ordinal + 1:>4}  - {what}: dropped, {dropped.reason}"
            )
        lines = [line for ordinal in sorted(performed) for line in performed[ordinal]]
        return [f"cannot be replayed: {self.refused}", *lines] if self.refused else lines


def plan_run(recording: Recording, run: RunRow, *, until: int | None = None) -> Plan:
    """Plan the replay of one run.

    Args:
        recording: where it stands.
        run: the run.
        until: only what comes before this step, from 0.
    """
    steps = [step for step in recording.steps(run.id) if until is None or step.ordinal < until]
    actions: dict[str, list[ActionRow]] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
    created: dict[str, list[CreatedRow]] = {}
    for made in recording.created(run.id):
        created.setdefault(made.step_id, []).append(made)
    variables = tuple(recording.variables(run.id))
    sources = {variable.step_id for variable in variables if variable.kind == "file"}

    performed: list[PlannedStep] = []
    dropped: list[Dropped] = []
    following: ActionRow | None = None
    for step in reversed(steps):
        own = actions.get(step.id, [])
        took_effect = step.flags.get(RESUME) == "took effect"
        done = tuple(_as_far(action) for action in own if _came_somewhere(action) or took_effect)
        reason = _not_performed(step, own, step.id in sources)
        if reason:
            way = way_of_rejected(done, following) if step.error_type == "rejected" else ()
            lost = reversed(done[len(way) :])
            dropped += [Dropped(step, reason, action) for action in lost] if way else [Dropped(step, reason)]
            if not way:
                continue
            done = way
        following = done[0] if done else following
        performed.append(PlannedStep(step, done, tuple(created.get(step.id, ()))))
    performed = _with_needs(steps, reversed(performed), recording.dependencies(run.id))
    dropped.reverse()
    kept, detours = drop_detours([action for planned in performed for action in planned.actions])
    by_id = {step.id: step for step in steps}
    dropped += [Dropped(by_id[action.step_id], reason, action) for action, reason in detours]
    performed = [
        replace(planned, actions=tuple(action for action in planned.actions if action.id in kept))
        for planned in performed
    ]
    expected = Expected(
        writes=(writes := _by_action(recording.writes(run.id))),
        makers=_makers(writes, [action for step in steps for action in actions.get(step.id, ())]),
        effects=_by_action(recording.effects(run.id)),
        version=effects_version(run),
        moved=_moved([action for step in steps for action in actions.get(step.id, ())]),
        went_on=_went_on([action for step in steps for action in actions.get(step.id, ())]),
        idle=_idle([action for step in steps for action in actions.get(step.id, ())]),
        presses=frozenset(one.id for some in actions.values() for one in some if one.kind in _PRESSES),
        unheard=frozenset(
            one.id for step in steps if step.flags.get(RESUME) == "took effect" for one in actions.get(step.id, ())
        ),
    )
    refused = _refused(run, steps, actions)
    return Plan(run, tuple(performed), tuple(dropped), variables, refused, expected)


def _makers(writes: Mapping[str, Sequence[WriteRow]], actions: Iterable[ActionRow]) -> dict[str, list[str]]:
    """Give the actions that have sent what was put in, by their user, in order."""
    found: dict[str, list[str]] = {}
    for action in actions:
        if any(one.carried for one in writes.get(action.id, ())):
            found.setdefault(action.actor, []).append(action.id)
    return found


def _idle(actions: Sequence[ActionRow]) -> dict[str, float]:
    """Give how long nobody did anything after each action but the last, in seconds."""
    return {
        one.id: (after.started_ns - one.ended_ns) / 1e9
        for one, after in pairwise(actions)
        if one.ended_ns is not None and after.started_ns >= one.ended_ns
    }


def _with_needs(
    steps: Iterable[StepRow], performed: Iterable[PlannedStep], needs: Iterable[DependencyRow]
) -> list[PlannedStep]:
    """Say of each performed step what of other runs it waits for: what a dropped step before it has waited for, too."""
    by_step: dict[str, list[DependencyRow]] = {}
    for need in needs:
        by_step.setdefault(need.step_id, []).append(need)
    kept = {planned.step.id: planned for planned in performed}
    waited: list[DependencyRow] = []
    found: list[PlannedStep] = []
    for step in steps:
        waited += by_step.get(step.id, ())
        if step.id in kept:
            found.append(replace(kept[step.id], needs=tuple(waited)))
            waited = []
    return found


def _moved(actions: Sequence[ActionRow]) -> dict[str, tuple[str, ...]]:
    """Give where pages went by themselves after an action, without another path, by the address that they had first.

    Seen of lists that write into their address how they are sorted, at once or a moment later, and of applications
    that keep their route behind a ``#``. A page does so each time, also where it is the last one, and nobody acted on
    it any more.
    """
    found: dict[str, dict[str, None]] = {}
    for _, was, then in _left(actions):
        if was.url != then.url and path_of(was.url) == path_of(then.url):
            found.setdefault(was.url, {})[then.url] = None
    return {was: tuple(then) for was, then in found.items()}


def _went_on(actions: Sequence[ActionRow]) -> dict[str, PageState]:
    """Give the pages that others went on to by themselves, by the action that had led to the first of the two."""
    return {
        one.id: then
        for one, was, then in _left(actions)
        if path_of(was.url) != path_of(then.url) and then.url not in _NO_PAGE
    }


def _left(actions: Sequence[ActionRow]) -> Iterator[tuple[ActionRow, PageState, PageState]]:
    """Give each action, the page that it led to, and the page that its user was on before doing more."""
    for one, following in pairwise(action for action in actions if action.kind != "wait"):
        if one.actor == following.actor and one.after is not None and following.before is not None:
            yield one, one.after, following.before


def path_of(url: str) -> str:
    """Give an address without its query and its fragment."""
    return re.split(r"[?#]", url, maxsplit=1)[0]


_Row = TypeVar("_Row", WriteRow, EffectRow)


def effects_version(run: RunRow) -> int:
    """Give the version of the rules by which a run's effects were observed; 0 for none."""
    version: int = run.environment.get("determinism", {}).get("effects", 0)
    return version


def _by_action(rows: Iterable[_Row]) -> dict[str, list[_Row]]:
    found: dict[str, list[_Row]] = {}
    for row in rows:
        found.setdefault(row.action_id, []).append(row)
    return found


def _came_somewhere(action: ActionRow) -> bool:
    """Return whether the page heard anything of an action."""
    return action.status == "done" or (action.status == "cancelled" and STOPPED in action.options)


def _as_far(action: ActionRow) -> ActionRow:
    """Give an action as far as it came: a click that was stopped before it was pressed moved the pointer there."""
    hovered = action.status == "cancelled" and action.options.get(STOPPED) == "hovered"
    return replace(action, kind="hover") if hovered else action


def _not_performed(step: StepRow, actions: Sequence[ActionRow], is_source: bool) -> str:
    """Say why a step is not performed; empty when it is."""
    mode = step.replay
    if step.flags.get(RESUME) == "anew":
        return "it was begun anew when the run was resumed"
    if MAIL in step.metadata:
        return ""
    if step.error_type == "rejected" and _was_sent(actions):
        return f"the site rejected it: {step.error_message}"
    if mode == "skip":
        return "it only reads"
    if mode == "result":
        return "" if step.success else f"it gave nothing: {step.error_message}"
    if mode == "call":
        return "" if is_source else "nothing uses what it gave"
    if not any(map(_came_somewhere, actions)) and step.flags.get(RESUME) != "took effect":
        if step.success:
            return "it did nothing on the site"
        return f"it failed before it acted: {step.error_message}" if step.error_message else "it was interrupted"
    return ""


def _was_sent(actions: Sequence[ActionRow]) -> bool:
    """Return whether a step sent anything; where the browser held the form back, its fields hold what was put in."""
    last = next((action for action in reversed(actions) if action.status == "done"), None)
    if last is None or last.after is None or last.settled == "navigated":
        return True
    return any(method not in ("GET", "HEAD", "OPTIONS") for method, _, _ in last.after.requests)


def _refused(run: RunRow, steps: Sequence[StepRow], actions: dict[str, list[ActionRow]]) -> str:
    for step in steps:
        unknown = [action for action in actions.get(step.id, ()) if action.status in ("pending", "interrupted")]
        if unknown and step.flags.get(RESUME) not in ("anew", "took effect"):
            what = _action_words(unknown[0])
            return f"step {step.ordinal + 1} was interrupted during '{what}', and whether that took effect is unknown"
        acted = [action for action in actions.get(step.id, ()) if action.options.get(STOPPED) == "acted"]
        if acted and acted[0].status == "cancelled":
            what = _action_words(acted[0])
            where = f"step {step.ordinal + 1} was stopped in the middle of '{what}'"
            return f"{where}, and whether that took effect is unknown"
    if run.kind not in ("record", "heal", "import"):
        return "it is itself a replay; name its source"
    if not steps:
        return "nothing was recorded in it"
    return ""


def _words(planned: PlannedStep) -> str:
    step = planned.step
    task = f"  ({step.task})" if step.task else ""
    return f"{step.ordinal + 1:>4}  {step.tool or 'by hand'}{task}"


def _action_words(action: ActionRow) -> str:
    target = action.target
    aimed = f" {target.words}" if target else ""
    value = f" {action.value}" if action.value is not None else ""
    optional = " [optional: it only dismissed something]" if action.options.get("optional") else ""
    optional += " [pressed, and not released]" if action.options.get(STOPPED) == "pressed" else ""
    return f"{action.kind}{aimed}{value}" + (f" [{action.choice.rule}]" if action.choice else "") + optional
