"""Tools that take out of a page what is asked for, by a description or by fields and a JSON Schema, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.failures import DetailedToolError
from simulator.tools.pages.matching import rank_blocks, unsaid
from simulator.tools.pages.pointing import first_fit
from simulator.tools.spec import tool

PARTS = 10
BLOCKS = 1_000
ITEMS = 200
_NUMBER = re.compile(r"[-+]?\d(?:[\d.,'\u00a0 ]*\d)?")
_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0", ""})


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    examples=[{"description": "price of Dracula"}, {"description": "delivery time"}],
)
async def extract(ctx: RunContext, description: str) -> ToolResult:
    """Give the parts of the page that answer a description, by their words, labels and headings. No model is asked.

    Args:
        ctx: The run.
        description: What is sought, in few words, those of the page: a part answers that says all of them, itself, by
            its label or by its headings.

    Returns:
        Up to 10 parts, the best first: the text, its label and the headings that it stands under.
    """
    sought = ctx.bindings.render(description)
    blocks = await ctx.actor.reader.blocks(BLOCKS)
    found = {match.thing.text: match for match in reversed(rank_blocks(sought, blocks))}
    matches = list(reversed(found.values()))
    if not matches:
        headings = [block.text for block in blocks if block.role == "heading"][:8]
        missing = ", ".join(map(repr, unsaid(sought, blocks)))
        why = f"nothing on it says {missing}" if missing else "no part of it says all of that"
        raise ToolError("not_found", f"the page does not answer {sought!r}: {why}; its headings: {headings}")
    parts: list[JsonValue] = []
    for match in matches[:PARTS]:
        block = match.thing
        part: dict[str, JsonValue] = {"ref": block.ref, "text": block.text, "score": match.score}
        if block.label:
            part["label"] = block.label
        if block.under:
            part["under"] = list(block.under)
        parts.append(part)
    return ToolResult(success=True, data=parts, metadata={"total": len(matches), "cut": len(matches) > PARTS})


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    examples=[
        {
            "schema": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"title": {"type": "string"}, "price": {"type": "number"}},
                    "required": ["title", "price"],
                },
            },
            "item_selector": "article",
            "fields": {"title": "h3", "price": ".price"},
        },
        {"schema": {"type": "object", "properties": {"title": {"type": "string"}}}, "fields": {"title": "h1"}},
    ],
)
async def extract_structured(
    ctx: RunContext,
    schema: dict[str, JsonValue],
    item_selector: str = "",
    fields: dict[str, str] | None = None,
) -> ToolResult:
    """Take fields out of the page, or out of each of its items, and validate them against a JSON Schema.

    Args:
        ctx: The run.
        schema: JSON Schema of the result: an object, or an array of objects. A price becomes a number where it says so.
        item_selector: CSS, role=listitem or ref=… of the items; empty: the page is the only one.
        fields: Name of each field to a CSS selector within the item, with @name for an attribute (a@href), or . for the
            item itself. A property that is not here is sought by the item's own marks: itemprop, data-field, name,
            class, a term of a list, a head of a table.

    Returns:
        What the schema describes: one object, or an array of up to 200.
    """
    # Validating costs a tenth of a second to import, and few runs ask for it.
    from simulator.tools import json_schema

    if broken := json_schema.broken(schema):
        raise ToolError("invalid_input", f"extract_structured: the schema is none: {broken}")
    of_many = schema.get("type") == "array"
    item_schema: Any = schema.get("items", {}) if of_many else schema
    properties = item_schema.get("properties", {}) if isinstance(item_schema, dict) else {}
    asked = {name: (fields or {}).get(name, "") for name in (*properties, *(fields or {}))}
    if not asked:
        raise ToolError("invalid_input", "extract_structured: nothing is asked for; name properties or fields")

    if item_selector:
        read, total = await first_fit(ctx.actor, item_selector, lambda find: _items(ctx, find, asked))
    else:
        read, total = await ctx.actor.reader.items(None, asked, ITEMS)
    items = [_typed(item, properties) for item in read]
    if not of_many and total > 1:
        raise ToolError(
            "ambiguous", f"{item_selector!r} fits {total} items and the schema describes one; make it an array"
        )
    data: JsonValue = list[JsonValue](items) if of_many else items[0]
    problems = json_schema.problems(schema, data)
    if problems:
        shown = "; ".join(problems[:5]) + (f"; and {len(problems) - 5} more" if len(problems) > 5 else "")
        raise DetailedToolError("invalid_input", f"what was read does not fit the schema: {shown}", {"read": data})
    return ToolResult(success=True, data=data, metadata={"total": total, "cut": total > len(items)})


async def _items(ctx: RunContext, find: Find, asked: Mapping[str, str]) -> tuple[list[dict[str, str | None]], int]:
    items, total = await ctx.actor.reader.items(find, asked, ITEMS)
    if not total:
        raise ToolError("not_found", f"nothing fits {find}")
    return items, total


def _typed(item: Mapping[str, str | None], properties: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Read texts as their properties want them; what the page does not have is left out."""
    told: dict[str, JsonValue] = {}
    for name, text in item.items():
        if text is not None:
            wanted = (
                properties.get(name, {}).get("type", "string") if isinstance(properties.get(name), dict) else "string"
            )
            told[name] = _value(text, wanted if isinstance(wanted, list) else [wanted])
    return told


def _value(text: str, types: list[str]) -> JsonValue:
    """Read a text as the first of some types that it can be; as it is where it can be none."""
    for kind in types:
        if kind in ("number", "integer") and (match := _NUMBER.search(text)):
            number = float(_decimal(match.group()))
            return int(number) if kind == "integer" and number.is_integer() else number
        if kind == "boolean" and text.casefold() in _TRUE | _FALSE:
            return text.casefold() in _TRUE
        if kind == "null" and not text:
            return None
    return text


def _decimal(digits: str) -> str:
    """Write a number of any locale with a point: of two kinds of marks the last one is the decimal point."""
    plain = re.sub(r"['\u00a0 ]", "", digits)
    point = max(plain.rfind("."), plain.rfind(","))
    if point < 0:
        return plain
    mark, after = plain[point], plain[point + 1 :]
    alone = plain.count(mark) == 1 and (mark == "." or len(after) != 3 or "." in plain)
    whole = re.sub(r"[.,]", "", plain[:point])
    return f"{whole}.{after}" if alone else whole + after
