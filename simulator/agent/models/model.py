"""What the agents with a model ask of one, whoever provides it.

A conversation is written as the Messages API has it; a provider with another form translates it in its own module.
Not responsible for: any provider, what is said, or what is done with an answer. Imports no SDK.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from simulator.agent.usage import Usage

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam, ToolUnionParam

StopReason = Literal[
    "end_turn",
    "tool_use",
    "max_tokens",
    "stop_sequence",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
]


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call that the model asks for."""

    id: str
    name: str
    input: dict[str, Any] | None
    """None where it was no JSON object."""
    toolset: str = ""
    """Whose member it is; empty for a tool of ours."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model answered."""

    content: list[dict[str, Any]]
    """Its blocks as they are sent back, without empty ones."""
    uses: tuple[ToolUse, ...]
    text: str
    stop_reason: StopReason
    usage: Usage
    model: str
    seconds: float
    refusal: str = ""
    """Why it refused, where it says so."""


class Model(Protocol):
    """Answers conversations; shared by the users of a batch."""

    name: str
    """As its provider calls it."""

    async def ask(
        self, system: list[TextBlockParam], tools: Sequence[ToolUnionParam], messages: list[MessageParam]
    ) -> Answer:
        """Send a conversation and wait for the whole answer.

        Raises:
            ModelRefused: the API takes no request of this kind: the key, the model or the request is wrong.
            ModelUnavailable: it gives no answer, however often it is asked.
        """
        ...


def no_longer_fits(model: str) -> Answer:
    """Give the answer that stands for the error of an API whose model cannot take in a conversation any more.

    Args:
        model: as its provider calls it.
    """
    return Answer(
        content=[],
        uses=(),
        text="",
        stop_reason="model_context_window_exceeded",
        usage=Usage(),
        model=model,
        seconds=0,
    )
