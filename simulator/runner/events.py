"""What happens while a batch runs or is replayed, and what came of it, as values. Not responsible for: showing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from simulator.agent.usage import Usage
from simulator.browser.effects.model import WriteProof
from simulator.errors import ToolErrorType
from simulator.replay.checks import Check
from simulator.replay.drift import DriftReport, Verdict
from simulator.replay.healing import Heal
from simulator.runner.repairs.repair import Repair
from simulator.runner.spending import Spending

RunStatus = Literal["passed", "failed", "interrupted"]
Mode = Literal["strict", "heal", "agent"]
"""Of a replay: what it does where strict evidence does not prove its element."""
TaskStatus = Literal["done", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class BatchStarted:
    """A batch is about to run, or to be replayed."""

    batch_id: str
    total: int
    """Its users."""
    concurrency: int
    """How many of them act at once."""
    seed: str
    site: str
    """Section of ``sim.toml``."""
    base_url: str


@dataclass(frozen=True, slots=True)
class RunStarted:
    """One user starts."""

    number: int
    """The user's place in the batch, from 1."""
    run_id: str
    persona: str
    username: str
    tasks: int
    """How many there are; of a replay, its steps."""
    agent: str = ""
    """Who decides; empty for a replay."""


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A user begins a task."""

    number: int
    task: str
    """What kind of task, such as ``register``; ``do`` for one in free words."""
    index: int
    """Its place among the persona's tasks, from 1."""
    text: str = ""
    """The free words."""


@dataclass(frozen=True, slots=True)
class TaskEnded:
    """A user has ended a task."""

    number: int
    task: str
    status: TaskStatus
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool is about to be called. It says what the recording does by now, and so no secret."""

    number: int
    step_id: str
    tool: str
    input: Mapping[str, JsonValue]
    """As a template. What is typed into a field is null: only the field shows whether it is a secret."""


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """A tool has given its result; the recording holds the whole of it."""

    number: int
    step_id: str
    tool: str
    success: bool
    characters: int
    """Length of the data as JSON."""
    images: int
    error_type: ToolErrorType | None = None
    error: str = ""
    """What the agent reads of it."""


@dataclass(frozen=True, slots=True)
class StepDone:
    """A tool call, or a replayed step, is over."""

    number: int
    tool: str
    success: bool
    seconds: float
    step_id: str = ""


@dataclass(frozen=True, slots=True)
class AgentSaid:
    """What a model said beside its tool calls."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """A model has answered a request."""

    number: int
    model: str
    usage: Usage
    """Tokens of this request."""
    seconds: float


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A bound of a run was met: a limit of its persona, or the user's patience with a task that leads nowhere."""

    number: int
    limit: str
    """How the run ends: ``step_limit``, ``time_limit``, ``token_limit`` and the like; or ``patience``, of one task."""
    reason: str
    ends: bool
    """Whether it ended something; else the agent was warned."""


@dataclass(frozen=True, slots=True)
class RunEnded:
    """One user is done."""

    number: int
    run_id: str
    status: RunStatus
    reason: str = ""
    verdict: Verdict | None = None
    """Of a replay: how it compares with what was recorded."""


@dataclass(frozen=True, slots=True)
class BatchEnded:
    """Every user is done, or the batch was stopped."""

    status: RunStatus


Event = (
    BatchStarted
    | RunStarted
    | TaskStarted
    | TaskEnded
    | ToolCalled
    | ToolAnswered
    | StepDone
    | AgentSaid
    | ModelCalled
    | LimitReached
    | RunEnded
    | BatchEnded
)
Listener = Callable[[Event], None]
"""Called in the event loop for every event, so it must be quick. What it raises breaks nothing: see ``delivery``."""


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What came of one task."""

    task: str
    status: TaskStatus
    seconds: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """What came of one recorded user."""

    number: int
    run_id: str
    persona: str
    username: str
    status: RunStatus
    reason: str
    tasks: tuple[TaskOutcome, ...]
    steps: int
    seconds: float
    spending: Spending = field(default_factory=Spending)
    """What was asked of models."""
    writes: tuple[WriteProof, ...] = ()
    """What it sent that carried inputs, and what of them was not seen again."""
    not_found_again: tuple[str, ...] = ()
    """What it acted on, and a replay could not find again, with the reason."""
    unfinished: bool = False
    """Whether it was cut off, and can go on: by a person, a limit, a browser that died, a model that was away."""


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What came of a batch."""

    batch_id: str
    db: Path
    seed: str
    site: str
    base_url: str
    runs: tuple[RunOutcome, ...]
    seconds: float
    blocked: tuple[str, ...] = ()
    """URLs that the network policy refused."""
    cancelled: int = 0
    """Users who had not begun when the batch ended."""
    reason: str = ""
    """Why it ended early, where no person ended it."""
    spending: Spending = field(default_factory=Spending)
    """What all users together asked of models."""
    by_persona: dict[str, Spending] = field(default_factory=dict)
    """The same for each persona that asked any."""
    made: dict[str, int] = field(default_factory=dict)
    """What the bundled site holds of the batch's users now, by kind; empty for other sites."""
    interrupted: bool = False
    lost_events: Mapping[str, int] = field(default_factory=dict)
    """Events that did not get to somebody who listened, by who that was."""


@dataclass(frozen=True, slots=True)
class ReplayedRun:
    """What came of replaying one run."""

    number: int
    source_run: str
    run_id: str
    persona: str
    username: str
    verdict: Verdict
    drift: DriftReport | None
    steps: int
    actions: int
    seconds: float
    heals: tuple[Heal, ...] = ()
    repairs: tuple[Repair, ...] = ()
    """What a model did instead of recorded steps."""
    skipped: tuple[str, ...] = ()
    """What was only dismissed when it was recorded, and was not there."""
    turned: tuple[str, ...] = ()
    """What stood on another page of a list."""
    errors: tuple[str, ...] = ()
    """What went wrong in scripts of pages where it had not when they were recorded. It fails no run by itself."""
    checks: Mapping[Check, int] = field(default_factory=dict)
    """How often what was compared with the recording (:data:`simulator.replay.checks.Check`)."""
    writes: tuple[WriteProof, ...] = ()
    """What it sent that carried inputs, and what of them was not seen again."""
    before_effects: bool = False
    """Whether the recording is from before it was observed what writes do: nothing of that was required."""
    revision: str = ""
    """The revision that what was healed or repaired has become; empty where there is none."""
    quarantined: str = ""
    """Why its drift does not count; empty where it does."""
    cut_short: str = ""
    """How the recorded run had ended where it had not passed: only what it had done by then is performed."""

    @property
    def drifted(self) -> bool:
        """Whether it did something else than was recorded."""
        return self.verdict not in ("passed", "healed", "repaired")


@dataclass(frozen=True, slots=True)
class CastCount:
    """How often a cast was dealt."""

    personas: tuple[str, ...]
    """Of its users."""
    copies: int


@dataclass(frozen=True, slots=True)
class Seeded:
    """What a seeding came to, beside what each of its users did."""

    asked: int
    """How many users there were to be."""
    first: int
    """Number of the first user that was to be made."""
    planned: int
    """How many users were to be made, in whole casts."""
    seed: str
    """What they are drawn from."""
    casts: tuple[CastCount, ...]
    shared: tuple[str, ...]
    """Personas of those who are performed once for all."""
    left_over: int
    """How many of those that were asked for make no whole cast."""
    passed: int
    """How many did all that was recorded."""
    there: int
    """How many of an earlier seeding did, and are counted."""
    earlier: tuple[str, ...]
    """The batches of those."""
    cut_off: int
    """How many were stopped in the middle, those of an earlier seeding included."""
    not_begun: int
    halted: str
    """Why nobody else began; empty where all did."""


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """What came of a replay."""

    batch_id: str
    db: Path
    source: Path
    site: str
    base_url: str
    identity: Literal["same", "fresh", "reuse"]
    runs: tuple[ReplayedRun, ...]
    seconds: float
    mode: Mode = "strict"
    state_before: str | None = None
    """Hash of the recorded site state, where the recording holds one and it can be compared."""
    state_after: str | None = None
    """Hash of the site's state after the replay; None where the site does not give it."""
    blocked: tuple[str, ...] = ()
    """URLs that the network policy refused."""
    interrupted: bool = False
    lost_events: Mapping[str, int] = field(default_factory=dict)
    """Events that did not get to somebody who listened, by who that was."""
    shard: str = ""
    """Which share of the runs it was, such as ``2/5``; empty for all of them."""
    workers: int = 1
    """How many sites it acted on."""
    reason: str = ""
    """Why it ended early; empty where it did not, or where a person asked for that."""
    quarantine_unused: tuple[str, ...] = ()
    """Names in the quarantine list that mean none of the runs."""
    seeded: Seeded | None = None
    """What was made of the recorded users; None where every run was performed once."""

    @property
    def lost_site(self) -> bool:
        """Whether it ended early because the site does not answer any more."""
        return bool(self.reason) and any(run.verdict == "environment" for run in self.runs)

    @property
    def passed(self) -> bool:
        """Whether every run that counts passed, and the end state is the recorded one where both are known."""
        runs = not any(run.drifted and not run.quarantined for run in self.runs) and not self.interrupted
        runs = runs and not (self.seeded and self.seeded.halted)
        return runs and (self.state_before is None or self.state_before == self.state_after)
