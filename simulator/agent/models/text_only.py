"""A model that cannot see: pictures are left out of what it is sent. Not responsible for: which tools it is offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from simulator.agent.models.model import Answer, Model

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam, ToolUnionParam

LEFT_OUT = "[a picture, left out: this model takes in text alone]"


class TextOnlyModel:
    """Asks another model, with a line in place of each picture.

    Args:
        inner: the model.
    """

    def __init__(self, inner: Model) -> None:
        self.name = inner.name
        self._inner = inner

    async def ask(
        self, system: list[TextBlockParam], tools: Sequence[ToolUnionParam], messages: list[MessageParam]
    ) -> Answer:
        """Send a conversation and wait for the whole answer.

        Raises:
            ModelRefused: the API takes no request of this kind: the key, the model or the request is wrong.
            ModelUnavailable: it gives no answer, however often it is asked.
        """
        told = [{**message, "content": _without_pictures(message["content"])} for message in messages]
        return await self._inner.ask(system, tools, cast("list[MessageParam]", told))


def _without_pictures(content: Any) -> Any:
    return content if isinstance(content, str) else [_told(block) for block in content]


def _told(block: dict[str, Any]) -> dict[str, Any]:
    if block["type"] == "image":
        return {"type": "text", "text": LEFT_OUT} | {key: block[key] for key in ("cache_control",) if key in block}
    if block["type"] == "tool_result":
        return {**block, "content": _without_pictures(block["content"])}
    return block
