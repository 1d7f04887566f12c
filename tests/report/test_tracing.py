"""Events as OpenTelemetry spans, sent by the real SDK to a collector on loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from simulator.agent.usage import Usage
from simulator.report.events.tracing import Traces, tracing_wanted
from simulator.runner.delivery import TimedEvent
from simulator.runner.events import (
    AgentSaid,
    BatchEnded,
    BatchStarted,
    Event,
    LimitReached,
    ModelCalled,
    RunEnded,
    RunStarted,
    StepDone,
    TaskEnded,
    TaskStarted,
    ToolAnswered,
    ToolCalled,
)
from tests.fakes.otlp_collector import Collector, attributes, failed, otlp_collector

SECOND = 1_000_000_000
START = 1_800_000_000 * SECOND


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with otlp_collector() as running:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", running.url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
        yield running


@pytest.fixture
def told(collector: Collector) -> Callable[..., list[tuple[str, int]]]:
    """Tells events, a second apart, and gives what was lost."""

    def tell(*events: Event) -> list[tuple[str, int]]:
        lost: list[tuple[str, int]] = []
        traces = Traces({}, lambda why, count: lost.append((why, count)))
        for place, event in enumerate(events):
            traces(TimedEvent(event, START + place * SECOND))
        traces.close()
        return lost

    return tell


BATCH = BatchStarted("batch-1", 1, 1, "7", "bookshop", "http://127.0.0.1:8765")
RUN = RunStarted(1, "run-1", "voter", "ann", 2, "claude")
WORDS = "the page said: buy now, hunter2"


def test_calls_and_requests_belong_to_their_task_and_it_to_its_run(
    told: Callable[..., Any], collector: Collector
) -> None:
    usage = Usage(input=10, cache_write=20, cache_read=70, output=5)
    lost = told(
        BATCH,
        RUN,
        TaskStarted(1, "do", 1, WORDS),
        ModelCalled(1, "claude-x", usage, 0.5),
        AgentSaid(1, WORDS),
        ToolCalled(1, "step-1", "click", {"selector": WORDS}),
        ToolAnswered(1, "step-1", "click", False, 0, 0, "not_found", WORDS),
        StepDone(1, "click", False, 0.25, "step-1"),
        LimitReached(1, "patience", WORDS, ends=True),
        TaskEnded(1, "do", "failed", 3.0, WORDS),
        RunEnded(1, "run-1", "failed", WORDS),
        BatchEnded("failed"),
    )
    assert lost == []
    assert collector.paths == ["/v1/traces"]
    assert {one["service.name"] for one in collector.resources} == {"simulator"}
    assert len({span.trace_id for span in collector.spans}) == 1
    above = ["batch bookshop", "invoke_agent voter", "task do"]
    for name in ("chat claude-x", "execute_tool click"):
        assert collector.way(collector.one(name)) == above
    chat, step = collector.one("chat"), collector.one("execute_tool")
    assert attributes(chat) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "claude-x",
        "gen_ai.response.model": "claude-x",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.cache_creation.input_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 70,
        "gen_ai.usage.output_tokens": 5,
    }
    assert chat.end_time_unix_nano - chat.start_time_unix_nano == SECOND // 2
    assert chat.end_time_unix_nano == START + 3 * SECOND
    assert attributes(step) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "click",
        "gen_ai.tool.call.id": "step-1",
        "simulator.step.id": "step-1",
        "error.type": "not_found",
    }
    task = collector.one("task")
    assert [attributes(event) for event in task.events] == [
        {"simulator.limit": "patience", "simulator.limit.ends": True}
    ]
    run = attributes(collector.one("invoke_agent"))
    assert (run["gen_ai.agent.name"], run["simulator.run.id"], run["simulator.status"]) == ("voter", "run-1", "failed")
    assert all(failed(span) for span in (step, task, collector.one("invoke_agent"), collector.one("batch")))
    assert not failed(chat)
    assert b"hunter2" not in b"".join(collector.bodies)


def test_the_steps_of_a_replay_belong_to_its_run(told: Callable[..., Any], collector: Collector) -> None:
    told(
        BATCH,
        RunStarted(1, "run-1", "voter", "ann", 1),
        StepDone(1, "click", True, 0.25, "step-1"),
        RunEnded(1, "run-1", "failed", "two fit", "target_ambiguous"),
        BatchEnded("failed"),
    )
    assert collector.way(collector.one("execute_tool")) == ["batch bookshop", "replay voter"]
    assert not failed(collector.one("execute_tool"))
    assert attributes(collector.one("replay"))["error.type"] == "target_ambiguous"


def test_what_is_open_at_the_end_is_ended_as_interrupted(told: Callable[..., Any], collector: Collector) -> None:
    told(BATCH, RUN, TaskStarted(1, "do", 1))
    assert {span.name: attributes(span)["error.type"] for span in collector.spans} == {
        "batch bookshop": "interrupted",
        "invoke_agent voter": "interrupted",
        "task do": "interrupted",
    }


def test_many_are_sent_in_parts(told: Callable[..., Any], collector: Collector) -> None:
    told(BATCH, RUN, *(StepDone(1, "click", True, 0.1, f"step-{place}") for place in range(600)), BatchEnded("passed"))
    assert len(collector.bodies) == 2
    assert len(collector.named("execute_tool")) == 600


def test_a_collector_that_takes_nothing_is_a_loss(told: Callable[..., Any], collector: Collector) -> None:
    collector.status = 400
    assert told(BATCH, RUN, BatchEnded("passed")) == [("the collector did not take its spans", 2)]


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "ours"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_the_environment_says_whether_spans_are_sent(environ: dict[str, str], wanted: bool) -> None:
    assert tracing_wanted(environ) is wanted


WITHOUT = """
import sys
sys.modules["opentelemetry"] = None
from pathlib import Path
from simulator.errors import ExtraMissing
from simulator.report.events.observers import Observing, observers

with observers(Observing(), {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}):
    print("went on")
try:
    with observers(Observing(otel=True), {}):
        pass
except ExtraMissing as error:
    print(error)
"""


def test_an_installation_may_lack_it() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    missing = "OpenTelemetry is not installed: pip install 'persona-replay[otel]'"
    assert done.stdout.splitlines() == ["went on", missing]
    assert done.stderr.splitlines() == [f"no spans are sent: {missing}"]


def test_it_is_imported_only_when_it_is_asked_for() -> None:
    code = (
        "import sys\n"
        "from simulator.report.events.observers import Observing, observers\n"
        "with observers(Observing(), {}): print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
