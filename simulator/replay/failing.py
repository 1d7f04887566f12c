"""Why a replay could not do what was recorded, as a drift. Not responsible for: doing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from simulator.browser.acting.drawn_lists import NoOption
from simulator.browser.action_recorder import ActionKind
from simulator.browser.documents import BrowserError, Document, has_left
from simulator.browser.documents import explain as ask_why
from simulator.errors import ToolError
from simulator.recording.rows import ActionRow
from simulator.replay.drift import Drift, DriftReport, Verdict, an_error
from simulator.replay.evidence.explaining import explain
from simulator.replay.evidence.query import Query
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
_VERBS: dict[ActionKind, str] = {
    "back": "go back",
    "close_tab": "close tab",
    "dblclick": "double-click",
    "forward": "go forward",
    "goto": "visit",
    "hover": "hover over",
    "open_tab": "open a new tab at",
    "press": "press a key in",
    "reload": "load the page again",
    "scroll": "scroll by",
    "select": "select an option of",
    "switch_tab": "switch to tab",
    "type": "type into",
    "upload": "upload a file to",
    "wait": "wait for",
}


def drift_at(run: str, planned: PlannedStep, verdict: Verdict, expected: str, found: str) -> Drift:
    """Say that something is not as recorded, at a step of a run."""
    step = planned.step
    return Drift(DriftReport(verdict, run, step.ordinal + 1, step.tool or "", expected, found))


def words_of(action: ActionRow) -> str:
    """Name an action."""
    target = action.target
    aimed = f" {target.words}" if target else ""
    return f"{action.kind}{aimed or ' ' + (action.value or '')}"


def to_do(action: ActionRow, aimed: str = "") -> str:
    """Say what was to be done.

    Args:
        action: it.
        aimed: on what, in words; empty for those of its target, or its value.
    """
    aimed = aimed or (action.target.words if action.target else action.value or "")
    verb = _VERBS.get(action.kind, action.kind)
    return f"to {verb} {aimed}" if aimed else f"to {verb.removesuffix(' at')}"


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
            query: what was looked for; None where there was no element.
            goal: what it was to be dragged to.
            login: path of the site's login page.
        """
        action, error = self.action, self.error
        if isinstance(error, NoOption):
            missing: Verdict = "target_ambiguous" if error.found else "target_missing"
            of = action.target.words if action.target else "a list"
            option = f"the option '{error.label}' in {of}"
            return drift_at(self.run, self.planned, missing, option, f"that {error.message}")
        if error.type in _FAILURES or query is None:
            awaited = (action.kind, error.type) == ("wait", "timeout")
            verdict: Verdict = "postcondition" if awaited else _FAILURES.get(error.type, "site_error")
            return drift_at(self.run, self.planned, verdict, to_do(action), an_error(error.message))
        act = "type" if action.kind in _TYPING else "point"
        expected = to_do(action, query.words)
        try:
            seen = await ask_why(where, query.model_dump(exclude_defaults=True), act)
            if goal is not None and seen["admitted"] == 1:
                query, where = goal
                expected += f" onto {query.words}"
                seen = await ask_why(where, query.model_dump(exclude_defaults=True))
        except BrowserError as failure:
            if has_left(where):
                gone = "its frame, which has left the page"
                return drift_at(self.run, self.planned, "target_missing", expected, gone)
            return drift_at(self.run, self.planned, "environment", expected, an_error(failure.message.splitlines()[0]))
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
                expected,
                found if error.type == "not_actionable" and told.verdict == "target_missing" else f"{found} on {here}",
                told.agreed,
                told.contradicted,
                told.candidates,
            ),
            untouched=isinstance(error.__cause__, BrowserError) and not seen["stopped"],
        )
