"""What a model wrote, as everything after it can take it. Not responsible for: any API, or what was meant."""

from __future__ import annotations

import json
from typing import Any

from simulator.tools.validation import is_text


def tool_input(text: str) -> dict[str, Any] | None:
    """Read the input of a tool.

    Args:
        text: JSON; empty stands for an object without parameters.

    Returns:
        None where it is no JSON object, or holds half a character: that can be neither sent back nor recorded.
    """
    try:
        given = json.loads(text if text.strip() else "{}", parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) and is_text(given) else None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
