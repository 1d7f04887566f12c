"""Between the tools of a run and its recorder: steps, blobs, variables, what was needed of others.

Not responsible for: storing, which is the recorder's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pydantic import JsonValue

from simulator.browser.action_recorder import PageState
from simulator.canonical import canonical_json
from simulator.recording.rows import ActionRow, VariableKind
from simulator.recording.run_recorder import RunRecorder
from simulator.runner.events import Event, ToolAnswered, ToolCalled
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.spec import Replay


class Need(NamedTuple):
    """What the next step uses of another run."""

    run_id: str
    step_id: str | None
    name: str


class RunJournal:
    """The journal and step recorder of one run.

    Args:
        recorder: stores everything.
        number: the user's place in the batch, from 1.
        listener: gets calls and results, no more of them than is stored.
        shown: writes a text of a tool for people, without secrets.
    """

    def __init__(
        self,
        recorder: RunRecorder,
        number: int = 1,
        listener: Callable[[Event], None] = lambda _: None,
        shown: Callable[[str], str] = str,
    ) -> None:
        self._recorder = recorder
        self._number = number
        self._listener = listener
        self._shown = shown
        self._tool = ""
        self._needs: list[Need] = []
        self.last_step: str | None = None
        """The step that was begun last."""

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Store bytes once, by their hash."""
        return self._recorder.put_blob(data, media_type)

    def keep_snapshot(self, page: PageState, text: str) -> None:
        """Store a page's tree beside the page."""
        self._recorder.keep_snapshot(page, text)

    def blob(self, sha256: str) -> bytes:
        """Give stored bytes by their hash."""
        return self._recorder.blob(sha256)

    def actions(self) -> list[ActionRow]:
        """Give what was done on the site so far, in order."""
        return self._recorder.actions()

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """Store a variable that the step in progress gave."""
        self._recorder.variables.set(name, value, kind=kind, step_id=self._recorder.current_step)

    def need(self, need: Need) -> None:
        """Note that the next step uses what another run made."""
        self._needs.append(need)

    def passed(self, step_id: str) -> None:
        """Note that a step was done before: what it used of other runs is stored with it."""
        self._needs.clear()
        self.last_step = step_id

    def begin_step(self, *, call: ToolCall, replay: Replay, task: str | None, withheld: bool) -> str:
        """Store a step as pending."""
        step_id = self._recorder.begin_step(call=call, replay=replay, task=task, withheld=withheld)
        for need in self._needs:
            self._recorder.add_dependency(
                step_id=step_id, producer_run=need.run_id, producer_step=need.step_id, name=need.name
            )
        self._needs.clear()
        self.last_step, self._tool = step_id, call.name
        self._listener(ToolCalled(self._number, step_id, call.name, call.input))
        return step_id

    def amend_step_input(self, step_id: str, input: dict[str, JsonValue]) -> None:
        """Store the whole input of a step."""
        self._recorder.amend_step_input(step_id, input)

    def end_step(self, step_id: str, result: ToolResult) -> None:
        """Store what a step came to."""
        self._recorder.end_step(step_id, result)
        error = result.error
        self._listener(
            ToolAnswered(
                self._number,
                step_id,
                self._tool,
                result.success,
                characters=len(canonical_json(result.data)) if result.data is not None else 0,
                images=len(result.images),
                error_type=error.type if error else None,
                error=self._shown(error.message) if error else "",
            )
        )
