"""An agent that does one thing, given in words, and ends. Not responsible for: the words, or whether it was done."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from simulator.agent.budget import BudgetSpent
from simulator.agent.contracts import Ask, Finish, RunView
from simulator.agent.routine import Routine
from simulator.agent.tool_client import TaskFailed


@runtime_checkable
class Pursuer(Protocol):
    """Does what a text says."""

    async def pursue(self, view: RunView, text: str, ask: Ask) -> str:
        """Do it.

        Raises:
            TaskFailed: it could not be done.
            BudgetSpent: no model may be asked any more.
        """
        ...


class Repairer(Routine):
    """Lets a model do what a text says; its end carries what the model said, or why it gave up.

    Args:
        performer: has the model.
        text: what is to be done.
    """

    def __init__(self, performer: Pursuer, text: str) -> None:
        super().__init__()
        self._performer = performer
        self._text = text

    async def work(self, view: RunView) -> Finish:
        """Do it."""
        try:
            return Finish("passed", await self._performer.pursue(view, self._text, self.ask))
        except TaskFailed as failed:
            return Finish("failed", str(failed) or "no reason was given")
        except BudgetSpent as spent:
            return Finish("failed", str(spent), limit=spent.limit)
