"""A tool of one's own."""

from __future__ import annotations

from simulator.tools.spec import tool


@tool(category="utility", safety="safe", replay="skip", examples=[{"text": "a"}])
def shout(ctx, text: str) -> str:
    """Say a text loudly.

    Args:
        ctx: The run.
        text: The text.
    """
    return text.upper()
