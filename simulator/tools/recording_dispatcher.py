"""Records every call before it is executed and again when it is over. Not responsible for: storing steps.

Text that a tool types may be a secret in plain words, and only the field that it goes into shows that. So it is
withheld (stored as null) until the call has succeeded and no field it went into was a secret one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

from pydantic import BaseModel, JsonValue

from simulator.browser.action_recorder import ActionOutcome, ActionRecorder, ActionStart
from simulator.browser.effects.model import Write
from simulator.browser.wire.withheld import WITHHELD, is_secret_name
from simulator.canonical import map_strings
from simulator.errors import SimulatorError
from simulator.template import PLACEHOLDER
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult
from simulator.tools.failures import failure
from simulator.tools.pages.meanings import SECRET_MEANINGS, meaning_of_text
from simulator.tools.spec import IdentityPolicy, Replay
from simulator.tools.validation import by_own_names

TOLD = "told_input"
"""In the metadata of a result that an agent gets: the input of its call, without what it typed into a secret field."""


class Recordable(Protocol):
    """What recording has to know of a tool."""

    @property
    def input_model(self) -> type[BaseModel]:
        """Its parameters, by name."""
        ...

    @property
    def typed(self) -> frozenset[str]:
        """Parameters whose text is typed into fields."""
        ...

    def replay_for(self, policy: IdentityPolicy) -> Replay:
        """Return what replay does with a call under an identity policy."""
        ...


class Lookup(Protocol):
    """Finds tools; a registry does."""

    def find(self, name: str) -> Recordable | None:
        """Give the tool of a name, or None."""
        ...


class StepRecorder(Protocol):
    """Stores steps. Each method returns only when what it was given is safely stored."""

    def begin_step(self, *, call: ToolCall, replay: Replay, task: str | None, withheld: bool) -> str:
        """Store a step as pending.

        Args:
            call: the call, its input as templates, withheld texts as null.
            replay: what replay does with the step where the recorded identity acts again.
            task: what the agent was at.
            withheld: whether texts were withheld.

        Returns:
            The step's id.
        """
        ...

    def amend_step_input(self, step_id: str, input: dict[str, Any]) -> None:
        """Replace the step's input by the whole one."""
        ...

    def end_step(self, step_id: str, result: ToolResult) -> None:
        """Store what the step came to."""
        ...


class TypingWatch:
    """An action recorder that passes everything on, and notes whether a secret field was acted on.

    Args:
        recorder: gets the actions.
    """

    def __init__(self, recorder: ActionRecorder) -> None:
        self._recorder = recorder
        self._actions: list[str] = []
        self._secret = False

    @property
    def secret(self) -> bool:
        """Whether a secret field was acted on, or what was typed has proved to be a secret."""
        return self._secret

    @property
    def openly(self) -> bool:
        """Whether there were actions since the last :meth:`reset`, and none aimed at a secret field."""
        return bool(self._actions) and not self._secret

    def reset(self) -> None:
        """Begin a new step."""
        self._actions, self._secret = [], False

    def begin(self, action: ActionStart) -> str:
        """Pass on an action that is about to happen."""
        self._secret |= action.target is not None and action.target.secret
        action_id = self._recorder.begin(action)
        self._actions.append(action_id)
        return action_id

    def answered(self, write: Write) -> None:
        """Pass on a write that was answered."""
        self._recorder.answered(write)

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Pass on what came of it."""
        self._secret |= any(action in outcome.proved for action in self._actions)
        self._recorder.end(action_id, outcome)


class RecordingDispatcher:
    """Records the calls that another dispatcher does.

    A call that is cancelled stays pending: nobody knows what it did.

    Args:
        inner: does the calls.
        recorder: stores the steps.
        watch: the recorder that the run's actors report to.
        registry: knows what replay does with a tool's steps, and which parameters are typed.
        template: writes a text as a template, without secrets.
        task: returns which task the agent is at.
    """

    def __init__(
        self,
        inner: Dispatcher,
        recorder: StepRecorder,
        *,
        watch: TypingWatch,
        registry: Lookup,
        template: Callable[[str], str],
        task: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._inner = inner
        self._recorder = recorder
        self._watch = watch
        self._registry = registry
        self._template = template
        self._task = task

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Record one call and do it."""
        spec = self._registry.find(call.name)
        if spec:
            call = call.model_copy(update={"input": by_own_names(spec.input_model, call.input)})
        call = call.model_copy(update={"input": {name: _in_json(value) for name, value in call.input.items()}})
        openly = spec.input_model.model_fields.keys() - spec.typed if spec else frozenset()
        given = map_strings(call.input, self._template)
        shown = {name: value if name in openly else _withheld(value) for name, value in given.items()}
        step_id = self._recorder.begin_step(
            call=call.model_copy(update={"input": shown}),
            replay=spec.replay_for("same") if spec else "skip",
            task=self._task(),
            withheld=shown != given,
        )
        self._watch.reset()
        try:
            result = await self._inner.dispatch(call)
        except SimulatorError as error:
            self._recorder.end_step(step_id, failure("unavailable", str(error)))
            raise
        if shown != given and result.success and self._watch.openly:
            self._recorder.amend_step_input(step_id, given)
        if not (shown != given and (self._watch.secret or (not result.success and _names_secret(call.input)))):
            self._recorder.end_step(step_id, result)
            return result
        # What it typed is known now, and by name; a usual word, and keys one by one, are known by their place alone.
        told = {
            name: _with_placeholders(value, name in openly)
            for name, value in map_strings(call.input, self._template).items()
        }
        result = result.model_copy(update={"metadata": {**result.metadata, TOLD: told}})
        self._recorder.end_step(step_id, result)
        return result


def _with_placeholders(value: JsonValue, openly: bool) -> JsonValue:
    """Put a placeholder in place of what is not made of variables alone."""
    if openly or isinstance(value, bool):
        return value
    if isinstance(value, dict):
        return {key: _with_placeholders(item, openly) for key, item in value.items()}
    if isinstance(value, list):
        told = [_with_placeholders(item, openly) for item in value]
        return [WITHHELD] if WITHHELD in told else told  # how many keys there were is nobody's business either
    return value if isinstance(value, str) and not PLACEHOLDER.sub("", value).strip() else WITHHELD


def _names_secret(given: JsonValue) -> bool:
    """Return whether a call speaks of a secret field, by what it calls anything in its input."""
    if isinstance(given, dict):
        return any(_names_secret(key) or _names_secret(item) for key, item in given.items())
    if isinstance(given, list):
        return any(map(_names_secret, given))
    if not isinstance(given, str):
        return False
    return is_secret_name(given) or meaning_of_text(given, among=SECRET_MEANINGS) is not None


def _in_json(value: JsonValue) -> JsonValue:
    """Put words, which no parameter for numbers takes, in place of what is no number of JSON and cannot be stored."""
    if isinstance(value, dict):
        return {key: _in_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_in_json(item) for item in value]
    return f"no number: {value}" if isinstance(value, float) and not math.isfinite(value) else value


def _withheld(value: JsonValue) -> JsonValue:
    """Put null in place of what is not made of variables alone."""
    if isinstance(value, dict):
        return {key: _withheld(item) for key, item in value.items()}
    if isinstance(value, list):
        told = [_withheld(item) for item in value]
        return [None] if None in told else told  # how many keys a secret has is none of a recording's business
    if isinstance(value, bool) or (isinstance(value, str) and not PLACEHOLDER.sub("", value).strip()):
        return value
    return None
