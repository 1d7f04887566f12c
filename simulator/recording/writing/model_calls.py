"""Records what a run asks of models: requests, pending before they are sent, and their answers.

Not responsible for: asking, or the form of a request's difference (``requests``).
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from typing import Any

from simulator.canonical import canonical_json, well_formed
from simulator.recording.stamps import new_id, wall_time
from simulator.recording.writer import Writer
from simulator.recording.writing.requests import Outline, difference, outline

JSON = "application/json"
_BEGIN = """
INSERT INTO llm_call (id, run_id, ordinal, provider, model, request, request_hash, status, started_at, started_ns)
VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)"""
_ANSWERED = "UPDATE llm_call SET model = ?, usage = ?, ended_at = ?, ended_ns = ? WHERE id = ?"
_KEPT = "UPDATE llm_call SET response = ?, status = 'done' WHERE id = ?"
_FAILED = "UPDATE llm_call SET error = ?, status = 'failed', ended_at = ?, ended_ns = ? WHERE id = ?"


class ModelCallRecorder:
    """Records the model calls of one run.

    Args:
        writer: the open recording.
        run_id: the run, already stored.
    """

    def __init__(self, writer: Writer, run_id: str) -> None:
        self._writer = writer
        self._run_id = run_id
        self._before: tuple[str, Outline] | None = None
        self._led: tuple[str, frozenset[str]] | None = None
        """The call that was answered last, and the tool calls that its answer asks for, until a step is one of them."""
        self._answer: tuple[str, Mapping[str, Any]] | None = None
        """The call that was answered last, and its answer, until :meth:`settle`."""

    def begin(self, *, provider: str, model: str, request: Mapping[str, Any]) -> str:
        """Store a request as pending. When this returns, it survives the death of the process.

        Args:
            provider: whose API is asked.
            model: the name that it is asked for by.
            request: ``system``, ``tools`` and ``messages``, without secrets.

        Returns:
            The call's id.
        """
        self.settle()
        writer = self._writer
        now = outline(request, self._keep, writer.put_blob)
        stored = self._keep(difference(self._before, now))
        call_id = new_id()
        with writer.transaction():
            (ordinal,) = writer.execute("SELECT count(*) FROM llm_call WHERE run_id = ?", (self._run_id,)).fetchone()
            values = (call_id, self._run_id, ordinal, provider, model, stored, now.hash)
            writer.execute(_BEGIN, (*values, wall_time(), time.monotonic_ns()))
        self._before, self._led = (stored, now), None
        return call_id

    def answered(
        self,
        call_id: str,
        *,
        model: str,
        response: Mapping[str, Any],
        usage: Mapping[str, int],
        asks_for: Collection[str],
    ) -> None:
        """Store that an answer came, and keep it back until :meth:`settle`.

        What it types may be a secret that nobody knows yet: that shows when its calls are made.

        Args:
            call_id: what :meth:`begin` gave.
            model: its name as the answer gives it.
            response: the answer.
            usage: tokens by kind; empty where none were used for it: it was given back from a recording.
            asks_for: the ids of the tool calls in it.
        """
        told = None if usage is None else canonical_json(dict(usage))
        with self._writer.transaction():
            self._writer.execute(_ANSWERED, (model, told, wall_time(), time.monotonic_ns(), call_id))
        self._answer = call_id, response
        self._led = (call_id, frozenset(asks_for)) if asks_for else None

    def withhold(self, tool_call_id: str | None, input: Mapping[str, Any]) -> None:
        """Store the last answer with another input of one of its calls: it typed into a secret field.

        Args:
            tool_call_id: the model's id of the call.
            input: what stands for its input.
        """
        if self._answer is not None:
            call_id, response = self._answer
            self._answer = call_id, _with_input(response, tool_call_id, input)

    def settle(self) -> None:
        """Store the last answer: its calls have been made. Without this it stays pending, and is lost with the run."""
        if self._answer is not None:
            (call_id, response), self._answer = self._answer, None
            stored = self._keep(response)
            with self._writer.transaction():
                self._writer.execute(_KEPT, (stored, call_id))

    def forget_request(self) -> None:
        """Store the next request whole: the one before was rewritten, as what is secret has changed."""
        self._before = None

    def failed(self, call_id: str, error: str) -> None:
        """Store that no answer came, and why."""
        with self._writer.transaction():
            values = (self._writer.text(error), wall_time(), time.monotonic_ns(), call_id)
            self._writer.execute(_FAILED, values)

    def lead(self, step_id: str, tool_call_id: str | None) -> None:
        """Note a step that the last answer may have asked for; within the step's transaction."""
        if self._led is not None and tool_call_id in self._led[1]:
            self._writer.execute("UPDATE llm_call SET step_id = ? WHERE id = ?", (step_id, self._led[0]))
            self._led = None

    def _keep(self, value: Any) -> str:
        return self._writer.put_blob(well_formed(canonical_json(value)).encode(), JSON)


def _with_input(answer: Any, tool_call_id: str | None, input: Mapping[str, Any]) -> Any:
    """Put another input wherever an answer has a call."""
    if isinstance(answer, Mapping):
        changed = {key: _with_input(value, tool_call_id, input) for key, value in answer.items()}
        return {**changed, "input": dict(input)} if answer.get("id") == tool_call_id and "input" in answer else changed
    if isinstance(answer, list | tuple):
        return [_with_input(value, tool_call_id, input) for value in answer]
    return answer
