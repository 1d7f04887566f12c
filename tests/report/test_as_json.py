from __future__ import annotations

import json
from dataclasses import fields

from simulator.report.as_json import json_text
from simulator.runner.events import BatchResult, RunOutcome, TaskOutcome
from tests.report.batches import batch, outcome


def test_names_are_those_of_the_fields_and_the_form_is_canonical() -> None:
    text = json_text(batch(outcome(1, TaskOutcome("register", "done", 1.5)), made={"users": 1}))
    value = json.loads(text)
    assert list(value) == sorted(field.name for field in fields(BatchResult))
    assert list(value["runs"][0]) == sorted(field.name for field in fields(RunOutcome))
    assert value["db"] == "/project/recordings/runs.db"
    assert ", " not in text
    assert ": " not in text
