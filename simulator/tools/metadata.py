"""A tool's description as plain values: what it takes, gives and needs. Not responsible for: calling it.

The description of a tool that is a function is read from its :class:`~simulator.tools.spec.ToolSpec`; a tool that is a
class states it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import JsonValue

from simulator.persona.model import Safety

SAFETY_LEVELS: tuple[Safety, ...] = get_args(Safety)
Category = Literal["navigation", "interaction", "extraction", "form", "system", "utility", "data", "context"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
Capability = Literal["vision", "tool_use", "structured_output", "computer_use"]
"""What a model may be able to do."""
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """One parameter of a tool."""

    name: str
    type: str
    """A type of JSON, or several joined by `` or ``."""
    description: str = ""
    required: bool = False
    default: JsonValue = None
    enum: tuple[JsonValue, ...] | None = None
    """The values that are allowed."""
    items: str | None = None
    """The type of a list's items."""


@dataclass(frozen=True, slots=True)
class ToolMetadata:
    """What is to be known of a tool without its code."""

    name: str
    description: str
    category: Category = "utility"
    safety_level: Safety = "safe"
    parameters: Sequence[ToolParameter] = ()
    returns: str = ""
    examples: Sequence[Mapping[str, JsonValue]] = ()
    requires_page: bool = False
    timeout_seconds: float = 30.0
    is_terminal: bool = False
    required_capabilities: Sequence[Capability] = ()
    optimal_capabilities: Sequence[Capability] = ()
    schema: Mapping[str, Any] | None = None
    """The JSON schema of its input; None: the one that its parameters make."""

    def to_json_schema(self) -> dict[str, Any]:
        """Give the JSON schema of the input."""
        if self.schema is not None:
            return dict(self.schema)
        properties = {one.name: _property(one) for one in self.parameters}
        required = [one.name for one in self.parameters if one.required]
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def parameters_of(schema: Mapping[str, Any]) -> tuple[ToolParameter, ...]:
    """Read the parameters from the JSON schema of a tool's input."""
    definitions = schema.get("$defs", {})
    required = schema.get("required", ())
    return tuple(
        ToolParameter(
            name=name,
            type=_type(info, definitions),
            description=info.get("description", ""),
            required=name in required,
            default=info.get("default"),
            enum=_enum(info, definitions),
            items=_items(info, definitions),
        )
        for name, info in schema.get("properties", {}).items()
    )


def _property(parameter: ToolParameter) -> dict[str, Any]:
    found: dict[str, Any] = {"type": parameter.type}
    if parameter.description:
        found["description"] = parameter.description
    if parameter.enum is not None:
        found["enum"] = list(parameter.enum)
    if parameter.items is not None:
        found["items"] = {"type": parameter.items}
    if not parameter.required:
        found["default"] = parameter.default
    return found


def _options(info: Mapping[str, Any], definitions: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Give the schemas that a parameter may follow, without null and with references resolved."""
    if "$ref" in info:
        return _options(definitions[info["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in info:
        return [found for one in info["anyOf"] if one.get("type") != "null" for found in _options(one, definitions)]
    return [info]


def _type(info: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    names = [str(one.get("type", "any")) for one in _options(info, definitions)]
    return " or ".join(dict.fromkeys(names))


def _enum(info: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[JsonValue, ...] | None:
    values = [
        value
        for one in _options(info, definitions)
        for value in one.get("enum", [one["const"]] if "const" in one else [])
    ]
    return tuple(values) or None


def _items(info: Mapping[str, Any], definitions: Mapping[str, Any]) -> str | None:
    names = [_type(one["items"], definitions) for one in _options(info, definitions) if one.get("items")]
    return " or ".join(names) or None
