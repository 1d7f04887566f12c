"""The users of recorded runs, and what each has made on the site. Not responsible for: looking for it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from simulator.bindings import Bindings
from simulator.config import Settings, Site
from simulator.errors import RecordingError, UsageError
from simulator.persona import Identity, Persona
from simulator.recording.journal import CHANGE, DELETION
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, CreatedRow, RunRow
from simulator.replay.bind import read_row, shared_variables
from simulator.replay.left.acts import ActPlace, act_places
from simulator.replay.left.kept import KeptPlace, kept_places, unseen_writes
from simulator.replay.left.made import MadeThing, cleaned_by, deleted_by, left_of, made_things
from simulator.replay.left.removed import removals
from simulator.replay.plan import effects_version
from simulator.runner.interrupted.resume_past import Past
from simulator.secrets import MachineKey
from simulator.tools.families.account import PASSWORD

_NOBODY = Persona.model_validate({"persona": "nobody", "about": "Looks.", "locale": "en_GB", "tasks": ["login"]})


@dataclass(frozen=True, slots=True)
class Nowhere:
    """A run of which nobody knows where it left something."""

    run: str
    username: str
    reason: str
    red: bool
    """Whether it wrote something, or may have."""

    def line(self) -> str:
        """Give the line to show."""
        return f"{self.username}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Owner:
    """The user of a run."""

    run: RunRow
    identity: Identity
    values: Mapping[str, str]
    """The run's variables, and those of the other users of its batch, but for secrets."""
    made: tuple[CreatedRow, ...]
    """What its journal says that was made and not cleaned up yet, in order; runs of today keep effects, too."""
    places: tuple[KeptPlace, ...]
    """Where what it put in was kept."""
    acts: tuple[ActPlace, ...]
    """Where what it did without an input was seen."""
    things: tuple[MadeThing, ...]
    """What it created and has not deleted since, and what it changed of others, as it was observed."""
    unseen: int
    """Of how many of its writes nothing was kept anywhere."""
    observed: bool
    """Whether effects were observed in it at all."""
    registered: bool
    """Whether the user opened an account in the run."""
    login: Mapping[str, JsonValue] | None
    """How the user logged in last, as the input of a login; None where the user never registered nor logged in."""

    @property
    def username(self) -> str:
        """The name by which the site knows the user."""
        return self.values.get("identity.username", self.identity.username)

    def shown(self, text: str) -> str:
        """Write a template for people."""
        return Bindings(self.values).shown(text)

    @property
    def persona(self) -> Persona | None:
        """The persona, where the recording holds it."""
        definition = self.run.environment.get("persona")
        return None if definition is None else read_row(Persona, definition, self.run)

    def standing(self) -> tuple[CreatedRow, ...]:
        """Give what should be on the site now: changes put into what they changed, nothing that was deleted since.

        What was deleted is given as the deletion.
        """
        found: dict[str, CreatedRow] = {}
        for one in self.made:
            if one.kind == DELETION:
                found = {key: other for key, other in found.items() if other.url != one.url}
            last = next((key for key in reversed(found) if found[key].url == one.url), None)
            if one.kind == CHANGE and last is not None:
                found[last] = replace(found[last], fields=found[last].fields | one.fields)
            else:
                found[one.id] = one
        return tuple(found.values())

    def nowhere(self) -> Nowhere | None:
        """Say why nobody knows where to look for what the user left; None where that is known."""
        if self.places or self.acts or self.made or self.things:
            return None
        reason, red = "it wrote nothing that a page could show", False
        if not self.observed:
            reason, red = f"recorded before effects: 'sim prove {self.run.id}'", True
        elif self.unseen:
            reason, red = "nothing that it wrote was ever seen again", True
        return Nowhere(self.run.id, self.username, reason, red)

    def can_log_in(self, key: MachineKey, site: Site) -> bool:
        """Return whether the user's password is known here: by the machine's key, or by the site's section."""
        if self.login is None:
            return False
        drawn = self.login.get("password", PASSWORD) == PASSWORD and site.account(self.identity.username) is None
        return not drawn or (self.run.key_fingerprint, self.run.site) == (key.fingerprint, site.name)


def find_owners(recording: Recording, target: str) -> tuple[Owner, ...]:
    """Find the users of a run or of a batch.

    A revision that stands in the batch of its run made nothing by itself, and is left out.

    Args:
        recording: where they are.
        target: the run or the batch: an id, the beginning or the end of one, or ``last``: the newest batch.

    Raises:
        RecordingError: there is none, or several, or it made nothing because it cleaned up.
    """
    runs = _runs(recording, target)
    own = {run.id for run in runs}
    performed = [run for run in runs if run.source_run not in own and run.kind != "cleanup"]
    if not performed:
        raise RecordingError(f"'{target}' of {recording.path} made nothing; name what recorded or replayed users did")
    batch = recording.runs(performed[0].batch_id)
    shared: dict[int | None, dict[str, str]] = {}
    for run in batch:
        shared.setdefault(run.copy, {}).update(_shared(recording, run))
    every = shared.get(0, {})
    return tuple(_owner(recording, run, _newest(batch, run), every | shared[run.copy]) for run in performed)


def site_of(owners: tuple[Owner, ...], settings: Settings, site: Site | None, base_url: str | None) -> Site:
    """Give the site that users acted on.

    Args:
        owners: the users.
        settings: of ``sim.toml``.
        site: the one that was asked for; None: the section by the name that was recorded.
        base_url: another address of it.
    """
    found = site or settings.site(owners[0].run.site)
    return found.with_base_url(base_url) if base_url else found


def _runs(recording: Recording, target: str) -> list[RunRow]:
    if target == "last":
        acted = [batch for batch in recording.batches() if batch.kind != "cleanup"]
        return recording.runs(acted[-1].id) if acted else []
    if any(batch.id.startswith(target) or batch.id.endswith(target) for batch in recording.batches()):
        return recording.runs(recording.batch(target).id)
    return [recording.run(target)]


def _shared(recording: Recording, run: RunRow) -> dict[str, str]:
    """Give the variables of a run by which the other users of its batch know its user."""
    if run.identity is None:
        return {}
    identity = read_row(Identity, run.identity, run)
    return shared_variables(run.known_as, _values(recording, run, identity), identity.naming)


def _values(recording: Recording, run: RunRow, identity: Identity) -> dict[str, str]:
    known = {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
    return identity.variables() | known


def _newest(batch: Sequence[RunRow], run: RunRow) -> RunRow:
    """Give the newest revision of a run: what was observed of a run from before effects stands in one."""
    return max((one for one in batch if run.id in (one.id, one.original)), key=lambda one: one.revision)


def _owner(recording: Recording, run: RunRow, newest: RunRow, shared: Mapping[str, str]) -> Owner:
    if run.identity is None:
        raise UsageError(f"the run {run.id} has no user, so nobody can be logged in to look for what it made")
    identity = read_row(Identity, run.identity, run)
    values = {**shared, **_values(recording, run, identity)}
    steps = tuple(recording.steps(run.id))
    done = {step.tool for step in steps if step.success}
    actions: dict[str, list[ActionRow]] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
    past = Past(run, _NOBODY, steps, (), {step_id: tuple(own) for step_id, own in actions.items()})
    bindings = Bindings(values)
    gone = deleted_by(recording.created(run.id), bindings)
    removed = removals(recording.effects(newest.id), [one.id for one in recording.writes(newest.id)], bindings)
    made = left_of(recording.created(run.id), removed, bindings)
    places = tuple(kept_places(recording, newest.id, bindings, gone))
    acts = tuple(act_places(recording, newest.id, bindings))
    observed = effects_version(newest) > 0 or bool(recording.writes(newest.id))
    unseen = len(unseen_writes(recording, newest.id))
    cleaned = cleaned_by(recording)
    things = tuple(one for one in made_things(recording, newest.id, bindings, gone) if one.id not in cleaned)
    return Owner(run, identity, values, made, places, acts, things, unseen, observed, "register" in done, past.login())
