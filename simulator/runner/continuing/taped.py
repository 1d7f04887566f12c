"""An agent of today against what was recorded: a model, tools and peers that answer from a tape.

Not responsible for: the tape itself (``replay.tape``), or what is run against it (``offline``, ``going_on``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.agent.contracts import PeerItem, Usage
from simulator.agent.models.model import Answer, ToolUse
from simulator.canonical import map_strings, sha256
from simulator.domain import thing_of
from simulator.errors import RecordingError
from simulator.persona import Identity
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow, StepRow, VariableRow
from simulator.recording.writing.requests import without_pictures
from simulator.replay.bind import NOT_OWN, shared_variables
from simulator.replay.tape import Asked, Tape, TapeEnd
from simulator.runner.performing.model_recording import request_of
from simulator.template import Bindings
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult


class TapedModel:
    """Answers as the recorded model did, once it is seen that it is asked the same.

    Args:
        tape: what was recorded.
        name: what the recorded model was called.
        written: writes a text as it was recorded.
    """

    def __init__(self, tape: Tape, *, name: str, written: Callable[[str], str]) -> None:
        self.name = name
        self._tape = tape
        self._written = written

    async def ask(self, system: list[Any], tools: Sequence[Any], messages: list[Any]) -> Answer:
        """Give the recorded answer.

        Raises:
            Deviation: something else was asked.
            TapeEnd: no answer is recorded.
        """
        request = request_of(system, tools, messages, self._written)
        asked = self._tape.ask(without_pictures(request, lambda data, _: sha256(data)))
        return answer_of(asked)


def answer_of(asked: Asked, *, used: bool = True) -> Answer:
    """Give a recorded answer.

    Args:
        asked: the recorded request.
        used: whether its tokens count.

    Raises:
        TapeEnd: none came.
    """
    told, call = asked.response, asked.call
    if told is None:
        raise TapeEnd
    return Answer(
        content=[dict(block) for block in told["content"]],
        uses=tuple(ToolUse(**use) for use in told["uses"]),
        text=told["text"],
        stop_reason=told["stop_reason"],
        usage=Usage(**call.usage) if call.usage and used else Usage(),
        model=call.model,
        seconds=((call.ended_ns or call.started_ns) - call.started_ns) / 1e9,
        refusal=told["refusal"],
    )


class Learned:
    """Binds what a run had learned by each of its steps.

    Args:
        variables: of the run.
        bindings: where they are bound; those that were known from the beginning at once.
    """

    def __init__(self, variables: Sequence[VariableRow], bindings: Bindings) -> None:
        self._bindings = bindings
        self._of_step: dict[str | None, list[VariableRow]] = {}
        for variable in sorted(variables, key=lambda one: (one.action_id or "", one.name)):
            self._of_step.setdefault(variable.step_id, []).append(variable)
        self.by(None)

    def by(self, step_id: str | None) -> None:
        """Bind what a step gave."""
        for variable in self._of_step.get(step_id, ()):
            if variable.value is not None:
                self._bindings.set(variable.name, variable.value)


class TapedDispatcher:
    """Answers calls as they were answered, once it is seen that they are the same.

    Args:
        tape: what was recorded.
        blob: gives a picture by its hash.
        bindings: the run's variables.
        learned: binds what each step gave.
    """

    def __init__(self, tape: Tape, *, blob: Callable[[str], bytes], bindings: Bindings, learned: Learned) -> None:
        self._tape = tape
        self._blob = blob
        self._bindings = bindings
        self._learned = learned

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Give the recorded result of a call.

        Raises:
            Deviation: another call was recorded.
            TapeEnd: no result is recorded.
        """
        step = self._tape.call(call.name, call.input, self._bindings.shown)
        self._learned.by(step.id)
        return result_of(step, self._blob)


def result_of(step: StepRow, blob: Callable[[str], bytes], text: Callable[[str], str] = str) -> ToolResult:
    """Give what a recorded step came to.

    Args:
        step: the step.
        blob: gives a picture by its hash.
        text: writes every text of it for today.

    Raises:
        TapeEnd: it never ended.
    """
    if step.success is None:
        raise TapeEnd
    message = text(step.error_message or "")
    images: list[Mapping[str, Any]] = [
        {"media_type": media_type, "data": blob(sha256), "sha256": sha256} for sha256, media_type in step.images
    ]
    return ToolResult(
        success=step.success,
        data=map_strings(step.result, text),
        error=ToolFailure.model_validate({"type": step.error_type, "message": message}) if step.error_type else None,
        images=tuple(map(Image.model_validate, images)),
        metadata=map_strings(step.metadata, text),
    )


class TapedPeers:
    """The other users of a batch, as they were met: whoever was waited for has made what it made then.

    Args:
        recording: holds the runs.
        run: whose peers they are.
        bindings: the run's variables; those of others are bound into them.
    """

    def __init__(self, recording: Recording, run: RunRow, bindings: Bindings) -> None:
        self._recording = recording
        self._bindings = bindings
        self._producers = {need.name: need.producer_run for need in recording.dependencies(run.id)}

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float) -> PeerItem | None:
        """Give what a user had made, or None where it had not come."""
        name = self.variable(number, task_type, index)
        if name not in self._producers:
            return None
        values = shared_variables(number, self._values(self._producers[name]))
        for variable, value in values.items():
            self._bindings.set(variable, value)
        return PeerItem(number, task_type, index, values)

    @staticmethod
    def variable(number: int, task_type: str, index: int) -> str:
        """Give the name of the variable that carries what a user made."""
        return thing_of(task_type).known_as(number, index)

    def _values(self, run_id: str) -> dict[str, str]:
        run = self._recording.run(run_id)
        if run.identity is None:
            raise RecordingError(f"the run {run.id} holds no identity, and another run dealt with its user")
        values = Identity.model_validate(run.identity).variables()
        found = self._recording.variables(run_id)
        return values | {one.name: one.value for one in found if one.kind not in NOT_OWN and one.value is not None}
