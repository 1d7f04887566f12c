"""The autopilot: an agent without a model that does a persona's structured tasks, one after another.

Responsible for the order of the tasks and what follows when one fails. How each is done: ``account``, ``site_things``,
and the packs in use. It acts through tools only, and finds its way by routes, words and what fields mean. Tasks in free
words are left to a performer, where there is one.
"""

from __future__ import annotations

import time

from pydantic import JsonValue

from simulator.agent.account import Account
from simulator.agent.acting import Acting
from simulator.agent.budget import BudgetSpent
from simulator.agent.contracts import Ask, Finish, Progress, RunView, TaskEnded, TaskPerformer, TaskStarted
from simulator.agent.interactions import InteractionPlan
from simulator.agent.routine import Routine
from simulator.agent.site_things.performing import SiteThings
from simulator.agent.tool_client import TaskFailed, TaskSkipped, ToolClient
from simulator.domain import packs_in_use
from simulator.domain.tasks import ForeignTask
from simulator.persona.tasks import Do, Login, Logout, Register, Task, Visit
from simulator.persona.thing_tasks import ThingTask
from simulator.tools.contracts import ToolResult


class Autopilot(Routine):
    """Does the structured tasks of a persona.

    Args:
        interactions: whom and what this user deals with.
        performer: does tasks in free words; without one they are skipped.
        all_by_model: whether the performer does the structured tasks, too.
    """

    def __init__(
        self, interactions: InteractionPlan, performer: TaskPerformer | None = None, *, all_by_model: bool = False
    ) -> None:
        super().__init__()
        self._interactions = interactions
        self._performer = performer
        self._all_by_model = all_by_model

    async def work(self, view: RunView) -> Finish:
        """Do all tasks."""
        return await _Tasks(view, self._interactions, self.ask, self._performer, self._all_by_model).work()


class _Tasks:
    """The tasks of one run."""

    def __init__(
        self,
        view: RunView,
        interactions: InteractionPlan,
        ask: Ask,
        performer: TaskPerformer | None,
        all_by_model: bool,
    ) -> None:
        self._view = view
        self._interactions = interactions
        self._ask = ask
        self._performer = performer
        self._all_by_model = all_by_model
        self._client = ToolClient(view, ask)
        self._account = Account(self._client)
        self._acting: dict[str, Acting] = {}
        self._things: tuple[Acting, SiteThings] | None = None

    async def work(self) -> Finish:
        """Do all tasks; the end says which failed first."""
        first_failure = ""
        ended = ""
        for index, task in enumerate(self._view.persona.tasks, start=1):
            if ended:
                self._view.tell(TaskEnded(task.task_type, index, "skipped", 0.0, ended))
                continue
            try:
                failure = await self._one(task, index)
            except BudgetSpent as spent:
                self._view.tell(TaskEnded(task.task_type, index, "failed", 0.0, str(spent)))
                return Finish("failed", str(spent), limit=spent.limit)
            if failure:
                first_failure = first_failure or f"{task.task_type}: {failure}"
                if isinstance(task, Register | Login):
                    ended = f"there is no use in it after {task.task_type} failed"
        return Finish("failed", first_failure) if first_failure else Finish("passed")

    async def _one(self, task: Task, index: int) -> str:
        """Do a task, and give why it failed; empty when it did not."""
        self._view.tell(TaskStarted(task.task_type, index))
        self._view.tell(Progress(task.task_type))
        began = time.monotonic()
        try:
            reason = await self._perform(task, index)
        except TaskSkipped as skipped:
            self._view.tell(TaskEnded(task.task_type, index, "skipped", time.monotonic() - began, str(skipped)))
        except TaskFailed as failed:
            self._view.tell(TaskEnded(task.task_type, index, "failed", time.monotonic() - began, str(failed)))
            return str(failed) or "no reason was given"
        else:
            self._view.tell(TaskEnded(task.task_type, index, "done", time.monotonic() - began, reason))
        return ""

    async def _perform(self, task: Task, index: int) -> str:
        if self._performer is not None and (self._all_by_model or isinstance(task, Do)):
            if self._account.opened and not self._all_by_model:
                await self._account.login()
            return await self._performer.perform(self._view, task, index, self._watched)
        if isinstance(task, Do):
            raise TaskSkipped("needs a model")
        if isinstance(task, ForeignTask):
            raise TaskFailed("no pack in use has this task; name its pack in 'packs' of sim.toml")
        if isinstance(task, ThingTask) and task.needs_login:
            await self._account.login_where_offered()
        elif task.needs_login:
            await self._account.login()
        match task:
            case Register():
                await self._account.register()
            case Login():
                pass
            case Logout():
                await self._account.logout()
            case Visit(path=path):
                await self._client.visit(path)
            case ThingTask():
                return await self._with_things(task, index)
            case _:
                return await self._by_pack(task, index)
        return ""

    async def _with_things(self, task: ThingTask, index: int) -> str:
        """Do a task that every site has for its things."""
        if self._things is None:
            acting = Acting(self._client, self._interactions.number, self._interactions.things)
            self._things = (acting, SiteThings(acting))
        acting, things = self._things
        acting.index = index
        return await things.perform(task)

    async def _by_pack(self, task: Task, index: int) -> str:
        """Have a task done by the pack that it is of."""
        pack = next(pack for pack in packs_in_use() if type(task) in pack.tasks)
        if pack.name not in self._acting:
            plan = self._interactions
            self._acting[pack.name] = Acting(self._client, plan.number, plan.by_pack.get(pack.name))
        acting = self._acting[pack.name]
        acting.index = index
        return await pack.performers()[type(task)](acting, task)

    async def _watched(self, tool: str, input: dict[str, JsonValue], /, id: str = "") -> ToolResult:
        """Make a call of the performer, and see what it did to the user's account."""
        result = await self._ask(tool, input, id=id)
        self._account.noticed(tool, result)
        return result
