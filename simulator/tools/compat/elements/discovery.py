"""The tool that lists which elements a page has, and how to address each. Not responsible for: acting on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue

from simulator.browser.views.reading import ElementInfo, ElementKind, Elements
from simulator.errors import ToolError
from simulator.tools.compat.elements.answering import naming_misses, needed
from simulator.tools.context import RunContext
from simulator.tools.families.snapshot import detail_as_json
from simulator.tools.pages.pointing import first_fit
from simulator.tools.spec import tool

Discovery = Literal[
    "find_all_elements",
    "find_by_type",
    "find_by_text",
    "find_form_elements",
    "find_by_attributes",
    "analyze_element",
]
_ALWAYS = frozenset({"tag", "type", "placeholder", "selector", "selectors", "visible", "enabled"})
"""What is given of every element, also where it is empty."""


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    echoes=["action", "query"],
    examples=[
        {"action": "find_all_elements"},
        {"action": "find_by_type", "element_type": "button", "query": "the button that sends the form"},
        {"action": "find_by_text", "text_contains": "log in"},
        {"action": "find_form_elements", "limit": 50},
        {"action": "find_by_attributes", "attribute_filter": {"data-testid": "save"}, "visible_only": False},
        {"action": "analyze_element", "element_selector": "#email"},
    ],
)
async def element_discovery(
    ctx: RunContext,
    action: Discovery,
    element_type: ElementKind | None = None,
    text_contains: str = "",
    attribute_filter: dict[str, str] | None = None,
    element_selector: str = "",
    visible_only: bool = True,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    query: str | None = None,
) -> JsonValue:
    """List which elements the page has, and how to address each of them in element_interaction.

    Args:
        ctx: The run.
        action: find_all_elements: all that can be acted on. find_by_type: of element_type. find_by_text: with
            text_contains. find_form_elements: the fields and buttons of forms. find_by_attributes: with
            attribute_filter. analyze_element: everything of the one that element_selector fits.
        element_type: What find_by_type looks for. field: whatever takes input. text: headings, paragraphs, list items,
            cells and labels.
        text_contains: What the name, text, value or placeholder holds, whatever the case.
        attribute_filter: Attributes by name. A value may be a part of the attribute's, whatever the case: {"href":
            "/items"} finds every link into /items. Elements that have the whole value, or class among theirs, come
            first. An empty value asks only that there is such an attribute.
        element_selector: CSS, visible text, a label, role=button[name="…"] or ref=….
        visible_only: False finds hidden elements, too.
        limit: How many elements to list; total_found counts all.
        query: What you are looking for, in your words; it comes back in the metadata.

    Returns:
        elements, each with its tag, type, placeholder, state and selectors, the best first; total_found; page_url.
    """

    async def found() -> Elements:
        if action == "find_form_elements":
            return await ctx.actor.elements.form_elements(visible_only=visible_only, limit=limit)
        if action == "find_by_type":
            needed(action, "element_type", element_type or "")
            return await ctx.actor.elements.discover(kind=element_type, visible_only=visible_only, limit=limit)
        if action == "find_by_text":
            text = ctx.bindings.render(needed(action, "text_contains", text_contains))
            return await ctx.actor.elements.discover(text=text, visible_only=visible_only, limit=limit)
        if action == "find_by_attributes":
            wanted = {name: ctx.bindings.render(value) for name, value in (attribute_filter or {}).items()}
            if not wanted:
                raise ToolError("invalid_input", f"{action} needs attribute_filter; give it")
            return await ctx.actor.elements.discover(attributes=wanted, visible_only=visible_only, limit=limit)
        return await ctx.actor.elements.discover(visible_only=visible_only, limit=limit)

    if action == "analyze_element":
        with naming_misses(needed(action, "element_selector", element_selector)):
            detail = await first_fit(ctx.actor, element_selector, ctx.actor.elements.inspect, field=True)
        return {"element": detail_as_json(detail), "total_found": 1, "page_url": (await ctx.actor.view.look()).url}
    elements = await found()
    return {
        "elements": [_as_json(one) for one in elements.elements],
        "total_found": elements.total,
        "page_url": (await ctx.actor.view.look()).url,
    }


def _as_json(element: ElementInfo) -> JsonValue:
    """Say what an element is; what is empty is left out, but for what is given of every element."""
    told = element.model_dump(mode="json")
    return {name: value for name, value in told.items() if value or name in _ALWAYS}
