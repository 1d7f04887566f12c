"""What a playbook says: recorded runs as values without ids and times, so that two texts of one run are the same.

Not responsible for: reading recorded runs as one (``playbook_of.py``), its YAML (``playbook_text.py``), or storing it
as runs (``importing.py``).
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from simulator.browser.action_recorder import ActionKind, PageState, Settled
from simulator.browser.effects.model import By, Initiator, Kind, Strength
from simulator.browser.evidence import Choice, Target
from simulator.browser.operations import Sha256, operation_of
from simulator.canonical import canonical_json, sha256
from simulator.errors import ToolErrorType
from simulator.meaning import Likeness
from simulator.recording.documents import (
    MOST_ROWS,
    Context,
    Environment,
    Flags,
    Identity,
    Metadata,
    Moment,
    Number,
    Object,
    Summary,
    Whole,
)
from simulator.recording.rows import (
    ActionStatus,
    Origin,
    Status,
    StepReplay,
    VariableKind,
)
from simulator.template import PLACEHOLDER

_BESIDE = {"run", "batch", "label", "proven"}
"""What of a run in a playbook says nothing of what it does."""


Place = Annotated[int, Field(ge=1, le=MOST_ROWS)]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Page(_Value):
    """A page, as a look found it."""

    url: str
    title: str = ""
    status: Status = 0
    requests: tuple[tuple[str, str, Status], ...] = ()
    alerts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def state(self) -> PageState:
        """The page as recordings have it."""
        return PageState(**dict(self))


class At(_Value):
    """An operation of the same run, at this place or before it."""

    step: Place
    action: Place


class Carries(At):
    """A part of a request that holds what an operation put in."""

    part: str = ""


class Sent(_Value):
    """A request that can change the site."""

    method: str
    url: str
    initiator: Initiator = "document"
    operation: str = ""
    status: Status = 0
    leads_to: str = ""
    carried: tuple[Carries, ...] = ()


class Known(_Value):
    """What was written, as the site knows it."""

    ids: tuple[str, ...] = ()
    new: bool = False
    at: str = ""
    called: str = ""


class Seen(_Value):
    """What was seen of a request: an input, a state, a thing that is there or gone."""

    kind: Kind = "echo"

    input: At
    sent: At
    """The operation that sent it."""
    write: Number = 0
    """Which of the requests of that operation."""
    strength: Strength = "kept"
    likeness: Likeness = "same"
    url: str
    by: By
    label: str = ""
    keyed: bool = False
    looked: bool = False
    thing: Known = Known()
    was: str = ""
    shows: str = ""
    spot: str = ""


class Act(_Value):
    """One browser operation."""

    kind: ActionKind
    value: str | None = None
    was: str | None = None
    """The value with its variables rendered; left out where it says the same, or was a secret."""
    by: str = "user"
    aim: Literal["exact", "choice"] = "exact"
    choice: Choice | None = None
    target: Target | None = None
    options: Object = Field(default_factory=dict)
    before: Page | None = None
    """Left out where it is the page that the actor's operation before led to."""
    settled: Settled | None = None
    after: Page | None = None
    status: ActionStatus = "done"
    error: str | None = None
    sent: tuple[Sent, ...] = ()
    seen: tuple[Seen, ...] = ()

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        """Refuse what does not belong to an operation of this kind, with its place."""
        names = ("kind", "target", "value", "aim", "choice", "options")
        operation_of(recorded_value=self.was, **{name: getattr(self, name) for name in names})
        return self


class Made(_Value):
    """Something that a step made on the site."""

    kind: str
    url: str
    fields: dict[str, str]


class Need(_Value):
    """What a step used of another run."""

    run: str
    """Its name in the playbook."""
    step: Place | None = None
    """The step that made it, from 1."""
    name: str


class Step(_Value):
    """One call of a tool."""

    tool: str | None = None
    task: str | None = None
    replay: StepReplay = "actions"
    input: Object = Field(default_factory=dict)
    withheld: bool = False
    success: bool | None = True
    error: tuple[ToolErrorType, str] | None = None
    result: JsonValue = None
    """Where a replay gives it back."""
    metadata: Metadata = Field(default_factory=Metadata)
    flags: Flags = Field(default_factory=Flags)
    needs: tuple[Need, ...] = ()
    actions: tuple[Act, ...] = ()
    made: tuple[Made, ...] = ()


class Variable(_Value):
    """A value that is not a constant."""

    kind: VariableKind
    value: str | None = None
    step: Place | None = None
    """The step that generated it, from 1."""
    action: Place | None = None
    """Which of its operations, from 1."""


class Proven(_Value):
    """A second performance that passed, and showed the same effects."""

    run: str
    """The replay that it was, in the recording that the playbook was written from."""
    at: Moment
    writes: Whole
    proven: Whole
    of: Sha256
    """Of what was proven: a run that is edited has to be proven again."""


class Actor(_Value):
    """Somebody who acts in a browser context of their own."""

    name: str
    identity: Identity | None = None
    context: Context | None = None


class Run(_Value):
    """One run."""

    run: str
    """Its name in the playbook."""
    batch: Number = 1
    """Runs of one batch know each other by their numbers."""
    number: Number
    seed: str
    site: str
    persona: str | None = None
    label: str | None = None
    origin: Origin = "agent"
    agent: str | None = None
    key_fingerprint: str | None = None
    identity: Identity | None = None
    environment: Environment = Field(default_factory=Environment)
    summary: Summary = Field(default_factory=Summary)
    proven: dict[Literal["same", "fresh"], Proven] = Field(default_factory=dict)
    """By identity policy."""
    actors: tuple[Actor, ...] = ()
    variables: dict[str, Variable] = Field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of what a replay does and expects."""
        return sha256(canonical_json(self.model_dump(mode="json", exclude_defaults=True, exclude=_BESIDE)))

    @property
    def proofs(self) -> dict[str, dict[str, JsonValue]]:
        """What proves it as it stands."""
        own = self.sha256
        told = {policy: one for policy, one in self.proven.items() if one.of == own}
        return {policy: one.model_dump(mode="json", exclude={"of"}) for policy, one in told.items()}


class File(_Value):
    """What a run uploads."""

    name: str = Field(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9_.-]*$")
    """In the folder beside the playbook."""
    media_type: str


class Playbook(_Value):
    """Recorded runs, each after those that it depends on."""

    playbook: Literal[1]
    """Version of the format."""
    runs: tuple[Run, ...] = Field(min_length=1)
    files: dict[str, File] = Field(default_factory=dict)
    """By the SHA-256 of their bytes."""


def rendered(value: str | None) -> str | None:
    """Give what a value was rendered to, where its template says it: None for a secret, and where it does not."""
    if value is None or PLACEHOLDER.search(value):
        return None
    return value
