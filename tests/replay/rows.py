"""Rows of a recording made by hand, as small as a test needs them."""

from __future__ import annotations

from typing import Any

from simulator.browser.action_recorder import PageState
from simulator.browser.evidence import Alike, Target
from simulator.recording.rows import ActionRow, RunRow, StepRow, VariableRow

_WHEN: dict[str, Any] = {"started_at": "2026-01-01T00:00:00.000Z", "ended_at": None, "started_ns": 0, "ended_ns": None}
ALONE = Alike(test_id=1, role_name=1, role_name_scoped=1, label=1, name_attr=1)


def target(**given: Any) -> Target:
    """Evidence of the submit button of a form."""
    usual: dict[str, Any] = {
        "tag": "button",
        "role": "button",
        "name": "Put it up for sale",
        "type": "submit",
        "form": "post /books/new",
        "alike": ALONE,
    }
    return Target.model_validate(usual | given)


def field(name: str, **given: Any) -> Target:
    """Evidence of a text field of a form."""
    usual = {"tag": "input", "role": "textbox", "label": name.title(), "type": "text"}
    usual["name"] = given.get("label", name.title())
    return target(**usual | {"name_attr": name} | given)


def page(url: str = "/books/new", *alerts: str, **given: Any) -> PageState:
    return PageState(url, alerts=alerts, **{"status": 200, **given})


_count = iter(range(10**6))


def action(kind: Any, aimed: Target | None = None, **given: Any) -> ActionRow:
    number = next(_count)
    usual: dict[str, Any] = {
        "id": f"action-{number}",
        "step_id": "step-0",
        "ordinal": number,
        "actor": "user",
        "kind": kind,
        "target": aimed,
        "value": None,
        "recorded_value": None,
        "aim": "exact",
        "choice": None,
        "options": {},
        "status": "done",
        "settled": "quiet",
        "before": None,
        "after": None,
        "error": None,
        "change": 0,
    }
    return ActionRow(**usual | _WHEN | given)


def submit(*alerts: str, before: tuple[str, ...] = (), url: str = "/books/new", **given: Any) -> ActionRow:
    """A press of the form's button, after which the page shows alerts, or is another one."""
    return action(
        "click",
        target(**given),
        before=page("/books/new", *before),
        after=page(url, *alerts),
        settled="navigated",
    )


def step(ordinal: int = 0, **given: Any) -> StepRow:
    usual: dict[str, Any] = {
        "id": f"step-{ordinal}",
        "run_id": "run-1",
        "ordinal": ordinal,
        "batch_ordinal": ordinal,
        "tool": "fill_form",
        "call_id": None,
        "replay": "actions",
        "task": None,
        "input": {},
        "withheld": False,
        "success": True,
        "result": None,
        "error_type": None,
        "error_message": None,
        "images": (),
        "metadata": {},
        "flags": {},
        "status": "done",
        "change": 0,
    }
    return StepRow(**usual | _WHEN | given)


def run(**given: Any) -> RunRow:
    usual: dict[str, Any] = {
        "id": "run-1",
        "batch_id": "batch-1",
        "number": 1,
        "kind": "record",
        "origin": "agent",
        "agent": "autopilot",
        "persona": "seller",
        "label": None,
        "site": "bookshop",
        "identity": None,
        "environment": {},
        "key_fingerprint": None,
        "source_run": None,
        "revision": 1,
        "status": "passed",
        "verdict": None,
        "reason": None,
        "summary": None,
        "steps": 1,
        "change": 0,
    }
    return RunRow(**usual | _WHEN | given)


def variable(name: str, value: str | None, **given: Any) -> VariableRow:
    usual: dict[str, Any] = {"run_id": "run-1", "kind": "identity", "step_id": None, "action_id": None}
    return VariableRow(name=name, value=value, **usual | given)
