"""A collector of OpenTelemetry traces on loopback: it takes spans by OTLP over HTTP and keeps them.

Not responsible for: metrics and logs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from tests.fakes.server import served


@dataclass
class Collector:
    """The running server."""

    url: str
    status: int = 200
    """What it answers with."""
    paths: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    resources: list[dict[str, Any]] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def named(self, beginning: str) -> list[Span]:
        return [span for span in self.spans if span.name.startswith(beginning)]

    def one(self, beginning: str) -> Span:
        (span,) = self.named(beginning)
        return span

    def way(self, span: Span) -> list[str]:
        """Give the names of the spans around a span, the outermost first."""
        by_id = {one.span_id: one for one in self.spans}
        names: list[str] = []
        while span.parent_span_id:
            span = by_id[span.parent_span_id]
            names.insert(0, span.name)
        return names


def attributes(span: Any) -> dict[str, Any]:
    """Give the attributes of a span, a resource or an event."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


def failed(span: Span) -> bool:
    return bool(span.status.code == Status.STATUS_CODE_ERROR)


@contextmanager
def otlp_collector() -> Iterator[Collector]:
    """Serve."""
    collector = Collector("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.paths.append(self.path)
            collector.bodies.append(body)
            if collector.status == 200:
                assert self.headers["Content-Type"] == "application/x-protobuf"
                for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                    collector.resources.append(attributes(resource.resource))
                    for scope in resource.scope_spans:
                        collector.spans += scope.spans
            self.send_response(collector.status)
            self.send_header("Content-Type", "application/x-protobuf")
            self.end_headers()
            self.wfile.write(ExportTraceServiceResponse().SerializeToString())

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with served(Handler) as collector.url:
        yield collector
