"""The loop: an agent decides, dispatch acts, until an end with a name. Not responsible for: what is decided."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

from simulator.agent.contracts import Agent, Finish, RunView, StepDone
from simulator.tools.contracts import Dispatcher, ToolCall

End = Literal["finished", "gave_up", "step_limit", "time_limit", "token_limit", "money_limit", "batch_limit", "stopped"]
_TERMINAL: dict[str, End] = {"complete": "finished", "done": "finished", "fail": "gave_up"}
"""Tools by which an agent ends its run."""


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """How a run ended."""

    end: End
    reason: str
    steps: int

    @property
    def status(self) -> Literal["passed", "failed", "interrupted"]:
        """What the end means for the run."""
        if self.end in ("stopped", "batch_limit"):
            return "interrupted"
        return "passed" if self.end == "finished" else "failed"

    @property
    def limit(self) -> bool:
        """Whether a limit ended it."""
        return self.end.endswith("_limit")


async def run_agent(
    agent: Agent,
    dispatcher: Dispatcher,
    view: RunView,
    *,
    stop: Callable[[], bool] = lambda: False,
    stopping: Callable[[], Awaitable[None]] | None = None,
    allowed: Callable[[], bool] = lambda: True,
    ends_by_tool: bool = True,
) -> LoopEnd:
    """Let an agent act until it finishes, or a limit of its persona is reached.

    Args:
        agent: decides.
        dispatcher: does the calls.
        view: the run; its ``tell`` also gets a :class:`StepDone` for every call.
        stop: asked before every step; True ends the run there.
        stopping: waits until ``stop`` is True; an agent that takes long to decide is not waited for then.
        allowed: asked for each step that is about to begin; False ends the run there.
        ends_by_tool: whether a call of ``complete`` or ``fail`` ends the run; False where it ends one task of several,
            and the agent finishes by itself.

    Raises:
        SimulatorError: the run cannot go on.
    """
    limits = view.persona.limits
    started = time.monotonic()
    steps = 0
    try:
        async with asyncio.timeout(limits.minutes * 60) as clock:
            while not stop():
                move = await _decided(agent, view, stopping)
                if move is None:
                    break
                if isinstance(move, Finish):
                    end: End = "finished" if move.status == "passed" else "gave_up"
                    return LoopEnd(move.limit or end, move.reason, steps)
                if stop():
                    break
                if steps >= limits.steps:
                    return LoopEnd("step_limit", f"the persona's limit of {limits.steps} steps is used up", steps)
                if not allowed():
                    break
                deadline, began = clock.when(), time.monotonic()
                clock.reschedule(None)
                result = await dispatcher.dispatch(move)
                clock.reschedule(deadline)
                steps += 1
                view.tell(StepDone(move.name, result.success, time.monotonic() - began))
                if ends_by_tool and result.success and move.name in _TERMINAL:
                    return LoopEnd(_TERMINAL[move.name], str(result.data or ""), steps)
                view = replace(view, last=result)
            return LoopEnd("stopped", "stopped before the next step", steps)
    except TimeoutError:
        if not clock.expired():
            raise
        spent = (time.monotonic() - started) / 60
        return LoopEnd("time_limit", f"the persona's limit of {limits.minutes:g} minutes is over ({spent:.1f})", steps)
    finally:
        await agent.aclose()


async def _decided(
    agent: Agent, view: RunView, stopping: Callable[[], Awaitable[None]] | None
) -> ToolCall | Finish | None:
    """Wait for what an agent decides; None when the run is to stop before that."""
    if stopping is None:
        return await agent.next_call(view)
    deciding, stopped = asyncio.ensure_future(agent.next_call(view)), asyncio.ensure_future(stopping())
    try:
        await asyncio.wait((deciding, stopped), return_when=asyncio.FIRST_COMPLETED)
        return deciding.result() if deciding.done() else None
    finally:
        deciding.cancel()
        stopped.cancel()
        await asyncio.gather(deciding, stopped, return_exceptions=True)
