"""How a drift is written: in a sentence, and in the summary of a run."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import TypeAdapter

from simulator.recording.documents import Summary
from simulator.replay.drift import DriftReport
from simulator.replay.failing import to_do
from tests.replay.rows import action

DRIFT = DriftReport("target_missing", "run-1", 3, "click", "to click button 'Save'", "no such element", ("role",))


@pytest.mark.parametrize(
    ("drift", "at"),
    [
        (DRIFT, "target_missing at step 3 (click)"),
        (replace(DRIFT, tool=""), "target_missing at step 3"),
        (replace(DRIFT, step=0, tool=""), "target_missing"),
    ],
)
def test_it_says_what_was_expected_and_what_was_found(drift: DriftReport, at: str) -> None:
    assert drift.sentence == f"{at}: expected to click button 'Save'; found no such element"


def test_a_summary_holds_it_as_recordings_always_did() -> None:
    stored = TypeAdapter(Summary).validate_python({"drift": DRIFT.as_summary()})["drift"]
    assert stored["sought"] == "to click button 'Save'"
    assert DriftReport.of_summary(stored) == DRIFT


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("goto", "/books", "to visit /books"),
        ("open_tab", "/books", "to open a new tab at /books"),
        ("open_tab", None, "to open a new tab"),
        ("back", None, "to go back"),
    ],
)
def test_what_was_to_be_done_is_said_as_a_person_says_it(kind: str, value: str | None, words: str) -> None:
    assert to_do(action(kind, value=value)) == words
