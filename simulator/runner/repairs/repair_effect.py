"""Whether the action at which a replay came to an end took effect on the site: what has, nobody does once more.

Responsible for what the answer and the site show. Not responsible for: what follows from it, or making calls.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.canonical import url_shape
from simulator.recording.rows import ActionRow, StepRow
from simulator.replay.drift import Drift
from simulator.runner.interrupted.resume_past import Past, may_change
from simulator.runner.interrupted.took_effect import Looker, took_effect
from simulator.runner.interrupted.took_press import Finding

_UNDONE = frozenset({"target_missing", "target_ambiguous", "target_contradicted"})
"""Drifts at which nothing was done: the element was not there, or the event did not get to it."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True, slots=True)
class Write:
    """What an action sent that the site took."""

    action: ActionRow
    shapes: frozenset[tuple[str, str]]
    """Method and address, by shape."""
    led_by: tuple[ActionRow, ...] = ()
    """What sent the forms that led to this one, as one does that asks whether it is meant."""


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
    """Return whether a drift is one that a model may repair, as far as its kind says."""
    verdict = drift.report.verdict
    return verdict in _UNDONE or (verdict == "postcondition" and drift.action is not None)


async def has_taken_effect(drift: Drift, step: StepRow, past: Past, looker: Looker) -> Finding:
    """Find out whether what a step did until it drifted has changed anything that lasts.

    Args:
        drift: why it came to an end; a repairable one.
        step: as the replay has recorded it.
        past: what the replay has done so far, that step last.
        looker: looks as the user of the run.
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
    return await took_effect(looker, past, step, sent)
