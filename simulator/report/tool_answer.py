"""What a single call of a tool came to, for a person. Not responsible for: calling it."""

from __future__ import annotations

from typing import Any

from simulator.canonical import canonical_json
from simulator.tools.contracts import ToolResult


def tool_answer(result: ToolResult) -> dict[str, Any]:
    """Give a result without the bytes of its images."""
    images = [{"media_type": one.media_type, "bytes": len(one.data)} for one in result.images]
    error = result.error.model_dump() if result.error else None
    return {
        "success": result.success, "data": result.data, "error": error, "images": images, "metadata": result.metadata,
    }  # fmt: skip


def tool_answer_lines(result: ToolResult) -> list[str]:
    """Put a result into lines."""
    lines = [f"{result.error.type}: {result.error.message}"] if result.error else []
    if result.data is not None:
        lines.append(result.data if isinstance(result.data, str) else canonical_json(result.data))
    lines += [f"{one.media_type}, {len(one.data)} bytes" for one in result.images]
    return lines or ["done"]
