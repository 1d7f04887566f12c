"""How the tools of toolset ``elements`` say what is wrong with a call. Not responsible for: what an action does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from simulator.errors import ToolError


@contextmanager
def naming_misses(selector: str) -> Iterator[None]:
    """Say of a miss how the element was looked for, and what to do.

    Args:
        selector: what the element is looked for by; empty where none is.
    """
    try:
        yield
    except ToolError as error:
        if error.type != "not_found" or not selector:
            raise
        raise _miss(selector) from None


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
