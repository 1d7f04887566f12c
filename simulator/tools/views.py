"""Tools and their results as other contracts have them: parameters and messages of models' APIs, collections.

Not responsible for: calling a model, or anything that a tool does.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from pydantic import JsonValue

from simulator.tools.classes import ToolClass
from simulator.tools.contracts import Dispatcher, Image, ToolCall, ToolResult
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec, renamed

_COMPUTER_TOOLSET = "computer_toolset_20260801"
"""One entry for a family, without a name: a model calls each action of ``computer`` as a tool of its own name."""
VERSIONED: Mapping[str, tuple[str, ...]] = {
    "bash": ("bash_20250124",),
    "str_replace_based_edit_tool": ("text_editor_20250728", "text_editor_20250429"),
    "computer": ("computer_20251124", "computer_20250124", _COMPUTER_TOOLSET),
}
"""The types under which the Messages API knows tools of its own schema, by name, the usual one first."""
SHELL = "bash"
BETAS: Mapping[str, str] = {
    "computer_20251124": "computer-use-2025-11-24",
    "computer_20250124": "computer-use-2025-01-24",
}
"""What a request has to name in its header ``anthropic-beta`` that offers a tool of a type."""
_TAKEN: Mapping[str, Mapping[str, frozenset[str]]] = {
    "bash": {"command": frozenset(), "restart": frozenset()},
    "str_replace_based_edit_tool": {
        "command": frozenset(["view", "create", "str_replace", "insert"]),
        **dict.fromkeys(
            ("path", "file_text", "old_str", "new_str", "insert_line", "insert_text", "view_range"), frozenset[str]()
        ),
    },
    "computer": {
        "action": frozenset(
            [
                "screenshot", "key", "type", "mouse_move", "left_click", "right_click", "middle_click", "double_click",
                "triple_click", "left_click_drag", "scroll", "wait", "hold_key", "zoom", "left_mouse_down",
                "left_mouse_up",
            ]
        ),
        **dict.fromkeys(
            (
                "coordinate", "start_coordinate", "text", "duration", "scroll_direction", "scroll_amount", "region",
            ),
            frozenset[str](),
        ),
    },
}  # fmt: skip
"""What a model that was trained on the usual type of a tool passes to it: parameters, and the values of a choice."""
DONE = "done"
"""What a result says that has nothing to say: an API refuses empty content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultView:
    """A result as four texts. It is true when any of them is set, whether or not the call succeeded."""

    output: str | None = None
    error: str | None = None
    base64_image: str | None = None
    system: str | None = None

    def __bool__(self) -> bool:
        return any(getattr(self, one.name) for one in fields(self))

    def __add__(self, other: ResultView) -> Self:
        """Put two results together.

        Raises:
            ValueError: both hold an image.
        """
        if self.base64_image and other.base64_image:
            raise ValueError("two results that both hold an image cannot be put together")
        return replace(
            self,
            output=_joined(self.output, other.output),
            error=_joined(self.error, other.error),
            base64_image=self.base64_image or other.base64_image,
            system=_joined(self.system, other.system),
        )

    def replace(self, **changes: str | None) -> Self:
        """Give the result with other texts."""
        return replace(self, **changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class CLIResult(ResultView):
    """What a command line answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFailure(ResultView):
    """A call that failed."""


def view(result: ToolResult, kind: type[ResultView] = ResultView) -> ResultView:
    """Give a result as texts.

    Args:
        result: of a call.
        kind: what a result that succeeded becomes; one that failed becomes a :class:`ToolFailure`.
    """
    image = _base64(result.images[0]) if result.images else None
    system = result.metadata.get("system")
    told = str(system) if system else None
    if not result.success:
        return ToolFailure(output=_text(result.data) or None, error=_error(result), base64_image=image, system=told)
    return kind(output=_text(result.data) or None, base64_image=image, system=told)


def to_anthropic(result: ToolResult, tool_use_id: str) -> dict[str, Any]:
    """Give a result as a ``tool_result`` block of the Messages API.

    A failed result has text alone: the API takes no image in it.
    """
    blocks: list[dict[str, Any]] = [{"type": "text", "text": _text_of(result)}]
    if result.success:
        blocks += [
            {"type": "image", "source": {"type": "base64", "media_type": one.media_type, "data": _base64(one)}}
            for one in result.images
        ]
        if result.images and result.data is None:
            blocks = blocks[1:]
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": blocks, "is_error": not result.success}


def to_openai(result: ToolResult, tool_call_id: str) -> list[dict[str, Any]]:
    """Give a result as messages of the Chat Completions API: what the tool says, then what it shows.

    A message of a tool holds no image there; images follow as a message of the user.
    """
    messages: list[dict[str, Any]] = [{"role": "tool", "tool_call_id": tool_call_id, "content": _text_of(result)}]
    if result.images:
        shown = [
            {"type": "image_url", "image_url": {"url": f"data:{one.media_type};base64,{_base64(one)}"}}
            for one in result.images
        ]
        messages.append({"role": "user", "content": shown})
    return messages


def to_params(spec: ToolSpec, *, version: str | None = None, display: tuple[int, int] | None = None) -> dict[str, Any]:
    """Give a tool as the Messages API takes it.

    Args:
        spec: the tool.
        version: one of :data:`VERSIONED` for its name; None: the usual one, or its own schema where there is none.
        display: width and height in pixels of what the model sees, for the tool ``computer``.

    Raises:
        ValueError: the tool has no such version, or a display is missing.
    """
    known = VERSIONED.get(spec.name, ())
    if version is not None and version not in known:
        raise ValueError(f"{spec.name!r} has no version {version!r}; there are: {', '.join(known) or 'none'}")
    if not known:
        return {"name": spec.name, "description": spec.description, "input_schema": spec.schema}
    if version == _COMPUTER_TOOLSET:
        return {"type": version}
    params: dict[str, Any] = {"type": version or known[0], "name": spec.name}
    if spec.name == "computer":
        if display is None:
            raise ValueError("the tool 'computer' needs the width and height of the display")
        params |= {"display_width_px": display[0], "display_height_px": display[1]}
        if params["type"] == "computer_20251124":
            params["enable_zoom"] = True
    return params


def to_versioned(spec: ToolSpec, display: tuple[int, int]) -> dict[str, Any] | None:
    """Give a tool by a type of the Messages API, under the name that the type has.

    A tool is known by what it takes, not by its name alone: one of another's own that is called the same is not one.

    Args:
        spec: the tool.
        display: width and height in pixels of what the model sees.

    Returns:
        None where the API has no type for it.
    """
    for name in (spec.name, *spec.aliases):
        if name in _TAKEN and _takes(spec, _TAKEN[name]):
            return to_params(renamed(spec, name), display=display)
    return None


def _takes(spec: ToolSpec, passed: Mapping[str, frozenset[str]]) -> bool:
    known = {one.name: one for one in spec.parameters}
    needed = {name for name, one in known.items() if one.required}
    return needed <= passed.keys() <= known.keys() and all(
        choices <= set(known[name].enum or ()) for name, choices in passed.items()
    )


def to_openai_params(spec: ToolSpec) -> dict[str, Any]:
    """Give a tool as the Chat Completions API takes it."""
    function = {"name": spec.name, "description": spec.description, "parameters": spec.schema}
    return {"type": "function", "function": function}


class ToolCollection:
    """Some tools, for one agent.

    Args:
        tools: made by the decorator, or classes.
        dispatcher: does the calls, so that they are checked and recorded like any other; None: none can be made.
        display: width and height in pixels of what the model sees.
    """

    def __init__(
        self,
        *tools: ToolSpec | ToolClass,
        dispatcher: Dispatcher | None = None,
        display: tuple[int, int] | None = None,
    ) -> None:
        self._registry = Registry()
        self.tools = tuple(self._registry.register(one) for one in tools)
        self._dispatcher = dispatcher
        self._display = display
        self._calls = 0

    def to_params(self) -> list[dict[str, Any]]:
        """Give the tools as the Messages API takes them."""
        return [to_params(spec, display=self._display) for spec in self.tools]

    async def run(self, *, name: str, tool_input: Mapping[str, JsonValue]) -> ResultView:
        """Call a tool; what fails is a :class:`ToolFailure`."""
        if self._registry.find(name) is None:
            known = ", ".join(spec.name for spec in self.tools)
            return ToolFailure(error=f"there is no tool {name!r} here; there are: {known}")
        if self._dispatcher is None:
            return ToolFailure(error=f"{name} was not called: this collection has no run to act in")
        self._calls += 1
        call = ToolCall(id=f"call-{self._calls}", name=name, input=dict(tool_input))
        return view(await self._dispatcher.dispatch(call))


def _text_of(result: ToolResult) -> str:
    system = result.metadata.get("system")
    parts = [f"<system>{system}</system>"] if system else []
    parts += [] if result.success else [_error(result)]
    text = _text(result.data)
    return "\n".join([*parts, text] if text.strip() else parts) or DONE


def _error(result: ToolResult) -> str:
    return f"{result.error.type}: {result.error.message}" if result.error else "failed, without a reason given"


def _text(data: JsonValue | None) -> str:
    if data is None or isinstance(data, str):
        return data or ""
    return json.dumps(data, ensure_ascii=False)


def _base64(image: Image) -> str:
    return base64.b64encode(image.data).decode()


def _joined(first: str | None, second: str | None) -> str | None:
    return first if second is None else second if first is None else first + second
