"""Who replays a run, and the values of its variables. Not responsible for: values that only the site can give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from simulator.errors import RecordingError, ToolError
from simulator.persona import Identity, Persona, draw_identity
from simulator.recording.rows import RunRow, StepRow
from simulator.replay.plan import IdentityPolicy, Plan
from simulator.template import Bindings

_SHARED = ("username", "display_name")


class FoundCover(Protocol):
    """What a search for covers gives."""

    @property
    def cover_url(self) -> str:
        """Where the image is."""
        ...


class CoverSearch(Protocol):
    """Searches covers again for a fresh user's books; never at a public service."""

    async def find(self, query: str, count: int) -> Sequence[FoundCover]:
        """Find covers for a query."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """One run of a replay, bound to who performs it."""

    plan: Plan
    identity: Identity

    @property
    def run(self) -> RunRow:
        """The recorded run."""
        return self.plan.run


def bind_identity(plan: Plan, policy: IdentityPolicy, seed: str) -> Part:
    """Decide who performs a run: the recorded user, or a fresh one of the same persona.

    Args:
        plan: of the run.
        policy: ``same`` and ``reuse`` take the recorded user.
        seed: what fresh users are drawn from.

    Raises:
        RecordingError: the recording does not hold what that needs.
    """
    run = plan.run
    if run.identity is None:
        raise RecordingError(f"the run {run.id} was recorded without an identity, so nobody can perform it")
    identity = Identity.model_validate(run.identity)
    if policy == "fresh":
        definition = run.environment.get("persona")
        if definition is None:
            raise RecordingError(
                f"the run {run.id} holds no persona, so no fresh user can be drawn; replay it as 'same'"
            )
        identity = draw_identity(Persona.model_validate(definition), seed=seed, number=identity.number)
    return Part(plan, identity)


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


def shared_variables(number: int, values: Mapping[str, str]) -> dict[str, str]:
    """Give the variables of a user that others may use, under the names by which they do.

    Args:
        number: the user's place in the batch.
        values: the user's own variables.
    """
    prefix = f"user.{number}."
    own = {prefix + name: values[f"identity.{name}"] for name in _SHARED if f"identity.{name}" in values}
    titles = {
        prefix + name: text for name, text in values.items() if name.startswith("book.") and name.endswith(".title")
    }
    return {**own, **titles}


async def bind_files(
    step: StepRow, part: Part, policy: IdentityPolicy, bindings: Bindings, covers: CoverSearch
) -> None:
    """Bind the files that a step gave: the recorded ones, or for a fresh user those of the new books.

    Args:
        step: the step that gave them.
        part: the run.
        policy: who performs it.
        bindings: the run's variables, added to.
        covers: searches again.

    Raises:
        ToolError: ``not_found``: there are fewer than the recording used.
    """
    files = [one for one in part.plan.variables if one.step_id == step.id and one.kind == "file"]
    if policy != "fresh":
        for variable in files:
            bindings.set(variable.name, variable.value or "")
        return
    names = [str(name) for name in step.metadata.get("variables", [variable.name for variable in files])]
    query = bindings.render(str(step.input.get("query", "")))
    found = await covers.find(query, max(len(names), 1))
    if not found:
        raise ToolError("not_found", f"no cover for '{query}'")
    for place, name in enumerate(names):
        bindings.set(name, found[place % len(found)].cover_url)
