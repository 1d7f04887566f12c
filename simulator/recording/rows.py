"""What a recording gives back: one frozen value for each row. Not responsible for: reading them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from simulator.browser.evidence import Choice, Target
from simulator.browser.sink import ActionKind, PageState, Settled

RunKind = Literal["record", "replay", "heal", "import", "cleanup"]
Origin = Literal["agent", "human", "mcp"]
RunStatus = Literal["running", "passed", "failed", "interrupted", "cancelled"]
StepStatus = Literal["pending", "done", "failed", "interrupted"]
ActionStatus = Literal["pending", "done", "failed", "cancelled", "interrupted"]
VariableKind = Literal["identity", "book", "secret", "file", "clock", "site", "text"]
StepReplay = Literal["actions", "result", "call", "skip"]


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One invocation that made runs."""

    id: str
    kind: RunKind
    status: RunStatus
    """``interrupted`` also where it was running when its process died."""
    argv: tuple[str, ...]
    seed: str
    settings: dict[str, Any]
    source_batch: str | None
    """The batch that was replayed."""
    source_path: str | None
    """Name of the file that was replayed."""
    started_at: str
    """Wall time, UTC, ISO 8601 with milliseconds, such as ``2026-05-04T10:11:12.345Z``."""
    ended_at: str | None
    runs: int
    """How many runs it has."""
    change: int


@dataclass(frozen=True, slots=True)
class RunRow:
    """What one persona instance did."""

    id: str
    batch_id: str
    number: int
    """Place in the batch; the instance number of its identity."""
    kind: RunKind
    origin: Origin
    agent: str | None
    persona: str | None
    label: str | None
    site: str
    identity: dict[str, Any] | None
    environment: dict[str, Any]
    key_fingerprint: str | None
    source_run: str | None
    """The run that was replayed or healed."""
    revision: int
    status: RunStatus
    """``interrupted`` also where it was running when its process died."""
    verdict: str | None
    reason: str | None
    summary: dict[str, Any] | None
    started_at: str
    ended_at: str | None
    started_ns: int
    ended_ns: int | None
    steps: int
    """How many steps it has."""
    change: int

    @property
    def ending(self) -> str:
        """How it ended, and why where that was told."""
        return f"{self.status}: {self.reason}" if self.reason else self.status

    @property
    def original(self) -> str:
        """Id of the first revision of the run: its own where it is none or a replay."""
        return self.id if self.kind == "replay" or self.source_run is None else self.source_run


@dataclass(frozen=True, slots=True)
class ActorRow:
    """An identity with its own browser context inside a run."""

    id: str
    run_id: str
    ordinal: int
    name: str
    identity: dict[str, Any] | None
    context: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class StepRow:
    """One recorded dispatch call."""

    id: str
    run_id: str
    ordinal: int
    """Place in the run, from 0."""
    batch_ordinal: int
    """Place in the batch over all its runs, from 0."""
    tool: str | None
    call_id: str | None
    replay: StepReplay
    task: str | None
    input: dict[str, Any]
    """The call's arguments as templates."""
    withheld: bool
    """A typed text was left out of :attr:`input`."""
    success: bool | None
    result: Any
    error_type: str | None
    error_message: str | None
    images: tuple[tuple[str, str], ...]
    """(SHA-256, media type) of the pictures it gave back."""
    metadata: dict[str, Any]
    flags: dict[str, Any]
    status: StepStatus
    """``interrupted`` also where it was pending when its process died."""
    started_at: str
    ended_at: str | None
    started_ns: int
    ended_ns: int | None
    change: int


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One browser operation inside a step."""

    id: str
    step_id: str
    ordinal: int
    """Place in the step, from 0."""
    actor: str
    """Name of the actor."""
    kind: ActionKind
    target: Target | None
    value: str | None
    """A template; of an upload the blob's SHA-256."""
    recorded_value: str | None
    """The template rendered; None for secrets."""
    aim: Literal["exact", "choice"]
    choice: Choice | None
    options: dict[str, Any]
    status: ActionStatus
    """``interrupted`` also where it was pending when its process died."""
    settled: Settled | None
    before: PageState | None
    after: PageState | None
    error: str | None
    started_at: str
    ended_at: str | None
    started_ns: int
    ended_ns: int | None
    change: int


@dataclass(frozen=True, slots=True)
class ExchangeRow:
    """One HTTP request and its answer."""

    id: str
    run_id: str
    step_id: str | None
    action_id: str | None
    """The action that caused it; None where none had been done before."""
    actor: str | None
    """Name of the actor whose browser sent it."""
    ordinal: int
    """Order of sending within the run, from 0."""
    initiator: str
    redirect_of: str | None
    """The exchange whose answer led here."""
    method: str
    url: str
    """A template; relative where it is on the site."""
    request_headers: tuple[tuple[str, str], ...]
    request_parts: tuple[dict[str, Any], ...] | None
    request_body: str | None
    """SHA-256 of the body where it has no parts."""
    status: int
    """0 where no answer came."""
    response_headers: tuple[tuple[str, str], ...]
    response_body: str | None
    """SHA-256, where it was kept."""
    error: str | None
    timings: dict[str, float]
    """Milliseconds since it began, by phase."""
    started_at: str
    started_ns: int


@dataclass(frozen=True, slots=True)
class LlmCallRow:
    """One request to a model and its answer."""

    id: str
    run_id: str
    step_id: str | None
    """The first step that the answer led to."""
    ordinal: int
    """Place in the run, from 0."""
    provider: str
    model: str
    request: str
    """SHA-256 of its difference to the request before."""
    request_hash: str
    """Hash of the whole request."""
    response: str | None
    """SHA-256 of the answer; None where none came."""
    usage: dict[str, int] | None
    """Tokens by kind; none where the answer was given back from a recording. None where there is no answer."""
    error: str | None
    status: StepStatus
    """``interrupted`` also where it was pending when its process died."""
    started_at: str
    ended_at: str | None
    started_ns: int
    ended_ns: int | None


@dataclass(frozen=True, slots=True)
class VariableRow:
    """A value in a run that is not a constant."""

    run_id: str
    name: str
    kind: VariableKind
    value: str | None
    """None for a secret."""
    step_id: str | None
    """The step that minted it; None where it was known before."""
    action_id: str | None


@dataclass(frozen=True, slots=True)
class VariableUseRow:
    """Where a template names a variable."""

    step_id: str
    action_id: str | None
    """None: in the call's input."""
    place: Literal["input", "value", "target"]
    name: str
    """As written, derived form included."""


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """A step used what another run's step produced."""

    run_id: str
    """The run of the step that needs it."""
    step_id: str
    producer_run: str
    producer_step: str | None
    name: str
    """The variable that carries it."""


@dataclass(frozen=True, slots=True)
class CreatedRow:
    """Something that was made on the site."""

    id: str
    run_id: str
    step_id: str
    ordinal: int
    kind: str
    url: str
    """A template: where it can be read back."""
    fields: dict[str, str]
    """What it was given, as templates."""
    status: Literal["live", "removed"]
    change: int
