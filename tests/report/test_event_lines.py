from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.agent.usage import Usage
from simulator.errors import UsageError
from simulator.report.events.lines import LineFile, event_line
from simulator.runner.delivery import TimedEvent
from simulator.runner.events import ModelCalled, StepDone, ToolCalled
from tests.report.batches import whole


def test_every_event_is_a_line(tmp_path: Path) -> None:
    file = tmp_path / "out" / "events.jsonl"
    told = list(whole(2))
    with LineFile(file) as lines:
        for number, event in enumerate(told, start=1):
            lines.write(event_line(TimedEvent(event, 1_800_000_000_000_000_000)))
            assert file.read_text("utf-8").count("\n") == number, "written as it happens"
    read = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [line["event"] for line in read[:4]] == ["batch_started", "run_started", "task_started", "step_done"]
    assert read[0]["at"] == "2027-01-15T08:00:00.000Z"
    assert read[1].keys() == {"event", "at", "number", "run_id", "persona", "username", "tasks", "agent"}
    assert read[-1]["status"] == "passed"


def test_what_is_nested_in_an_event_is_nested_in_its_line() -> None:
    called = json.loads(event_line(TimedEvent(ToolCalled(1, "s", "fill", {"selector": "Price", "value": None}), 0)))
    assert called["input"] == {"selector": "Price", "value": None}
    usage = json.loads(event_line(TimedEvent(ModelCalled(1, "m", Usage(input=5, output=2), 0.5), 0)))["usage"]
    assert usage == {"input": 5, "cache_write": 0, "cache_read": 0, "output": 2}


def test_a_full_disk_is_an_error() -> None:
    with LineFile(Path("/dev/full")) as lines, pytest.raises(OSError, match="No space left"):
        lines.write("{}")


TORN = """
import resource, sys
from pathlib import Path
from simulator.report.events.lines import LineFile

path = Path(sys.argv[1])
with LineFile(path) as lines:
    lines.write("first")
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY))
    for line in ("second", "third"):
        try:
            lines.write(line)
        except OSError as error:
            print(error.strerror)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    lines.write("fourth")
"""


def test_after_a_torn_line_the_next_one_is_whole(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    file = tmp_path / "events.jsonl"
    done = subprocess.run([sys.executable, "-c", TORN, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["No space left on device", "File too large"]
    assert file.read_text("utf-8").splitlines() == ["first", "seco", "fourth"]


def test_a_file_that_cannot_be_made_is_a_wrong_option(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    with pytest.raises(UsageError, match=r"events\.jsonl cannot be written"):
        LineFile(tmp_path / "taken" / "events.jsonl")


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="nobody reads the pipe"):
        LineFile(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with LineFile(pipe) as lines:
            lines.write(event_line(TimedEvent(StepDone(1, "click", True, 0.5), 0)))
        assert json.loads(os.read(reader, 1000))["tool"] == "click"
    finally:
        os.close(reader)
