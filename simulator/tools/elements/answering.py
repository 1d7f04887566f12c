"""How the tools of toolset ``elements`` answer: the action and the query go back with every result.

Not responsible for: what an action does.
"""

from __future__ import annotations

from collections.abc import Awaitable

from playwright.async_api import Error as BrowserError
from pydantic import JsonValue

from simulator.errors import TemplateError, ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.failures import failed


async def answered(
    ctx: RunContext, tool: str, action: str, query: str | None, work: Awaitable[JsonValue], *, selector: str = ""
) -> ToolResult:
    """Give the result of an action with the action and the query in its metadata, also where it failed.

    Args:
        ctx: the run.
        tool: the tool's name.
        action: what was to be done.
        query: what the agent says it is at.
        work: does it.
        selector: what an element is looked for by; a miss is told in these words.
    """
    metadata: dict[str, JsonValue] = {"action": action, "query": query}
    try:
        return ToolResult.success_result(await work, metadata=metadata)
    except (ToolError, TemplateError, BrowserError) as error:
        missed = selector and isinstance(error, ToolError) and error.type == "not_found"
        told = _miss(selector) if missed else error
        return failed(told, tool, ctx.vault.mask).model_copy(update={"metadata": metadata})


def needed(action: str, name: str, value: str) -> str:
    """Give a parameter that an action cannot do without.

    Raises:
        ToolError: ``invalid_input``; it was not given.
    """
    if not value:
        raise ToolError("invalid_input", f"{action} needs {name}; give it")
    return value


def _miss(selector: str) -> ToolError:
    return ToolError(
        "not_found",
        f"Element not found with selector: {selector}. Use element_discovery to see what is on the page, "
        "and one of the selectors that it gives.",
    )
