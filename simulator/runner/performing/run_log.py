"""What the agent of one run reports: kept for its outcome, and handed on as events. Not responsible for: storing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from simulator.agent.contracts import (
    AgentEvent,
    Made,
    ModelCalled,
    ModelGivenUp,
    PatienceTried,
    Progress,
    Said,
    StepDone,
    TaskEnded,
    TaskStarted,
)
from simulator.agent.models.prices import Cost
from simulator.runner import events
from simulator.runner.spending import Budget, Spending
from simulator.runner.stop import Stop


@dataclass(slots=True)
class RunLog:
    """Follows what the agent reports, for the outcome and for the listener."""

    number: int
    listener: events.Listener
    made: Callable[[str, int, str], None]
    shown: Callable[[str], str]
    """Writes a text for people, without secrets."""
    texts: Sequence[str] = ()
    """The free words of each task."""
    last_step: Callable[[], str] = lambda: ""
    label: str | None = None
    labelled: Callable[[], None] = lambda: None
    """Called when the agent begins something, by :attr:`label`; it has done nothing of that yet."""
    noted: Callable[[Mapping[str, object]], None] = lambda _: None
    """Keeps in the recording how far the tasks have come."""
    calls: int = 0
    ends: list[int] = field(default_factory=list)
    """How many calls had been made when each task ended."""
    tasks: list[events.TaskOutcome] = field(default_factory=list)
    budget: Budget = field(default_factory=lambda: Budget(Stop()))
    spent: Spending = field(default_factory=Spending)

    def tell(self, event: AgentEvent) -> None:
        """Take in what the agent reports."""
        match event:
            case TaskStarted(task, index):
                self.label = task
                self.labelled()
                self.listener(events.TaskStarted(self.number, task, index, self.texts[index - 1]))
            case Progress(label):
                self.label = label
                self.labelled()
            case TaskEnded(task, _, status, seconds, reason):
                told = self.shown(reason)
                self.tasks.append(events.TaskOutcome(task, status, seconds, told))
                self.ends.append(self.calls)
                self.noted(self.summary())
                self.listener(events.TaskEnded(self.number, task, status, seconds, told))
            case StepDone(tool, success, seconds):
                self.calls += 1
                self.listener(events.StepDone(self.number, tool, success, seconds, self.last_step()))
            case Made(task_type, index, address):
                self.made(task_type, index, address)
            case ModelCalled(model, usage, seconds):
                self.spent += self.budget.called(model, usage)
                self.listener(events.ModelCalled(self.number, model, usage, seconds))
            case ModelGivenUp(model):
                self.spent += Spending(1, (model,), cost=Cost(unknown_calls=1))
            case Said(text):
                self.listener(events.AgentSaid(self.number, self.shown(text)))
            case PatienceTried(reason, ends):
                self.listener(events.LimitReached(self.number, "patience", self.shown(reason), ends))

    @property
    def at(self) -> tuple[int, str | None]:
        """Give what the agent is at, distinguished from what it was at before: two tasks may be called alike."""
        return len(self.tasks), self.label

    def summary(self) -> dict[str, object]:
        """Say how far the tasks have come, for the run's summary."""
        return {"tasks": [[one.task, one.status, one.reason] for one in self.tasks], "ends": list(self.ends)}
