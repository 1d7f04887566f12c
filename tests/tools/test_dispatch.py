"""Validation, safety, time-outs and how failures are told, with tools made for it and lists as sinks."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import pytest
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as BrowserTimeout
from pydantic import Field, JsonValue

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.evidence import Target
from simulator.errors import BrowserCrashed, ToolError, UsageError
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import SafetyDispatcher, TimeoutDispatcher, ToolDispatcher
from simulator.tools.failures import DetailedToolError
from simulator.tools.metadata import SAFETY_LEVELS
from simulator.tools.recording_dispatcher import RecordingDispatcher, TypingWatch
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec, renamed, tool
from simulator.tools.toolsets import offers, registry_of
from tests.seam import needs_bookshop


class Mask:
    def mask(self, text: str) -> str:
        return text.replace("hunter2", "{{secret.password}}")


@dataclass
class Context:
    """What of a run these tools need."""

    bindings: Bindings = field(default_factory=lambda: Bindings({"identity.email": "ada@example.org"}))
    vault: Mask = field(default_factory=Mask)
    watch: TypingWatch | None = None
    raises: BaseException | None = None
    secret: bool = False


@tool(
    requires_page=False,
    category="form",
    safety="low_risk",
    replay="actions",
    typed=["values"],
    examples=[{"where": "here", "count": 2}],
)
async def put(
    ctx: Any, where: str, count: Annotated[int, Field(ge=1)] = 1, values: dict[str, str] | None = None
) -> JsonValue:
    """Put something somewhere.

    More about it.

    Args:
        ctx: The run.
        where: The place,
            in words.
        count: How often.
        values: What.

    Returns:
        The place.
    """
    if ctx.watch:
        target = Target(tag="input", secret=ctx.secret)
        ctx.watch.begin(ActionStart("fill", "ada", target=target))
    if ctx.raises:
        raise ctx.raises
    return where


@tool(category="context", safety="dangerous", replay="actions", grant="login", examples=[{}])
async def enter(ctx: Any) -> JsonValue:
    """Enter."""
    return "entered"


@tool(category="system", safety="safe", replay="skip", timeout_s=0.05, examples=[{}])
async def forever(ctx: Any) -> JsonValue:
    """Wait."""
    await asyncio.Event().wait()
    return None


REGISTRY = Registry([put, enter, forever])


async def call(ctx: Context, name: str, /, **input: Any) -> ToolResult:
    return await ToolDispatcher(REGISTRY, ctx).dispatch(ToolCall(id="1", name=name, input=input))  # type: ignore[arg-type]


def told(result: ToolResult) -> tuple[str, str]:
    assert result.error is not None
    assert not result.success
    return result.error.type, result.error.message


# -- a tool


def test_schema_and_texts_come_from_signature_and_docstring() -> None:
    assert put.description == "Put something somewhere.\nMore about it."
    assert put.returns == "The place."
    assert put.schema == {
        "type": "object",
        "additionalProperties": False,
        "required": ["where"],
        "properties": {
            "where": {"type": "string", "description": "The place, in words."},
            "count": {"type": "integer", "minimum": 1, "default": 1, "description": "How often."},
            "values": {
                "anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "null"}],
                "default": None,
                "description": "What.",
            },
        },
    }


def test_a_tool_whose_docstring_and_signature_differ_is_refused() -> None:
    async def odd(ctx: Any, one: str) -> JsonValue:
        """Do.

        Args:
            ctx: The run.
            two: Another.
        """
        return one

    with pytest.raises(TypeError, match="one"):
        tool(category="system", safety="safe", replay="skip", examples=[])(odd)


def test_an_example_that_is_not_valid_is_refused() -> None:
    async def odd(ctx: Any) -> JsonValue:
        """Do."""
        return None

    with pytest.raises(ValueError, match="extra"):
        tool(category="system", safety="safe", replay="skip", examples=[{"no": 1}])(odd)


def test_every_tool_of_every_toolset_has_an_example_and_texts() -> None:
    for spec, _ in offers():
        assert spec.examples, spec.name
        assert spec.description, spec.name
        assert all(field.description for field in spec.input_model.model_fields.values()), spec.name


@needs_bookshop
def test_cover_search_is_replayed_by_policy() -> None:
    spec = registry_of(["books"]).get_tool("fetch_book_covers")
    assert [spec.replay_for(policy) for policy in ("same", "reuse", "fresh")] == ["result", "result", "call"]


# -- the registry


def test_aliases_and_categories() -> None:
    registry = registry_of(["browser"])
    assert registry.get_tool("goto") is registry.get_tool("navigate")
    assert {spec.name for spec in registry.get_by_category("form")} == {"fill_form", "submit", "secure_fill"}


def test_a_name_is_for_one_tool() -> None:
    registry = Registry([put, put])
    assert registry.list_tools() == (put,)
    with pytest.raises(ValueError, match="tool 'put': the name 'put' belongs to 'put', another tool"):
        registry.register(replace(put, description="Something else."))


def test_a_toolset_may_call_a_tool_by_another_name() -> None:
    registry = Registry([renamed(put, "place", aliases=["lay"])])
    assert registry.get_tool("lay") is registry.get_tool("place")
    assert registry.find("put") is None
    assert registry.get_tool("place").schema == put.schema


def test_an_unknown_tool_names_the_nearest() -> None:
    with pytest.raises(ToolError, match=r"no tool 'clik'; did you mean click") as caught:
        registry_of(["browser"]).get_tool("clik")
    assert caught.value.type == "unknown_tool"


def test_an_unknown_toolset_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'browser'"):
        registry_of(["brovser"])


# -- validation


async def test_missing_input_is_told_with_an_example() -> None:
    type_, message = told(await call(Context(), "put"))
    assert type_ == "invalid_input"
    assert message == 'put: where: is required. Example: {"where": "here", "count": 2}'


async def test_malformed_input_says_what_was_expected() -> None:
    _, message = told(await call(Context(), "put", where="here", count="three"))
    assert "count: expected a valid integer" in message
    assert "found 'three'" in message
    _, message = told(await call(Context(), "put", where="here", count=0))
    assert "count: expected greater than or equal to 1, found 0" in message


async def test_an_extra_parameter_names_the_known_ones() -> None:
    _, message = told(await call(Context(), "put", where="here", cout=3))
    assert "cout: is not a parameter; there are: where, count, values" in message


async def test_what_is_typed_is_not_quoted() -> None:
    _, message = told(await call(Context(), "put", where="here", values={"password": ["hunter3"]}))
    assert "values.password" in message
    assert "hunter3" not in message


async def test_an_unknown_variable_is_told_before_anything_happens() -> None:
    type_, message = told(await call(Context(raises=AssertionError("ran")), "put", where="{{identity.emial}}"))
    assert type_ == "invalid_input"
    assert "identity.emial" in message


# -- failures


@pytest.mark.parametrize(
    ("error", "type_", "text"),
    [
        (ToolError("not_found", "no such thing"), "not_found", "no such thing"),
        (BrowserTimeout("Timeout 30ms\nCall log: fill('hunter3')"), "timeout", "put: Timeout 30ms"),
        (BrowserError("Element is not an input"), "not_actionable", "put: Element is not an input"),
        (KeyError("hunter2"), "internal", "put broke: KeyError: '{{secret.password}}'"),
    ],
)
async def test_exceptions_are_told(error: Exception, type_: str, text: str) -> None:
    assert told(await call(Context(raises=error), "put", where="here")) == (type_, text)


async def test_a_bug_keeps_its_traceback_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        await call(Context(raises=ZeroDivisionError("oh")), "put", where="here")
    assert "a bug in tool 'put'" in caplog.text
    assert "Traceback" in caplog.text


async def test_data_of_a_failure_is_given() -> None:
    result = await call(Context(raises=DetailedToolError("rejected", "taken", {"field": "username"})), "put", where="x")
    assert result.data == {"field": "username"}


async def test_a_result_that_is_no_json_is_a_bug() -> None:
    @tool(category="system", safety="safe", replay="skip", examples=[{}])
    async def odd(ctx: Any) -> JsonValue:
        """Do."""
        return object()  # type: ignore[return-value]

    dispatcher = ToolDispatcher(Registry([odd]), Context())  # type: ignore[arg-type]
    assert told(await dispatcher.dispatch(ToolCall(id="1", name="odd")))[0] == "internal"


async def test_what_ends_the_run_passes_through() -> None:
    with pytest.raises(BrowserCrashed):
        await call(Context(raises=BrowserCrashed("gone")), "put", where="here")


# -- wrappers


@pytest.mark.parametrize("ceiling", SAFETY_LEVELS)
async def test_the_ceiling_decides(ceiling: Any) -> None:
    inner = ToolDispatcher(REGISTRY, Context())  # type: ignore[arg-type]
    results = {
        spec.name: await SafetyDispatcher(inner, REGISTRY, ceiling=ceiling).dispatch(
            ToolCall(id="1", name=spec.name, input=dict(spec.examples[0]))
        )
        for spec in (put, enter)
    }
    assert results["put"].success == (ceiling != "safe")
    assert results["enter"].success == (ceiling == "dangerous")


async def test_a_grant_of_the_site_is_above_the_ceiling() -> None:
    inner = ToolDispatcher(REGISTRY, Context())  # type: ignore[arg-type]
    wrapped = SafetyDispatcher(inner, REGISTRY, ceiling="low_risk", grants=("login",))
    assert (await wrapped.dispatch(ToolCall(id="1", name="enter"))).success
    refused = SafetyDispatcher(inner, REGISTRY, ceiling="low_risk", grants=("upload",))
    type_, message = told(await refused.dispatch(ToolCall(id="1", name="enter")))
    assert type_ == "not_allowed"
    assert "enter is dangerous, the persona allows up to low_risk and the site does not grant 'login'" in message


async def test_a_call_that_takes_too_long_is_stopped() -> None:
    inner = ToolDispatcher(REGISTRY, Context())  # type: ignore[arg-type]
    type_, message = told(await TimeoutDispatcher(inner, REGISTRY).dispatch(ToolCall(id="1", name="forever")))
    assert type_ == "timeout"
    assert "after 0.05 s" in message


async def test_wrappers_leave_unknown_tools_to_dispatch() -> None:
    inner = ToolDispatcher(REGISTRY, Context())  # type: ignore[arg-type]
    wrapped = SafetyDispatcher(TimeoutDispatcher(inner, REGISTRY), REGISTRY, ceiling="safe")
    assert told(await wrapped.dispatch(ToolCall(id="1", name="putt")))[0] == "unknown_tool"


# -- recording


@dataclass
class Steps:
    """A list of what was stored, in order."""

    events: list[tuple[Any, ...]] = field(default_factory=list)

    def begin_step(self, *, call: ToolCall, replay: str, task: str | None, withheld: bool) -> str:
        self.events.append(("begin", call.name, call.input, replay, task, withheld))
        return "s1"

    def amend_step_input(self, step_id: str, input: dict[str, Any]) -> None:
        self.events.append(("amend", input))

    def end_step(self, step_id: str, result: ToolResult) -> None:
        self.events.append(("end", result.error.type if result.error else "ok"))

    def begin(self, action: ActionStart) -> str:
        self.events.append(("action",))
        return "a1"

    def answered(self, write: object) -> None:
        pass

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        raise AssertionError("no action ends here")


async def record(name: str, /, ctx: Context | None = None, **input: Any) -> list[tuple[Any, ...]]:
    ctx, steps = ctx or Context(), Steps()
    ctx.watch = TypingWatch(steps)
    inner = ToolDispatcher(REGISTRY, ctx)  # type: ignore[arg-type]
    dispatcher = RecordingDispatcher(
        inner, steps, watch=ctx.watch, registry=REGISTRY, template=ctx.bindings.recognise, task=lambda: "list books"
    )
    try:
        await dispatcher.dispatch(ToolCall(id="1", name=name, input=input))
    except BrowserCrashed:
        steps.events.append(("raised",))
    return steps.events


async def test_a_step_is_stored_before_and_after_and_its_input_as_a_template() -> None:
    assert await record("put", where="to ada@example.org") == [
        ("begin", "put", {"where": "to {{identity.email}}"}, "actions", "list books", False),
        ("action",),
        ("end", "ok"),
    ]


async def test_typed_text_is_withheld_until_its_field_was_no_secret() -> None:
    values = {"title": "Emma", "email": "{{identity.email}}"}
    assert await record("put", where="here", values=values) == [
        (
            "begin",
            "put",
            {"where": "here", "values": {"title": None, "email": "{{identity.email}}"}},
            "actions",
            "list books",
            True,
        ),
        ("action",),
        ("amend", {"where": "here", "values": values}),
        ("end", "ok"),
    ]


async def test_typed_text_stays_withheld_when_a_field_was_secret() -> None:
    events = await record("put", Context(secret=True), where="here", values={"password": "hunter3"})
    assert "hunter3" not in repr(events)
    assert [event[0] for event in events] == ["begin", "action", "end"]


async def test_typed_text_stays_withheld_when_a_call_failed_before_it_came_to_the_secret_field() -> None:
    ctx = Context(raises=ToolError("not_found", "no such field"))
    events = await record("put", ctx, where="here", values={"title": "Emma", "password": "hunter3"})
    assert "hunter3" not in repr(events)
    assert [event[0] for event in events] == ["begin", "action", "end"]


@pytest.mark.parametrize("name", ["put", "pyt"])
async def test_typed_text_of_a_failed_call_stays_withheld(name: str) -> None:
    events = await record(name, where="here", valves={"password": "hunter3"})
    assert "hunter3" not in repr(events)
    assert events[-1][0] == "end"


async def test_a_refused_call_is_stored_too() -> None:
    assert (await record("put"))[-1] == ("end", "invalid_input")


async def test_what_ends_the_run_ends_the_step_first() -> None:
    events = await record("put", Context(raises=BrowserCrashed("gone")), where="here")
    assert events[-2:] == [("end", "unavailable"), ("raised",)]


async def test_a_cancelled_call_stays_pending() -> None:
    steps = Steps()
    watch = TypingWatch(steps)
    inner = ToolDispatcher(REGISTRY, Context())  # type: ignore[arg-type]
    dispatcher = RecordingDispatcher(inner, steps, watch=watch, registry=REGISTRY, template=str)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(dispatcher.dispatch(ToolCall(id="1", name="forever")), 0.05)
    assert [event[0] for event in steps.events] == ["begin"]


def test_specs_are_frozen() -> None:
    with pytest.raises(AttributeError):
        put.name = "other"  # type: ignore[misc]
    assert isinstance(put, ToolSpec)
