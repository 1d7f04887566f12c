"""Does the tasks of a resumed run: those that had ended come to what they came to, the one in hand is gone on with.

A model reads in words what it did before. Not responsible for: what is given back (``resume_past``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from simulator.agent.contracts import Ask, RunView, TaskPerformer
from simulator.agent.tool_client import TaskFailed, TaskSkipped
from simulator.persona.tasks import Do, Task
from simulator.recording.rows import StepRow
from simulator.replay.tape import Tape

_SHOWN = 300
"""Characters of an input and of a result that a model is shown of what it did before."""
_DONE = frozenset({"complete", "done"})


class RememberingPerformer:
    """Does the tasks of a performer: what it had done is given back, and what it was at is gone on with.

    Args:
        inner: does tasks; None where there is no model now.
        tape: what the run did before.
        outcomes: what came of the tasks that had ended: name, status, reason.
        ends: how many steps had been done when each of them ended.
        known: what was found out about the step that was cut off, in words.
    """

    def __init__(
        self,
        inner: TaskPerformer | None,
        tape: Tape,
        outcomes: Sequence[tuple[str, str, str]],
        ends: Sequence[int],
        known: str = "",
    ) -> None:
        self._inner = inner
        self._tape = tape
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
        past = self._tape.upcoming(self._ends[index - 1] if ended else None)
        for step in past:
            result = await ask(step.tool or "", step.input, id=step.call_id or "")
        if ended:
            return _came_to(*self._outcomes[index - 1][1:])
        if past and result.success and past[-1].tool in (*_DONE, "fail"):
            return _came_to("done" if past[-1].tool in _DONE else "failed", str(result.data or ""))
        if self._inner is None:
            raise TaskSkipped("it needs a model, and the run goes on without one")
        if past or (self._known and index == len(self._outcomes) + 1):
            task = Do.model_construct(text=f"{_words(task)}\n\n{self._summary(past)}")
        return await self._inner.perform(view, task, index, ask)

    def _summary(self, past: Sequence[StepRow]) -> str:
        """Describe for a model what it did of a task before it was cut off."""
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
