"""Whether the action at which a replay came to an end took effect on the site: what has, nobody does once more.

Responsible for what the answer and the site tell. Not responsible for: what follows from it, or making calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from simulator.agent.contracts import RunView
from simulator.agent.hands import Do
from simulator.canonical import url_shape
from simulator.errors import TemplateError, ToolError
from simulator.recording.rows import ActionRow, StepRow
from simulator.replay.drift import Drift
from simulator.replay.plan import PlannedStep
from simulator.replay.read_back import look_for
from simulator.runner.resume_past import Past, may_change
from simulator.runner.resume_probe import Prober
from simulator.runner.took_effect import Finding
from simulator.tools.context import RunContext

_UNDONE = frozenset({"target_missing", "target_ambiguous", "target_contradicted"})
"""Drifts at which nothing was done: the element was not there, or the event did not get to it."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Write:
    """What an action sent that the site took."""

    action: ActionRow
    shapes: frozenset[tuple[str, str]]
    """Method and address, by shape."""


def taken_write(action: ActionRow) -> Write | None:
    """Give what an action sent that the site took; None where it sent nothing, or was refused.

    Args:
        action: as it was recorded; its page says what came of it.
    """
    after = action.after
    if action.status != "done" or after is None or after.status >= 400:
        return None
    before = action.before.alerts if action.before else ()
    if any(alert not in before for alert in after.alerts):
        return None
    sent = {
        (method, url_shape(url).partition("?")[0])
        for method, url, status in after.requests
        if method not in _READING and 200 <= status < 400
    }
    method, _, address = (action.target.form if action.target else "").partition(" ")
    if action.settled == "navigated" and method == "post" and may_change(action):
        sent.add(("POST", url_shape(address).partition("?")[0]))
    return Write(action, frozenset(sent)) if sent else None


def repairable(drift: Drift) -> bool:
    """Tell whether a drift is one that a model may repair, as far as its kind tells."""
    verdict = drift.report.verdict
    return verdict in _UNDONE or (verdict == "postcondition" and drift.action is not None)


async def took_effect(
    drift: Drift,
    planned: PlannedStep,
    step: StepRow,
    past: Past,
    ctx: RunContext,
    view: RunView,
    do: Do,
    shown: Mapping[str, str],
) -> Finding:
    """Find out whether what a step did until it drifted has changed anything that lasts.

    Args:
        drift: why it came to an end; a repairable one.
        planned: the recorded step.
        step: as the replay has recorded it.
        past: what the replay has done so far, that step last.
        ctx: the tools of the run.
        view: its user.
        do: makes calls that change nothing.
        shown: what the site calls a value that stands for one of its options, by the value's template.
    """
    if drift.report.verdict in _UNDONE:
        return Finding(False, "it was not done")
    last = past.actions.get(step.id, ())[-1:]
    if not last or taken_write(last[0]) is None:
        return Finding(False, "nothing that it sent was taken")
    sent = past.sent(step)
    if sent is None:
        return Finding(False, "it changes nothing that lasts")
    if sent.refused:
        return Finding(False, "the site refused it")
    if planned.created:
        try:
            lost = [await look_for(ctx.actor, made, shown) for made in planned.created]
        except TemplateError:
            return await Prober(past, view, ctx, do).look(step, sent)
        except ToolError as error:
            return Finding(None, f"what it made cannot be read: {error.message}")
        told = "; ".join(one.found for one in lost if one)
        return Finding(False, told) if all(lost) else Finding(True, "what it made can be read on the site")
    if sent.opens_session:
        return await Prober(past, view, ctx, do).look(step, sent)
    return await Prober(past, view, ctx, do).observe(sent)
