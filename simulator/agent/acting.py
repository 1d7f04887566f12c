"""What a pack's tasks are done with. Not responsible for: any of them, or their order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, cast

from simulator.agent.contracts import Progress
from simulator.agent.tool_client import TaskFailed, TaskSkipped, ToolClient
from simulator.domain import TaskBase

T = TypeVar("T")


class Acting:
    """One user's run, as the tasks of one pack see it.

    Args:
        client: the run's tools.
        number: the user's place in the batch, from 1.
        plan: what the pack has planned for this user; None where it plans nothing.
    """

    def __init__(self, client: ToolClient, number: int, plan: object) -> None:
        self.client = client
        self.number = number
        self.plan = plan
        self.index = 0
        """The place of the task in hand among the persona's tasks, from 1."""
        self._parts: dict[object, object] = {}

    def part(self, make: Callable[[Acting], T]) -> T:
        """Give what is made once for a run, such as what the user has for sale.

        Args:
            make: makes it; a class or a function, which distinguishes it from other parts.
        """
        if make not in self._parts:
            self._parts[make] = make(self)
        return cast("T", self._parts[make])

    async def each(self, task: TaskBase, wanted: int, items: Sequence[T], act: Callable[[T], Awaitable[None]]) -> str:
        """Do the parts of a task, also the rest when one fails.

        Args:
            task: the task.
            wanted: how many parts it has.
            items: what they are done with.
            act: does one.

        Returns:
            Why fewer parts than wanted were done; empty when all were.

        Raises:
            TaskFailed: a part failed.
            TaskSkipped: there was nothing to do it with.
        """
        failed: list[str] = []
        short: list[str] = []
        for place, item in enumerate(items, start=1):
            if wanted > 1:
                self.client.view.tell(Progress(f"{task.task_type} {place}/{wanted}"))
            try:
                await act(item)
            except TaskFailed as failure:
                failed.append(str(failure))
            except TaskSkipped as skipped:
                short.append(str(skipped))
        done = len(items) - len(failed) - len(short)
        if failed:
            said = "; ".join(dict.fromkeys(failed))
            raise TaskFailed(f"{len(failed)} of {wanted}: {said}" if wanted > 1 else said)
        if done == wanted:
            return ""
        why = next(iter(short), "there is nothing more to do it with")
        if not done:
            raise TaskSkipped(why)
        return f"{done} of {wanted}: {why}"
