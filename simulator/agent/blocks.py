"""Tools and their results as a model is shown them. Not responsible for: their form in the API, or calling tools."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PIL import Image as Pictures
from pydantic import JsonValue

from simulator.canonical import canonical_json, map_strings
from simulator.tools.contracts import AGAIN, Image, ToolFailure, ToolResult
from simulator.tools.observing import SEEN
from simulator.tools.spec import TIMEOUT, ToolSpec
from simulator.tools.views import SHELL, to_anthropic, to_versioned

if TYPE_CHECKING:
    from simulator.agent.models.model import ToolUse

LONGEST = 20_000
"""Characters of one result that a model is shown."""
LARGEST_SIDE = 1568
"""Pixels: the API would scale a larger picture down itself, after it was paid for."""
CONTENT = "content"
"""Key under which a member of a toolset leaves its own blocks in a result's data."""


def tool_params(specs: Iterable[ToolSpec], display: tuple[int, int] | None = None) -> list[dict[str, Any]]:
    """Write tools as a model is offered them.

    Every request pays for them, so they are short: what a call that acts gives back, its result shows; nobody needs to
    set a time-out; and a schema says nothing twice.

    Args:
        specs: the tools.
        display: width and height in pixels of the pictures that the model sees, where it knows the Messages API's
            versioned tools: those are offered by their type. None: every tool is offered by its own schema.
    """
    return [(display and to_versioned(spec, display)) or _by_schema(spec) for spec in specs]


def _by_schema(spec: ToolSpec) -> dict[str, Any]:
    return {"name": spec.name, "description": _described(spec), "input_schema": _slim(spec.schema, spec.schema)}


def _described(spec: ToolSpec) -> str:
    if not spec.returns or spec.replay_for("same") == "actions":
        return spec.description
    return f"{spec.description}\nAnswers: {spec.returns}"


def _slim(part: Mapping[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """Write a part of a schema without titles, references and what stands for nothing."""
    if "$ref" in part:
        named = whole["$defs"][part["$ref"].rsplit("/", 1)[-1]]
        return _slim({**named, **{key: value for key, value in part.items() if key != "$ref"}}, whole)
    told = {key: value for key, value in part.items() if key not in ("title", "$defs", "anyOf", "properties")}
    given = [option for option in part.get("anyOf", ()) if option != {"type": "null"}]
    if len(given) == 1:
        told = {**_slim(given[0], whole), **told}
    elif given:
        told["anyOf"] = [_slim(option, whole) for option in given]
    if told.get("default", 0) in (None, "", False):
        told.pop("default", None)
    if told.get("additionalProperties") is False:
        del told["additionalProperties"]
    for inner in ("items", "additionalProperties"):
        if isinstance(told.get(inner), dict):
            told[inner] = _slim(told[inner], whole)
    if "properties" in part:
        told["properties"] = {
            name: _slim(parameter, whole) for name, parameter in part["properties"].items() if name != TIMEOUT
        }
    return told


def result_block(use: ToolUse, result: ToolResult, shown: Callable[[str], str]) -> dict[str, Any]:
    """Write a result as the answer to a tool use.

    Args:
        use: what was asked for.
        result: what came of it.
        shown: writes a text for the model: values in place of variables, secrets as placeholders.
    """
    error = result.error and ToolFailure(type=result.error.type, message=shown(result.error.message))
    if use.toolset:
        return _of_member(use, result.model_copy(update={"error": error}), shown)
    page = result.metadata.get(SEEN)
    data = _without_page(result.data) if page else result.data
    if use.name == SHELL:
        data = _as_terminal(data)
    told = {"data": _readable(data, shown), "error": error, "images": tuple(map(_scaled, result.images))}
    block = to_anthropic(result.model_copy(update=told), use.id)
    if isinstance(page, str):
        block["content"].append({"type": "text", "text": shown(page)})
    if again := result.metadata.get(AGAIN):
        block["content"].append(_noted(again, shown))
    return block


def _noted(sentences: JsonValue, shown: Callable[[str], str]) -> dict[str, Any]:
    """Write what an agent should know of a call beside its result."""
    told = [shown(str(one)) for one in sentences] if isinstance(sentences, list) else []
    return {"type": "text", "text": "\n".join(f"Done, but {one}" for one in told)}


def error_block(use: ToolUse, message: str) -> dict[str, Any]:
    """Answer a tool use that was not carried out."""
    content = [{"type": "text", "text": message}]
    block = {"type": "tool_result", "tool_use_id": use.id, "content": content, "is_error": True}
    return block | ({"toolset_name": use.toolset} if use.toolset else {})


def _of_member(use: ToolUse, result: ToolResult, shown: Callable[[str], str]) -> dict[str, Any]:
    """Put the blocks of a toolset's member together again: its pictures are kept apart from its data."""
    if result.error is not None:
        return error_block(use, result.error.message)
    blocks: Any = result.data.get(CONTENT) if isinstance(result.data, dict) else None
    pictures = iter(to_anthropic(ToolResult(success=True, images=result.images), use.id)["content"])
    content = [next(pictures) if block["type"] == "image" else map_strings(block, shown) for block in blocks or ()]
    if again := result.metadata.get(AGAIN):
        content.append(_noted(again, shown))
    return {"type": "tool_result", "tool_use_id": use.id, "toolset_name": use.toolset, "content": content}


def _without_page(data: JsonValue) -> JsonValue:
    """Leave out what a call says of its page, which is shown itself; but for the status of a failure."""
    if not isinstance(data, dict) or not isinstance(page := data.get("page"), dict):
        return data
    status = page.get("status")
    failed = isinstance(status, int) and status >= 400
    return {key: value for key, value in data.items() if key != "page"} | ({"status": status} if failed else {})


def _as_terminal(data: JsonValue) -> JsonValue:
    """Write what a shell answered as a model of the Messages API knows it from there: as a terminal shows it."""
    if not isinstance(data, dict) or "exit_code" not in data:
        return data
    shown = [str(data[name]) for name in ("output", "error", "note") if data.get(name)]
    return "\n".join([*shown, f"exit code: {data['exit_code']}"] if data["exit_code"] else shown)


def _readable(data: JsonValue, shown: Callable[[str], str]) -> JsonValue:
    """Write data as text, without what a model cannot take in."""
    if data is None:
        return None
    text = shown(data) if isinstance(data, str) else canonical_json(map_strings(data, shown))
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n[cut: the first {LONGEST} of {len(text)} characters]"


def _scaled(image: Image) -> Image:
    """Scale a picture down to what the API looks at."""
    with Pictures.open(io.BytesIO(image.data)) as picture:
        if max(picture.size) <= LARGEST_SIDE:
            return image
        picture.thumbnail((LARGEST_SIDE, LARGEST_SIDE))
        file = io.BytesIO()
        picture.save(file, "PNG")
    return Image(media_type="image/png", data=file.getvalue())
