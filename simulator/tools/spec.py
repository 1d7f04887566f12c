"""A tool: a typed async function and what is to be known of it. Not responsible for: calling it.

The JSON schema comes from the function's signature, the texts from its docstring; nothing is written twice.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from simulator.config.site import Grant
from simulator.persona.model import Safety
from simulator.tools.contracts import ToolResult
from simulator.tools.docstrings import read_docstring

SAFETY_LEVELS: tuple[Safety, ...] = get_args(Safety)
Category = Literal["navigation", "interaction", "extraction", "form", "system", "data", "context"]
Capability = Literal["vision"]
"""What a model must be able to do to make use of a tool."""
IdentityPolicy = Literal["same", "fresh", "reuse"]
Replay = Literal["actions", "result", "call", "skip"]
"""What replay does with a recorded call: perform its browser actions, give back its recorded result, call the
tool again with bound input, or leave it out because it only reads."""

ToolFunction = Callable[..., Awaitable[JsonValue | ToolResult]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool and everything that dispatch, recording, replay and an agent know of it."""

    name: str
    run: ToolFunction
    """Takes the run's context, then the parameters by name."""
    input_model: type[BaseModel]
    description: str
    returns: str
    category: Category
    safety: Safety
    examples: tuple[Mapping[str, JsonValue], ...]
    """Inputs that are valid."""
    replay: Replay | Mapping[IdentityPolicy, Replay]
    aliases: tuple[str, ...] = ()
    capabilities: frozenset[Capability] = frozenset()
    timeout_s: float = 60.0
    is_terminal: bool = False
    """Whether a call that succeeds ends the run."""
    typed: frozenset[str] = frozenset()
    """Parameters whose text is typed into fields, and may so be a secret in plain words."""
    grant: Grant | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the input, as a model is shown it."""
        schema = self.input_model.model_json_schema()
        schema.pop("title", None)
        for parameter in schema.get("properties", {}).values():
            parameter.pop("title", None)
        return schema

    def replay_for(self, policy: IdentityPolicy) -> Replay:
        """Tell what replay does with a call of this tool under an identity policy."""
        return self.replay if isinstance(self.replay, str) else self.replay[policy]


def tool(
    *,
    category: Category,
    safety: Safety,
    replay: Replay | Mapping[IdentityPolicy, Replay],
    examples: Iterable[Mapping[str, JsonValue]],
    name: str | None = None,
    aliases: Iterable[str] = (),
    capabilities: Iterable[Capability] = (),
    timeout_s: float = 60.0,
    is_terminal: bool = False,
    typed: Iterable[str] = (),
    grant: Grant | None = None,
) -> Callable[[ToolFunction], ToolSpec]:
    """Make a tool of a typed async function whose first parameter is the run's context.

    Args:
        category: the kind of tool.
        safety: the harm it can do.
        replay: what replay does with a call, the same for every identity policy or by policy.
        examples: valid inputs, checked here.
        name: what an agent calls it; the function's name by default.
        aliases: other names for it.
        capabilities: what a model needs to make use of it.
        timeout_s: seconds after which a call is stopped.
        is_terminal: whether success ends the run.
        typed: parameters whose text may be a secret in plain words.
        grant: what of a site section allows it whatever the ceiling.

    Returns:
        A decorator that gives the :class:`ToolSpec`.
    """

    def decorate(function: ToolFunction) -> ToolSpec:
        doc = read_docstring(function)
        spec = ToolSpec(
            name=name or function.__name__,
            run=function,
            input_model=_input_model(function, doc.arguments),
            description=doc.description,
            returns=doc.returns,
            category=category,
            safety=safety,
            examples=tuple(examples),
            replay=replay,
            aliases=tuple(aliases),
            capabilities=frozenset(capabilities),
            timeout_s=timeout_s,
            is_terminal=is_terminal,
            typed=frozenset(typed),
            grant=grant,
        )
        if unknown := spec.typed - spec.input_model.model_fields.keys():
            raise TypeError(f"tool {spec.name!r}: no parameters named {sorted(unknown)} to be typed")
        for example in spec.examples:
            spec.input_model.model_validate(example)
        return spec

    return decorate


def _input_model(function: ToolFunction, texts: Mapping[str, str]) -> type[BaseModel]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    hints = get_type_hints(function, include_extras=True)
    names = [parameter.name for parameter in parameters]
    if set(names) != texts.keys() - {"ctx"}:
        raise TypeError(f"tool {function.__name__!r}: parameters {names} but docstring of {sorted(texts)}")
    fields: dict[str, Any] = {}
    for parameter in parameters:
        required = parameter.default is inspect.Parameter.empty
        default = ... if required else parameter.default
        fields[parameter.name] = (hints[parameter.name], Field(default, description=texts[parameter.name]))
    model: type[BaseModel] = create_model(function.__name__, __config__=ConfigDict(extra="forbid"), **fields)
    return model
