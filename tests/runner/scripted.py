"""An agent that calls what a script says, in the place of the autopilot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from simulator.agent.contracts import Finish, RunView
from simulator.tools.contracts import ToolCall

Call = tuple[str, dict[str, Any]]


class Scripted:
    """Calls one tool after another, and ends.

    Args:
        calls: names of tools and their input.
    """

    def __init__(self, calls: Iterable[Call]) -> None:
        self._rest = iter(calls)

    async def next_call(self, view: RunView) -> ToolCall | Finish:
        name, given = next(self._rest, ("", {}))
        return ToolCall(id="call", name=name, input=given) if name else Finish("passed")

    async def aclose(self) -> None:
        pass


def scripted(calls: Iterable[Call]) -> Callable[[object, object, bool], Scripted]:
    """Give what makes such an agent for each user."""
    return lambda aims, performer, all_by_model: Scripted(calls)
