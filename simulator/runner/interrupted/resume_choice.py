"""What of a recording can be resumed, and who its users are. Not responsible for: resuming it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from simulator.agent.interactions import plan_batch
from simulator.config import Site
from simulator.errors import RecordingError, UsageError
from simulator.persona import Identity, Persona, draw_population
from simulator.persona.tasks import RECORDED
from simulator.recording.reader import Recording
from simulator.recording.rows import BatchRow, RunRow
from simulator.recording.tables import LAST
from simulator.runner.accounts import dealt
from simulator.runner.interrupted.resume_past import Past, is_limit, read_past
from simulator.runner.performing.run import Member
from simulator.runner.spending import Limits

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Left:
    """A user of the batch, and what its run has done."""

    member: Member
    past: Past | None = None
    """None: it never began."""
    variables: dict[str, str] = field(default_factory=dict)
    """What its run had learned."""


class Other(NamedTuple):
    """A user of the batch who is not resumed."""

    past: Past
    left: Left


@dataclass(frozen=True, slots=True)
class Choice:
    """What is resumed."""

    batch: BatchRow
    count: int
    """Users of the batch."""
    left: tuple[Left, ...]
    """Those who go on, or begin."""
    others: tuple[Other, ...]
    """Those who are there with what they have made."""
    site: str
    base_url: str
    bundled: bool | None
    """Whether that was the bundled bookshop of the section; None: nobody has said."""
    agent: str
    model: str
    all_by_model: bool
    limits: Limits
    """What limits all users together, as it was recorded."""
    freeze_clock: bool
    """Whether the clock of the pages stands at the start of each run."""
    human: bool
    """Whether users take the time of a person."""

    def with_accounts(self, site: Site) -> Choice:
        """Give the same with the accounts of a site for those who never began, each by its place in the batch."""
        left = []
        for one in self.left:
            identity = dealt(one.member.identity, site, one.member.number)
            left.append(one if one.past else replace(one, member=replace(one.member, identity=identity)))
        return replace(self, left=tuple(left))

    def personas_left(self) -> list[Persona]:
        """Give the personas of those who go on, with the tasks that have not ended."""
        return [
            one.member.persona.model_copy(
                update={"tasks": one.member.persona.tasks[len(one.past.outcomes) if one.past else 0 :]}
            )
            for one in self.left
        ]


def choose(recording: Recording, target: str, *, assumed: Collection[int] = ()) -> Choice:
    """Find what a target means, and what is left of it.

    Args:
        recording: where to look.
        target: a run or a batch.
        assumed: the steps, by their place from 1, of which a person says something: then it has to be one run.

    Raises:
        RecordingError: there is no such run or batch, or nothing is left of it.
        UsageError: something is said of steps, and several runs have some, or there is no question about them.
    """
    batch, one = _named(recording, target)
    runs = recording.runs(batch.id)
    if one is not None and (why := blocker(one)):
        raise RecordingError(f"the run {one.id} cannot be resumed: {why}")
    going_on = [run for run in runs if (run.id == one.id if one else not blocker(run))]
    alive = next((run for run in runs if run.status == "running"), None)
    if alive is not None:
        raise RecordingError(f"the batch {batch.id} is being recorded right now, by a process that is alive")
    people = _people(batch, runs)
    begun = {run.number for run in runs}
    absent = [number for number in range(1, len(people) + 1) if number not in begun] if one is None else []
    if not going_on and not absent:
        raise RecordingError(f"nothing is left to do in the batch {batch.id}: every run of it has come to its end")
    if assumed and len(going_on) != 1:
        raise UsageError(f"say of one run what its steps did: {', '.join(run.id for run in going_on)}")
    interactions = plan_batch(people, batch.seed, batch.settings.get("things"))
    chosen = {run.id for run in going_on}
    left, others = [], []
    by_model = bool(batch.settings.get("all_by_model"))
    for run in runs:
        persona, identity = people[run.number - 1]
        member = Member(run.number, persona, identity, interactions[run.number])
        past = read_past(recording, run, persona, all_by_model=by_model)
        known = {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
        if run.id in chosen:
            _check_assumed(past, assumed)
            left.append(Left(member, past, known))
        else:
            others.append(Other(past, Left(member, past, known)))
    left += [Left(Member(number, *people[number - 1], interactions[number])) for number in absent]
    first = going_on[0] if going_on else runs[0]
    return Choice(
        batch,
        int(batch.settings.get("count", len(people))),
        tuple(sorted(left, key=lambda one: one.member.number)),
        tuple(others),
        first.site,
        str(first.environment.get("base_url", "")),
        first.environment.get("bundled"),
        str(first.agent or batch.settings.get("agent") or "autopilot"),
        str(batch.settings.get("model", "")),
        by_model,
        Limits(**batch.settings.get("limits", {})),
        any(run.environment.get("determinism", {}).get("clock") for run in runs),
        bool(batch.settings.get("human")),
    )


def _check_assumed(past: Past, assumed: Collection[int]) -> None:
    asked = past.cut[0].ordinal + 1 if past.cut else 0
    for place in sorted({*assumed} - {asked}):
        only = f"; step {asked} is" if asked else ", and no other one is: resume it without a word on its steps"
        raise UsageError(f"whether step {place} of the run {past.run.id} took effect is not in question{only}")


def blocker(run: RunRow) -> str:
    """Say why a run cannot be resumed; empty when it can."""
    if run.kind != "record" or run.origin != "agent":
        instead = f"; 'sim replay {run.source_run}' begins anew" if run.kind == "replay" and run.source_run else ""
        return f"it is a run of the kind '{run.kind}', and only what an agent did can be gone on with{instead}"
    if run.status == "running":
        return "it is being recorded right now, by a process that is alive"
    if run.status == "passed":
        return "it has passed, and nothing is left to do"
    if run.status == "failed" and run.verdict != "environment" and not is_limit(run.summary or {}):
        return f"it came to its own end, and failed: {run.reason or 'no reason is known'}"
    return ""


def _named(recording: Recording, target: str) -> tuple[BatchRow, RunRow | None]:
    batches = [batch for batch in recording.batches() if batch.kind == "record"]
    if target == LAST:
        if not batches:
            raise RecordingError(f"{recording.path} holds no recorded batch; record one with 'sim personas run'")
        return max(batches, key=lambda batch: batch.id), None
    if any(batch.id.startswith(target) or batch.id.endswith(target) for batch in batches):
        return recording.batch(target), None
    run = recording.run(target)
    return recording.batch(run.batch_id), run


def _people(batch: BatchRow, runs: Sequence[RunRow]) -> list[tuple[Persona, Identity]]:
    """Give the users of a batch, as they were drawn: those who have a run as it holds them."""
    known = {
        run.number: (_read(Persona, run.environment.get("persona"), run), _read(Identity, run.identity, run))
        for run in runs
    }
    definitions = batch.settings.get("definitions")
    if definitions is None:
        if sorted(known) != list(range(1, len(known) + 1)):
            raise RecordingError(f"the batch {batch.id} does not hold all users before those that it has")
        return [known[number] for number in sorted(known)]
    personas = [Persona.model_validate(one, context=RECORDED) for one in definitions]
    by_name = {persona.persona: persona for persona in personas}
    domain = batch.settings.get("email_domain")
    drawn = draw_population(personas, int(batch.settings["count"]), batch.seed, email_domain=domain)
    return [known.get(number, (by_name[one.persona], one)) for number, one in enumerate(drawn, start=1)]


def _read(kind: type[T], value: object, run: RunRow) -> T:
    try:
        return kind.model_validate(value, context=RECORDED)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, one["loc"])) for one in error.errors(include_url=False)) or "all of it"
        what = kind.__name__.lower()
        raise RecordingError(f"the run {run.id} holds no {what} that this program can read: {wrong}") from None
