"""Whether two performances of a run had the same effects, and what else both of them showed.

Pure functions over what was recorded of both. Not responsible for: performing, or storing what both agree on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simulator.recording.rows import ActionRow, EffectRow, RunRow, VariableRow, WriteRow
from simulator.replay.failing import words_of
from simulator.replay.plan import Plan

_POSTS = frozenset({"click", "dblclick", "press"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


def before_effects(run: RunRow, plan: Plan) -> bool:
    """Tell whether a run that wrote something was recorded before it was observed what writes do.

    Args:
        run: the run.
        plan: what a replay of it does.
    """
    if "effects" in run.environment or plan.expected.writes:
        return False
    return any(step.created or any(map(_wrote, step.actions)) for step in plan.steps)


def _wrote(action: ActionRow) -> bool:
    by_form = action.target is not None and action.target.form.startswith("post ")
    sent = by_form and action.kind in _POSTS and action.settled == "navigated"
    return sent or (action.after is not None and any(one[0] not in _READING for one in action.after.requests))


def lost_effects(
    plan: Plan, second: Sequence[EffectRow], pairing: Mapping[str, str]
) -> Iterator[tuple[ActionRow, EffectRow]]:
    """Give what the recorded performance kept, and the second one did not.

    Args:
        plan: of the recorded run.
        second: the effects of the other performance.
        pairing: what each recorded action has become in it.

    Yields:
        What put it in, and where it was kept, once for each input.
    """
    kept = {one.input_id for one in second if one.strength == "kept"}
    inputs = {action.id: action for step in plan.steps for action in step.actions}
    told: set[str] = set()
    for effects in plan.expected.effects.values():
        for one in effects:
            if one.strength == "kept" and one.input_id in inputs and one.input_id not in told:
                told.add(one.input_id)
                if pairing.get(one.input_id) not in kept:
                    yield inputs[one.input_id], one


def why_not(plan: Plan, writes: Sequence[WriteRow], second: Sequence[EffectRow], pairing: Mapping[str, str]) -> str:
    """Say why a second performance that passed does not prove a run; empty where it does.

    Args:
        plan: of the recorded run.
        writes: of the other performance.
        second: the effects of it.
        pairing: what each recorded action has become in it.
    """
    lost = [f"{words_of(action)}, kept at {effect.url}" for action, effect in lost_effects(plan, second, pairing)]
    if lost:
        before = "what stood there before does not count"
        return f"the second performance did not show again what the first one did ({before}): {'; '.join(lost)}"
    made = [one for one in writes if one.carried]
    if made and not any(one.strength == "kept" for one in second):
        return f"no page showed again what was sent by {', '.join(f'{one.method} {one.url}' for one in made)}"
    return ""


def ids_shifted(variables: Sequence[VariableRow], second: Sequence[VariableRow]) -> bool:
    """Tell whether everything that the site minted has another value in the second performance.

    Where the same users act on a site that was reset, a text that stood there twice may hold a number that the site
    gave out twice: only where none came again, both performances say what is so each time.

    Args:
        variables: of the recorded run.
        second: of the other performance.
    """
    was = {one.name: one.value for one in variables if one.name.startswith("site.")}
    now = {one.name: one.value for one in second if one.name.startswith("site.")}
    return bool(was) and all(name in now and now[name] != value for name, value in was.items())
