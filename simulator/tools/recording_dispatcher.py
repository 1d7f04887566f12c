"""Records every call before it is executed and again when it is over. Not responsible for: storing steps.

Text that a tool types may be a secret in plain words, and only the field that it goes into tells. So it is
withheld (stored as null) until the call has succeeded and no field it went into was a secret one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from pydantic import BaseModel, JsonValue

from simulator.browser.sink import ActionOutcome, ActionSink, ActionStart
from simulator.canonical import map_strings
from simulator.errors import SimulatorError
from simulator.template import PLACEHOLDER
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult
from simulator.tools.failures import failure
from simulator.tools.spec import IdentityPolicy, Replay
from simulator.tools.validation import by_own_names


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
        """Tell what replay does with a call under an identity policy."""
        ...


class Lookup(Protocol):
    """Finds tools; a registry does."""

    def find(self, name: str) -> Recordable | None:
        """Give the tool of a name, or None."""
        ...


class StepSink(Protocol):
    """Stores steps. Each method returns only when what it was told is safely stored."""

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
    """An action sink that passes everything on, and notes whether a secret field was acted on.

    Args:
        sink: gets the actions.
    """

    def __init__(self, sink: ActionSink) -> None:
        self._sink = sink
        self._actions = 0
        self._secret = False

    @property
    def openly(self) -> bool:
        """Whether there were actions since the last :meth:`reset`, and none aimed at a secret field."""
        return self._actions > 0 and not self._secret

    def reset(self) -> None:
        """Begin a new step."""
        self._actions, self._secret = 0, False

    def begin(self, action: ActionStart) -> str:
        """Pass on an action that is about to happen."""
        self._actions += 1
        self._secret |= action.target is not None and action.target.secret
        return self._sink.begin(action)

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Pass on what came of it."""
        self._sink.end(action_id, outcome)


class RecordingDispatcher:
    """Records the calls that another dispatcher does.

    A call that is cancelled stays pending: nobody knows what it did.

    Args:
        inner: does the calls.
        sink: stores the steps.
        watch: the sink that the run's actors report to.
        registry: tells what replay does with a tool's steps, and which parameters are typed.
        template: writes a text as a template, without secrets.
        task: tells what the agent is at.
    """

    def __init__(
        self,
        inner: Dispatcher,
        sink: StepSink,
        *,
        watch: TypingWatch,
        registry: Lookup,
        template: Callable[[str], str],
        task: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._inner = inner
        self._sink = sink
        self._watch = watch
        self._registry = registry
        self._template = template
        self._task = task

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Record one call and do it."""
        spec = self._registry.find(call.name)
        if spec:
            call = call.model_copy(update={"input": by_own_names(spec.input_model, call.input)})
        openly = spec.input_model.model_fields.keys() - spec.typed if spec else frozenset()
        given = map_strings(call.input, self._template)
        shown = {name: value if name in openly else _withheld(value) for name, value in given.items()}
        step_id = self._sink.begin_step(
            call=call.model_copy(update={"input": shown}),
            replay=spec.replay_for("same") if spec else "skip",
            task=self._task(),
            withheld=shown != given,
        )
        self._watch.reset()
        try:
            result = await self._inner.dispatch(call)
        except SimulatorError as error:
            self._sink.end_step(step_id, failure("unavailable", str(error)))
            raise
        if shown != given and result.success and self._watch.openly:
            self._sink.amend_step_input(step_id, given)
        self._sink.end_step(step_id, result)
        return result


def _withheld(value: JsonValue) -> JsonValue:
    """Put null in place of what is not made of variables alone."""
    if isinstance(value, dict):
        return {key: _withheld(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_withheld(item) for item in value]
    if isinstance(value, bool) or (isinstance(value, str) and not PLACEHOLDER.sub("", value).strip()):
        return value
    return None
