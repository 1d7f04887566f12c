"""Tools and their results as blocks of the Messages API. Not responsible for: calling tools, or the conversation."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterable
from typing import Any, cast

from anthropic.types import ToolParam
from PIL import Image as Pictures
from pydantic import JsonValue

from simulator.agent.model import ToolUse
from simulator.canonical import canonical_json, map_strings
from simulator.tools.contracts import Image, ToolResult
from simulator.tools.spec import ToolSpec

LONGEST = 20_000
"""Characters of one result that a model is shown."""
LARGEST_SIDE = 1568
"""Pixels: the API would scale a larger picture down itself, after it was paid for."""
CONTENT = "content"
"""Key under which a member of a toolset leaves its own blocks in a result's data."""


def tool_params(specs: Iterable[ToolSpec]) -> list[ToolParam]:
    """Write tools as a model is offered them; their schemas are the registry's."""
    return [
        {
            "name": spec.name,
            "description": f"{spec.description}\n\nAnswers: {spec.returns}" if spec.returns else spec.description,
            "input_schema": spec.schema,
        }
        for spec in specs
    ]


def result_block(use: ToolUse, result: ToolResult, shown: Callable[[str], str]) -> dict[str, Any]:
    """Write a result as the answer to a tool use.

    Args:
        use: what was asked for.
        result: what came of it.
        shown: writes a text for the model: values in place of variables, secrets as placeholders.
    """
    block: dict[str, Any] = {"type": "tool_result", "tool_use_id": use.id}
    if use.toolset:
        block["toolset_name"] = use.toolset
    if result.error is not None:
        said = f"{result.error.type}: {shown(result.error.message)}"
        data = "" if result.data is None else "\n" + _json(result.data, shown)
        return block | {"content": [_text(said + data)], "is_error": True}
    if use.toolset and isinstance(result.data, dict):
        return block | {"content": _member_content(result, shown)}
    content: list[dict[str, Any]] = [] if result.data is None else [_text(_json(result.data, shown))]
    content += [_picture(image) for image in result.images]
    return block | {"content": content or [_text("done")]}


def error_block(use: ToolUse, message: str) -> dict[str, Any]:
    """Answer a tool use that was not carried out."""
    block = {"type": "tool_result", "tool_use_id": use.id, "content": [_text(message)], "is_error": True}
    return block | ({"toolset_name": use.toolset} if use.toolset else {})


def _member_content(result: ToolResult, shown: Callable[[str], str]) -> list[dict[str, Any]]:
    """Put the blocks of a toolset's member together again: its pictures are kept apart from its data."""
    assert isinstance(result.data, dict)
    blocks = cast(list[dict[str, Any]], result.data[CONTENT])
    pictures = iter(result.images)
    return [encoded(next(pictures)) if block["type"] == "image" else map_strings(block, shown) for block in blocks]


def _json(data: JsonValue, shown: Callable[[str], str]) -> str:
    text = shown(data) if isinstance(data, str) else canonical_json(map_strings(data, shown))
    if not text.strip():
        return "(empty)"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n[cut: the first {LONGEST} of {len(text)} characters]"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _picture(image: Image) -> dict[str, Any]:
    """Write a picture, scaled down to what the API looks at."""
    with Pictures.open(io.BytesIO(image.data)) as picture:
        if max(picture.size) <= LARGEST_SIDE:
            return encoded(image)
        picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
        file = io.BytesIO()
        picture.save(file, "PNG")
    return encoded(Image(media_type="image/png", data=file.getvalue()))


def encoded(image: Image) -> dict[str, Any]:
    """Write a picture as it is."""
    data = base64.b64encode(image.data).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": data}}
