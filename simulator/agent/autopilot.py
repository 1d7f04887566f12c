"""The autopilot: an agent without a model that does a persona's structured tasks, one after another.

Responsible for the order of the tasks and what follows when one fails. How each is done: ``account``, ``selling``,
``visiting``, ``duels``. It acts through tools only, and finds its way by routes, words and what fields mean. Tasks in
free words are left to a performer, where there is one.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pydantic import JsonValue

from simulator.agent.account import Account
from simulator.agent.aims import Aims
from simulator.agent.budget import BudgetSpent
from simulator.agent.contracts import Ask, Finish, Performer, Progress, RunView, TaskEnded, TaskStarted
from simulator.agent.duels import Duels
from simulator.agent.finding import Finder
from simulator.agent.hands import Hands, TaskFailed, TaskSkipped
from simulator.agent.routine import Routine
from simulator.agent.selling import Selling
from simulator.agent.visiting import Visiting
from simulator.persona.tasks import (
    Browse,
    CreateMatchup,
    DeleteListing,
    Do,
    EditListing,
    ListBooks,
    Login,
    Logout,
    MessageSeller,
    Register,
    SaveListings,
    Task,
    Vote,
)
from simulator.tools.contracts import ToolResult

T = TypeVar("T")


class Autopilot(Routine):
    """Does the structured tasks of a persona.

    Args:
        aims: whom and what this user deals with.
        performer: does tasks in free words; without one they are skipped.
        all_by_model: whether the performer does the structured tasks, too.
    """

    def __init__(self, aims: Aims, performer: Performer | None = None, *, all_by_model: bool = False) -> None:
        super().__init__()
        self._aims = aims
        self._performer = performer
        self._all_by_model = all_by_model

    async def work(self, view: RunView) -> Finish:
        """Do all tasks."""
        return await _Tasks(view, self._aims, self.ask, self._performer, self._all_by_model).work()


class _Tasks:
    """The tasks of one run."""

    def __init__(self, view: RunView, aims: Aims, ask: Ask, performer: Performer | None, all_by_model: bool) -> None:
        self._view = view
        self._aims = aims
        self._ask = ask
        self._performer = performer
        self._all_by_model = all_by_model
        hands = Hands(view, ask)
        self._account = Account(hands)
        self._selling = Selling(hands)
        finder = Finder(hands, aims.number)
        self._visiting = Visiting(hands, finder)
        self._duels = Duels(hands, finder)

    async def work(self) -> Finish:
        """Do all tasks; the end says which failed first."""
        first_failure = ""
        ended = ""
        for index, task in enumerate(self._view.persona.tasks, start=1):
            if ended:
                self._view.tell(TaskEnded(task.deed, index, "skipped", 0.0, ended))
                continue
            try:
                failure = await self._one(task, index)
            except BudgetSpent as spent:
                self._view.tell(TaskEnded(task.deed, index, "failed", 0.0, str(spent)))
                return Finish("failed", str(spent), limit=spent.limit)
            if failure:
                first_failure = first_failure or f"{task.deed}: {failure}"
                if isinstance(task, Register | Login):
                    ended = f"there is no use in it after {task.deed} failed"
        return Finish("failed", first_failure) if first_failure else Finish("passed")

    async def _one(self, task: Task, index: int) -> str:
        """Do a task, and give why it failed; empty when it did not."""
        self._view.tell(TaskStarted(task.deed, index))
        self._view.tell(Progress(task.deed))
        began = time.monotonic()
        try:
            reason = await self._perform(task, index)
        except TaskSkipped as skipped:
            self._view.tell(TaskEnded(task.deed, index, "skipped", time.monotonic() - began, str(skipped)))
        except TaskFailed as failed:
            self._view.tell(TaskEnded(task.deed, index, "failed", time.monotonic() - began, str(failed)))
            return str(failed) or "no reason was given"
        else:
            self._view.tell(TaskEnded(task.deed, index, "done", time.monotonic() - began, reason))
        return ""

    async def _perform(self, task: Task, index: int) -> str:
        aims = self._aims
        if self._performer is not None and (self._all_by_model or isinstance(task, Do)):
            if self._account.opened and not self._all_by_model:
                await self._account.login()
            return await self._performer.perform(self._view, task, index, self._watched)
        if isinstance(task, Do):
            raise TaskSkipped("needs a model")
        if not isinstance(task, Register | Browse | Logout):
            await self._account.login()
        match task:
            case Register():
                await self._account.register()
            case Logout():
                await self._account.logout()
            case Browse():
                await self._visiting.browse(task, index)
            case ListBooks():
                return await self._each(task.deed, task.count, aims.listed[index], self._selling.list_book)
            case EditListing():
                return await self._each(
                    task.deed, task.count, aims.own[index], lambda book: self._selling.edit(book, task.field)
                )
            case DeleteListing():
                return await self._each(task.deed, task.count, aims.own[index], self._selling.delete)
            case SaveListings():
                return await self._each(task.deed, task.count, aims.books[index], self._visiting.save)
            case MessageSeller():
                return await self._each(task.deed, task.count, aims.books[index], self._visiting.write)
            case CreateMatchup():
                return await self._each(task.deed, task.count, aims.pairs[index], self._duels.start)
            case Vote():
                return await self._each(task.deed, task.count, aims.duels[index], self._duels.vote)
        return ""

    async def _watched(self, tool: str, input: dict[str, JsonValue], /, id: str = "") -> ToolResult:
        """Make a call of the performer, and see what it did to the user's account."""
        result = await self._ask(tool, input, id=id)
        self._account.noticed(tool, result)
        return result

    async def _each(self, deed: str, wanted: int, items: Sequence[T], act: Callable[[T], Awaitable[None]]) -> str:
        """Do the parts of a task, also the rest when one fails.

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
                self._view.tell(Progress(f"{deed} {place}/{wanted}"))
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
