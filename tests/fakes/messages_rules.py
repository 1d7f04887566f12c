"""What the Messages API takes: the SDK's own types, and the rules between blocks that types cannot say.

Not responsible for: serving, or answering.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
from collections.abc import Iterator
from typing import Any

from anthropic.types.beta import BetaToolComputerUse20250124Param, BetaToolComputerUse20251124Param
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
from PIL import Image
from pydantic import TypeAdapter

from tests.fakes.model_server import Refused
from tests.fakes.param_types import check_types

_STREAMING = TypeAdapter[Any](MessageCreateParamsStreaming)
_PLAIN = TypeAdapter[Any](MessageCreateParamsNonStreaming)
_BETA_TOOLS = (
    ("computer_20251124", "computer-use-2025-11-24", TypeAdapter[Any](BetaToolComputerUse20251124Param)),
    ("computer_20250124", "computer-use-2025-01-24", TypeAdapter[Any](BetaToolComputerUse20250124Param)),
)
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_TOOL_USE_ID = re.compile(r"[a-zA-Z0-9_-]+")
MOST_BREAKPOINTS = 4
MOST_IMAGES = 100
MANY_IMAGES = 20
LARGEST_BYTES = 5 * 1024 * 1024
LARGEST_SIDE = 8000
LARGEST_SIDE_OF_MANY = 2000
MOST_TOKENS = 128_000


def check(body: Any, betas: str = "") -> None:
    """Judge a request.

    Args:
        body: of the request.
        betas: its header ``anthropic-beta``.

    Raises:
        Refused: it breaks a rule.
    """
    if not isinstance(body, dict):
        raise Refused("the body is no JSON object")
    check_types(_without_beta_tools(body, betas.split(",")), _STREAMING if body.get("stream") else _PLAIN)
    messages = body["messages"]
    if not 1 <= body["max_tokens"] <= MOST_TOKENS:
        raise Refused(f"max_tokens: {body['max_tokens']} is not between 1 and {MOST_TOKENS}")
    _tools(body.get("tools", []))
    _turns(messages)
    _pairs(messages)
    _end(messages[-1])
    for path, block in _blocks(body):
        _content(path, block)
    if sum("cache_control" in block for _, block in _cacheable(body)) > MOST_BREAKPOINTS:
        raise Refused(f"a maximum of {MOST_BREAKPOINTS} blocks with cache_control may be provided")
    _images([block for _, block in _blocks(body) if block["type"] == "image"])


def _without_beta_tools(body: dict[str, Any], betas: list[str]) -> dict[str, Any]:
    """Judge the tools that only a beta of the API knows, and give the rest of the request."""
    tools = body.get("tools")
    if not isinstance(tools, list):
        return body
    known = {kind: (beta, adapter) for kind, beta, adapter in _BETA_TOOLS if beta in betas}
    for tool in tools:
        if isinstance(tool, dict) and tool.get("type") in known:
            check_types(tool, known[tool["type"]][1])
    return body | {"tools": [tool for tool in tools if not (isinstance(tool, dict) and tool.get("type") in known)]}


def _tools(tools: list[dict[str, Any]]) -> None:
    names = [tool["name"] for tool in tools if "name" in tool]
    for name in names:
        if not _TOOL_NAME.fullmatch(name):
            raise Refused(f"tools: the name {name!r} does not match {_TOOL_NAME.pattern}")
    if len(set(names)) < len(names):
        raise Refused("tools: names must be unique")
    for tool in tools:
        if "input_schema" in tool and tool["input_schema"].get("type") != "object":
            raise Refused(f"tools: the input_schema of {tool['name']} must have type object")


def _turns(messages: list[dict[str, Any]]) -> None:
    if not messages:
        raise Refused("messages: at least one message is required")
    if messages[0]["role"] != "user":
        raise Refused("messages: the first message must use the user role")
    for place, message in enumerate(messages):
        if not message["content"]:
            raise Refused(f"messages.{place}: content must be non-empty")


def _end(last: dict[str, Any]) -> None:
    if last["role"] == "assistant" and not any(_of(last, "server_tool_use")):
        raise Refused("this model does not support assistant message prefill: the last message must be the user's")


def _pairs(messages: list[dict[str, Any]]) -> None:
    """See that each answer with tool uses is followed by one message that begins with all of their results."""
    seen: set[str] = set()
    waiting: dict[str, str | None] = {}
    for place, message in enumerate(messages):
        results = list(_of(message, "tool_result"))
        if message["role"] == "assistant":
            if waiting:
                raise Refused(f"messages.{place}: tool_use ids {sorted(waiting)} were found without tool_result blocks")
            for use in _of(message, "tool_use"):
                if use["id"] in seen or not _TOOL_USE_ID.fullmatch(use["id"]):
                    raise Refused(f"messages.{place}: tool_use ids must be unique and well-formed: {use['id']}")
                seen.add(use["id"])
                waiting[use["id"]] = use.get("toolset_name")
            continue
        answered: set[str] = set()
        for result in results:
            name = result["tool_use_id"]
            if name not in waiting or name in answered:
                raise Refused(f"messages.{place}: unexpected tool_use_id in tool_result blocks: {name}")
            if result.get("toolset_name") != waiting[name]:
                raise Refused(f"messages.{place}: the toolset_name of the result for {name} is not its tool_use's")
            answered.add(name)
        if missing := waiting.keys() - answered:
            raise Refused(f"messages.{place}: tool_use ids {sorted(missing)} were found without tool_result blocks")
        kinds = [block["type"] for block in message["content"]] if isinstance(message["content"], list) else []
        if kinds[: len(results)] != ["tool_result"] * len(results):
            raise Refused(f"messages.{place}: tool_result blocks must come first in the content")
        waiting = {}
    if waiting:
        raise Refused(f"tool_use ids {sorted(waiting)} were found without tool_result blocks")


def _content(path: str, block: dict[str, Any]) -> None:
    kind = block["type"]
    if kind == "text" and not block["text"].strip():
        raise Refused(f"{path}: text content blocks must contain non-whitespace text")
    if kind == "tool_result":
        inner = block.get("content")
        if block.get("is_error"):
            if not inner:
                raise Refused(f"{path}: content cannot be empty if is_error is true")
            if isinstance(inner, list) and any(one["type"] != "text" for one in inner):
                raise Refused(f"{path}: all content must be of type text if is_error is true")
        states = [one for one in inner if one["type"] == "browser_state"] if isinstance(inner, list) else []
        if states and "toolset_name" not in block:
            raise Refused(f"{path}: browser_state answers members of the browser toolset only")
        for state in states:
            active = [tab for tab in state["tabs"] if tab.get("active")]
            if len(states) > 1 or (state["tabs"] and len(active) != 1) or state.get("state_changes") == []:
                raise Refused(f"{path}: browser_state must tell one active tab, once, and no empty list of changes")


def _images(images: list[dict[str, Any]]) -> None:
    if len(images) > MOST_IMAGES:
        raise Refused(f"too many images: {len(images)} > {MOST_IMAGES}")
    side = LARGEST_SIDE_OF_MANY if len(images) > MANY_IMAGES else LARGEST_SIDE
    for image in images:
        source = image["source"]
        if source["type"] != "base64":
            continue
        try:
            data = base64.b64decode(source["data"], validate=True)
            picture = Image.open(io.BytesIO(data))
        except (binascii.Error, OSError):
            raise Refused("image: the data is no image") from None
        if f"image/{(picture.format or '').lower()}" != source["media_type"]:
            raise Refused(f"image: it is {picture.format}, not {source['media_type']}")
        if len(source["data"]) > LARGEST_BYTES:
            raise Refused(f"image exceeds {LARGEST_BYTES} bytes")
        if max(picture.size) > side:
            raise Refused(f"image: at least one dimension is larger than {side} pixels")


def _of(message: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    content = message["content"]
    return (block for block in content if block["type"] == kind) if isinstance(content, list) else iter(())


def _blocks(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every content block, those inside of tool results too."""
    system = body.get("system")
    for place, block in enumerate(system if isinstance(system, list) else []):
        yield f"system.{place}", block
    for turn, message in enumerate(body["messages"]):
        for place, block in enumerate(message["content"] if isinstance(message["content"], list) else []):
            yield f"messages.{turn}.content.{place}", block
            inner = block.get("content") if block["type"] == "tool_result" else None
            for number, one in enumerate(inner if isinstance(inner, list) else []):
                yield f"messages.{turn}.content.{place}.content.{number}", one


def _cacheable(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from _blocks(body)
    yield from (("tools", tool) for tool in body.get("tools", []))
