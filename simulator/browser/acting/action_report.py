"""What an action came to: what it set, what became of what it put in, and what the page says of that.

Not responsible for: reading the field, which the page does, or judging what it holds (``written``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulator.browser.acting.tries import Tried
from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState, Settled
from simulator.browser.effects.model import Observed
from simulator.browser.evidence import Target
from simulator.browser.follow import Followed
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.wire.withheld import WITHHELD
from simulator.browser.written import Input, Written, judge
from simulator.canonical import is_words


@dataclass(frozen=True, slots=True)
class ActionReport:
    """What an action was and came to."""

    action_id: str
    target: Target | None
    outcome: ActionOutcome
    page: PageState
    written: Written | None = None
    """What became of what it put into a field; None where it put in nothing."""


class ActionReporter:
    """Says of the actions of one user what they came to.

    Args:
        tracker: knows the page as it is by now.
        writer: writes what it says.
    """

    def __init__(self, tracker: PageTracker, writer: TemplateWriter) -> None:
        self._tracker = tracker
        self._writer = writer

    def judged(self, put: Input, told: Mapping[str, Any], settled: Settled | None = None) -> Written:
        """Judge what became of what was put into a field; what it reads is written as it is stored."""
        written = judge(put, told, settled or "quiet", self._tracker.here if settled else None)
        return replace(written, reads=self._writer.written(written.reads), note=self._writer.written(written.note))

    def set_by(self, start: ActionStart, followed: Followed | None) -> Sequence[str] | None:
        """Give which field of its form a click set: the page reports what was acted on in it, not in a frame."""
        own = start.kind == "click" and start.target is not None and not start.target.frame
        left = followed is None or followed.settled == "navigated" or _writes(self._tracker.here)
        return followed.sets if followed and own and not left else None

    def outcome(
        self,
        start: ActionStart,
        tried: Tried,
        followed: Followed,
        written: Written | None,
        refused: str,
        *,
        sets: Sequence[str] | None,
        learned: Mapping[str, str],
        proved: Sequence[str],
        observed: Observed,
    ) -> ActionOutcome:
        """Say what an action came to that was followed to its end.

        Args:
            start: the action.
            tried: its last try.
            followed: what the page has become.
            written: what became of what it put into a field; None where it put in nothing, or was stopped.
            refused: why nothing of that was taken; empty where something was.
            sets: of :meth:`set_by`.
            learned: variables that it binds.
            proved: actions that have typed what proved to be a secret.
            observed: what it sent, and what was seen again.
        """
        untouched = bool(refused and written and written.untouched)
        still = followed.settled == "quiet" and not self._tracker.here.requests
        stayed = start.kind == "click" and followed.settled != "navigated"
        return ActionOutcome(
            "cancelled" if tried.stopped else "failed" if untouched and still else "done",
            settled=followed.settled,
            after=self._tracker.here,
            error=self._writer.mask("; ".join(tried.stopped)) or refused or None,
            stopped=tried.reached,
            reads=self._reads(start, written, tried.told),
            sent=_sent(start, tried.told),
            sets=sets,
            dismissed=followed.dismissed and stayed,
            put_away=followed.put_away and stayed,
            generated={**learned, **followed.generated},
            proved=dict.fromkeys(proved, WITHHELD),
            learnt=self._tracker.take_learnt(),
            observed=observed,
        )

    def _reads(self, start: ActionStart, written: Written | None, told: Mapping[str, Any]) -> str | None:
        """Give what a field holds, as it is stored, where that is not what was put in: of an option what it says."""
        if written is None or start.kind != "select":
            return written.reads if written and written.became == "changed" else None
        if picked := told.get("picked"):
            if written.became == "changed":
                return written.reads
            other = picked["label"] not in ("", start.recorded_value)
            return self._writer.written(picked["label"]) if other and written.became == "held" else None
        if start.options.get("several"):
            return None
        labels = [label for _, label in told.get("chosen") or () if label not in ("", start.recorded_value)]
        return self._writer.written(labels[0]) if labels and written.became == "held" else None

    def refused(self, start: ActionStart, written: Written) -> str:
        """Say that nothing of what was put into a field was taken, and what the page says of that."""
        said = [text for text in self._tracker.here.alerts if start.before is None or text not in start.before.alerts]
        words = f"; the page says: {'; '.join(said)}" if said else ""
        return self._writer.mask(f"could not {start.kind} {aimed(start)}: {written.note}{words}")


def _sent(start: ActionStart, told: Mapping[str, Any]) -> str | None:
    """Give what the chosen option of a list is sent as: a word that says more than its label does."""
    if start.kind != "select" or start.target is None or start.target.tag != "select":
        return None
    values = [value for value, _ in told.get("chosen") or ()]
    word = len(values) == 1 and values[0] != start.recorded_value and is_words(values[0])
    return values[0] if word else None


def aimed(start: ActionStart) -> str:
    """Say what an action is done to."""
    return start.target.words if start.target else start.value or ""


def _writes(state: PageState) -> bool:
    """Return whether an action caused a writing request."""
    return any(method not in ("GET", "HEAD", "OPTIONS") for method, _, _ in state.requests)
