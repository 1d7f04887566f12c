"""What a playbook says: recorded runs as values without ids and times, so that two texts of one run are the same.

Not responsible for: its YAML (``playbook_text.py``), or storing it as runs (``importing.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from simulator.browser.action_recorder import ActionKind, PageState, Settled
from simulator.browser.effects.model import By, Initiator, Kind, KnownThing, Strength
from simulator.browser.evidence import Choice, Target
from simulator.browser.operations import Sha256, operation_of, options_json
from simulator.canonical import canonical_json, sha256
from simulator.errors import ToolErrorType
from simulator.filenames import stored_names
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
from simulator.recording.journal import SHOWN
from simulator.recording.layout import hashes
from simulator.recording.reader import Recording
from simulator.recording.rows import (
    ActionRow,
    ActionStatus,
    EffectRow,
    Origin,
    RunRow,
    Status,
    StepReplay,
    StepRow,
    VariableKind,
    WriteRow,
)
from simulator.template import PLACEHOLDER

_ELSEWHERE = ("base_url", "bundled", "browser", "versions", "seed")
"""What of a run's environment tells of the machine that recorded it, or stands beside it."""
_KEPT = ("state",)
"""What of a run's summary a replay compares with."""
_BESIDE = {"run", "batch", "label", "proven"}
"""What of a run in a playbook says nothing of what it does."""
_TOLD = ("variables", "mail", SHOWN)
"""What of a step's metadata a replay or an export reads."""


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
    """Of what was proven: a run that is edited has to be proven anew."""


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


def read_playbook(recording: Recording, runs: Sequence[RunRow]) -> Playbook:
    """Read runs as a playbook.

    Args:
        recording: where they stand.
        runs: with those that they depend on; the newest revision of each is enough.
    """
    names = _names(runs)
    places = {step.id: step.ordinal + 1 for run in runs for step in recording.steps(run.id)}
    for run in runs:
        if run.original != run.id:  # what depends on it names the steps of its first revision
            places |= {step.id: step.ordinal + 1 for step in recording.steps(run.original)}
    batches = list(dict.fromkeys(run.batch_id for run in runs))
    told = tuple(_run(recording, run, batches.index(run.batch_id) + 1, names, places) for run in runs)
    uploads = sorted(_uploads(action for run in runs for action in recording.actions(run.id)))
    kinds = {sha256: recording.media_type(sha256) or "application/octet-stream" for sha256 in uploads}
    files = {sha256: File(name=name, media_type=kinds[sha256]) for sha256, name in stored_names(kinds).items()}
    return Playbook(playbook=1, runs=told, files=files)


def _names(runs: Iterable[RunRow]) -> dict[str, str]:
    """Name runs, by the ids of their first revisions."""
    named: dict[str, str] = {}
    for run in runs:
        base = f"{run.persona or 'run'}-{run.number}"
        name, at = base, 1
        while name in named.values():
            name, at = f"{base}-{at + 1}", at + 1
        named[run.original] = name
    return named


def _uploads(actions: Iterable[ActionRow]) -> set[str]:
    return hashes({"value": action.value, "sha256": action.options.get("sha256")} for action in actions
                  if action.kind == "upload")  # fmt: skip


def _run(recording: Recording, run: RunRow, batch: int, names: Mapping[str, str], places: Mapping[str, int]) -> Run:
    actions: dict[str, list[ActionRow]] = {}
    acts: dict[str, int] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
        acts[action.id] = action.ordinal + 1
    made: dict[str, list[Made]] = {}
    for one in recording.created(run.id):
        made.setdefault(one.step_id, []).append(Made(kind=one.kind, url=one.url, fields=one.fields))
    needs: dict[str, list[Need]] = {}
    for need in recording.dependencies(run.id):
        producer = places.get(need.producer_step or "")
        needs.setdefault(need.step_id, []).append(Need(run=names[need.producer_run], step=producer, name=need.name))
    shown: dict[str, PageState | None] = {}
    observed = _Observed.of(recording, run.id)
    steps = tuple(
        _step(step, actions.get(step.id, ()), made.get(step.id, ()), needs.get(step.id, ()), shown, observed)
        for step in recording.steps(run.id)
    )
    variables = {
        one.name: Variable(
            kind=one.kind, value=one.value, step=places.get(one.step_id or ""), action=acts.get(one.action_id or "")
        )
        for one in recording.variables(run.id)
    }
    told = Run(
        run=names[run.original],
        batch=batch,
        number=run.number,
        seed=str(run.environment.get("seed", "")) or recording.batch(run.batch_id).seed,
        site=run.site,
        persona=run.persona,
        label=run.label,
        origin=run.origin,
        agent=run.agent,
        key_fingerprint=run.key_fingerprint,
        identity=run.identity,
        environment={name: value for name, value in run.environment.items() if name not in _ELSEWHERE},
        summary={name: value for name, value in (run.summary or {}).items() if name in _KEPT},
        actors=tuple(Actor(name=a.name, identity=a.identity, context=a.context) for a in recording.actors(run.id)),
        variables=variables,
        steps=steps,
    )
    proofs = (run.summary or {}).get("proofs", {})
    own = told.sha256
    proven = {
        policy: Proven(run=one["run"], at=one["at"], writes=one["writes"], proven=one["proven"], of=own)
        for policy, one in proofs.items()
    }
    return told.model_copy(update={"proven": proven})


def _step(
    step: StepRow,
    actions: Sequence[ActionRow],
    made: Sequence[Made],
    needs: Sequence[Need],
    shown: dict[str, PageState | None],
    observed: _Observed,
) -> Step:
    failed = step.error_type and step.error_message is not None
    return Step(
        tool=step.tool,
        task=step.task,
        replay=step.replay,
        input=step.input,
        withheld=step.withheld,
        success=step.success,
        error=(step.error_type, step.error_message) if failed else None,
        result=step.result if step.replay == "result" else None,
        metadata={name: value for name, value in step.metadata.items() if name in _TOLD},
        flags=step.flags,
        needs=tuple(needs),
        actions=tuple(_act(action, shown, observed) for action in actions),
        made=tuple(made),
    )


@dataclass(frozen=True, slots=True)
class _Observed:
    """What was observed of a run, by action."""

    at: Mapping[str, At]
    writes: Mapping[str, WriteRow]
    effects: Sequence[EffectRow]

    @classmethod
    def of(cls, recording: Recording, run_id: str) -> Self:
        steps = {step.id: step.ordinal + 1 for step in recording.steps(run_id)}
        actions = recording.actions(run_id)
        at = {one.id: At(step=steps[one.step_id], action=one.ordinal + 1) for one in actions}
        return cls(at, {one.id: one for one in recording.writes(run_id)}, recording.effects(run_id))

    def sent(self, action_id: str) -> tuple[Sent, ...]:
        """Give what an action sent."""
        return tuple(
            Sent(
                method=one.method, url=one.url, initiator=one.initiator, operation=one.operation, status=one.status,
                leads_to=one.leads_to,
                carried=tuple(Carries(part=each.part, **dict(self.at[each.input])) for each in one.carried),
            )
            for one in self.writes.values()
            if one.action_id == action_id
        )  # fmt: skip

    def seen(self, action_id: str) -> tuple[Seen, ...]:
        """Give what was seen again after an action."""
        return tuple(
            Seen(
                input=self.at[one.input_id], sent=self.at[self.writes[one.write_id].action_id],
                write=self.writes[one.write_id].ordinal, strength=one.strength, likeness=one.likeness, url=one.url,
                by=one.by, label=one.label, keyed=one.keyed, looked=one.looked, kind=one.kind,
                thing=_known(one.thing), was=one.was, shows=one.shows, spot=one.spot,
            )
            for one in self.effects
            if one.action_id == action_id
        )  # fmt: skip


def _known(thing: KnownThing) -> Known:
    return Known(ids=thing.ids, new=thing.new, at=thing.at, called=thing.called)


def _act(action: ActionRow, shown: dict[str, PageState | None], observed: _Observed) -> Act:
    known = shown.get(action.actor)
    shown[action.actor] = action.after or action.before or known
    same = action.before == known
    return Act(
        kind=action.kind,
        value=action.value,
        was=None if action.recorded_value == rendered(action.value) else action.recorded_value,
        by=action.actor,
        aim=action.aim,
        choice=action.choice,
        target=action.target,
        options=options_json(action.kind, action.options),
        before=None if same else _page(action.before),
        settled=action.settled,
        after=_page(action.after),
        status=action.status,
        error=action.error,
        sent=observed.sent(action.id),
        seen=observed.seen(action.id),
    )


def _page(state: PageState | None) -> Page | None:
    if state is None:
        return None
    return Page(url=state.url, title=state.title, status=state.status, requests=state.requests,
                alerts=state.alerts, notes=state.notes)  # fmt: skip


def rendered(value: str | None) -> str | None:
    """Give what a value was rendered to, where its template says it: None for a secret, and where it does not."""
    if value is None or PLACEHOLDER.search(value):
        return None
    return value
