"""Puts the events of a streamed answer together. Not responsible for: asking, or what an answer means.

The SDK's own helper parses a tool's input with each of its pieces and breaks off where it makes no sense. Such an input
is the model's mistake, and the model gets it back with that; the answer around it stands.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import Any

from anthropic.types import Message, RawMessageStreamEvent

from simulator.agent.models.written import tool_input
from simulator.canonical import well_formed


async def put_together(events: AsyncIterable[RawMessageStreamEvent]) -> Message:
    """Give the whole message.

    Args:
        events: of one stream, in their order.

    Returns:
        The message; the input of a tool is None where it is no JSON object, or holds half a character.

    Raises:
        ValueError: the events make no message.
    """
    message: Message | None = None
    inputs: dict[int, str] = {}
    ended = False
    async for event in events:
        if event.type == "message_start":
            message = event.message.model_copy(deep=True)
            continue
        if message is None:
            raise ValueError(f"{event.type} came before the beginning of the message")
        match event.type:
            case "content_block_start":
                # The pieces change it, so it is none of the event's.
                message.content.append(event.content_block.model_copy(deep=True))
            case "content_block_delta" if event.delta.type == "input_json_delta":
                inputs[event.index] = inputs.get(event.index, "") + event.delta.partial_json
            case "content_block_delta":
                _add(message.content[event.index], event.delta)
            case "message_delta":
                _end(message, event)
            case "message_stop":
                ended = True
    if message is None or not ended:
        raise ValueError("the stream ended before the answer did")
    for index, written in inputs.items():
        block: Any = message.content[index]
        block.input = tool_input(written)
    for block in message.content:
        if block.type == "text":
            block.text = well_formed(block.text)
    return message


def _add(block: Any, delta: Any) -> None:
    """Add a piece to a block; what has no place in it, as pieces of a later version of the API, is left out."""
    match delta.type:
        case "text_delta" if block.type == "text":
            block.text += delta.text
        case "thinking_delta" if block.type == "thinking":
            block.thinking += delta.thinking
        case "signature_delta" if block.type == "thinking":
            block.signature = delta.signature
        case "citations_delta" if block.type == "text":
            block.citations = [*(block.citations or []), delta.citation]


def _end(message: Message, event: Any) -> None:
    """Take in why the message ended, and what it cost; counts are totals, and those that are left out stay."""
    message.stop_reason = event.delta.stop_reason
    message.stop_sequence = event.delta.stop_sequence
    message.stop_details = event.delta.stop_details
    for name in type(event.usage).model_fields:
        value = getattr(event.usage, name, None)
        if value is not None:
            setattr(message.usage, name, value)
