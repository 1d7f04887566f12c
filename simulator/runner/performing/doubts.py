"""Tells an agent at once what of its call a replay could not find again. Not responsible for: finding that out."""

from __future__ import annotations

from simulator.browser.acting.again import Doubt
from simulator.tools.contracts import AGAIN, Dispatcher, ToolCall, ToolResult

_MOST = 3
"""How many are told of one call."""


class DoubtTellingDispatcher:
    """Adds to a result what of the call could not be found again.

    Args:
        inner: does the calls.
        doubts: grows while they are done.
    """

    def __init__(self, inner: Dispatcher, doubts: list[Doubt]) -> None:
        self._inner = inner
        self._doubts = doubts
        self._told: set[str] = set()

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call; what was told once is not told again."""
        known = len(self._doubts)
        result = await self._inner.dispatch(call)
        new = dict.fromkeys(one.sentence for one in self._doubts[known:] if one.target not in self._told)
        if not new or not result.success:
            return result
        self._told |= {one.target for one in self._doubts[known:]}
        return result.model_copy(update={"metadata": {**result.metadata, AGAIN: list(new)[:_MOST]}})
