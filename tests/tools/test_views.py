"""Results and tools as other contracts have them; what goes to the Messages API is judged by the SDK's own types."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import ToolResultBlockParam
from anthropic.types.beta import BetaToolUnionParam
from pydantic import TypeAdapter

from simulator.tools.contracts import Image, ToolCall, ToolResult
from simulator.tools.families.interaction import click
from simulator.tools.spec import renamed, tool
from simulator.tools.views import (
    VERSIONED,
    CLIResult,
    ResultView,
    ToolCollection,
    ToolFailure,
    to_anthropic,
    to_openai,
    to_openai_params,
    to_params,
    view,
)

PIXEL = Image(media_type="image/png", data=b"\x89PNG")
BLOCK: TypeAdapter[Any] = TypeAdapter(ToolResultBlockParam)
PARAM: TypeAdapter[Any] = TypeAdapter(BetaToolUnionParam)


@pytest.mark.parametrize("name", ["output", "error", "base64_image", "system"])
def test_a_view_is_true_when_any_of_its_texts_is_set(name: str) -> None:
    assert ResultView(**{name: "x"})
    assert not ResultView(**{name: ""})


def test_an_empty_view_is_false_though_the_call_succeeded() -> None:
    result = ToolResult.success_result()
    assert not view(result)
    assert result.success


def test_views_are_put_together() -> None:
    first = CLIResult(output="a", system="s")
    assert first + CLIResult(output="b", error="e", base64_image="i") == CLIResult(
        output="ab", error="e", base64_image="i", system="s"
    )
    with pytest.raises(ValueError, match="both hold an image"):
        CLIResult(base64_image="i") + CLIResult(base64_image="j")


def test_a_view_is_replaced_in_part() -> None:
    assert CLIResult(output="a", system="s").replace(output="b") == CLIResult(output="b", system="s")


def test_a_failed_result_becomes_a_failure() -> None:
    failed = ToolResult.failure_result("nothing fits 'a'", type="not_found", data={"near": ["b"]})
    assert view(failed) == ToolFailure(output='{"near": ["b"]}', error="not_found: nothing fits 'a'")


def test_a_result_that_succeeded_becomes_the_kind_that_is_asked_for() -> None:
    result = ToolResult.success_result("hello", images=(PIXEL,), metadata={"system": "restarted"})
    assert view(result, CLIResult) == CLIResult(output="hello", base64_image="iVBORw==", system="restarted")


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (ToolResult.success_result(), [{"type": "text", "text": "done"}]),
        (ToolResult.success_result(" "), [{"type": "text", "text": "done"}]),
        (ToolResult.success_result({"a": 1}), [{"type": "text", "text": '{"a": 1}'}]),
        (
            ToolResult.success_result("x", metadata={"system": "new"}),
            [{"type": "text", "text": "<system>new</system>\nx"}],
        ),
        (
            ToolResult.success_result(images=(PIXEL,)),
            [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}}],
        ),
        (
            ToolResult(success=False, images=(PIXEL,)),
            [{"type": "text", "text": "failed, without a reason given"}],
        ),
        (
            ToolResult.failure_result("gone", type="page_closed", data=[1]),
            [{"type": "text", "text": "page_closed: gone\n[1]"}],
        ),
    ],
)
def test_a_tool_result_block_is_never_empty(result: ToolResult, content: list[Any]) -> None:
    block = to_anthropic(result, "toolu_1")
    assert block == {
        "type": "tool_result", "tool_use_id": "toolu_1", "content": content, "is_error": not result.success,
    }  # fmt: skip
    BLOCK.validate_python(block)


def test_openai_is_shown_images_after_the_message_of_the_tool() -> None:
    said, shown = to_openai(ToolResult.success_result("x", images=(PIXEL,)), "call_1")
    assert said == {"role": "tool", "tool_call_id": "call_1", "content": "x"}
    assert shown["content"] == [{"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}]
    assert len(to_openai(ToolResult.success_result("x"), "call_1")) == 1


def test_a_tool_goes_with_its_own_schema() -> None:
    params = to_params(click)
    assert params == {"name": "click", "description": click.description, "input_schema": click.schema}
    assert to_openai_params(click)["function"]["parameters"] == click.schema
    PARAM.validate_python(params)


@pytest.mark.parametrize(("name", "version"), [(name, one) for name, ones in VERSIONED.items() for one in ones])
def test_versioned_types_are_those_of_the_sdk(name: str, version: str) -> None:
    params = to_params(renamed(click, name), version=version, display=(1280, 800))
    assert params["type"] == version
    PARAM.validate_python(params)


def test_the_newest_version_is_the_default() -> None:
    assert to_params(renamed(click, "bash")) == {"type": "bash_20250124", "name": "bash"}
    with pytest.raises(ValueError, match="'bash' has no version 'bash_20991231'; there are: bash_20250124"):
        to_params(renamed(click, "bash"), version="bash_20991231")
    with pytest.raises(ValueError, match="width and height"):
        to_params(renamed(click, "computer"))


@tool(category="utility", safety="safe", replay="skip", examples=[{"text": "a"}])
async def shout(ctx: Any, text: str) -> str:
    """Say a text loudly.

    Args:
        text: The text.

    Returns:
        It, in capitals.
    """
    return text.upper()


class Shouting:
    async def dispatch(self, call: ToolCall) -> ToolResult:
        if call.input.get("text") is None:
            return ToolResult.failure_result("text: is required", type="invalid_input")
        return ToolResult.success_result(await shout.run(None, **call.input))


async def test_a_collection_calls_its_tools_and_no_others() -> None:
    tools = ToolCollection(shout, dispatcher=Shouting())
    assert [one["name"] for one in tools.to_params()] == ["shout"]
    assert (await tools.run(name="shout", tool_input={"text": "a"})).output == "A"
    assert (await tools.run(name="shout", tool_input={})).error == "invalid_input: text: is required"
    unknown = await tools.run(name="whisper", tool_input={})
    assert isinstance(unknown, ToolFailure)
    assert unknown.error == "there is no tool 'whisper' here; there are: shout"
    assert "no run to act in" in str((await ToolCollection(shout).run(name="shout", tool_input={})).error)
