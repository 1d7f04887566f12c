"""A tool in full, as a person reads it. Not responsible for: calling it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.canonical import canonical_json
from simulator.report.columns import columns
from simulator.tools.spec import ToolSpec


@dataclass(frozen=True, slots=True)
class ToolCard:
    """What is to be known of a tool without its code."""

    name: str
    aliases: tuple[str, ...]
    description: str
    returns: str
    category: str
    safety: str
    grant: str | None
    replay: str | Mapping[str, str]
    timeout_s: float
    schema: dict[str, Any]
    examples: tuple[Mapping[str, Any], ...]


def tool_card(spec: ToolSpec) -> ToolCard:
    """Give the card of a tool."""
    return ToolCard(
        name=spec.name,
        aliases=spec.aliases,
        description=spec.description,
        returns=spec.returns,
        category=spec.category,
        safety=spec.safety,
        grant=spec.grant,
        replay=spec.replay
        if isinstance(spec.replay, str)
        else {policy: replay for policy, replay in spec.replay.items()},
        timeout_s=spec.timeout_s,
        schema=spec.schema,
        examples=spec.examples,
    )


def tool_card_lines(card: ToolCard) -> list[str]:
    """Put a card into lines."""
    required = card.schema.get("required", [])
    rows = [
        (name, _type(field), "required" if name in required else f"default {field.get('default')!r}",
         field.get("description", ""))
        for name, field in card.schema.get("properties", {}).items()
    ]  # fmt: skip
    replay = card.replay if isinstance(card.replay, str) else ", ".join(f"{k}: {v}" for k, v in card.replay.items())
    lines = [f"{card.name}: {card.description}", ""]
    lines += columns(rows, indent="  ") if rows else ["  takes nothing"]
    lines += ["", f"returns   {card.returns}", f"category  {card.category}", f"safety    {card.safety}"]
    lines += [f"grant     {card.grant}"] if card.grant else []
    lines += [f"aliases   {', '.join(card.aliases)}"] if card.aliases else []
    lines += [f"replay    {replay}", f"time-out  {card.timeout_s:g} s"]
    return lines + [f"example   {canonical_json(example)}" for example in card.examples]


def _type(field: Mapping[str, Any]) -> str:
    if "enum" in field:
        return " or ".join(map(str, field["enum"]))
    if "anyOf" in field:
        return " or ".join(_type(option) for option in field["anyOf"])
    return str(field.get("type", "any"))
