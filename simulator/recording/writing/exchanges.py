"""Records what a run's browsers ask of sites and what they are answered, within the transactions of its actions.

Not responsible for: hearing of it, or what of it is secret by its name (the browser's ``traffic``).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.browser.wire.exchange import Exchange, WrittenExchange
from simulator.canonical import canonical_json
from simulator.recording.stamps import new_id, wall_time
from simulator.recording.writer import Writer

_INSERT = """
INSERT INTO exchange (id, run_id, step_id, action_id, actor_id, ordinal, initiator, redirect_of, method, url,
                      request_headers, request_parts, request_body, status, response_headers, response_body, error,
                      timings, started_at, started_ns)
VALUES (:id, :run_id, (SELECT step_id FROM action WHERE id = :action_id), :action_id, :actor_id, :ordinal,
        :initiator, :redirect_of, :method, :url, :request_headers, :request_parts, :request_body, :status,
        :response_headers, :response_body, :error, :timings, :started_at, :started_ns)"""
_UPDATE = """
UPDATE exchange SET url = :url, request_headers = :request_headers, request_parts = :request_parts,
                    request_body = :request_body, status = :status, response_headers = :response_headers,
                    response_body = :response_body, error = :error, timings = :timings
WHERE id = :id"""


@dataclass(slots=True)
class _Begun:
    """When an exchange began, and its place in the run."""

    ordinal: int
    started_at: str
    started_ns: int
    stored: bool = False


class ExchangeRecorder:
    """Records the exchanges of one run. It is the browser's ``ExchangeRecorder``.

    Args:
        writer: the open recording.
        run_id: the run, already stored.
        actors: the ids of its actors by their names.
    """

    def __init__(self, writer: Writer, run_id: str, actors: Mapping[str, str]) -> None:
        self._writer = writer
        self._run_id = run_id
        self._actors = actors
        self._next: int | None = None
        """Place of the next one; None before the first."""
        self._begun: dict[str, _Begun] = {}
        self._waiting: dict[str, Exchange] = {}
        """Those of which something is to be stored, in the order in which they were sent."""

    def sent(self, exchange: Exchange) -> None:
        """Take in an exchange that begins."""
        if self._next is None:
            sql = "SELECT count(*) FROM exchange WHERE run_id = ?"
            self._next = int(self._writer.execute(sql, (self._run_id,)).fetchone()[0])
        exchange.id = new_id()
        self._begun[exchange.id] = _Begun(self._next, wall_time(), time.monotonic_ns())
        self._waiting[exchange.id] = exchange
        self._next += 1

    def changed(self, exchange: Exchange) -> None:
        """Note that more is known of an exchange."""
        if exchange.id in self._begun:
            self._waiting[exchange.id] = exchange

    def size_of(self, sha256: str) -> int | None:
        """Return the size of a blob in bytes."""
        for (size,) in self._writer.execute("SELECT size FROM blob WHERE sha256 = ?", (sha256,)):
            return int(size)
        return None

    def rows(self) -> list[dict[str, Any]]:
        """Write what is to be stored, bodies as blobs; outside of a transaction."""
        waiting, self._waiting = self._waiting, {}
        ordered = sorted(waiting.values(), key=lambda exchange: self._begun[exchange.id].ordinal)
        return [self._row(exchange, exchange.written()) for exchange in ordered]

    def store(self, rows: Sequence[dict[str, Any]]) -> None:
        """Store rows, within a transaction."""
        for row in rows:
            begun = self._begun[row["id"]]
            self._writer.connection.execute(_UPDATE if begun.stored else _INSERT, row)
            begun.stored = True
            if row["over"]:
                del self._begun[row["id"]]

    def _row(self, exchange: Exchange, told: WrittenExchange) -> dict[str, Any]:
        writer, begun = self._writer, self._begun[exchange.id]
        parts = None
        if told.request_parts is not None:
            parts = canonical_json([self._with_blob(part) for part in told.request_parts])
        url, sent, parts, got, error = writer.texts(
            told.url, canonical_json(told.request_headers), parts, canonical_json(told.response_headers), told.error
        )
        return {
            "id": exchange.id,
            "run_id": self._run_id,
            "actor_id": self._actors.get(told.actor),
            "action_id": told.action_id,
            "ordinal": begun.ordinal,
            "initiator": told.initiator,
            "redirect_of": exchange.redirect_of.id if exchange.redirect_of else None,
            "method": told.method,
            "url": url,
            "request_headers": sent,
            "request_parts": parts,
            "request_body": self._kept(told.request_body, told.request_type),
            "status": told.status,
            "response_headers": got,
            "response_body": self._kept(told.response_body, told.response_type),
            "error": error,
            "timings": canonical_json(told.timings),
            "started_at": begun.started_at,
            "started_ns": begun.started_ns,
            "over": exchange.over,
        }

    def _with_blob(self, part: dict[str, Any]) -> dict[str, Any]:
        file = part.get("file")
        return part | {"file": self._kept(file, part.get("type", ""))} if isinstance(file, bytes) else part

    def _kept(self, data: bytes | None, media_type: str) -> str | None:
        """Store a body."""
        if data is None:
            return None
        media_type = media_type.partition(";")[0].strip().lower() or "application/octet-stream"
        return self._writer.put_blob(data, media_type)
