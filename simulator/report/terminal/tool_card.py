"""A tool in full, as a person reads it. Not responsible for: calling it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.canonical import canonical_json
from simulator.report.terminal.columns import columns
from simulator.tools.metadata import ToolParameter, parameters_of
from simulator.tools.spec import ToolSpec


@dataclass(frozen=True, slots=True)
class ToolCard:
    """What is to be known of a tool without its code."""

    name: str
    aliases: tuple[str, ...]
    toolsets: tuple[str, ...]
    description: str
    returns: str
    category: str
    safety: str
    grant: str | None
    replay: str | Mapping[str, str]
    timeout_s: float
    requires_page: bool
    is_terminal: bool
    required_capabilities: tuple[str, ...]
    """What a model must be able to do to be offered it."""
    optimal_capabilities: tuple[str, ...]
    schema: dict[str, Any]
    examples: tuple[Mapping[str, Any], ...]


def tool_card(spec: ToolSpec, toolsets: tuple[str, ...]) -> ToolCard:
    """Give the card of a tool that some toolsets offer."""
    return ToolCard(
        name=spec.name,
        aliases=spec.aliases,
        toolsets=toolsets,
        description=spec.description,
        returns=spec.returns,
        category=spec.category,
        safety=spec.safety,
        grant=spec.grant,
        replay=spec.replay
        if isinstance(spec.replay, str)
        else {policy: replay for policy, replay in spec.replay.items()},
        timeout_s=spec.timeout_s,
        requires_page=spec.requires_page,
        is_terminal=spec.is_terminal,
        required_capabilities=tuple(sorted(spec.required_capabilities)),
        optimal_capabilities=tuple(sorted(spec.optimal_capabilities)),
        schema=spec.schema,
        examples=spec.examples,
    )


def tool_card_lines(card: ToolCard) -> list[str]:
    """Put a card into lines."""
    rows = [
        (one.name, _type(one), "required" if one.required else f"default {one.default!r}", one.description)
        for one in parameters_of(card.schema)
    ]
    replay = card.replay if isinstance(card.replay, str) else ", ".join(f"{k}: {v}" for k, v in card.replay.items())
    lines = [f"{card.name}: {card.description}", ""]
    lines += columns(rows, indent="  ") if rows else ["  takes nothing"]
    lines += ["", f"returns   {card.returns}", f"category  {card.category}", f"safety    {card.safety}"]
    lines += [f"grant     {card.grant}"] if card.grant else []
    lines += [f"aliases   {', '.join(card.aliases)}"] if card.aliases else []
    lines += [f"toolsets  {', '.join(card.toolsets)}", f"models    {_models(card)}"]
    lines += ["page      has to be open"] if card.requires_page else []
    lines += ["ends      the run, when it succeeds"] if card.is_terminal else []
    lines += [f"replay    {replay}", f"time-out  {card.timeout_s:g} s"]
    return lines + [f"example   {canonical_json(example)}" for example in card.examples]


def _models(card: ToolCard) -> str:
    needed = f"those with {', '.join(card.required_capabilities)}" if card.required_capabilities else "all"
    best = f"; best those with {', '.join(card.optimal_capabilities)}" if card.optimal_capabilities else ""
    return needed + best


def _type(parameter: ToolParameter) -> str:
    """Say what a parameter may be."""
    if parameter.enum:
        return " or ".join(map(str, parameter.enum))
    return f"{parameter.type} of {parameter.items}" if parameter.items else parameter.type
