"""The SDK's browser toolset as a part of dispatch: one call, and so one recorded step, for each member that is called.

A member's input is checked, refused and confirmed by the SDK before anything of ours is reached; so what is recorded is
the member's own call, whatever became of it, and what it does through our tools belongs to that step. Not responsible
for: what a member does (``browser_toolset``).
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from anthropic.tools import (
    ConfirmDeclinedError,
    ConfirmFailedError,
    DisabledMemberError,
    InvalidMemberInputError,
    ToolError,
    UnavailableMemberError,
    UnknownMemberError,
    UploadRefusedError,
    URLRefusedError,
)
from anthropic.tools.browser import BetaToolsetCallContext
from anthropic.types import ToolUnionParam
from anthropic.types.beta import BetaToolUseBlock
from pydantic import BaseModel, create_model

from simulator.agent.blocks import CONTENT
from simulator.agent.browser_toolset import READING, TYPED, BrowserToolset
from simulator.config import Site
from simulator.errors import ToolErrorType
from simulator.tools.contracts import Dispatcher, Image, ToolCall, ToolResult
from simulator.tools.failures import failure
from simulator.tools.recording_dispatcher import Lookup, Recordable
from simulator.tools.spec import IdentityPolicy, Replay

TOOLSET = "anthropic-browser"
FAMILY = "browser"
"""What the API calls the toolset in a tool use."""
NOT_EXECUTED = "Not executed: an earlier action in this turn failed."
_TYPES: Mapping[type[ToolError], ToolErrorType] = {
    UnknownMemberError: "unknown_tool",
    InvalidMemberInputError: "invalid_input",
    URLRefusedError: "blocked",
    DisabledMemberError: "not_allowed",
    UnavailableMemberError: "not_allowed",
    ConfirmDeclinedError: "not_allowed",
    ConfirmFailedError: "not_allowed",
    UploadRefusedError: "not_allowed",
}
"""What the SDK's own refusals are to a recording."""


@dataclass(frozen=True, slots=True)
class MemberSpec:
    """What recording has to know of a member."""

    input_model: type[BaseModel]
    typed: frozenset[str]
    replay: Replay

    def replay_for(self, policy: IdentityPolicy) -> Replay:
        """Return what replay does with a call of this member: the same for every policy."""
        return self.replay


class BrowserMembers:
    """The toolset of one run.

    Args:
        inner: does the calls of our tools, unrecorded.
        site: where the users act.
        workdir: the run's own folder, the only one that files are uploaded from.
    """

    def __init__(self, inner: Dispatcher, site: Site, workdir: Path) -> None:
        self._inner = inner
        self._toolset = BrowserToolset(inner, site, workdir)
        self._failed = False

    @property
    def param(self) -> ToolUnionParam:
        """How the model is offered the toolset."""
        return cast(ToolUnionParam, self._toolset.to_dict())

    def call_name(self, member: str) -> str:
        """Give the name under which dispatch knows a member."""
        return f"{TOOLSET}.{member}"

    def begin_answer(self) -> None:
        """Note that the calls of a new answer follow: what failed before holds none of them up."""
        self._failed = False

    def lookup(self, tools: Lookup) -> Lookup:
        """Give what finds members beside our tools."""
        return MemberLookup(tools)

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Call a member, or pass a call of one of our tools on."""
        toolset, _, member = call.name.partition(".")
        if toolset != TOOLSET:
            return await self._inner.dispatch(call)
        if self._failed:
            return failure("unavailable", NOT_EXECUTED)
        result = await self._called(call, member)
        self._failed = not result.success
        return result

    async def _called(self, call: ToolCall, member: str) -> ToolResult:
        block = BetaToolUseBlock(id=call.id, name=member, input=dict(call.input), type="tool_use", toolset_name=FAMILY)
        self._toolset.refused = None
        try:
            content = await self._toolset.call(BetaToolsetCallContext(tool_use=block), member, call.input)
        except ToolError as error:
            return failure(self._kind(error), "\n".join(_texts(error.content)) or "the action failed, and said nothing")
        blocks, images = _apart(content)
        return ToolResult(success=True, data={CONTENT: blocks}, images=images)

    def _kind(self, error: ToolError) -> ToolErrorType:
        """Say what a refusal is to a recording: what our tool said it is, or the SDK before any was called."""
        if self._toolset.refused is not None:
            return self._toolset.refused.type
        cause = error.__cause__
        return _TYPES.get(type(cause), "not_allowed") if isinstance(cause, ToolError) else "not_allowed"


class MemberLookup:
    """Finds what recording has to know of a tool, members of the toolset included.

    Args:
        tools: finds the tools of ours.
    """

    def __init__(self, tools: Lookup) -> None:
        self._tools = tools

    def find(self, name: str) -> Recordable | None:
        """Give a tool of a name, or None."""
        toolset, _, member = name.partition(".")
        return member_specs().get(member) if toolset == TOOLSET else self._tools.find(name)


@cache
def member_specs() -> Mapping[str, MemberSpec]:
    """Give what there is to know of each member."""
    specs = {}
    for name, model in BrowserToolset.inputs().items():
        fields: dict[str, Any] = {field.alias or own: (Any, None) for own, field in model.model_fields.items()}
        reading: Replay = "skip" if name in READING else "actions"
        specs[name] = MemberSpec(create_model(name, **fields), frozenset(TYPED.get(name, ())), reading)
    return specs


def _texts(content: Any) -> list[str]:
    return [content] if isinstance(content, str) else [block["text"] for block in content if block["type"] == "text"]


def _apart(content: Any) -> tuple[list[Any], tuple[Image, ...]]:
    """Part pictures from the other blocks: a recording keeps them by their hash."""
    blocks: list[Any] = []
    images: list[Image] = []
    for block in content:
        if block["type"] == "image":
            source = block["source"]
            images.append(Image(media_type=source["media_type"], data=base64.b64decode(source["data"])))
            blocks.append({"type": "image"})
        else:
            blocks.append(block)
    return blocks, tuple(images)
