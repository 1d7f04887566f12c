"""Who observes a run, each by a real part: a file, a pipe, the log, a collector; and each of them gone wrong."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY, Answer, MessagesApi, Request, call, calls, messages_api, use
from tests.fakes.otlp_collector import attributes, failed, otlp_collector
from tests.ports import port_of_nobody
from tests.runner.program import SIM, Project, project

GOAL = "Look at what competes.\nThen say which one you like, and why, in a sentence that is a good deal longer."
SAID = "I look around.\x1b[2J\nThe books come first."


def model(request: Request) -> Answer:
    match request.turn:
        case 0:
            return calls(use("navigate", url="/books"), use("click", selector="No such button"), text=SAID)
        case 1:
            return calls(use("fill", selector="Search books", value="my own words"))
        case _:
            return call("complete", result="I have looked at what competes.")


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Project]:
    with project(tmp_path) as made:
        yield made


@pytest.fixture
def api() -> Iterator[MessagesApi]:
    with messages_api(model) as running:
        yield running


def goal(ours: Project, api: MessagesApi, *more: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url, **env}
    return ours.sim("goal", "--no-prove", GOAL, "--seed", "7", *map(str, more), **env)


@pytest.mark.table
def test_events_go_to_a_file_the_log_and_a_collector(ours: Project, api: MessagesApi, tmp_path: Path) -> None:
    events, log = tmp_path / "events.jsonl", tmp_path / "sim.log"
    with otlp_collector() as collector:
        done = goal(ours, api, "--events", events, "--log", log, OTEL_EXPORTER_OTLP_ENDPOINT=collector.url)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    told = [json.loads(line) for line in events.read_text("utf-8").splitlines()]
    counted = Counter(event["event"] for event in told)
    assert counted == {
        "batch_started": 1, "run_started": 1, "task_started": 1, "model_called": 3, "agent_said": 1, "tool_called": 4,
        "tool_answered": 4, "step_done": 4, "task_ended": 1, "run_ended": 1, "batch_ended": 1,
    }  # fmt: skip
    by_kind = {event["event"]: event for event in told}
    assert by_kind["task_started"]["text"] == GOAL
    assert by_kind["agent_said"]["text"] == SAID
    assert by_kind["run_started"]["agent"] == "claude"
    (failure,) = (event for event in told if event["event"] == "tool_answered" and not event["success"])
    assert failure["error_type"] == "not_found"
    with Recording.open(ours.db) as recording:
        steps = {step.id: step for step in recording.steps(by_kind["run_started"]["run_id"])}
    called = {event["step_id"]: event for event in told if event["event"] == "tool_called"}
    assert {name: event["tool"] for name, event in called.items()} == {name: step.tool for name, step in steps.items()}
    (filled,) = (event for event in called.values() if event["tool"] == "fill")
    assert filled["input"]["value"] is None, "only the field tells whether it is a secret"

    lines = log.read_text("utf-8").splitlines()
    assert sum("simulator.events" in line for line in lines) == len(told)
    assert any("INFO    simulator.events: user 1: task 1 do: Look at what competes. Then say" in line for line in lines)

    run = "invoke_agent visitor"
    assert Counter(span.name.partition(" ")[0] for span in collector.spans) == {
        "batch": 1, "invoke_agent": 1, "task": 1, "chat": 3, "execute_tool": 4,
    }  # fmt: skip
    assert collector.way(collector.one("execute_tool fill")) == ["batch bookshop", run, "task do"]
    assert {span.name for span in collector.spans if failed(span)} == {"execute_tool click"}
    assert {attributes(span)["gen_ai.tool.call.id"] for span in collector.named("execute_tool")} == set(steps)
    assert all(part not in b"".join(collector.bodies) for part in (b"compete", b"The books", b"No such", b"my own"))


@pytest.mark.slow
def test_what_does_not_get_there_is_told_and_the_run_goes_on(ours: Project, api: MessagesApi) -> None:
    url = f"http://127.0.0.1:{port_of_nobody()}"
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_EXPORTER_OTLP_TIMEOUT": "0.3"}
    done = goal(ours, api, "--events", "/dev/full", "--json", **env)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["runs"][0]["status"] == "passed"
    assert result["lost_events"] == {"/dev/full": 22, "the OpenTelemetry collector": 10}
    said = done.stderr.splitlines()
    assert said.count("events are being lost: /dev/full: No space left on device") == 1
    assert said[-2:] == [
        "22 events did not get to /dev/full: No space left on device",
        "10 events did not get to the OpenTelemetry collector: the collector did not take its spans",
    ]
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_reader_that_goes_away_is_a_loss(ours: Project, api: MessagesApi, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def leave(request: Request) -> Answer:
        if request.turn == 1:
            assert b"batch_started" in os.read(reader, 100_000)
            os.close(reader)
        return model(request)

    api.answer = leave
    done = goal(ours, api, "--events", pipe)
    assert done.returncode == 0, done.stderr
    assert f"events are being lost: {pipe}: Broken pipe" in done.stderr
    assert f"to {pipe}" in next(line for line in done.stdout.splitlines() if line.startswith("lost "))


@pytest.mark.slow
def test_a_terminal_that_is_gone_ends_nothing(ours: Project, api: MessagesApi) -> None:
    read, write = os.pipe()
    os.close(read)
    env = {**ours.env, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
    command = [SIM, "goal", "--no-prove", GOAL, "--seed", "7", "--json"]
    with os.fdopen(write) as stderr:
        done = subprocess.run(command, cwd=ours.folder, env=env, stdout=subprocess.PIPE, stderr=stderr, text=True)
    result = json.loads(done.stdout)
    assert (done.returncode, result["runs"][0]["status"]) == (0, "passed")
    assert list(result["lost_events"]) == ["the terminal"]
