"""Does the tasks of a persona that need a model, one conversation for each.

Responsible for what follows from each kind of answer, and for the end of a task. Not responsible for: the request
itself (``model``), what it shows of the past (``conversation``), or the tasks that need no model (``autopilot``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from pydantic import JsonValue

from simulator.agent.blocks import error_block, result_block, tool_params
from simulator.agent.budget import Ledger, Watch
from simulator.agent.contracts import Ask, ModelCalled, ModelGivenUp, PatienceTried, RunView, Said
from simulator.agent.conversation import Conversation
from simulator.agent.models.model import Answer, Model, ToolUse
from simulator.agent.prompt import system_prompt, task_prompt
from simulator.agent.tool_client import TaskFailed
from simulator.persona import Identity
from simulator.persona.tasks import Task
from simulator.tools.compat.computer.screen import Screen
from simulator.tools.contracts import ToolResult
from simulator.tools.recording_dispatcher import TOLD
from simulator.tools.spec import ToolSpec

if TYPE_CHECKING:
    from anthropic.types import TextBlockParam, ToolUnionParam

IDLE = 3
"""Answers in a row without a tool call."""
PAUSES = 5
"""Answers in a row that the API paused."""
_DONE = frozenset({"complete", "done"})
_GO_ON = "Go on with a tool call. When the task is done, call complete; when it cannot be done, call fail."
_NOTHING = "Your answer was empty. " + _GO_ON
_CUT = "Your answer was cut off: it was too long. Answer with less text and one tool call."
_CUT_CALL = "Not carried out: the answer was cut off before this call was whole. Call it again, with a shorter input."
_AFTER_FAILURE = "Not carried out: an earlier call of this answer failed."
_NO_OBJECT = (
    "invalid_input: the input of a tool is a JSON object in whole characters; this one could not be read, or held half "
    "a character (a lone surrogate). Call it again."
)


class Members(Protocol):
    """A toolset of the SDK, whose members a model calls beside the tools of the registry."""

    @property
    def param(self) -> ToolUnionParam:
        """How the model is offered it."""
        ...

    def call_name(self, member: str) -> str:
        """Give the name under which dispatch knows a member."""
        ...

    def begin_answer(self) -> None:
        """Note that the calls of a new answer follow."""
        ...


class Observer(Protocol):
    """Has calls answer with what the page shows after them."""

    def look(self, when: Literal["never", "failed", "always"]) -> None:
        """Say which of the calls that follow do."""
        ...

    def forget(self) -> None:
        """Note that nothing of the page was seen yet."""
        ...


class ModelPerformer:
    """Does tasks by asking a model for the next calls.

    Args:
        model: is asked.
        tools: gives what the model is offered, whenever it is asked: a run may be given more tools while it goes on.
        ledger: what the run may use.
        mask: takes secrets out of everything that is sent.
        members: a toolset of the SDK beside them.
        observer: has the calls that act answer with the page; without it the model reads it by calls.
        known: gives what may be called, offered or not; None: what is offered.
        versioned: whether the model knows the versioned tools of the Messages API.
    """

    def __init__(
        self,
        model: Model,
        tools: Callable[[], Sequence[ToolSpec]],
        *,
        ledger: Ledger,
        mask: Callable[[str], str],
        members: Members | None = None,
        observer: Observer | None = None,
        known: Callable[[], Sequence[ToolSpec]] | None = None,
        versioned: bool = False,
    ) -> None:
        self._model = model
        self._specs = tools
        self._known = known or tools
        self._ledger = ledger
        self._mask = mask
        self._members = members
        self._observer = observer
        self._versioned = versioned
        self._written: tuple[tuple[ToolSpec, ...], list[ToolUnionParam]] = ((), [])

    async def perform(self, view: RunView, task: Task, index: int, ask: Ask) -> str:
        """Do a task.

        Raises:
            TaskFailed: it could not be done; the reason is named.
            BudgetSpent: the run has used up its tokens or its money.
            SimulatorError: no model answers.
        """
        return await self.pursue(view, task_prompt(view, task, index), ask)

    async def pursue(self, view: RunView, text: str, ask: Ask) -> str:
        """Do what a text says.

        Args:
            view: the run.
            text: what to get done.
            ask: makes calls.

        Returns:
            What was done, in the model's words.

        Raises:
            TaskFailed: it could not be done; the reason is named.
            BudgetSpent: the run has used up its tokens or its money.
            SimulatorError: no model answers.
        """
        talk = Conversation(text, self._mask)
        turn = _Turn(self._known, self._members, self._observer, view, ask)
        if self._observer is not None:
            self._observer.forget()
        idle = pauses = 0
        while True:
            answer = await self._asked(view, talk)
            talk.answered(answer.content)
            if answer.stop_reason == "pause_turn" and not answer.uses and pauses < PAUSES:
                pauses += 1
                continue
            pauses = 0
            if answer.uses:
                idle = 0
                results, done = await turn.carry_out(answer)
                for call_id, input in turn.withheld.items():
                    talk.withhold(call_id, input)
                if done is not None:
                    return done
                talk.tell(results, turn.note)
                continue
            idle += 1
            if idle == IDLE:
                last = f"; it last said: {answer.text[:200]}" if answer.text else ""
                raise TaskFailed(f"the model called no tool in {IDLE} answers in a row ({answer.stop_reason}){last}")
            talk.tell([], _CUT if answer.stop_reason == "max_tokens" else _GO_ON if answer.text else _NOTHING)

    async def _asked(self, view: RunView, talk: Conversation) -> Answer:
        self._ledger.check()
        system: list[TextBlockParam] = [
            {"type": "text", "text": self._mask(system_prompt(view)), "cache_control": {"type": "ephemeral"}}
        ]
        try:
            answer = await self._model.ask(system, self._tools(view), talk.messages())
        except asyncio.CancelledError:
            view.tell(ModelGivenUp(self._model.name))
            raise
        self._ledger.count(answer.model, answer.usage)
        view.tell(ModelCalled(answer.model, answer.usage, answer.seconds))
        if answer.text:
            view.tell(Said(answer.text))
        if answer.stop_reason == "refusal":
            raise TaskFailed(f"the model refused{': ' + answer.refusal if answer.refusal else ''}")
        if answer.stop_reason == "model_context_window_exceeded":
            raise TaskFailed("the conversation about this task no longer fits the model")
        return answer

    def _tools(self, view: RunView) -> list[ToolUnionParam]:
        """Give the tools as the model is offered them, written again only when others are there."""
        specs = tuple(self._specs())
        if not self._written[1] or specs != self._written[0]:
            display = display_of(view.identity) if self._versioned else None
            params = [*([self._members.param] if self._members else []), *tool_params(specs, display)]
            params[-1] = {**params[-1], "cache_control": {"type": "ephemeral"}}
            self._written = (specs, cast("list[ToolUnionParam]", params))
        return self._written[1]


def display_of(identity: Identity) -> tuple[int, int]:
    """Give the width and height in pixels of the pictures that a model sees of a user's pages."""
    return Screen.of(identity.viewport.width, identity.viewport.height).seen


class _Turn:
    """Carries out the calls of answers, in their order."""

    def __init__(
        self,
        tools: Callable[[], Sequence[ToolSpec]],
        members: Members | None,
        observer: Observer | None,
        view: RunView,
        ask: Ask,
    ) -> None:
        self._tools = tools
        self._members = members
        self._observer = observer
        self._view = view
        self._ask = ask
        self._watch = Watch(view.identity.traits.patience)
        self.note = ""
        """What the model reads beside the results."""
        self.withheld: dict[str, JsonValue] = {}
        """Inputs of calls that typed into secret fields, as they are shown from now on, by id."""

    async def carry_out(self, answer: Answer) -> tuple[Sequence[dict[str, Any]], str | None]:
        """Carry out the calls of one answer.

        Returns:
            The results in the order of the calls, and what was done where the model completed the task.

        Raises:
            TaskFailed: the model gave the task up, or it leads nowhere.
        """
        if self._members is not None:
            self._members.begin_answer()
        last = max((place for place, use in enumerate(answer.uses, start=1) if self._changes(use)), default=0)
        results: list[dict[str, Any]] = []
        notes: list[str] = []
        failed = False
        for place, use in enumerate(answer.uses, start=1):
            if answer.stop_reason == "max_tokens" and place == len(answer.uses):
                results.append(error_block(use, _CUT_CALL))
            elif use.input is None:
                results.append(error_block(use, _NO_OBJECT))
                failed = True
            elif failed and self._changes(use):
                results.append(error_block(use, _AFTER_FAILURE))
            else:
                result, note = await self._call(use, use.input, observed=place == last)
                if result.success and not use.toolset and use.name in _DONE:
                    return (), str(result.data or "")
                failed = failed or not result.success
                results.append(result_block(use, result, self._view.shown))
                notes += [note] if note else []
        self.note = "\n".join(dict.fromkeys(notes))
        return results, None

    async def _call(self, use: ToolUse, input: dict[str, Any], *, observed: bool) -> tuple[ToolResult, str]:
        name = self._members.call_name(use.name) if use.toolset and self._members is not None else use.name
        if self._observer is not None:
            self._observer.look("always" if observed else "failed")
        try:
            result = await self._ask(name, input, id=use.id)
        finally:
            if self._observer is not None:
                self._observer.look("never")
        if TOLD in result.metadata:
            self.withheld[use.id] = result.metadata[TOLD]
        if result.success and name == "fail":
            raise TaskFailed(str(result.data or "the model gave no reason"))
        note, end = self._watch.noticed(name, input, result)
        if note or end:
            self._view.tell(PatienceTried(end or note, bool(end)))
        if end:
            raise TaskFailed(end)
        return result, note

    def _changes(self, use: ToolUse) -> bool:
        """Return whether a call may change something; members of a toolset answer for themselves."""
        if use.toolset:
            return False
        named = (spec for spec in self._tools() if use.name in (spec.name, *spec.aliases))
        return any(spec.replay_for("same") != "skip" or spec.is_terminal for spec in named)
