"""The contracts between an agent, dispatch and a tool. Not responsible for: any tool, or how calls are stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, Protocol, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from simulator.errors import ToolErrorType


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


AGAIN: Final = "not_found_again"
"""In the metadata of a result: what of the call a replay could not find again, in sentences."""


class ToolCall(_Value):
    """One call that an agent wants made."""

    id: str
    name: str
    input: dict[str, JsonValue] = Field(default_factory=dict)
    """May hold ``{{variables}}``; they are resolved where they are used."""


class Image(_Value):
    """A picture that a tool gives back."""

    media_type: Literal["image/png", "image/jpeg", "image/webp"]
    data: bytes
    sha256: str = ""


class ToolFailure(_Value):
    """Why a tool call did not do what it was asked to."""

    type: ToolErrorType
    message: str


class ToolResult(_Value):
    """What a tool call came to."""

    success: bool
    data: JsonValue | None = None
    error: ToolFailure | None = None
    images: tuple[Image, ...] = ()
    metadata: dict[str, JsonValue] = Field(default_factory=dict)

    @classmethod
    def success_result(
        cls,
        data: JsonValue = None,
        *,
        images: tuple[Image, ...] = (),
        metadata: Mapping[str, JsonValue] | None = None,
    ) -> Self:
        """Make the result of a call that succeeded."""
        return cls(success=True, data=data, images=images, metadata=dict(metadata or {}))

    @classmethod
    def failure_result(
        cls,
        message: str,
        *,
        type: ToolErrorType = "unavailable",
        data: JsonValue = None,
        metadata: Mapping[str, JsonValue] | None = None,
    ) -> Self:
        """Make the result of a call that failed.

        Args:
            message: what happened, to what, what to try.
            type: the kind of failure.
            data: what an agent can go on by.
            metadata: about the call.
        """
        failure = ToolFailure(type=type, message=message)
        return cls(success=False, data=data, error=failure, metadata=dict(metadata or {}))


class Dispatcher(Protocol):
    """The single entry point for tool calls; wrappers add time-outs, safety and recording."""

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call. A :class:`ToolError` becomes a failed result; other errors pass through."""
        ...
