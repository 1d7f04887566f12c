"""What happens in a batch as OpenTelemetry spans: batch, run, task, and in it tool calls and requests to a model.

Spans say who did what, when and how it ended, by the names that OpenTelemetry has for generative models where it has
one. They hold no text of a page, a model or a person, no input and no secret. Not responsible for: any other listener.
Imports OpenTelemetry, which an installation may lack, only when it is asked for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from simulator.errors import ExtraMissing
from simulator.runner.delivery import TimedEvent
from simulator.runner.events import (
    BatchEnded,
    BatchStarted,
    LimitReached,
    ModelCalled,
    RunEnded,
    RunStarted,
    StepDone,
    TaskEnded,
    TaskStarted,
    ToolAnswered,
)
from simulator.version import DISTRIBUTION, VERSION

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_TIMEOUTS = ("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT")
_TIMEOUT_S = 5.0
"""How long one request to the collector may take, tries included, where the environment does not say."""
_TOGETHER = 512
"""Spans that are sent together."""
_EVERY_S = 5.0
"""Seconds after which fewer are sent."""
_NEEDED = f"OpenTelemetry is not installed: pip install '{DISTRIBUTION}[otel]'"


def tracing_wanted(environ: Mapping[str, str]) -> bool:
    """Return whether the environment names a collector, by OpenTelemetry's own variables."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or environ.get("OTEL_TRACES_EXPORTER") == "none":
        return False
    return any(environ.get(name) for name in _ENDPOINTS)


class Traces:
    """A listener that makes spans of events and sends them to a collector by OTLP over HTTP.

    Where to, and with which headers, is said by OpenTelemetry's own variables, such as
    ``OTEL_EXPORTER_OTLP_ENDPOINT``; by default it is ``http://localhost:4318``. It may wait for the network: give it a
    thread of its own.

    Args:
        environ: the environment.
        lost: is given why spans did not get to the collector, and how many.

    Raises:
        ExtraMissing: OpenTelemetry is not installed.
    """

    def __init__(self, environ: Mapping[str, str], lost: Callable[[str, int], object]) -> None:
        try:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import Resource
            from opentelemetry.sdk.trace import TracerProvider
        except ImportError as error:
            raise ExtraMissing(_NEEDED) from error
        # What it has to say is reported as a loss, once, and not on the terminal for every try.
        logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
        given = any(environ.get(name) for name in _TIMEOUTS)
        self._exporter: SpanExporter = OTLPSpanExporter(timeout=None if given else _TIMEOUT_S)
        service = environ.get("OTEL_SERVICE_NAME") or "simulator"
        resource = Resource.create({"service.name": service, "service.version": VERSION})
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._tracer = provider.get_tracer("simulator", VERSION)
        self._lost = lost
        self._ended: list[ReadableSpan] = []
        self._sent = time.monotonic()
        self._batch: Span | None = None
        self._runs: dict[int, Span] = {}
        self._tasks: dict[int, Span] = {}
        self._agents: dict[int, str] = {}
        self._errors: dict[str, str] = {}

    def __call__(self, timed: TimedEvent) -> None:
        """Take an event in."""
        self._follow(timed)
        late = time.monotonic() - self._sent > _EVERY_S
        if len(self._ended) >= _TOGETHER or (late and self._ended):
            self._send()

    def close(self) -> None:
        """End what is open, and send the rest."""
        at = time.time_ns()
        left = [*self._tasks.values(), *self._runs.values(), *([self._batch] if self._batch else [])]
        for span in left:
            self._end(span, at, error="interrupted")
        self._send()
        self._exporter.shutdown()

    def _follow(self, timed: TimedEvent) -> None:
        at = timed.at_ns
        match timed.event:
            case BatchStarted() as batch:
                self._batch = self._start(
                    f"batch {batch.site}",
                    at,
                    {
                        "simulator.batch.id": batch.batch_id,
                        "simulator.batch.users": batch.total,
                        "simulator.batch.concurrency": batch.concurrency,
                        "simulator.seed": batch.seed,
                        "simulator.site": batch.site,
                    },
                )
            case RunStarted() as run:
                self._agents[run.number] = run.agent
                self._runs[run.number] = self._start(
                    f"invoke_agent {run.persona}" if run.agent else f"replay {run.persona}",
                    at,
                    {
                        **({"gen_ai.operation.name": "invoke_agent"} if run.agent else {}),
                        "gen_ai.agent.name": run.persona,
                        "gen_ai.conversation.id": run.run_id,
                        "simulator.run.id": run.run_id,
                        "simulator.run.number": run.number,
                        "simulator.agent": run.agent or "replay",
                    },
                    self._batch,
                )
            case TaskStarted() as task:
                given = {"simulator.task.kind": task.task, "simulator.task.index": task.index}
                self._tasks[task.number] = self._start(f"task {task.task}", at, given, self._runs.get(task.number))
            case TaskEnded() as task:
                if span := self._tasks.pop(task.number, None):
                    span.set_attribute("simulator.task.status", task.status)
                    self._end(span, at, error="task_failed" if task.status == "failed" else "")
            case ToolAnswered(error_type=str() as error) as answered:
                self._errors[answered.step_id] = error
            case StepDone() as step:
                given = {
                    "gen_ai.operation.name": "execute_tool",
                    "gen_ai.tool.name": step.tool,
                    "gen_ai.tool.call.id": step.step_id,
                    "simulator.step.id": step.step_id,
                }
                began = at - round(step.seconds * 1e9)
                span = self._start(f"execute_tool {step.tool}", began, given, self._under(step.number))
                self._end(span, at, error="" if step.success else self._errors.pop(step.step_id, "failed"))
            case ModelCalled() as called:
                self._model(called, at)
            case LimitReached() as limit:
                if span := self._under(limit.number):
                    met: dict[str, str | bool] = {"simulator.limit": limit.limit, "simulator.limit.ends": limit.ends}
                    span.add_event("limit", met, timestamp=at)
            case RunEnded() as ended:
                self._run_ended(ended, at)
            case BatchEnded() as ended_batch:
                if self._batch:
                    self._batch.set_attribute("simulator.status", ended_batch.status)
                    self._end(self._batch, at, error="" if ended_batch.status == "passed" else ended_batch.status)
                self._batch = None

    def _model(self, called: ModelCalled, at: int) -> None:
        from opentelemetry.trace import SpanKind

        used = called.usage
        given = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": called.model,
            "gen_ai.response.model": called.model,
            "gen_ai.usage.input_tokens": used.input + used.cache_write + used.cache_read,
            "gen_ai.usage.cache_creation.input_tokens": used.cache_write,
            "gen_ai.usage.cache_read.input_tokens": used.cache_read,
            "gen_ai.usage.output_tokens": used.output,
        }
        provider = {"claude": "anthropic", "openai": "openai"}.get(self._agents.get(called.number, ""))
        if provider:
            given["gen_ai.provider.name"] = provider
        began = at - round(called.seconds * 1e9)
        span = self._start(f"chat {called.model}", began, given, self._under(called.number), kind=SpanKind.CLIENT)
        self._end(span, at)

    def _run_ended(self, ended: RunEnded, at: int) -> None:
        if task := self._tasks.pop(ended.number, None):
            self._end(task, at, error="interrupted")
        run = self._runs.pop(ended.number, None)
        if run is None:
            return
        run.set_attribute("simulator.status", ended.status)
        if ended.verdict:
            run.set_attribute("simulator.verdict", ended.verdict)
        self._end(run, at, error="" if ended.status == "passed" else ended.verdict or ended.status)

    def _under(self, number: int) -> Span | None:
        """Give the span that a user's calls belong to: the task's; of a replay, which has no tasks, the run's."""
        return self._tasks.get(number) or self._runs.get(number)

    def _start(
        self, name: str, at: int, attributes: Mapping[str, Any], parent: Span | None = None, **more: Any
    ) -> Span:
        from opentelemetry.context import Context
        from opentelemetry.trace import set_span_in_context

        context = set_span_in_context(parent, Context()) if parent else Context()
        return self._tracer.start_span(name, context, attributes=attributes, start_time=at, **more)

    def _end(self, span: Span, at: int, error: str = "") -> None:
        from opentelemetry.sdk.trace import ReadableSpan
        from opentelemetry.trace import StatusCode

        if error:
            span.set_attribute("error.type", error)
            span.set_status(StatusCode.ERROR)
        span.end(at)
        if isinstance(span, ReadableSpan) and span.context.trace_flags.sampled:
            self._ended.append(span)

    def _send(self) -> None:
        from opentelemetry.sdk.trace.export import SpanExportResult

        spans, self._ended, self._sent = self._ended, [], time.monotonic()
        if spans and self._exporter.export(spans) is not SpanExportResult.SUCCESS:
            self._lost("the collector did not take its spans", len(spans))
