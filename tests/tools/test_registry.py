"""Tools as classes, what their descriptions say, and which of them a model is offered."""

from __future__ import annotations

import logging
import threading
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from simulator.tools.contracts import ToolResult
from simulator.tools.families.extraction import screenshot
from simulator.tools.metadata import ToolMetadata, ToolParameter
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec, tool

WEIGH = ToolMetadata(
    name="weigh",
    description="Weigh books.",
    category="utility",
    parameters=(
        ToolParameter("titles", "array", "Their titles.", required=True, items="string"),
        ToolParameter("unit", "string", "In which unit.", default="g", enum=("g", "oz")),
        ToolParameter("most", "number", "At most."),
    ),
    examples=({"titles": ["Emma"]},),
    optimal_capabilities=("structured_output",),
)


class Weigh:
    metadata = WEIGH

    def __init__(self) -> None:
        self.calls = 0

    async def execute(self, titles: list[str], unit: str, most: float | None) -> ToolResult:
        self.calls += 1
        return ToolResult.success_result({"weight": len(titles) * 200, "unit": unit, "calls": self.calls})


class Blocking:
    metadata = ToolMetadata(name="block", description="Tell the thread.")

    def execute(self, ctx: Any) -> str:
        return f"{ctx} {threading.current_thread() is threading.main_thread()}"


async def test_a_class_is_made_anew_for_each_call_and_an_object_is_kept() -> None:
    registry = Registry()
    spec = registry.register(Weigh)
    results = [await spec.run(None, titles=["Emma"], unit="g", most=None) for _ in range(2)]
    assert [one.data["calls"] for one in results] == [1, 1]
    kept = Registry().register_instance(Weigh())
    results = [await kept.run(None, titles=["Emma"], unit="g", most=None) for _ in range(2)]
    assert [one.data["calls"] for one in results] == [1, 2]
    assert registry.register(Weigh) == spec
    with pytest.raises(ValueError, match="'weigh' belongs to 'weigh', another tool"):
        registry.register_instance(Weigh())


async def test_blocking_work_runs_in_a_thread_and_may_have_the_context() -> None:
    assert await Registry().register(Blocking).run("context") == "context False"


def test_a_class_states_what_it_takes() -> None:
    spec = Registry().register(Weigh)
    assert spec.validate_parameters({"titles": ["Emma"], "most": 2}) == (True, None)
    ok, problem = spec.validate_parameters({"titles": "Emma", "unit": "kg", "size": 1})
    assert not ok
    assert problem is not None
    for told in ("titles: expected a valid list", "unit: expected 'g' or 'oz'", "size: is not a parameter"):
        assert told in problem
    assert spec.schema["properties"]["unit"]["enum"] == ["g", "oz"]
    assert WEIGH.to_json_schema()["properties"] == {
        "titles": {"type": "array", "description": "Their titles.", "items": {"type": "string"}},
        "unit": {"type": "string", "description": "In which unit.", "enum": ["g", "oz"], "default": "g"},
        "most": {"type": "number", "description": "At most.", "default": None},
    }
    assert [one.name for one in spec.metadata.parameters] == ["titles", "unit", "most"]


def of(**described: Any) -> type:
    """Make a tool that is described so."""
    metadata = ToolMetadata(**{"name": "x", "description": "X.", **described})
    return type("Described", (), {"metadata": metadata, "execute": lambda self: 1})


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (type("NoTool", (), {}), "NoTool is no tool: it needs 'metadata'"),
        (type("Odd", (), {"metadata": WEIGH}), "Odd is no tool"),
        (
            type(
                "Wrong",
                (),
                {
                    "metadata": ToolMetadata("x", "X.", parameters=(ToolParameter("a", "text"),)),
                    "execute": lambda self: 1,
                },
            ),
            "parameter 'a' is of type text; there are: string, integer",
        ),
        (
            type("Bad", (), {"metadata": ToolMetadata("x", "X.", examples=({"b": 1},)), "execute": lambda self: 1}),
            "its example {'b': 1} is not valid",
        ),
        (of(category="browsing"), "tool 'x': there is no category 'browsing'; there are: navigation, interaction, ext"),
        (of(safety_level="harmless"), "tool 'x': there is no safety level 'harmless'; there are: safe, low_risk, med"),
        (of(required_capabilities=("eyes",)), "tool 'x': there is no capability of a model 'eyes'; there are: vision"),
        (of(timeout_seconds=0), "tool 'x': its time-out is 0; expected a number of seconds above 0"),
        (of(name="my tool"), "tool 'my tool': the name is none that a model can call; expected 1 to 64 of the letters"),
        (of(name=""), "tool '': the name is none that a model can call"),
        (of(name="x" * 65), "the name is none that a model can call"),
        (of(parameters=(ToolParameter("a b", "string"),)), "tool 'x': no parameter can be called 'a b'; expected a"),
        (of(parameters=(ToolParameter("_a", "string"),)), "tool 'x': no parameter can be called '_a'"),
        (of(parameters=(ToolParameter("a", "string"),) * 2), "tool 'x': two parameters are called 'a'"),
        (
            type("Again", (), {"metadata": ToolMetadata("x", "X."), "execute": lambda self: 1, "replay": "repeat"}),
            "tool 'x': there is no way to replay it 'repeat'; there are: actions, result, call, skip",
        ),
    ],
)
def test_what_is_no_tool_is_told(broken: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message.replace("{", r"\{")):
        Registry().register(broken)


@tool(category="interaction", safety="safe", replay="skip", timeout_s=5, examples=[{"kind": "a"}])
async def sort(
    ctx: Any,
    kind: Literal["a", "b"],
    tags: list[str] | None = None,
    count: Annotated[int, Field(ge=1)] = 3,
    timeout: float = 2000,
) -> None:
    """Sort things.

    Args:
        kind: Which.
        tags: Their tags.
        count: How many.
        timeout: Within so many milliseconds.
    """


def test_the_parameters_of_a_function_come_from_its_signature() -> None:
    assert sort.metadata.parameters == (
        ToolParameter("kind", "string", "Which.", required=True, enum=("a", "b")),
        ToolParameter("tags", "array", "Their tags.", items="string"),
        ToolParameter("count", "integer", "How many.", default=3),
        ToolParameter("timeout", "number", "Within so many milliseconds.", default=2000),
    )
    assert sort.metadata.to_json_schema() == sort.schema
    assert sort.requires_page


def test_a_calls_own_time_out_stays_within_that_of_the_tool() -> None:
    assert sort.validate_parameters({"kind": "a", "timeout": 5000})[0]
    assert sort.validate_parameters({"kind": "a", "timeout": 5001}) == (
        False,
        "timeout: expected less than or equal to 5000, found 5001",
    )
    assert not sort.validate_parameters({"kind": "a", "timeout": 0})[0]


def test_a_text_only_model_sees_no_screenshot(caplog: pytest.LogCaptureFixture) -> None:
    registry = Registry([screenshot, sort])
    registry.register(Weigh)

    def offered(found: Registry) -> list[str]:
        return [spec.name for spec in found.list_tools()]

    with caplog.at_level(logging.WARNING):
        assert offered(registry.get_filtered_registry(["tool_use"])) == ["sort", "weigh"]
    assert "'weigh' works better with a model of structured_output" in caplog.text
    caplog.clear()
    assert offered(registry.get_filtered_registry({"vision"}, warn_suboptimal=False)) == ["screenshot", "sort", "weigh"]
    assert not caplog.text


def test_a_tool_registered_later_is_found_at_once() -> None:
    registry = Registry()
    spec: ToolSpec = registry.register(Weigh)
    assert registry.find("weigh") is spec
    assert registry.get_by_category("utility") == (spec,)
