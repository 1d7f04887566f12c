from __future__ import annotations

from pathlib import Path

import pytest

from simulator.recording import Recorder
from simulator.recording.reader import Recording
from simulator.report.terminal.variables import RecordedVariable, read_variables, variable_lines
from simulator.tools.contracts import ToolCall, ToolResult


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, RecordedVariable]:
    with Recorder.open(tmp_path / "runs.db") as recorder:
        batch = recorder.begin_batch(argv=[], seed="7", settings={})
        recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent=None, persona="voter", environment={}, site="shop",
            identity={"username": "bob", "books": [], "seed": "7"},
        ).end_run(status="passed")  # fmt: skip
        run = recorder.begin_run(
            batch_id=batch, number=2, kind="record", agent=None, persona="voter", environment={}, site="shop",
            identity={"username": "ann", "books": [{"title": "Emma"}], "seed": "7"},
        )  # fmt: skip
        inputs = (
            {"values": ["{{identity.username}}", "{{secret.password}}"]},
            {"url": "/books/{{book.1.title.slug}}", "to": "{{user.1.username}}"},
            {"url": "/books/{{site.books_1}}", "text": "{{book.1.title}} {{text.message.1}}"},
        )
        for place, given in enumerate(inputs):
            step = run.begin_step(call=ToolCall(id=str(place), name="navigate", input=given), replay="actions")
            if place == 1:
                run.variables.set("site.books_1", "42", kind="site", step_id=step)
                run.variables.set("secret.password", "Geheim", kind="secret")
            run.end_step(step, ToolResult(success=True))
        run.end_run(status="passed")
    with Recording.open(tmp_path / "runs.db") as recording:
        return {one.name: one for one in read_variables(recording, run.id)}


def test_each_variable_says_its_value_source_and_uses(variables: dict[str, RecordedVariable]) -> None:
    told = {name: (one.value, one.source, one.steps) for name, one in variables.items()}
    assert told == {
        "identity.username": ("ann", "the identity", (1,)),
        "secret.password": (None, "the machine's key", (1,)),
        "book.1.title": ("Emma", "the identity", (2, 3)),
        "user.1.username": ("bob", "user 1 of the batch", (2,)),
        "site.books_1": ("42", "step 2", (3,)),
        "text.message.1": (None, "the persona", (3,)),
    }


def test_they_are_told_in_the_order_of_their_use_and_fit_a_terminal(variables: dict[str, RecordedVariable]) -> None:
    lines = variable_lines(list(variables.values()), 60)
    assert [line.split()[0] for line in lines[1:]] == [
        "identity.username", "secret.password", "book.1.title", "user.1.username", "site.books_1", "text.message.1"
    ]  # fmt: skip
    assert max(map(len, lines)) <= 60
    assert "(a secret)" in lines[2]
