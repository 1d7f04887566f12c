from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator.errors import UsageError
from simulator.report.event_lines import event_lines
from tests.report.batches import whole


def test_every_event_is_a_line(tmp_path: Path) -> None:
    file = tmp_path / "out" / "events.jsonl"
    told = list(whole(2))
    with event_lines(file, pytest.fail) as write:
        for number, event in enumerate(told, start=1):
            write(event)
            assert file.read_text("utf-8").count("\n") == number, "written as it happens"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["event"] for line in lines[:4]] == ["batch_started", "run_started", "task_started", "step_done"]
    assert lines[1].keys() == {"event", "at", "number", "run_id", "persona", "username", "tasks"}
    assert lines[-1]["status"] == "passed"


def test_a_full_disk_is_told_and_counted_and_ends_nothing() -> None:
    said: list[str] = []
    with event_lines(Path("/dev/full"), said.append) as write:
        for event in whole(1):
            write(event)
    assert said[0] == "events are being lost: /dev/full cannot be written: No space left on device"
    assert said[1:] == [f"{len(list(whole(1)))} events are not whole in /dev/full"]


def test_a_file_that_cannot_be_made_is_a_wrong_option(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    with (
        pytest.raises(UsageError, match=r"events\.jsonl cannot be written"),
        event_lines(tmp_path / "taken" / "events.jsonl", print),
    ):
        pass
