"""The loop with an agent that follows a script: its ends, and what it reports."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from simulator.agent.contracts import Finish, RunView, StepDone
from simulator.agent.loop import run_agent
from simulator.agent.models.choose import choose_agent
from simulator.config import Site
from simulator.errors import UsageError
from simulator.persona import draw_identity
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult


class Script:
    """An agent that makes the same moves whatever happens."""

    def __init__(self, moves: Sequence[ToolCall | Finish]) -> None:
        self.moves = list(moves)
        self.seen: list[ToolResult | None] = []
        self.closed = 0

    async def next_call(self, view: RunView) -> ToolCall | Finish:
        self.seen.append(view.last)
        return self.moves.pop(0)

    async def aclose(self) -> None:
        self.closed += 1


class Answers:
    """A dispatcher that answers with the name of the tool."""

    def __init__(self) -> None:
        self.done: list[str] = []

    async def dispatch(self, call: ToolCall) -> ToolResult:
        self.done.append(call.name)
        if call.name == "bad":
            return ToolResult(success=False, error=ToolFailure(type="not_found", message="no such thing"))
        return ToolResult(success=True, data=call.name)


def call(name: str) -> ToolCall:
    return ToolCall(id=name, name=name)


@pytest.fixture
def make_view(make_persona):
    def make(events: list[object], **limits) -> RunView:
        persona = make_persona("register", limits=limits)
        identity = draw_identity(persona, seed=7, number=1)
        return RunView(
            persona, identity, Site(base_url="http://127.0.0.1:1"), peers=None, tell=events.append, shown=str
        )

    return make


async def test_an_agent_sees_each_result_and_finishes(make_view) -> None:
    events: list[object] = []
    agent = Script([call("one"), call("bad"), Finish("failed", "it was bad")])
    end = await run_agent(agent, Answers(), make_view(events))
    assert (end.end, end.status, end.reason, end.steps) == ("gave_up", "failed", "it was bad", 2)
    assert [seen and seen.data for seen in agent.seen] == [None, "one", None]
    assert [(event.tool, event.success) for event in events if isinstance(event, StepDone)] == [
        ("one", True),
        ("bad", False),
    ]
    assert agent.closed == 1


@pytest.mark.parametrize(("tool", "end", "status"), [("complete", "finished", "passed"), ("fail", "gave_up", "failed")])
async def test_a_tool_may_end_the_run(make_view, tool: str, end: str, status: str) -> None:
    agent = Script([call(tool), call("never")])
    ended = await run_agent(agent, dispatcher := Answers(), make_view([]))
    assert (ended.end, ended.status, ended.reason) == (end, status, tool)
    assert dispatcher.done == [tool]


async def test_the_limit_of_steps(make_view) -> None:
    agent = Script([call("one")] * 5)
    end = await run_agent(agent, dispatcher := Answers(), make_view([], steps=3))
    assert (end.end, end.status, end.steps) == ("step_limit", "failed", 3)
    assert len(dispatcher.done) == 3


async def test_the_limit_of_minutes_also_ends_a_wait(make_view) -> None:
    class Waits(Script):
        async def next_call(self, view: RunView) -> ToolCall | Finish:
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    agent = Waits([])
    end = await run_agent(agent, Answers(), make_view([], minutes=0.001))
    assert (end.end, end.status, end.steps) == ("time_limit", "failed", 0)
    assert "0.001 minutes" in end.reason
    assert agent.closed == 1


async def test_a_stop_lets_the_step_in_progress_finish(make_view) -> None:
    dispatcher = Answers()
    agent = Script([call("one"), call("two"), call("three")])
    end = await run_agent(agent, dispatcher, make_view([]), stop=lambda: len(dispatcher.done) == 2)
    assert (end.end, end.status, dispatcher.done) == ("stopped", "interrupted", ["one", "two"])
    assert agent.closed == 1


async def test_a_stop_does_not_wait_for_an_agent_that_thinks(make_view) -> None:
    asked = asyncio.Event()

    class Thinks(Script):
        async def next_call(self, view: RunView) -> ToolCall | Finish:
            if self.moves:
                return self.moves.pop(0)
            asked.set()
            await asyncio.Event().wait()
            raise AssertionError("nobody sets it")

    agent = Thinks([call("one")])
    end = await run_agent(agent, Answers(), make_view([]), stop=asked.is_set, stopping=asked.wait)
    assert (end.end, end.status, end.steps) == ("stopped", "interrupted", 1)
    assert agent.closed == 1


async def test_what_an_agent_raises_ends_the_run_also_where_a_stop_is_waited_for(make_view) -> None:
    class Breaks(Script):
        async def next_call(self, view: RunView) -> ToolCall | Finish:
            raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        await run_agent(Breaks([]), Answers(), make_view([]), stopping=asyncio.Event().wait)


def test_auto_is_an_agent_with_a_model_where_its_key_is_set() -> None:
    assert choose_agent("auto", {}) == "autopilot"
    assert choose_agent("auto", {"ANTHROPIC_API_KEY": ""}) == "autopilot"
    assert choose_agent("auto", {"ANTHROPIC_API_KEY": "x"}) == "claude"
    assert choose_agent("autopilot", {"ANTHROPIC_API_KEY": "x"}) == "autopilot"


def test_an_unknown_agent_is_told_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no agent 'autopilo'; did you mean 'autopilot'"):
        choose_agent("autopilo", {})
    with pytest.raises(UsageError, match="no agent 'zebra'; known are auto, autopilot, claude"):
        choose_agent("zebra", {})
