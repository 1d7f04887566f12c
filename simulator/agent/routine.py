"""An agent whose decisions are one coroutine that asks for calls. Not responsible for: what it asks for."""

from __future__ import annotations

import asyncio
import itertools
from abc import ABC, abstractmethod

from pydantic import JsonValue

from simulator.agent.contracts import Finish, RunView
from simulator.tools.contracts import ToolCall, ToolResult


class Routine(ABC):
    """Lets :meth:`work` go on, with each :meth:`next_call`, until it asks for another call."""

    def __init__(self) -> None:
        self._worker: asyncio.Task[Finish] | None = None
        self._asked: asyncio.Future[ToolCall] | None = None
        self._answer: asyncio.Future[ToolResult] | None = None
        self._ids = itertools.count(1)

    @abstractmethod
    async def work(self, view: RunView) -> Finish:
        """Do everything, by :meth:`ask`."""

    async def ask(self, tool: str, input: dict[str, JsonValue], /, id: str = "") -> ToolResult:
        """Have one call made."""
        assert self._asked is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._asked.set_result(ToolCall(id=id or f"call_{next(self._ids)}", name=tool, input=input))
        return await self._answer

    async def next_call(self, view: RunView) -> ToolCall | Finish:
        """Give the next call, or the end."""
        self._asked = asyncio.get_running_loop().create_future()
        if self._worker is None:
            self._worker = asyncio.create_task(self.work(view))
        elif self._answer is not None and view.last is not None:
            self._answer.set_result(view.last)
        await asyncio.wait((self._worker, self._asked), return_when=asyncio.FIRST_COMPLETED)
        return self._asked.result() if self._asked.done() else self._worker.result()

    async def aclose(self) -> None:
        """Drop what is left of the work."""
        if self._worker is not None and not self._worker.done():
            self._worker.cancel()
            await asyncio.wait((self._worker,))
