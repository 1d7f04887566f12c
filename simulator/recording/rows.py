"""What a recording gives back: one frozen value for each row, and the type of each of its columns.

Every row is checked against these types when it is read. Not responsible for: reading rows (``parsing``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, TypeAdapter

from simulator.browser.action_recorder import ActionKind, PageState, Settled
from simulator.browser.effects.model import By, Carried, Initiator, Kind, KnownThing, Strength
from simulator.browser.evidence import Choice, Target
from simulator.browser.operations import Options
from simulator.meaning import Likeness
from simulator.recording.documents import (
    Amount,
    Context,
    Environment,
    Flags,
    Identity,
    Json,
    Metadata,
    Moment,
    Number,
    Object,
    Part,
    Picture,
    Settings,
    Summary,
    Whole,
)

RunKind = Literal["record", "replay", "heal", "import", "cleanup"]
Origin = Literal["agent", "human", "mcp"]
RunStatus = Literal["running", "passed", "failed", "interrupted", "cancelled"]
StepStatus = Literal["pending", "done", "failed", "interrupted"]
ActionStatus = Literal["pending", "done", "failed", "cancelled", "interrupted"]
VariableKind = Literal["identity", "book", "secret", "file", "clock", "site", "text"]
StepReplay = Literal["actions", "result", "call", "skip"]
Id = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{1,64}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(max_length=1000)]
Status = Annotated[int, Field(ge=0, le=999, strict=True)]
"""Of HTTP; 0: there was no answer."""
Nanoseconds = Annotated[int, Field(strict=True)]
"""Of a monotonic clock."""

Stored = Annotated[bytes, Field(strict=True)]
"""Of a blob, as it is stored."""

_PICTURES = TypeAdapter(list[Picture])


def _pictures(value: object) -> tuple[tuple[str, str], ...]:
    pictures = _PICTURES.validate_python([] if value is None else value)
    return tuple((one["sha256"], one["media_type"]) for one in pictures)


@dataclass(frozen=True, slots=True)
class BatchRow:
    """One invocation that made runs."""

    id: Id
    kind: RunKind
    status: RunStatus
    """``interrupted`` also where it was running when its process died."""
    argv: tuple[str, ...]
    seed: str
    settings: Settings
    source_batch: Id | None
    """The batch that was replayed."""
    source_path: str | None
    """Name of the file that was replayed."""
    started_at: Moment
    """Wall time, UTC, ISO 8601 with milliseconds, such as ``2026-05-04T10:11:12.345Z``."""
    ended_at: Moment | None
    runs: Number
    """How many runs it has."""
    change: Whole


@dataclass(frozen=True, slots=True)
class RunRow:
    """What one persona instance did."""

    id: Id
    batch_id: Id
    number: Number
    """Place in the batch; the instance number of its identity."""
    kind: RunKind
    origin: Origin
    agent: str | None
    persona: Name | None
    label: str | None
    site: Name
    identity: Identity | None
    environment: Environment
    key_fingerprint: str | None
    source_run: Id | None
    """The run that was replayed or healed."""
    revision: Number
    status: RunStatus
    """``interrupted`` also where it was running when its process died."""
    verdict: str | None
    reason: str | None
    summary: Summary | None
    started_at: Moment
    ended_at: Moment | None
    started_ns: Nanoseconds
    ended_ns: Nanoseconds | None
    steps: Number
    """How many steps it has."""
    change: Whole

    @property
    def ending(self) -> str:
        """How it ended, and why where that is known."""
        return f"{self.status}: {self.reason}" if self.reason else self.status

    @property
    def proven(self) -> tuple[str, ...]:
        """The identity policies under which a second performance showed the same effects."""
        return tuple(sorted((self.summary or {}).get("proofs", {})))

    @property
    def known_as(self) -> int:
        """The number by which others know its user: its own, or in a population that of the recorded user."""
        cast = self.environment.get("cast")
        return cast["number"] if cast else self.number

    @property
    def copy(self) -> int | None:
        """Which copy of a cast its user belongs to, 0 for one that all share; None where it is no population's."""
        cast = self.environment.get("cast")
        return cast["copy"] if cast else None

    @property
    def original(self) -> str:
        """Id of the first revision of the run: its own where it is not one or a replay."""
        return self.id if self.kind == "replay" or self.source_run is None else self.source_run


@dataclass(frozen=True, slots=True)
class ActorRow:
    """An identity with its own browser context inside a run."""

    id: Id
    run_id: Id
    ordinal: Number
    name: Name
    identity: Identity | None
    context: Context | None


@dataclass(frozen=True, slots=True)
class StepRow:
    """One recorded dispatch call."""

    id: Id
    run_id: Id
    ordinal: Number
    """Place in the run, from 0."""
    batch_ordinal: Number
    """Place in the batch over all its runs, from 0."""
    tool: str | None
    call_id: str | None
    replay: StepReplay
    task: str | None
    input: Object
    """The call's arguments as templates."""
    withheld: bool
    """A typed text was left out of :attr:`input`."""
    success: bool | None
    result: Json
    error_type: str | None
    error_message: str | None
    images: Annotated[tuple[tuple[str, str], ...], BeforeValidator(_pictures)]
    """(SHA-256, media type) of the pictures it gave back."""
    metadata: Metadata
    flags: Flags
    status: StepStatus
    """``interrupted`` also where it was pending when its process died."""
    started_at: Moment
    ended_at: Moment | None
    started_ns: Nanoseconds
    ended_ns: Nanoseconds | None
    change: Whole


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One browser operation inside a step."""

    id: Id
    step_id: Id
    ordinal: Number
    """Place in the step, from 0."""
    actor: Name
    """Name of the actor."""
    kind: ActionKind
    target: Target | None
    value: str | None
    """A template. What an upload holds stands in :attr:`options`, as the blob's SHA-256."""
    recorded_value: str | None
    """The template rendered; None for secrets."""
    aim: Literal["exact", "choice"]
    choice: Choice | None
    options: Options
    status: ActionStatus
    """``interrupted`` also where it was pending when its process died."""
    settled: Settled | None
    before: PageState | None
    after: PageState | None
    error: str | None
    started_at: Moment
    ended_at: Moment | None
    started_ns: Nanoseconds
    ended_ns: Nanoseconds | None
    change: Whole


@dataclass(frozen=True, slots=True)
class ExchangeRow:
    """One HTTP request and its answer."""

    id: Id
    run_id: Id
    step_id: Id | None
    action_id: Id | None
    """The action that caused it; None where none had been done before."""
    actor: Name | None
    """Name of the actor whose browser sent it."""
    ordinal: Number
    """Order of sending within the run, from 0."""
    initiator: str
    redirect_of: Id | None
    """The exchange whose answer led here."""
    method: str
    url: str
    """A template; relative where it is on the site."""
    request_headers: tuple[tuple[str, str], ...]
    request_parts: tuple[Part, ...] | None
    request_body: Sha256 | None
    """SHA-256 of the body where it has no parts."""
    status: Status
    """0 where no answer came."""
    response_headers: tuple[tuple[str, str], ...]
    response_body: Sha256 | None
    """SHA-256, where it was kept."""
    error: str | None
    timings: dict[str, Amount]
    """Milliseconds since it began, by phase."""
    started_at: Moment
    started_ns: Nanoseconds


@dataclass(frozen=True, slots=True)
class LlmCallRow:
    """One request to a model and its answer."""

    id: Id
    run_id: Id
    step_id: Id | None
    """The first step that the answer led to."""
    ordinal: Number
    """Place in the run, from 0."""
    provider: str
    model: str
    request: Sha256
    """SHA-256 of its difference to the request before."""
    request_hash: str
    """Hash of the whole request."""
    response: Sha256 | None
    """SHA-256 of the answer; None where none came."""
    usage: dict[str, Whole] | None
    """Tokens by kind; none where the answer was given back from a recording. None where there is no answer."""
    error: str | None
    status: StepStatus
    """``interrupted`` also where it was pending when its process died."""
    started_at: Moment
    ended_at: Moment | None
    started_ns: Nanoseconds
    ended_ns: Nanoseconds | None


@dataclass(frozen=True, slots=True)
class VariableRow:
    """A value in a run that is not a constant."""

    run_id: Id
    name: Name
    kind: VariableKind
    value: str | None
    """None for a secret."""
    step_id: Id | None
    """The step that generated it; None where it was known before."""
    action_id: Id | None


@dataclass(frozen=True, slots=True)
class VariableUseRow:
    """Where a template names a variable."""

    step_id: Id
    action_id: Id | None
    """None: in the call's input."""
    place: Literal["input", "value", "target"]
    name: Name
    """As written, derived form included."""


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """A step used what another run's step produced."""

    run_id: Id
    """The run of the step that needs it."""
    step_id: Id
    producer_run: Id
    producer_step: Id | None
    name: Name
    """The variable that carries it."""


@dataclass(frozen=True, slots=True)
class CreatedRow:
    """Something that was made on the site."""

    id: Id
    run_id: Id
    step_id: Id
    ordinal: Number
    kind: str
    url: str
    """A template: where it can be read back."""
    fields: dict[str, str]
    """What it was given, as templates."""
    status: Literal["live", "removed"]
    change: Whole


@dataclass(frozen=True, slots=True)
class WriteRow:
    """A request that can change the site."""

    id: Id
    run_id: Id
    action_id: Id
    """The action during which it was sent."""
    ordinal: Number
    """Place among the writes of its action, from 0."""
    initiator: Initiator
    method: Name
    url: str
    """A template."""
    operation: Name
    status: Status
    leads_to: str
    """A template: where the answer sent the browser."""
    carried: tuple[Carried, ...]
    """What it held of the user's input; nothing, and no effect: it is incidental."""


@dataclass(frozen=True, slots=True)
class EffectRow:
    """What was seen of a write: an input, a state, a thing that is there or gone."""

    id: Id
    run_id: Id
    action_id: Id
    """The action after which it was seen."""
    ordinal: Number
    """Place among the effects of that action, from 0."""
    write_id: Id
    input_id: Id
    """The action that put it in; of other kinds than an echo, the one that pressed."""
    kind: Kind
    strength: Strength
    likeness: Likeness
    url: str
    """A template: the document that shows it, or shows it no more."""
    by: By
    label: str
    keyed: bool
    looked: bool
    thing: KnownThing
    was: str
    """Of a state: the control before."""
    shows: str
    """Of a state: the control since then; or the fields of the thing's form that held what was sent, or the words that
    had come to the thing's card, a line each. Of an echo: a name of its user that stands in the same card, or with it
    on the page of its thing."""
    spot: str
    """Names a place that was there when the document was asked for once more; empty where nobody knows that."""

    @property
    def of_form(self) -> tuple[str, ...]:
        """The names of the fields, where it says what a form or page of the thing showed of its form: no proof."""
        return tuple(self.shows.split("\n")) if self.kind == "state" and self.by in ("field", "label") else ()

    @property
    def came_with(self) -> bool:
        """Whether it says what a form sent of a list or a box that its user left as it came; the field is the label."""
        return self.strength == "shown" and bool(self.of_form)

    @property
    def is_of_card(self) -> bool:
        """Whether it says how a thing stands by words of its card, while the control stands as before."""
        return self.kind == "state" and self.by == "card"


@dataclass(frozen=True, slots=True)
class BlobRow:
    """Bytes that are stored once by their hash."""

    sha256: Sha256
    media_type: Name
    size: Whole
    encoding: Literal["identity", "zlib"]
    bytes: Stored


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """A program that wrote in the recording."""

    id: Id
    pid: Annotated[int, Field(ge=1, lt=2**31, strict=True)]
    birth: Name
    boot: Name
    space: Name
