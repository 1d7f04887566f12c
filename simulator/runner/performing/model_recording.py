"""A model whose requests and answers are recorded. Not responsible for: asking, or storing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from simulator.agent.models.model import Answer, Model
from simulator.agent.usage import Usage
from simulator.canonical import map_strings
from simulator.recording.writing.model_calls import ModelCallRecorder

ORIGIN = "{{site.origin}}"
"""Stands for scheme, host and port of the site, which a run has once: in its environment."""
_PROVIDERS = {"claude": "anthropic"}


def provider_of(agent: str) -> str:
    """Give whose API an agent asks."""
    return _PROVIDERS.get(agent, agent)


def request_of(
    system: Sequence[Any], tools: Sequence[Any], messages: Sequence[Any], written: Callable[[str], str]
) -> dict[str, Any]:
    """Write a request as it is recorded.

    Args:
        system: what the model reads first.
        tools: what it is offered.
        messages: the conversation.
        written: writes every text.
    """
    request = {"system": system, "tools": tools, "messages": messages}
    return {name: map_strings(part, written) for name, part in request.items()}


def without_origin(origin: str) -> Callable[[str], str]:
    """Give what writes a text without the place of the site.

    Args:
        origin: scheme, host and port.
    """
    return lambda text: text.replace(origin, ORIGIN)


class RecordingModel:
    """Asks another model, and records what it is asked and what it answers.

    A request that is cancelled stays pending: nobody knows what became of it.

    Args:
        inner: the model.
        recorder: of the run's model calls.
        provider: whose API it is.
        written: writes a text as it is recorded.
    """

    def __init__(
        self, inner: Model, recorder: ModelCallRecorder, *, provider: str, written: Callable[[str], str]
    ) -> None:
        self.name = inner.name
        self._inner = inner
        self._recorder = recorder
        self._provider = provider
        self._written = written

    async def ask(self, system: list[Any], tools: Sequence[Any], messages: list[Any]) -> Answer:
        """Send a conversation and wait for the whole answer.

        Raises:
            ModelRefused: the API takes no request of this kind: the key, the model or the request is wrong.
            ModelUnavailable: it gives no answer, however often it is asked.
        """
        request = request_of(system, tools, messages, self._written)
        call_id = self._recorder.begin(provider=self._provider, model=self.name, request=request)
        try:
            answer = await self._inner.ask(system, tools, messages)
        except Exception as error:
            self._recorder.failed(call_id, f"{type(error).__name__}: {error}")
            raise
        self._recorder.answered(
            call_id,
            model=answer.model,
            response=map_strings(response_of(answer), self._written),
            usage={} if answer.usage == Usage() else asdict(answer.usage),
            asks_for=[use.id for use in answer.uses],
        )
        return answer


def response_of(answer: Answer) -> dict[str, Any]:
    """Write an answer as it is recorded, but for what has a column of its own."""
    told = asdict(answer)
    return {name: told[name] for name in ("content", "uses", "text", "stop_reason", "refusal")}
