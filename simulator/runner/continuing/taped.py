"""What answers an agent from a tape: its model, its tools, its performer, the other users. Then who goes on answers.

Whoever runs an agent against what was recorded has it from here: offline, going on from a step, resuming. Each of them
says how a recorded call is answered. Not responsible for: the tape itself (``replay.tape``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from simulator.agent.contracts import Ask, PeerItem, Peers, RunView, TaskPerformer, address_name
from simulator.agent.models.model import Answer, Model, ToolUse
from simulator.agent.tool_client import TaskSkipped
from simulator.agent.usage import Usage
from simulator.bindings import Bindings
from simulator.canonical import map_strings, sha256
from simulator.errors import RecordingError
from simulator.persona import Identity
from simulator.persona.tasks import Task
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow, StepRow, VariableRow
from simulator.recording.writing.requests import without_pictures
from simulator.replay.bind import NOT_OWN, shared_variables
from simulator.replay.tape import Asked, Deviation, Tape, TapeEnd
from simulator.runner.performing.journal import Need, RunJournal
from simulator.runner.performing.model_recording import request_of
from simulator.tools.contracts import Dispatcher, Image, ToolCall, ToolFailure, ToolResult


@contextmanager
def as_recorded(run_id: str) -> Iterator[None]:
    """Say of a run that today's agent does something else than the recorded one.

    Args:
        run_id: the recorded run.

    Raises:
        RecordingError: it does.
    """
    try:
        yield
    except Deviation as deviation:
        said = f"the run {run_id} cannot be gone on with by this version: {deviation.difference.sentence}"
        raise RecordingError(said) from deviation


class TapedModel:
    """Answers as the recorded model did, and then as another one does.

    Args:
        tape: what was recorded.
        live: is asked when all is given; None: nobody is.
        name: what the recorded model was called, where nobody is asked.
        written: writes a text as it was recorded, for requests to be compared; None: whatever is asked is answered.
        counted: whether the recorded answers count for the limits.
        facts: what the system prompt says of the user and the site, for requests to be compared.
    """

    def __init__(
        self,
        tape: Tape,
        live: Model | None = None,
        *,
        name: str = "",
        written: Callable[[str], str] | None = None,
        counted: bool = False,
        facts: Sequence[str] = (),
    ) -> None:
        self.name = live.name if live else name
        self.taped = False
        """Whether the last answer was a recorded one."""
        self._tape = tape
        self._live = live
        self._written = written
        self._counted = counted
        self._facts = facts

    async def ask(self, system: list[Any], tools: Sequence[Any], messages: list[Any]) -> Answer:
        """Give the recorded answer, or ask.

        Raises:
            Deviation: something else was asked.
            TapeEnd: no answer is recorded, and nobody goes on.
            ModelRefused: the API takes no request of this kind: the key, the model or the request is wrong.
            ModelUnavailable: it gives no answer, however often it is asked.
        """
        self.taped = self._live is None or not self._tape.over
        if self._live is not None and not self.taped:
            return await self._live.ask(system, tools, messages)
        if self._written is None:
            return answer_of(self._tape.ask(None), used=self._counted)
        asked = request_of(system, tools, messages, self._written)
        request = without_pictures(asked, lambda data, _: sha256(data))
        return answer_of(self._tape.ask(request, map_strings([*self._facts], self._written)), used=self._counted)


class TapedPerformer:
    """Does tasks as a run did that had no model: it skipped them. Then somebody does them.

    Args:
        tape: what was recorded.
        live: does tasks from then on; None: nobody does.
    """

    def __init__(self, tape: Tape, live: TaskPerformer | None) -> None:
        self._tape = tape
        self._live = live

    async def perform(self, view: RunView, task: Task, index: int, ask: Ask) -> str:
        """Do a task.

        Raises:
            TaskSkipped: nobody could, then.
            TaskFailed: it could not be done.
            TapeEnd: nothing more is recorded, and nobody goes on.
        """
        if not self._tape.over:
            raise TaskSkipped("needs a model")
        if self._live is None:
            raise TapeEnd
        return await self._live.perform(view, task, index, ask)


def answer_of(asked: Asked, *, used: bool) -> Answer:
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
    """Answers calls as they were answered, once it is seen that they are the same. Then they are done.

    Args:
        tape: what was recorded.
        shown: writes values in place of variables.
        answer: gives the result of a recorded step; it takes the call of today, too.
        live: does the calls after it; None: nobody does.
    """

    def __init__(
        self,
        tape: Tape,
        *,
        shown: Callable[[str], str],
        answer: Callable[[StepRow, ToolCall], Awaitable[ToolResult]],
        live: Dispatcher | None = None,
    ) -> None:
        self._tape = tape
        self._shown = shown
        self._answer = answer
        self._live = live

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call.

        Raises:
            Deviation: another call was recorded.
            TapeEnd: no result is recorded, and nobody goes on.
            CannotGoOn: the site is not as it was.
        """
        if self._live is not None and self._tape.over:
            return await self._live.dispatch(call)
        return await self._answer(self._tape.call(call.name, call.input, self._shown), call)


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
        live: those whom it did not meet, as they are now; None: they are not there.
        journal: gets what is used of others; None: nobody does.
    """

    def __init__(
        self,
        recording: Recording,
        run: RunRow,
        bindings: Bindings,
        *,
        live: Peers | None = None,
        journal: RunJournal | None = None,
    ) -> None:
        self._recording = recording
        self._bindings = bindings
        self._live = live
        self._journal = journal
        self._needs = {
            need.name: Need(need.producer_run, need.producer_step, need.name) for need in recording.dependencies(run.id)
        }

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float, known_as: str) -> PeerItem | None:
        """Give what a user had made, or wait for it; None where it does not come."""
        need = self._needs.get(known_as)
        if need is None:
            return await self._live.wait(number, task_type, index, timeout_s, known_as) if self._live else None
        identity, own, generated = self._known_of(need.run_id)
        values = shared_variables(number, own, identity.naming)
        places = shared_variables(number, own | generated, identity.naming)
        for variable, value in values.items():
            self._bindings.set(variable, value)
        if self._journal is not None:
            self._journal.need(need)
        where = f"user.{number}.{address_name(task_type, index)}"
        return PeerItem(number, task_type, index, values | ({where: places[where]} if where in places else {}))

    def _known_of(self, run_id: str) -> tuple[Identity, dict[str, str], dict[str, str]]:
        """Give who did a run, its variables, and what the site gave it."""
        run = self._recording.run(run_id)
        if run.identity is None:
            raise RecordingError(f"the run {run.id} holds no identity, and another run dealt with its user")
        identity = Identity.model_validate(run.identity)
        found = self._recording.variables(run_id)
        own = {one.name: one.value for one in found if one.kind not in NOT_OWN and one.value is not None}
        generated = {one.name: one.value for one in found if one.kind == "site" and one.value is not None}
        return identity, identity.variables() | own, generated
