"""Gives an agent back what its run has done already: the recorded results of the recorded calls, in their order.

The agent decides everything once more, comes to the same, and so has in mind again what it had when its run was cut
off; nothing of that is done anew. Not responsible for: what is given back (``resume_past``), or what follows it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from simulator.agent.contracts import Ask, Performer, RunView
from simulator.agent.tool_client import TaskFailed, TaskSkipped
from simulator.canonical import map_strings
from simulator.errors import RecordingError
from simulator.persona.tasks import Do, Task
from simulator.recording.rows import StepRow
from simulator.tools.contracts import Dispatcher, Image, ToolCall, ToolFailure, ToolResult

_SHOWN = 300
"""Characters of an input and of a result that a model is told of what it did before."""
_DONE = frozenset({"complete", "done"})


class Memory:
    """What is given back, call by call.

    Args:
        steps: recorded steps.
        shown: writes a text with the values of its variables.
        blob: gives a picture by its hash.
        passed: is told the id of each step that is given back.
        known: is told of each call whose recorded input lacks what was typed: now it is known again.
    """

    def __init__(
        self,
        steps: Sequence[StepRow],
        *,
        shown: Callable[[str], str],
        blob: Callable[[str], bytes],
        passed: Callable[[str], None] = lambda _: None,
        known: Callable[[StepRow, ToolCall], None] = lambda _, __: None,
    ) -> None:
        self._steps = steps
        self._shown = shown
        self._blob = blob
        self._passed = passed
        self._known = known
        self._at = 0

    @property
    def at(self) -> int:
        """How many steps have been given back."""
        return self._at

    def until(self, end: int) -> Sequence[StepRow]:
        """Give the steps that are still to be given back, up to a place in the run."""
        return self._steps[self._at : end]

    def give(self, call: ToolCall) -> ToolResult | None:
        """Give the recorded result of a call; None when all have been given.

        Raises:
            RecordingError: another call was recorded.
        """
        if self._at == len(self._steps):
            return None
        step = self._steps[self._at]
        if step.tool != call.name or not (step.withheld or self._same(step, call)):
            raise RecordingError(
                f"the run {step.run_id} cannot go on with this version: as step {step.ordinal + 1} it recorded "
                f"{step.tool} {_short(step.input)}, and now it would do {call.name} {_short(call.input)}"
            )
        self._at += 1
        self._passed(step.id)
        if step.withheld:
            self._known(step, call)
        return self._result(step)

    def _same(self, step: StepRow, call: ToolCall) -> bool:
        return bool(map_strings(step.input, self._shown) == map_strings(call.input, self._shown))

    def _result(self, step: StepRow) -> ToolResult:
        error = ToolFailure(type=step.error_type, message=step.error_message or "") if step.error_type else None
        return ToolResult(
            success=bool(step.success),
            data=step.result,
            error=error,
            images=tuple(
                Image.model_validate({"media_type": media_type, "data": self._blob(sha256), "sha256": sha256})
                for sha256, media_type in step.images
            ),
            metadata=step.metadata,
        )


class RememberingDispatcher:
    """Answers calls from memory, and then lets them be done.

    Args:
        memory: what is given back.
        inner: does the calls after it; None: there are none.
    """

    def __init__(self, memory: Memory, inner: Dispatcher | None) -> None:
        self._memory = memory
        self._inner = inner

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Answer one call.

        Raises:
            Forgotten: there is nothing to answer it with.
        """
        given = self._memory.give(call)
        if given is not None:
            return given
        if self._inner is None:
            raise Forgotten
        return await self._inner.dispatch(call)


class Forgotten(Exception):
    """A call is made that no memory answers, where none is to be done."""


class RememberingPerformer:
    """Does the tasks of a performer: what it had done is given back, and what it was at is gone on with.

    Args:
        inner: does tasks; None where there is no model now.
        memory: what is given back.
        outcomes: what came of the tasks that had ended: name, status, reason.
        ends: how many steps had been done when each of them ended.
        known: what was found out about the step that was cut off, in words.
    """

    def __init__(
        self,
        inner: Performer | None,
        memory: Memory,
        outcomes: Sequence[tuple[str, str, str]],
        ends: Sequence[int],
        known: str = "",
    ) -> None:
        self._inner = inner
        self._memory = memory
        self._outcomes = outcomes
        self._ends = ends
        self._known = known

    async def perform(self, view: RunView, task: Task, index: int, ask: Ask) -> str:
        """Do a task, or give back what came of it.

        Raises:
            TaskFailed: it failed, then or now.
            TaskSkipped: it was skipped, or there is no model to go on with it.
        """
        ended = index <= len(self._outcomes)
        past = self._memory.until(self._ends[index - 1]) if ended else self._memory.until(2**31)
        for step in past:
            result = await ask(step.tool or "", step.input, id=step.call_id or "")
        if ended:
            return _came_to(*self._outcomes[index - 1][1:])
        if past and result.success and past[-1].tool in (*_DONE, "fail"):
            return _came_to("done" if past[-1].tool in _DONE else "failed", str(result.data or ""))
        if self._inner is None:
            raise TaskSkipped("it needs a model, and the run goes on without one")
        if past or (self._known and index == len(self._outcomes) + 1):
            task = Do.model_construct(text=f"{_words(task)}\n\n{self._told(past)}")
        return await self._inner.perform(view, task, index, ask)

    def _told(self, past: Sequence[StepRow]) -> str:
        """Tell a model what it did of a task before it was cut off."""
        lines = [f"- {step.tool} {_short(step.input)}: {_outcome(step)}" for step in past]
        return "\n".join(
            [
                "You were at this task when your browser was lost. You have a new one now, logged in as you were and "
                "on the page that you were on; what you had typed and not sent is gone.",
                *(["What you had done of the task (do nothing of it again):", *lines] if lines else []),
                *([self._known] if self._known else []),
            ]
        )


def _came_to(status: str, reason: str) -> str:
    if status == "failed":
        raise TaskFailed(reason)
    if status == "skipped":
        raise TaskSkipped(reason)
    return reason


def _words(task: Task) -> str:
    if isinstance(task, Do):
        return task.text
    given = task.model_dump(exclude={"task_type"}, exclude_none=True)
    about = (type(task).__doc__ or task.task_type).strip()
    return f"{about} ({', '.join(f'{name}: {value}' for name, value in given.items())})" if given else about


def _outcome(step: StepRow) -> str:
    if not step.success:
        return f"failed, {step.error_message or 'nobody knows why'}"
    return _short(step.result) if step.result is not None else "done"


def _short(value: object | Mapping[str, object]) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
