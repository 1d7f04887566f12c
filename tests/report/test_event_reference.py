from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import get_args

import pytest

from simulator.report.events.lines import event_name
from simulator.report.events.reference import renewed
from simulator.runner.events import Event

DOCUMENT = Path(__file__).parents[2] / "docs" / "events.md"
KINDS: tuple[type, ...] = get_args(Event)


def test_the_document_is_what_the_types_say() -> None:
    text = DOCUMENT.read_text("utf-8")
    assert text == renewed(text), "run: python -m simulator.report.events.reference docs/events.md"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_is_frozen_and_in_the_document_with_its_fields(kind: type) -> None:
    assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
    _, _, rest = DOCUMENT.read_text("utf-8").partition(f"### `{event_name(kind)}`\n")
    section = rest.partition("\n### ")[0]
    assert all(f"| `{field.name}` |" in section for field in dataclasses.fields(kind))


def test_everything_that_is_to_be_observed_is_there() -> None:
    assert {event_name(kind) for kind in KINDS} == {
        "batch_started", "batch_ended", "run_started", "run_ended", "task_started", "task_ended", "step_done",
        "agent_said", "tool_called", "tool_answered", "model_called", "limit_reached",
    }  # fmt: skip
