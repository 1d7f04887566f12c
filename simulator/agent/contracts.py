"""The contract of an agent: what it sees, what it answers and what it reports. Not responsible for: any agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from pydantic import JsonValue

from simulator.agent.usage import Usage
from simulator.config import Site
from simulator.persona.identity import Identity
from simulator.persona.model import Persona
from simulator.persona.tasks import Task
from simulator.template import ADDRESSES
from simulator.tools.contracts import ToolCall, ToolResult

SpendingLimit = Literal["token_limit", "money_limit", "batch_limit"]
"""Limits that only who asks a model knows of: the persona's two, and those of the batch."""


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """The agent begins a task of the persona."""

    task: str
    index: int
    """Place among the persona's tasks, from 1."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What the agent is at now, in words, such as the task and ``2/3``."""

    label: str


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """A task is over."""

    task: str
    index: int
    status: Literal["done", "failed", "skipped"]
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """Something that others may be waiting for is on the site now."""

    task_type: str
    """The task that makes it."""
    index: int
    """Which one of this user, from 1."""
    address: str = ""
    """Where it is, a template; empty: not known."""


def address_name(task_type: str, index: int) -> str:
    """Give the variable of its user that holds where something is, a template.

    Args:
        task_type: the task that makes it.
        index: which one of the user, from 1.
    """
    return f"{ADDRESSES}{task_type.rpartition('.')[2]}.{index}"


@dataclass(frozen=True, slots=True)
class StepDone:
    """A tool call is over."""

    tool: str
    success: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """A model has answered."""

    model: str
    usage: Usage
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelGivenUp:
    """A request was given up before its answer was there; nobody knows what it used."""

    model: str


@dataclass(frozen=True, slots=True)
class Said:
    """A model has said something beside its tool calls."""

    text: str


@dataclass(frozen=True, slots=True)
class PatienceTried:
    """A task fails again and again, or leads nowhere."""

    reason: str
    ends: bool
    """Whether the task ends; else the model was warned."""


AgentEvent = TaskStarted | Progress | TaskEnded | Made | StepDone | ModelCalled | ModelGivenUp | Said | PatienceTried


@dataclass(frozen=True, slots=True)
class PeerItem:
    """What another user of the batch has made."""

    number: int
    task_type: str
    index: int
    values: Mapping[str, str] = field(default_factory=dict)
    """The other user's variables, as they are bound here: ``user.3.username`` and its value."""


class Peers(Protocol):
    """The other users of the batch."""

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float, known_as: str) -> PeerItem | None:
        """Wait until a user has made something, and bind that user's variables into this run.

        Args:
            number: the user's place in the batch, from 1.
            task_type: the task that makes it.
            index: which one, from 1.
            timeout_s: how long to wait at most, in seconds.
            known_as: the variable by which this run knows it then.

        Returns:
            None when it did not come in time, or the user ended without it.
        """
        ...


@dataclass(frozen=True, slots=True)
class Finish:
    """The agent has nothing more to do."""

    status: Literal["passed", "failed"]
    reason: str = ""
    limit: SpendingLimit | None = None
    """The limit that ended the run, where one did that only the agent knows of."""


@dataclass(frozen=True, slots=True)
class RunView:
    """What an agent sees of its run when it decides."""

    persona: Persona
    identity: Identity
    site: Site
    peers: Peers
    tell: Callable[[AgentEvent], None]
    """Takes what the agent reports of its tasks."""
    shown: Callable[[str], str]
    """Writes a text for a model: values in place of variables; secrets are placeholders."""
    last: ToolResult | None = None
    """What the last call came to; None before the first."""


class Ask(Protocol):
    """Has one call made."""

    async def __call__(self, tool: str, input: dict[str, JsonValue], /, id: str = "") -> ToolResult:
        """Make a call, under an id of its own or one that was given."""
        ...


class TaskPerformer(Protocol):
    """Does single tasks of a persona: those in free words, or all of them."""

    async def perform(self, view: RunView, task: Task, index: int, ask: Ask) -> str:
        """Do a task.

        Args:
            view: the run.
            task: what to get done.
            index: its place among the persona's tasks, from 1.
            ask: makes calls.

        Returns:
            What was done, in words.

        Raises:
            TaskFailed: it could not be done.
            BudgetSpent: the run may ask no model any more.
        """
        ...


class Agent(Protocol):
    """Decides, call by call, what a user does."""

    async def next_call(self, view: RunView) -> ToolCall | Finish:
        """Decide the next call, or end the run."""
        ...

    async def aclose(self) -> None:
        """Let go of what the agent holds; called once, however the run ended."""
        ...
