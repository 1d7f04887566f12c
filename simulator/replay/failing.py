"""Why a replay could not do what was recorded, as a drift. Not responsible for: doing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from simulator.browser.acting.drawn_lists import NoOption
from simulator.browser.documents import BrowserError, Document, has_left
from simulator.browser.documents import explain as ask_why
from simulator.errors import ToolError
from simulator.recording.rows import ActionRow
from simulator.replay.drift import Drift, DriftReport, Verdict
from simulator.replay.evidence.explaining import explain
from simulator.replay.evidence.resolve import Query
from simulator.replay.plan import PlannedStep
from simulator.replay.verify import is_at

_FAILURES: dict[str, Verdict] = {
    "blocked": "environment",
    "page_closed": "environment",
    "navigation": "environment",
    "timeout": "site_error",
    "not_found": "target_missing",
}
_TYPING = frozenset({"fill", "type", "press", "focus"})
"""What is done to a field, whatever lies over it."""


def drift_at(run: str, planned: PlannedStep, verdict: Verdict, sought: str, found: str) -> Drift:
    """Say that something is not as recorded, at a step of a run."""
    step = planned.step
    return Drift(DriftReport(verdict, run, step.ordinal + 1, step.tool or "", sought, found))


def words_of(action: ActionRow) -> str:
    """Name an action."""
    target = action.target
    aimed = f" {target.words}" if target else ""
    return f"{action.kind}{aimed or ' ' + (action.value or '')}"


class Goal(NamedTuple):
    """What the element of a drag is dragged to, and the page or the frame that it is in."""

    query: Query
    where: Document


@dataclass(frozen=True, slots=True)
class Failed:
    """An action that could not be done."""

    run: str
    planned: PlannedStep
    action: ActionRow
    error: ToolError

    async def explained(self, where: Document, query: Query | None, goal: Goal | None, login: str | None) -> Drift:
        """Find out why.

        Args:
            where: the page, or the frame in it.
            query: what was sought; None where there was no element.
            goal: what it was to be dragged to.
            login: path of the site's login page.
        """
        action, error = self.action, self.error
        if isinstance(error, NoOption):
            missing: Verdict = "target_ambiguous" if error.found else "target_missing"
            sought = f"the option '{error.label}' of {words_of(action)}"
            return drift_at(self.run, self.planned, missing, sought, error.message)
        if error.type in _FAILURES or query is None:
            awaited = (action.kind, error.type) == ("wait", "timeout")
            verdict: Verdict = "postcondition" if awaited else _FAILURES.get(error.type, "site_error")
            return drift_at(self.run, self.planned, verdict, words_of(action), error.message)
        act = "type" if action.kind in _TYPING else "point"
        try:
            seen = await ask_why(where, query.model_dump(exclude_defaults=True), act)
            if goal is not None and seen["admitted"] == 1:
                query, where = goal
                seen = await ask_why(where, query.model_dump(exclude_defaults=True))
        except BrowserError as failure:
            if has_left(where):
                gone = "its frame, which has left the page"
                return drift_at(self.run, self.planned, "target_missing", f"{query.words} to {action.kind}", gone)
            return drift_at(self.run, self.planned, "environment", query.words, failure.message.splitlines()[0])
        told = explain(query, seen)
        verdict, found = told.verdict, told.found
        here = str(seen["state"]["url"])
        before = action.before.url if action.before else ""
        if seen["state"]["status"] >= 500:
            verdict, found = "site_error", f"status {seen['state']['status']} at {here}"
        elif verdict == "target_missing" and is_at(here, login) and not is_at(before, login):
            verdict, found = "session_lost", f"the login page at {here}"
        return Drift(
            DriftReport(
                verdict,
                self.run,
                self.planned.step.ordinal + 1,
                self.planned.step.tool or "",
                f"{query.words} to {action.kind}",
                found if error.type == "not_actionable" and told.verdict == "target_missing" else f"{found} on {here}",
                told.agreed,
                told.contradicted,
                told.candidates,
            ),
            untouched=isinstance(error.__cause__, BrowserError) and not seen["stopped"],
        )
