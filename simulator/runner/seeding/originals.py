"""Which recorded run the fresh users of a persona are made of, and who of its users the site has already.

Not responsible for: recording or proving a run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simulator.agent.site_things.known import provided
from simulator.config import Site
from simulator.errors import RecordingError
from simulator.persona import Persona
from simulator.persona.tasks import Do
from simulator.recording.reader import Recording
from simulator.recording.revise import newest
from simulator.recording.rows import RunRow
from simulator.replay.bind import read_row
from simulator.runner.stop import Stop
from simulator.runner.upkeep.verify_site import VerifySiteOptions, verify_site

_PERFORMED = frozenset({"record", "heal", "import"})
_BESIDE = frozenset({"weight", "limits", "tools", "numbers"})
"""Parts of a persona that bound or offer what an agent does while it records, or say how often users of a seeding do
it: what is recorded is the same."""


@dataclass(frozen=True, slots=True)
class Original:
    """What is recorded of a persona as it is now."""

    persona: Persona
    run: RunRow | None = None
    """The newest run of it on the site that is proven by fresh users; None: there is none."""
    unproven: RunRow | None = None
    """The newest run of it on the site that passed, and would do once it is proven."""
    others: tuple[str, ...] = ()
    """Why other runs of a persona of this name do not do, in words, the newest first."""

    @property
    def told(self) -> str:
        """Which run it is, when it was recorded, and how it was proven."""
        run = self.run or self.unproven
        assert run is not None
        said = f"run {run.id[-8:]}, recorded {_moment(run.started_at)} by {run.agent or 'hand'}"
        proof = _proof(run)
        if proof is None:
            return f"{said}, not proven"
        return f"{said}, proven(fresh) {_moment(str(proof['at']))}: {proof['proven']} of {proof['writes']} writes seen"


def is_free(persona: Persona) -> bool:
    """Return whether a model has to do anything of a persona: a task in free words."""
    return any(isinstance(task, Do) for task in persona.tasks)


def find_originals(source: Path, personas: Sequence[Persona], site: Site) -> tuple[Original, ...]:
    """Find what is recorded of personas, as their files are now, on a site.

    Args:
        source: the recording; where there is no such file, nothing is.
        personas: the personas.
        site: the site.

    Raises:
        RecordingError: the file cannot be read.
        PersonaError: a task of a persona cannot be done on the site.
    """
    if not source.exists():
        return tuple(map(Original, personas))
    with Recording.open(source) as recording:
        recorded = [run for run in newest(recording.runs()).values() if run.kind in _PERFORMED]
    recorded.sort(key=lambda run: (run.started_at, run.id), reverse=True)
    return tuple(
        _original(provided(one, site), [run for run in recorded if run.persona == one.persona], site.name)
        for one in personas
    )


def _original(persona: Persona, runs: Sequence[RunRow], site: str) -> Original:
    found = Original(persona)
    for run in runs:
        if why := _why_not(run, persona, site):
            found = replace(found, others=(*found.others, f"run {run.id[-8:]}: {why}"))
        elif _proof(run) is not None:
            return replace(found, run=run)
        elif found.unproven is None:
            found = replace(found, unproven=run)
    return found


def _why_not(run: RunRow, persona: Persona, site: str) -> str:
    """Say why a run is none of this persona on this site; empty where it is one."""
    if run.site != site:
        return f"it was recorded on the site '{run.site}'"
    if run.status != "passed":
        return f"it was recorded as {run.ending}"
    definition = run.environment.get("persona")
    if definition is None:
        return "it holds no persona"
    try:
        was = read_row(Persona, definition, run)
    except RecordingError as error:
        return str(error)
    if changed := list(changed_parts(was, persona)):
        return f"the persona has changed since: {', '.join(changed)}"
    tasks = (run.summary or {}).get("tasks", [])
    if skipped := [str(one[0]) for one in tasks if one[1] == "skipped"]:
        return f"it skipped a task: {', '.join(skipped)}"
    return ""


def changed_parts(was: Persona, now: Persona) -> Iterator[str]:
    """Give the parts of a persona in which two of them differ, such as ``traits.pace`` or ``tasks.2``.

    Args:
        was: as it was recorded.
        now: as it is.
    """
    old, new = was.model_dump(mode="json"), now.model_dump(mode="json")
    for name in sorted(old.keys() | new.keys() - _BESIDE):
        if name not in _BESIDE:
            yield from _differing(name, old.get(name), new.get(name))


def _differing(name: str, old: Any, new: Any) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        yield from (f"{name}.{key}" for key in sorted(old.keys() | new.keys()) if old.get(key) != new.get(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        yield from (f"{name}.{at}" for at, (one, other) in enumerate(zip(old, new, strict=True), 1) if one != other)
    else:
        yield name


def _proof(run: RunRow) -> Mapping[str, Any] | None:
    proof = (run.summary or {}).get("proofs", {}).get("fresh")
    return proof if isinstance(proof, Mapping) else None


def _moment(at: str) -> str:
    """Write a wall time for people, in UTC."""
    return f"{at[:10]} {at[11:16]}"


def users_recorded(source: Path, originals: Sequence[Original], site: Site) -> tuple[str, ...]:
    """Give who was recorded on this very site, and who proved the runs there; whether they are there is not looked at.

    Args:
        source: the recording.
        originals: the runs.
        site: the site, at the address that it has now.

    Raises:
        RecordingError: the file cannot be read.
    """
    found: dict[str, None] = {}
    with Recording.open(source) as recording:
        for original in originals:
            proof = (_proof(original.run) if original.run else None) or {}
            recorded = original.run.original if original.run else ""
            for target in filter(None, (recorded, str(proof.get("run", "")))):
                try:
                    run = recording.run(target)
                except RecordingError:
                    continue  # who proved it is recorded in another file, or pruned
                if run.identity and (site.bundled or run.environment.get("base_url") == site.base_url):
                    found[str(run.identity.get("username", run.id))] = None
    return tuple(found)


async def users_there(options: VerifySiteOptions, originals: Sequence[Original], stop: Stop) -> tuple[str, ...]:
    """Give who of the recorded users, and of those who proved their runs, is on the site with all that they left.

    Each of them logs in, and what they left is looked at; of whom nobody can see anything counts as not there.

    Args:
        options: of the look; the target is set here.
        originals: the runs.
        stop: asks for an early end.

    Returns:
        Their user names.

    Raises:
        SimulatorError: the site cannot be looked at.
    """
    found: dict[str, None] = {}
    for original in originals:
        if original.run is None:
            continue
        proof = _proof(original.run) or {}
        for target in filter(None, (original.run.original, str(proof.get("run", "")))):
            if stop.requested:
                return tuple(found)
            try:
                looked = await verify_site(replace(options, target=target), stop)
            except RecordingError:
                continue  # who proved it is recorded in another file, or pruned: nobody knows where to look
            seen = [one for one in looked.places if one.became == "shown"] or looked.visited
            whole = not any(one.red for one in looked.places) and all(one.there for one in looked.visited)
            if seen and whole and not looked.interrupted:
                found[seen[0].username] = None
    return tuple(found)
