"""What the Chat Completions API takes: the SDK's own types, and the rules between messages that types cannot say.

Not responsible for: serving, or answering.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from PIL import Image
from pydantic import TypeAdapter

from tests.fakes.model_server import Refused
from tests.fakes.param_types import check_types

_STREAMING = TypeAdapter[Any](CompletionCreateParamsStreaming)
_PLAIN = TypeAdapter[Any](CompletionCreateParamsNonStreaming)
_TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_DATA_URL = re.compile(r"data:image/(\w+);base64,(.*)", re.DOTALL)
MOST_TOOLS = 128
MOST_IMAGES = 500
BOUNDS = ("max_completion_tokens", "max_tokens")


def check(body: Any) -> None:
    """Judge a request.

    Raises:
        Refused: it breaks a rule.
    """
    if not isinstance(body, dict):
        raise Refused("the body is no JSON object")
    check_types(body, _STREAMING if body.get("stream") else _PLAIN)
    if len([name for name in BOUNDS if name in body]) > 1:
        raise Refused(f"{' and '.join(BOUNDS)} exclude each other")
    if "stream_options" in body and not body.get("stream"):
        raise Refused("stream_options: only when stream is true")
    _tools(body)
    _turns(body["messages"])
    _pairs(body["messages"])
    if body["messages"][-1]["role"] not in ("user", "tool"):
        raise Refused("messages: the last message must be the user's or a tool's")
    images = list(_images(body["messages"]))
    if len(images) > MOST_IMAGES:
        raise Refused(f"too many images: {len(images)} > {MOST_IMAGES}")


def _tools(body: dict[str, Any]) -> None:
    if "tools" not in body:
        return
    functions = [tool["function"] for tool in body["tools"]]
    if not 1 <= len(functions) <= MOST_TOOLS:
        raise Refused(f"tools: expected 1 to {MOST_TOOLS}, got {len(functions)}")
    names = [function["name"] for function in functions]
    for name in names:
        if not _TOOL_NAME.fullmatch(name):
            raise Refused(f"tools: the name {name!r} does not match {_TOOL_NAME.pattern}")
    if len(set(names)) < len(names):
        raise Refused("tools: names must be unique")
    for function in functions:
        if function.get("parameters", {}).get("type") != "object":
            raise Refused(f"tools: the parameters of {function['name']} must have type object")


def _turns(messages: list[dict[str, Any]]) -> None:
    if not messages:
        raise Refused("messages: expected an array with at least one message")
    for place, message in enumerate(messages):
        role, content = message["role"], message.get("content")
        if role == "system" and place:
            raise Refused(f"messages.{place}: the system message must come first")
        if role == "assistant" and (message.get("tool_calls") or message.get("refusal")) and content is None:
            continue
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if not parts:
            raise Refused(f"messages.{place}: content must be non-empty")
        for part in parts:
            if part["type"] == "text" and not part["text"].strip():
                raise Refused(f"messages.{place}: text must be non-empty")


def _pairs(messages: list[dict[str, Any]]) -> None:
    """See that each answer with tool calls is followed at once by one tool message for each of them."""
    waiting: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                raise Refused(f"messages.{place}: a tool message must answer a tool_call of the message before")
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            raise Refused(f"messages.{place}: tool_call_ids {waiting} did not have response messages")
        for call in message.get("tool_calls") or ():
            _call(f"messages.{place}", call)
            if not call["id"] or call["id"] in waiting:
                raise Refused(f"messages.{place}: the ids of tool_calls must be unique: {call['id']!r}")
            waiting.append(call["id"])
        if message.get("tool_calls") == []:
            raise Refused(f"messages.{place}: tool_calls must be non-empty")
    if waiting:
        raise Refused(f"tool_call_ids {waiting} did not have response messages")


def _call(path: str, call: dict[str, Any]) -> None:
    try:
        given = json.loads(call["function"]["arguments"])
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise Refused(f"{path}: the arguments of {call['function']['name']} are no JSON object")


def _images(messages: list[dict[str, Any]]) -> Iterator[str]:
    for place, message in enumerate(messages):
        content = message.get("content")
        for part in content if isinstance(content, list) else ():
            if part["type"] == "image_url":
                _image(f"messages.{place}", part["image_url"]["url"])
                yield part["image_url"]["url"]


def _image(path: str, url: str) -> None:
    found = _DATA_URL.fullmatch(url)
    if not found:
        raise Refused(f"{path}: an image_url of the tests is a data URL")
    try:
        picture = Image.open(io.BytesIO(base64.b64decode(found[2], validate=True)))
    except (binascii.Error, OSError):
        raise Refused(f"{path}: image: the data is no image") from None
    if (picture.format or "").lower() != found[1]:
        raise Refused(f"{path}: image: it is {picture.format}, not {found[1]}")
