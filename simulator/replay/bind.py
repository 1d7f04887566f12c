"""Who replays a run, and the values of its variables. Not responsible for: values that only the site can give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from simulator.bindings import Bindings
from simulator.browser.evidence import Target
from simulator.domain.loading import data_sets
from simulator.domain.pictures import OfferedPicture
from simulator.errors import RecordingError, ToolError
from simulator.persona import Beside, DealtBefore, Identity, Persona, draw_identity
from simulator.persona.tasks import RECORDED
from simulator.recording.rows import ActionRow, RunRow, StepRow
from simulator.recording.writing.withholding import WITHHELD
from simulator.replay.drift import DriftReport
from simulator.replay.plan import IdentityPolicy, Plan, PlannedStep
from simulator.replay.residue import Recorded, RecordedRows, Residue, find_residue
from simulator.row_fields import Naming, names_own_row
from simulator.template import ADDRESSES, PLACEHOLDER, one_of, placeholders, stem_of

if TYPE_CHECKING:
    from simulator.replay.seeding.casts import Seat

T = TypeVar("T", bound=BaseModel)
_SHARED = ("username", "display_name")
NOT_OWN = frozenset({"secret", "file", "clock", "site"})
"""Kinds of variables that are no user's own from the start."""


class PictureSearch(Protocol):
    """Searches pictures again for a fresh user; never at a public service."""

    async def find(self, query: str, count: int) -> Sequence[OfferedPicture]:
        """Find pictures for a query."""
        ...


class PartKey(NamedTuple):
    """What distinguishes a part from every other of a replay."""

    original: str
    """The first revision of the run."""
    copy: int
    """Which copy of the cast; 1 where there is one, 0 for a user that all copies share."""


@dataclass(frozen=True, slots=True)
class Part:
    """One run of a replay, bound to who performs it."""

    plan: Plan
    identity: Identity
    seat: Seat | None = None
    """The user's place in a population; None where every run is performed once."""

    @property
    def run(self) -> RunRow:
        """The recorded run."""
        return self.plan.run

    @property
    def number(self) -> int:
        """The user's place among all who perform, from 1; by ``run.number`` the users of its cast know it."""
        return self.seat.number if self.seat else self.run.number

    @property
    def key(self) -> PartKey:
        """What distinguishes it from every other part."""
        return self.key_of(self.run.original)

    def key_of(self, original: str) -> PartKey:
        """Give the part that this one means by a run: that of its own cast, or of a user that all share.

        Args:
            original: the first revision of the run.
        """
        return PartKey(original, self.seat.copy_of(original) if self.seat else 1)


def bind_identity(
    plan: Plan,
    policy: IdentityPolicy,
    seed: str,
    *,
    email_domain: str | None = None,
    seat: Seat | None = None,
    persona: Persona | None = None,
    before: Sequence[DealtBefore] = (),
    beside: Sequence[Beside] = (),
) -> Part:
    """Decide who performs a run: the recorded user, or a fresh one of the same persona.

    Args:
        plan: of the run.
        policy: ``same`` and ``reuse`` take the recorded user.
        seed: what fresh users are drawn from.
        email_domain: of the addresses of fresh users; None: one that nobody has.
        seat: the user's place in a population; None: the recorded one.
        persona: whom a fresh user is drawn from; None: the recorded persona.
        before: users whose rows of data sets the site may hold already: a fresh user is dealt those last.
        beside: the personas of the other runs that are performed.

    Raises:
        RecordingError: the recording does not hold what that needs.
    """
    run = plan.run
    if run.identity is None:
        raise RecordingError(f"the run {run.id} was recorded without an identity, so nobody can perform it")
    identity = read_row(Identity, run.identity, run)
    if policy == "fresh":
        definition = run.environment.get("persona")
        if definition is None:
            raise RecordingError(
                f"the run {run.id} holds no persona, so no fresh user can be drawn; replay it as 'same'"
            )
        persona = persona or read_row(Persona, definition, run)
        _check_drawable(identity, plan)
        number = seat.instance if seat else identity.number
        identity = draw_identity(
            persona, seed=seed, number=number, email_domain=email_domain, before=before, beside=beside
        )
    return Part(plan, identity, seat)


def personas_of(plans: Iterable[Plan]) -> tuple[Beside, ...]:
    """Give the personas of some runs, as they were recorded."""
    found = (plan.run.environment.get("persona") for plan in plans)
    return tuple(dict.fromkeys(Beside.of(one) for one in found if one))


def _check_drawable(recorded: Identity, plan: Plan) -> None:
    """Refuse to draw a fresh user without the packs from which the recorded one has data that the run says."""
    run, known = plan.run, data_sets()
    lacking = [key for key, dealt in recorded.dealt().items() if dealt and key not in known]
    if lacking:
        said = {name for planned in plan.steps for name in placeholders(f"{planned.step.input} {planned.actions}")}
        lacking = [key for key in lacking if any(_is_of(name, one_of(key)) for name in said)]
    if lacking:
        packs = ", ".join(f"'{name}'" for name in run.environment.get("packs", {})) or "the pack that has them"
        raise RecordingError(
            f"the run {run.id} has {', '.join(lacking)} of its user, and nothing deals those of a fresh one; name "
            f"{packs} in 'packs' of sim.toml, or write [data.{lacking[0]}] there, or replay it as 'same'"
        )


def _is_of(name: str, data: str) -> bool:
    """Return whether a variable is of a data set, of the user itself or of another one."""
    return bool(re.match(rf"(user\.\d+\.)?(text\.)?{re.escape(data)}\.", name))


def read_row(kind: type[T], value: object, run: RunRow) -> T:
    """Read an identity or a persona that a run was stored with.

    Raises:
        RecordingError: this program cannot.
    """
    try:
        return kind.model_validate(value, context=RECORDED)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, one["loc"])) for one in error.errors(include_url=False))
        what = kind.__name__.lower()
        raise RecordingError(f"the run {run.id} holds no {what} that this program can read: {wrong}") from None


def values_of(part: Part, policy: IdentityPolicy) -> dict[str, str]:
    """Give the values of a part's own variables, before it acts.

    A recorded user that had to take another name at the site keeps that name.
    """
    values = part.identity.variables()
    if policy != "fresh":
        for variable in part.plan.variables:
            if variable.kind == "identity" and variable.value is not None:
                values[variable.name] = variable.value
    return values


def shared_variables(number: int, values: Mapping[str, str], naming: Naming) -> dict[str, str]:
    """Give the variables of a user that others may use, under the names by which they do.

    Args:
        number: the user's place in the batch.
        values: the user's own variables.
        naming: which fields of the user's rows name them: others know those.
    """
    prefix = f"user.{number}."
    own = {prefix + name: values[f"identity.{name}"] for name in _SHARED if f"identity.{name}" in values}
    rows = {prefix + name: text for name, text in values.items() if names_own_row(name, naming)}
    generated = {prefix + name: text for name, text in values.items() if name.startswith("site.")}
    places = {prefix + name: text for name, text in values.items() if name.startswith(ADDRESSES)}
    known = {**own, **rows, **generated}
    return known | {name: there for name, text in places.items() if (there := _of_another(prefix, text, known))}


def _of_another(prefix: str, text: str, known: Mapping[str, str]) -> str:
    """Write a template of one user for others; empty where it holds what these do not know of that user."""
    shared = True

    def theirs(name: str) -> str:
        nonlocal shared
        if name.startswith("user."):
            return f"{{{{{name}}}}}"
        theirs = prefix + name.removeprefix("identity.")
        shared = shared and stem_of(theirs) in known
        return f"{{{{{theirs}}}}}"

    written = PLACEHOLDER.sub(lambda found: theirs(found[1]), text)
    return written if shared else ""


def find_blockers(parts: Sequence[Part], policy: IdentityPolicy) -> dict[str, DriftReport]:
    """Find what keeps runs from being performed, before anything is done.

    Args:
        parts: every run of the replay, once: what keeps it from being performed keeps every copy of it.
        policy: who performs them.

    Returns:
        For each run that cannot be performed, by its id: it is not whole, says words of the recorded user that a
        fresh one must not say, or needs a run that is not performed.
    """
    found: dict[str, DriftReport] = {}
    for part in parts:
        if part.plan.refused:
            found[part.run.id] = DriftReport(
                "interrupted", part.run.id, 0, "", "a whole recording", f"that {part.plan.refused}"
            )
        elif unbound := _withheld(part) or (_residue(part, parts) if policy == "fresh" else None):
            found[part.run.id] = unbound
    while True:
        performed = {part.run.original for part in parts if part.run.id not in found}
        lost = [
            (part, absent)
            for part in parts
            if part.run.id not in found and (absent := sorted(part.plan.needs - performed))
        ]
        if not lost:
            return found
        for part, absent in lost:
            expected = "this replay to perform the runs that it depends on"
            why = f"{', '.join(absent)} not performed"
            found[part.run.id] = DriftReport("missing_dependency", part.run.id, 0, "", expected, why)


def _withheld(part: Part) -> DriftReport | None:
    """Find typed texts that no recording holds, because they were typed into a secret field."""
    for planned in part.plan.steps:
        if any(WITHHELD in (action.value or "") for action in planned.actions):
            return _unbound(part, planned, "the text that was typed into a secret field", "that no recording stores it")
    return None


def residue_of(part: Part, parts: Sequence[Part]) -> list[Residue]:
    """Find words of the recorded users that a fresh user would say again, as no variable stands for them.

    Args:
        part: the run.
        parts: every run of the replay.
    """
    steps = [(planned.step, planned.actions) for planned in part.plan.steps]
    return list(find_residue(steps, recorded_words(part, parts)))


def for_others(part: Part, parts: Sequence[Part]) -> Part:
    """Leave out of the evidence of cards what the recorded users' things said: those of others stand there now.

    That is what is hardly another one's, and each value of a row after which the element or a card around it is called.

    Args:
        part: a run that is performed by another user.
        parts: every run of the replay.
    """
    recorded, rows = recorded_words(part, parts), RecordedRows(_rows_of_others(part, parts) | recorded_values(part))

    def of_now(target: Target) -> Target:
        of_rows = rows.named_in(target.said)
        return target.for_another(lambda text: of_rows(text) or bool(recorded.look(text, typed=False)))

    def performed(action: ActionRow) -> ActionRow:
        if "onto" in action.options:
            onto = of_now(Target.model_validate(action.options["onto"]))
            action = replace(action, options={**action.options, "onto": onto})
        return replace(action, target=of_now(action.target)) if action.target else action

    steps = tuple(replace(each, actions=tuple(map(performed, each.actions))) for each in part.plan.steps)
    return replace(part, plan=replace(part.plan, steps=steps))


def _rows_of_others(part: Part, parts: Sequence[Part]) -> dict[str, str]:
    """Give the values of the other users of its batch when they were recorded, as their user's."""
    others = [one for one in parts if one.run.batch_id == part.run.batch_id and one is not part]
    return {
        f"user.{one.run.number}.{name.removeprefix('identity.')}": value
        for one in others
        for name, value in recorded_values(one).items()
    }


def known_of_others(part: Part, parts: Sequence[Part]) -> dict[str, str]:
    """Give what the user of a run knew of the others of its batch when it was recorded, by variable."""
    known: dict[str, str] = {}
    for other in parts:
        if other.run.batch_id == part.run.batch_id and other is not part:
            known |= shared_variables(other.run.number, recorded_values(other), recorded_naming(other.run))
    return known


def recorded_words(part: Part, parts: Sequence[Part] = ()) -> Recorded:
    """Give what the user of a run, and the others of its batch, were called when they were recorded, to be looked for.

    Args:
        part: the run.
        parts: every run of the replay; none: the user's own words alone.
    """
    naming = {data: fields for one in (*parts, part) for data, fields in recorded_naming(one.run).items()}
    return Recorded(known_of_others(part, parts) | recorded_values(part), naming)


def recorded_naming(run: RunRow) -> Naming:
    """Give which fields of its user's rows name them, as it was recorded with the user."""
    return read_row(Identity, run.identity, run).naming if run.identity else {}


def _residue(part: Part, parts: Sequence[Part]) -> DriftReport | None:
    for found in residue_of(part, parts):
        would = f", which would be '{found.suggestion}'" if found.suggestion != found.text else ""
        words = f" ({', '.join(found.words)})" if found.words and not would else ""
        expected = "a variable for each word of the recorded users and their rows"
        step = found.step
        said = f"'{found.text}'{would}{words}"
        return DriftReport("unbound_text", part.run.id, step.ordinal + 1, step.tool or "", expected, said)
    return None


def _unbound(part: Part, planned: PlannedStep, expected: str, found: str) -> DriftReport:
    step = planned.step
    return DriftReport("unbound_text", part.run.id, step.ordinal + 1, step.tool or "", expected, found)


def recorded_values(part: Part) -> dict[str, str]:
    """Give the values that the user of a run had of its own when it was recorded."""
    assert part.run.identity is not None
    values = Identity.model_validate(part.run.identity).variables()
    return values | {one.name: one.value for one in part.plan.variables if one.kind not in NOT_OWN and one.value}


async def bind_files(
    step: StepRow, part: Part, policy: IdentityPolicy, bindings: Bindings, pictures: PictureSearch
) -> None:
    """Bind the files that a step gave: the recorded ones, or for a fresh user those of its own data.

    Args:
        step: the step that gave them.
        part: the run.
        policy: who performs it.
        bindings: the run's variables, added to.
        pictures: searches again.

    Raises:
        ToolError: ``not_found``: there are fewer than the recording used.
    """
    files = [one for one in part.plan.variables if one.step_id == step.id and one.kind == "file"]
    if not files:
        return
    if policy != "fresh":
        for variable in files:
            bindings.set(variable.name, variable.value or "")
        return
    names = [str(name) for name in step.metadata.get("variables", [variable.name for variable in files])]
    query = bindings.render(str(step.input.get("query", "")))
    found = await pictures.find(query, max(len(names), 1))
    if not found:
        raise ToolError("not_found", f"no picture for '{query}'")
    for place, name in enumerate(names):
        bindings.set(name, found[place % len(found)].address)
