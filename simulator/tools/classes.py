"""Tools that are classes with ``metadata`` and ``execute``, made into what the registry holds.

Not responsible for: tools that are functions, or calling any.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, create_model

from simulator.tools.contracts import ToolResult
from simulator.tools.definition import check_name, check_parameters
from simulator.tools.metadata import ToolMetadata, ToolParameter
from simulator.tools.spec import Replay, ToolSpec, awaitable

_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list[JsonValue],
    "object": dict[str, JsonValue],
}


@runtime_checkable
class ToolInstance(Protocol):
    """A tool that is an object.

    ``execute`` takes the parameters by name, and the run's context as ``ctx`` where it has a parameter of that name. It
    may be async, or block: then it is run in a thread. What replay does with a call is its attribute ``replay``, by
    default ``skip``.
    """

    metadata: ToolMetadata
    execute: Callable[..., Any]


ToolClass = type[ToolInstance]


def spec_of(tool: ToolClass | ToolInstance) -> ToolSpec:
    """Make what the registry holds of a class, made for each call, or of an object.

    Raises:
        TypeError: it has no ``metadata`` or no ``execute``, or its metadata do not fit together.
    """
    words = tool.__name__ if inspect.isclass(tool) else type(tool).__name__
    metadata, execute = getattr(tool, "metadata", None), getattr(tool, "execute", None)
    if not isinstance(metadata, ToolMetadata) or not callable(execute):
        raise TypeError(f"{words} is no tool: it needs 'metadata', a ToolMetadata, and a method 'execute'")
    model = _input_model(metadata)
    spec = ToolSpec(
        name=metadata.name,
        run=_Runner(tool, wants_ctx="ctx" in inspect.signature(execute).parameters),
        input_model=model,
        description=metadata.description,
        returns=metadata.returns,
        category=metadata.category,
        safety=metadata.safety_level,
        examples=tuple(metadata.examples),
        replay=_replay(tool),
        required_capabilities=frozenset(metadata.required_capabilities),
        optimal_capabilities=frozenset(metadata.optimal_capabilities),
        requires_page=metadata.requires_page,
        timeout_s=metadata.timeout_seconds,
        is_terminal=metadata.is_terminal,
    )
    for example in spec.examples:
        try:
            model.model_validate(example)
        except ValidationError as error:
            raise TypeError(f"tool {spec.name!r}: its example {dict(example)} is not valid: {error}") from None
    return spec


def _replay(tool: object) -> Replay:
    mode: Replay = getattr(tool, "replay", "skip")
    return mode


@dataclass(frozen=True, slots=True)
class _Runner:
    """Executes the tool, which is made for each call where it is a class."""

    tool: ToolClass | ToolInstance
    wants_ctx: bool

    async def __call__(self, ctx: Any, **given: Any) -> JsonValue | ToolResult:
        instance = self.tool() if inspect.isclass(self.tool) else self.tool
        if self.wants_ctx:
            given["ctx"] = ctx
        return await awaitable(instance.execute)(**given)


def _input_model(metadata: ToolMetadata) -> type[BaseModel]:
    check_name(metadata.name)
    check_parameters(metadata.name, (one.name for one in metadata.parameters))
    fields: dict[str, Any] = {one.name: (_hint(metadata, one), _field(one)) for one in metadata.parameters}
    return create_model(metadata.name, __config__=ConfigDict(extra="forbid"), **fields)


def _hint(metadata: ToolMetadata, parameter: ToolParameter) -> Any:
    known = {parameter.type, *([parameter.items] if parameter.items else [])}
    if unknown := known - _TYPES.keys():
        raise TypeError(
            f"tool {metadata.name!r}: parameter {parameter.name!r} is of type {', '.join(sorted(unknown))}; "
            f"there are: {', '.join(_TYPES)}"
        )
    if parameter.enum:
        hint: Any = Literal[tuple(parameter.enum)]
    elif parameter.type == "array" and parameter.items:
        hint = list.__class_getitem__(_TYPES[parameter.items])
    else:
        hint = _TYPES[parameter.type]
    return hint if parameter.required or parameter.default is not None else hint | None


def _field(parameter: ToolParameter) -> Any:
    default: Any = ... if parameter.required else parameter.default
    return Field(default, description=parameter.description)
