"""A tool: a typed async function and what is to be known of it. Not responsible for: calling it.

The JSON schema comes from the function's signature, the texts from its docstring; nothing is written twice.
"""

from __future__ import annotations

import asyncio
import inspect
import warnings
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Annotated, Any, Literal, cast, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, JsonValue, create_model

from simulator.config.site import Grant
from simulator.persona.model import Safety
from simulator.tools.contracts import ToolResult
from simulator.tools.definition import check_choice, check_choices, check_name, check_seconds
from simulator.tools.docstrings import read_docstring
from simulator.tools.metadata import (
    CAPABILITIES,
    CATEGORIES,
    SAFETY_LEVELS,
    Capability,
    Category,
    ToolMetadata,
    ToolParameter,
    parameters_of,
)
from simulator.tools.validation import validate

ToolGrant = Grant | Literal["workspace"]
"""What allows a tool whatever the ceiling: a site section, or the option ``--allow-workspace``."""
IdentityPolicy = Literal["same", "fresh", "reuse"]
Replay = Literal["actions", "result", "call", "skip"]
"""What replay does with a recorded call: perform its browser actions, give back its recorded result, call the
tool again with bound input, or leave it out because it only reads."""
IDENTITY_POLICIES: tuple[IdentityPolicy, ...] = get_args(IdentityPolicy)
REPLAYS: tuple[Replay, ...] = get_args(Replay)
GRANTS: tuple[str, ...] = (*get_args(Grant), "workspace")

ToolFunction = Callable[..., Awaitable[JsonValue | ToolResult]]
BlockingFunction = Callable[..., JsonValue | ToolResult]
_ON_A_PAGE: frozenset[Category] = frozenset({"interaction", "extraction", "form"})
TIMEOUT = "timeout"
"""Name of a parameter that bounds a call, in milliseconds, within the tool's own time-out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool and everything that dispatch, recording, replay and an agent know of it."""

    name: str
    run: ToolFunction
    """Takes the run's context, then the parameters by name."""
    input_model: type[BaseModel] = field(compare=False)
    description: str
    returns: str
    category: Category
    safety: Safety
    examples: tuple[Mapping[str, JsonValue], ...]
    """Inputs that are valid."""
    replay: Replay | Mapping[IdentityPolicy, Replay]
    aliases: tuple[str, ...] = ()
    required_capabilities: frozenset[Capability] = frozenset()
    """What a model must be able to do to be offered it."""
    optimal_capabilities: frozenset[Capability] = frozenset()
    """What a model should be able to do to make the best of it."""
    requires_page: bool = False
    """Whether it needs a page of the site to be open."""
    timeout_s: float = 60.0
    is_terminal: bool = False
    """Whether a call that succeeds ends the run."""
    typed: frozenset[str] = frozenset()
    """Parameters whose text is typed into fields, and may so be a secret in plain words."""
    grant: ToolGrant | None = None
    echoes: tuple[str, ...] = ()
    """Parameters that go back in the metadata of every result, also where the call was refused or came to nothing."""

    def __post_init__(self) -> None:
        """See that it is described as others can use it.

        Raises:
            ToolDefinitionError: it is not.
        """
        check_name(self.name)
        for alias in self.aliases:
            check_name(alias, of=self.name)
        check_choice(self.name, "category", self.category, CATEGORIES)
        check_choice(self.name, "safety level", self.safety, SAFETY_LEVELS)
        modes = [self.replay] if isinstance(self.replay, str) else [self.replay.get(one) for one in IDENTITY_POLICIES]
        check_choices(self.name, "way to replay it", modes, REPLAYS)
        for capability in (self.required_capabilities, self.optimal_capabilities):
            check_choices(self.name, "capability of a model", sorted(capability), CAPABILITIES)
        if self.grant is not None:
            check_choice(self.name, "grant", self.grant, GRANTS)
        check_seconds(self.name, self.timeout_s)

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the input, as a model is shown it."""
        schema = self.input_model.model_json_schema()
        schema.pop("title", None)
        for parameter in schema.get("properties", {}).values():
            parameter.pop("title", None)
        return schema

    @property
    def metadata(self) -> ToolMetadata:
        """The tool's description."""
        return ToolMetadata(
            name=self.name,
            description=self.description,
            category=self.category,
            safety_level=self.safety,
            parameters=parameters_of(self.schema),
            returns=self.returns,
            examples=self.examples,
            requires_page=self.requires_page,
            timeout_seconds=self.timeout_s,
            is_terminal=self.is_terminal,
            required_capabilities=tuple(sorted(self.required_capabilities)),
            optimal_capabilities=tuple(sorted(self.optimal_capabilities)),
            schema=self.schema,
        )

    @property
    def parameters(self) -> tuple[ToolParameter, ...]:
        """What it takes, as plain values."""
        return parameters_of(self.schema)

    def validate_parameters(self, params: Mapping[str, Any]) -> tuple[bool, str | None]:
        """Return whether an input is valid, and where it is not, what is wrong with it."""
        found = validate(self.input_model, params, typed=self.typed)
        return found.input is not None, found.problems or None

    def replay_for(self, policy: IdentityPolicy) -> Replay:
        """Return what replay does with a call of this tool under an identity policy."""
        return self.replay if isinstance(self.replay, str) else self.replay[policy]


def tool(
    *,
    category: Category,
    safety: Safety,
    replay: Replay | Mapping[IdentityPolicy, Replay],
    examples: Iterable[Mapping[str, JsonValue]],
    name: str | None = None,
    aliases: Iterable[str] = (),
    required_capabilities: Iterable[Capability] = (),
    optimal_capabilities: Iterable[Capability] = (),
    requires_page: bool | None = None,
    timeout_s: float = 60.0,
    is_terminal: bool = False,
    typed: Iterable[str] = (),
    grant: ToolGrant | None = None,
    echoes: Iterable[str] = (),
) -> Callable[[ToolFunction | BlockingFunction], ToolSpec]:
    """Make a tool of a typed function whose first parameter is the run's context.

    A function that is not async may block: it is run in a thread, where it must leave the browser alone.

    Args:
        category: the kind of tool.
        safety: the harm it can do.
        replay: what replay does with a call, the same for every identity policy or by policy.
        examples: valid inputs, checked here.
        name: what an agent calls it; the function's name by default.
        aliases: other names for it.
        required_capabilities: what a model must be able to do to be offered it.
        optimal_capabilities: what a model should be able to do to make the best of it.
        requires_page: whether it needs an open page; by default those of the categories ``interaction``,
            ``extraction`` and ``form`` do.
        timeout_s: seconds after which a call is stopped.
        is_terminal: whether success ends the run.
        typed: parameters whose text may be a secret in plain words.
        grant: what allows it whatever the ceiling.
        echoes: parameters that go back in the metadata of every result.

    Returns:
        A decorator that gives the :class:`ToolSpec`.
    """

    def decorate(function: ToolFunction | BlockingFunction) -> ToolSpec:
        doc = read_docstring(function)
        spec = ToolSpec(
            name=name or function.__name__,
            run=awaitable(function),
            input_model=_input_model(function, doc.arguments, timeout_s),
            description=doc.description,
            returns=doc.returns,
            category=category,
            safety=safety,
            examples=tuple(examples),
            replay=replay,
            aliases=tuple(aliases),
            required_capabilities=frozenset(required_capabilities),
            optimal_capabilities=frozenset(optimal_capabilities),
            requires_page=category in _ON_A_PAGE if requires_page is None else requires_page,
            timeout_s=timeout_s,
            is_terminal=is_terminal,
            typed=frozenset(typed),
            grant=grant,
            echoes=tuple(echoes),
        )
        if unknown := spec.typed - spec.input_model.model_fields.keys():
            raise TypeError(f"tool {spec.name!r}: no parameters named {sorted(unknown)} to be typed")
        for example in spec.examples:
            spec.input_model.model_validate(example)
        return spec

    return decorate


def renamed(spec: ToolSpec, name: str, *, aliases: Iterable[str] = ()) -> ToolSpec:
    """Give a tool under another name, for a toolset in which it is called so.

    Args:
        spec: the tool.
        name: its name there.
        aliases: its other names there.
    """
    return replace(spec, name=name, aliases=tuple(aliases))


def awaitable(function: ToolFunction | BlockingFunction) -> ToolFunction:
    """Give a function that can be awaited: one that is not async runs in a thread."""
    if inspect.iscoroutinefunction(function):
        return function

    @wraps(function)
    async def in_a_thread(*args: Any, **kwargs: Any) -> JsonValue | ToolResult:
        return await asyncio.to_thread(cast(BlockingFunction, function), *args, **kwargs)

    return in_a_thread


def _input_model(
    function: ToolFunction | BlockingFunction, texts: Mapping[str, str], timeout_s: float
) -> type[BaseModel]:
    parameters = list(inspect.signature(function).parameters.values())[1:]
    hints = get_type_hints(function, include_extras=True)
    names = [parameter.name for parameter in parameters]
    if set(names) != texts.keys() - {"ctx"}:
        raise TypeError(f"tool {function.__name__!r}: parameters {names} but docstring of {sorted(texts)}")
    fields: dict[str, Any] = {}
    for parameter in parameters:
        required = parameter.default is inspect.Parameter.empty
        default = ... if required else parameter.default
        hint = hints[parameter.name]
        if parameter.name == TIMEOUT:
            hint = Annotated[hint, Field(gt=0, le=timeout_s * 1000)]
        fields[parameter.name] = (hint, Field(default, description=texts[parameter.name]))
    with warnings.catch_warnings():
        # A parameter may be called as a deprecated method of models is ("schema"), which nobody calls.
        warnings.filterwarnings("ignore", message="Field name .* shadows an attribute")
        model: type[BaseModel] = create_model(
            function.__name__, __config__=ConfigDict(extra="forbid", defer_build=True), **fields
        )
    return model
