"""What the JSON columns of a recording hold, one type for each, as the reader gives them and the recorder writes them.

What a later reader of a column relies on has a type here; what else stands beside it may be any JSON value. Not
responsible for: actions (``simulator.browser.operations``), or reading rows (``parsing``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NotRequired, TypeAlias

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, ValidationError, with_config
from pydantic_core import InitErrorDetails
from typing_extensions import TypedDict

from simulator.canonical import EFFECTS, EVIDENCE, REFUSALS
from simulator.recording.stamps import read_time

if TYPE_CHECKING:
    Json = JsonValue
else:
    Json = Any
    """Whatever a JSON text holds is a JSON value: it was read from one, so it is not looked through once more."""
Object = dict[str, Json]
Fate = Literal["anew", "took effect", "back"]
"""What resuming made of a step. ``anew``: it was begun and is done again later; ``took effect``: it was interrupted,
and the site showed its effect; ``back``: it was none of the agent's, but led the resumed run back to where it was."""

MOST_ROWS: Final = 1_000_000
"""More users than any batch has, and more steps than any run."""

Verdict = Literal[
    "passed", "healed", "repaired", "target_missing", "target_ambiguous", "target_contradicted", "postcondition",
    "site_error", "session_lost", "data_collision", "missing_dependency", "unbound_text", "interrupted", "environment",
]  # fmt: skip
"""What a replay came to: it went well, or one class of drift."""
HealKind = Literal["target", "overlay", "answer"]
"""What was healed: the element of an action, what lay over it, or how the site answered."""
Texts = tuple[str, ...]
Number = Annotated[int, Field(ge=0, le=MOST_ROWS, strict=True)]
Amount = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]
Whole = Annotated[int, Field(ge=0, lt=2**63, strict=True)]
Moment = Annotated[str, AfterValidator(read_time)]
Side = Annotated[int, Field(ge=1, le=100_000, strict=True)]
Yes = Annotated[bool, Field(strict=True)]
Digits = Annotated[str, Field(pattern=r"^(0|[1-9][0-9]{0,8})$")]


def _mail(value: Object) -> Object:
    from simulator.tools.mail.reading import Read  # few recordings hold mail

    Read.model_validate(value)
    return value


_OPEN: Final = ConfigDict(extra="allow")
_CLOSED: Final = ConfigDict(extra="forbid")


@with_config(_CLOSED)
class Limits(TypedDict, total=False):
    """How much a batch may take."""

    minutes: Amount
    steps: Whole
    tokens: Whole
    money: Amount


@with_config(_CLOSED)
class Prices(TypedDict):
    """What models cost when a batch began."""

    asked: str
    known: dict[str, Object]


class Drawing(TypedDict, total=False):
    """How the users of a batch were drawn."""

    count: Number
    email_domain: str | None
    definitions: list[Object]


@with_config(_OPEN)
class Continued(Drawing, total=False):
    """The run that one goes on from, and the batch that it stands in."""

    run: str
    step: Number


_From = TypedDict("_From", {"from": Continued}, total=False)


@with_config(_OPEN)
class Settings(Drawing, _From, total=False):
    """``batch.settings``."""

    site: str
    agent: str | None
    model: str | None
    concurrency: Number
    all_by_model: Yes
    human: Yes
    personas: list[str]
    limits: Limits
    prices: Prices


@with_config(_OPEN)
class Context(TypedDict, total=False):
    """``actor.context``, and the context of a run's environment: what a site can find out about a browser."""

    width: Side
    height: Side
    locale: str
    timezone: str
    user_agent: str | None
    reduced_motion: Yes


@with_config(_CLOSED)
class Determinism(TypedDict, total=False):
    """What of the browser is held still."""

    clock: Moment | None
    random: Yes
    animations: Yes
    third_parties: str
    evidence: Annotated[int, Field(ge=1, le=EVIDENCE, strict=True)]
    refusals: Annotated[int, Field(ge=1, le=REFUSALS, strict=True)]
    effects: Annotated[int, Field(ge=0, le=EFFECTS, strict=True)]


@with_config(_OPEN)
class AgentSettings(TypedDict, total=False):
    """How the agent of a run was set up."""

    all_by_model: Yes
    workspace: Yes


@with_config(_CLOSED)
class CastPlace(TypedDict):
    """Where a user stands in a population that was made of a recording."""

    copy: Number
    """Which copy of a cast it belongs to, from 1; 0 for a user that all copies share."""
    number: Number
    """The number by which the users of the copy know it: that of the recorded user."""
    instance: Number
    """Which user of its persona it is."""
    original: str
    """The first revision of the run that it performs."""


@with_config(_OPEN)
class Environment(TypedDict, total=False):
    """``run.environment``."""

    base_url: str
    bundled: Yes
    browser: str
    seed: str
    versions: Object
    packs: Object
    context: Context
    persona: Object | None
    determinism: Determinism
    agent: AgentSettings | None
    cast: CastPlace


@with_config(_OPEN)
class Drawn(TypedDict, total=False):
    """``run.identity`` and ``actor.identity``: the values drawn for a user, and lists of what it was dealt."""

    username: str


def _dealt(value: Drawn) -> Drawn:
    """Refuse what was dealt to a user and is neither rows nor texts."""
    wrong: list[InitErrorDetails] = [
        {"type": "dict_type", "loc": (key, place), "input": one}
        for key, dealt in value.items()
        if isinstance(dealt, list)
        for place, one in enumerate(dealt)
        if not isinstance(one, dict | str)
    ]
    if wrong:
        raise ValidationError.from_exception_data("Identity", wrong)
    return value


Identity: TypeAlias = Annotated[Drawn, AfterValidator(_dealt)]


@with_config(_CLOSED)
class Drift(TypedDict):
    """Where and how a replay saw something else than the recording."""

    verdict: Verdict
    run: str
    step: Number
    tool: str
    sought: str
    """What the replay expected."""
    found: str
    agreed: Texts
    contradicted: Texts
    candidates: Texts


@with_config(_CLOSED)
class Heal(TypedDict):
    """What a replay went on from all the same."""

    kind: HealKind
    step: Number
    tool: str
    was: str
    found: str
    why: Texts


@with_config(_CLOSED)
class Tokens(TypedDict):
    """Tokens by kind."""

    input: Whole
    cache_write: Whole
    cache_read: Whole
    output: Whole


@with_config(_CLOSED)
class Cost(TypedDict):
    """What models cost."""

    known: dict[str, Amount]
    unknown_calls: Whole


@with_config(_CLOSED)
class Spending(TypedDict):
    """What a repair asked of models."""

    calls: Whole
    models: list[str]
    tokens: Tokens
    cost: Cost


@with_config(_CLOSED)
class Repair(TypedDict):
    """A part that a model did instead."""

    step: Number
    tool: str
    task: str
    why: str
    did: Texts
    said: str
    made: Texts
    steps: Number
    spending: Spending


class _Asked(TypedDict):
    calls: Whole
    names: list[str]
    tokens: Tokens


@with_config(_OPEN)
class ModelUse(_Asked, total=False):
    """What a run asked of models."""

    cost: Cost


@with_config(_OPEN)
class Proof(TypedDict):
    """A second performance that passed, and showed the same effects."""

    run: str
    """The replay that it was."""
    at: Moment
    writes: Whole
    """How many writes carried inputs that can be seen again."""
    proven: Whole
    """Of how many of them every input was."""
    by: NotRequired[Object]
    """Of a fresh user: who it was, and the rows that it was dealt."""


@with_config(_OPEN)
class WriteReport(TypedDict):
    """What is reported of a write."""

    method: str
    url: str
    inputs: Whole
    """How many inputs it carried that can be seen again."""
    unseen: list[str]
    """The fields whose input nobody saw again; empty where the write is proven."""
    operation: NotRequired[str]
    offered: NotRequired[list[str]]
    """The fields of a form for something new that came with a value, and that no page shows: nobody put anything in."""


@with_config(_OPEN)
class Summary(TypedDict, total=False):
    """``run.summary``."""

    end: str
    steps: Number
    tasks: list[tuple[str, str, str]]
    """Each task in words, how it ended, and why."""
    ends: list[Number]
    """How many steps had been done when each task ended."""
    state: str
    changes: list[str]
    drift: Drift
    heals: list[Heal]
    repairs: list[Repair]
    quarantined: str
    skipped: list[str]
    checks: dict[str, Whole]
    """How often a replay compared what with the recording."""
    model: ModelUse
    writes: list[WriteReport]
    not_found_again: list[str]
    """What a run acted on, and a replay could not find again, with the reason."""
    proofs: dict[Literal["same", "fresh"], Proof]
    """What proved the run, by the identity policy."""


@with_config(_CLOSED)
class Shown(TypedDict):
    """Where a page shows what is given back later, or names what is acted in."""

    action: Number
    words: str
    """What stands before it; of what the action made, its kind: what its addresses have but for the number."""
    made: NotRequired[Yes]
    """It is the name of what the action made: the only new one of its kind."""


@with_config(_CLOSED)
class Learnt(TypedDict, total=False):
    """What the page after an action shows each time."""

    title: str
    notes: list[str]
    alerts: list[str]
    requests: list[str]
    """Method and address of requests that the page sends by itself each time."""
    volatile: list[str]


@with_config(_OPEN)
class Flags(TypedDict, total=False):
    """``step.flags``: marks set afterwards."""

    keep_text: Yes
    shows: dict[str, Shown]
    learnt: dict[Digits, Learnt]
    """By the ordinal of the action."""
    place: Annotated[int, Field(ge=-1, le=MOST_ROWS, strict=True)]
    resume: Fate
    why: str


@with_config(_OPEN)
class Metadata(TypedDict, total=False):
    """``step.metadata``: what the tool reported besides."""

    variables: list[str]
    shown: list[str]
    """What the user had put in and the page showed once it was sent, as templates."""
    logged_in: Yes
    mail: Annotated[Object, AfterValidator(_mail)]


class _Named(TypedDict):
    name: str


@with_config(_OPEN)
class Part(_Named, total=False):
    """One of ``exchange.request_parts``."""

    value: str
    file: str | None
    filename: str | None
    type: str


@with_config(_CLOSED)
class Picture(TypedDict):
    """One of ``step.images``."""

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    media_type: str
