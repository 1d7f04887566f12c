"""Tools that read the page as a tree, find elements by a description, and look at one closely."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from simulator.browser.views.reading import Candidate, ElementDetail
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.pages.matching import Match, rank_candidates
from simulator.tools.pages.pointing import first_fit
from simulator.tools.spec import tool

TREE_LIMIT = 50_000
"""Characters of a page's tree."""
MATCHES = 20
CANDIDATES = 2_000
_NEAR = 4
"""Texts around an element that are shown with it."""


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    examples=[{}, {"filter": "interactive"}, {"ref": "e12", "depth": 3}],
)
async def read_page(
    ctx: RunContext,
    ref: str = "",
    depth: Annotated[int, Field(ge=1)] = 15,
    filter: Literal["all", "interactive"] = "all",
) -> ToolResult:
    """Read the page as a tree of roles, names, states and texts, up to 50,000 characters.

    Everything that can be acted on has a reference: ref=e12 addresses it in click and other tools. What is in a frame
    stands below it. What the page itself says stands in quotation marks; passwords are never shown.

    Args:
        ctx: The run.
        ref: A reference, to read only that part; empty for the whole page.
        depth: Levels to show; what is deeper is counted, and can be read by the reference of its part.
        filter: interactive shows only what can be acted on, and what it stands in.

    Returns:
        The tree; where it was cut, it says so at its end.
    """
    read = await ctx.actor.reader.tree(
        ref=ref.removeprefix("ref="), depth=depth, limit=TREE_LIMIT, interactive=filter == "interactive"
    )
    text = read.tree
    if read.left:
        text += f"\n[cut: {read.shown} of {read.shown + read.left} lines; read less depth, or one part by its ref]"
    return ToolResult(success=True, data=text, metadata={"cut": read.left > 0, "lines": read.shown + read.left})


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    examples=[{"description": "search field"}, {"description": "link to the newest entries"}],
)
async def find(ctx: RunContext, description: str) -> ToolResult:
    """Find the elements that a description in plain words may mean, by their names and the words around them.

    Args:
        ctx: The run.
        description: What it is and says, for example: add to cart button.

    Returns:
        Up to 20 elements, the best match first; ref=… addresses one in click and other tools. Empty where nothing fits.
    """
    matches = rank_candidates(ctx.bindings.render(description), await ctx.actor.reader.candidates(CANDIDATES))
    told: list[JsonValue] = [_match_as_json(match) for match in matches[:MATCHES]]
    return ToolResult(success=True, data=told, metadata={"total": len(matches), "cut": len(matches) > MATCHES})


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    examples=[{"selector": "#search"}, {"selector": 'role=button[name="Save"]'}, {"selector": "ref=e12"}],
)
async def get_element_info(ctx: RunContext, selector: str) -> JsonValue:
    """Look at one element closely: what it is, says and holds, its state, and how to address it.

    Args:
        ctx: The run.
        selector: CSS, visible text, a field's label, role=button[name="…"], label=… or ref=….

    Returns:
        Its tag, role, name, text, value, attributes, states, place, and selectors, the best first.
    """
    return detail_as_json(await first_fit(ctx.actor, selector, ctx.actor.elements.inspect, field=True))


def detail_as_json(detail: ElementDetail) -> dict[str, JsonValue]:
    """Say everything of one element; texts that are empty are left out."""
    told: dict[str, JsonValue] = detail.model_dump(mode="json")
    return {key: value for key, value in told.items() if value not in ("", [], {})}


def _match_as_json(match: Match[Candidate]) -> dict[str, JsonValue]:
    one = match.thing
    told: dict[str, JsonValue] = {"ref": one.ref, "role": one.role, "name": one.name, "score": match.score}
    if one.href:
        told["href"] = one.href
    if near := [text for text in one.near if text and text != one.name][:_NEAR]:
        told["near"] = list(near)
    return told
