"""From a persona to the run that its fresh users are made of: found in the recording, or recorded and proven first.

Not responsible for: making them, or what makes a run do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from simulator.cli.options import AgentName, LimitMoney, LimitTokens, PersonaFolder

if TYPE_CHECKING:
    from simulator.cli.replays.performance import PerformingOptions
    from simulator.config import Settings, Site
    from simulator.persona import Persona
    from simulator.persona.numbers import Numbers
    from simulator.runner.seeding.fan_out import FanOut
    from simulator.runner.seeding.originals import Original

_WORDS = ("last", "all")
_SHOWN = 3
"""How many runs that do not do are listed of a persona."""


class FirstOptions(NamedTuple):
    """Who records the first user of a persona of which nothing is recorded."""

    agent: AgentName = "auto"
    model: Annotated[
        str, typer.Option("--model", envvar="SIM_MODEL", help="Which model does what is in free words.")
    ] = ""
    limit_tokens: LimitTokens = None
    limit_money: LimitMoney = None
    personas: PersonaFolder = None


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """Of whom users are made, and where that is looked up."""

    settings: Settings
    site: Site
    """At the address that it has now."""
    base_url: str | None
    source: Path
    """Where runs are looked up."""
    db: Path
    """Where what is recorded lands."""
    first: FirstOptions
    headed: bool
    yes: bool


def personas_among(paths: Sequence[str], source: Path, folder: Path | None) -> dict[str, Persona]:
    """Find the personas among what was named: by their files, or by their names.

    Args:
        paths: what was named.
        source: the recording in which runs and batches are looked up.
        folder: of persona files; None: the usual one.

    Returns:
        The personas by what they were named.

    Raises:
        UsageError: a name means a run and a persona, or neither.
        PersonaError: a file has a mistake.
    """
    found: dict[str, Persona] = {}
    for path in paths:
        if Path(path).suffix in (".yaml", ".yml") and _is_persona_file(Path(path)):
            from simulator.persona import load_persona

            found[path] = load_persona(path)
        elif _may_be_a_name(path):
            persona = _named(path, source, folder)
            found |= {path: persona} if persona else {}
    return found


def _is_persona_file(path: Path) -> bool:
    from simulator.yaml_source import SourceError, read_source

    try:
        value = read_source(path).value
    except SourceError:
        return False  # whoever reads it as a playbook says what is wrong, and where
    return isinstance(value, dict) and "persona" in value and "tasks" in value


def _may_be_a_name(path: str) -> bool:
    import re

    from simulator.persona.model import PERSONA_NAME

    return path not in _WORDS and re.fullmatch(PERSONA_NAME, path) is not None and not Path(path).exists()


def _named(name: str, source: Path, folder: Path | None) -> Persona | None:
    """Give the persona of a name; None where a run or a batch is meant."""
    from simulator.cli.options import load_given
    from simulator.errors import UsageError

    is_run = not (set(name) - set("0123456789abcdef-")) and _is_in(name, source)
    persona = load_given(folder).get(name)
    if persona and is_run:
        raise UsageError(f"'{name}' is a persona, and a run or a batch of {source}: name the persona's file, or more "
                         "of the id")  # fmt: skip
    if persona is None and not is_run:
        raise UsageError(
            f"{source} has no run '{name}', and no persona is called so; 'sim runs list' and 'sim personas list' show "
            "what there is"
        )
    return persona


def _is_in(name: str, source: Path) -> bool:
    from simulator.recording.reader import Recording

    if not source.exists():
        return False
    with Recording.open(source) as recording:
        ids = [one.id for one in recording.batches()] + [one.id for one in recording.runs()]
    return any(one.startswith(name) or one.endswith(name) for one in ids)


def origin_lines(original: Original) -> list[str]:
    """Say of which run the users of a persona are made, or why there is none."""
    name = original.persona.persona
    if original.run:
        lines = [f"persona '{name}': users are made of {original.told}"]
    elif original.unproven:
        run = original.unproven.id[-8:]
        lines = [f"persona '{name}': {original.told}: 'sim prove {run}' proves it"]
    else:
        lines = [f"persona '{name}': no run of it is recorded"]
    shown = original.others[:_SHOWN]
    more = [f"  and {len(original.others) - _SHOWN} more do not do"] if len(original.others) > _SHOWN else []
    return [*lines, *(f"  {one}" for one in shown), *more] if not original.run else lines


def explain_what_comes_first(found: Sequence[Original]) -> bool:
    """Say what is done before users are made, where that is left to do; False where nothing is recorded to plan with.

    Args:
        found: of each persona; all of them are proven unless nothing is to be done.
    """
    if any(one.run is None for one in found):
        say(["without --plan what is not recorded is recorded first, and what is not proven is performed once more"])
    return all(one.run or one.unproven for one in found)


def say(lines: Iterable[str]) -> None:
    """Print lines on standard error."""
    from simulator.report.wording import harmless

    print("\n".join(map(harmless, lines)), file=sys.stderr)


def proven_runs(personas: Sequence[Persona], wanted: Wanted) -> tuple[Original, ...]:
    """Give the proven run of each persona; what is not recorded yet is recorded first, and proven.

    Raises:
        UsageError: nobody can agree to what that leaves on the site, or it would not land where runs are looked up.
        KeyMissing: a task is in free words, and there is no model.
        Exit: it was not recorded, or is not proven.
    """
    from simulator.errors import UsageError
    from simulator.runner.seeding.originals import find_originals

    found = find_originals(wanted.source, personas, wanted.site)
    lacking = [one for one in found if one.run is None]
    if not lacking:
        return found
    say(line for one in lacking for line in origin_lines(one))
    if wanted.source != wanted.db:
        raise UsageError(
            f"{wanted.source} has no proven run of '{lacking[0].persona.persona}', and what is recorded lands in "
            f"{wanted.db}: leave --source out"
        )
    _prove_those([one for one in lacking if one.unproven], wanted)
    _record_those([one.persona for one in lacking if not one.unproven], wanted)
    return find_originals(wanted.source, personas, wanted.site)


def _prove_those(originals: Sequence[Original], wanted: Wanted) -> None:
    """Perform once more what is recorded and not proven."""
    from simulator.cli.execution import execute
    from simulator.cli.options import random_seed
    from simulator.cli.prove import may_leave, show
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.replays.proving import plans_of
    from simulator.runner.replays.proving import prove as prove_runs

    if not originals:
        return
    options = ReplayOptions(
        settings=wanted.settings,
        site=wanted.site,
        source=wanted.source,
        target=[one.unproven.id for one in originals if one.unproven],
        identity="fresh",
        seed=random_seed(),
        db=wanted.db,
        headed=wanted.headed,
        argv=tuple(sys.argv[1:]),
    )
    if not may_leave(plans_of(options), options, yes=wanted.yes):
        raise typer.Exit(1)
    proving = execute(lambda listener, stop: prove_runs(options, listener, stop))
    if not proving.proven:
        raise typer.Exit(show(proving, options, as_json=False) or 1)


def _record_those(personas: Sequence[Persona], wanted: Wanted) -> None:
    """Record one user of each persona, and perform what they did once more."""
    from simulator.cli.execution import execute
    from simulator.cli.options import random_seed
    from simulator.cli.prove import prove_recorded, require_consent, tell
    from simulator.report.follow_up import FollowUp
    from simulator.runner.batch import RunOptions, run_batch

    if not personas:
        return
    require_consent(wanted.site, yes=wanted.yes)
    first = wanted.first
    options = RunOptions(
        settings=wanted.settings,
        site=wanted.site,
        personas=tuple(one.model_copy(update={"weight": 1.0}) for one in personas),
        count=len(personas),
        seed=random_seed(),
        agent=_agent(personas, first),
        model=first.model,
        db=wanted.db,
        headed=wanted.headed,
        limit_minutes=wanted.settings.run.limit_minutes,
        limit_steps=wanted.settings.run.limit_steps,
        limit_tokens=first.limit_tokens or wanted.settings.run.limit_tokens,
        limit_money=first.limit_money or wanted.settings.run.limit_money,
        argv=tuple(sys.argv[1:]),
    )
    names = ", ".join(f"'{one.persona}'" for one in personas)
    say([f"one user of {names} is recorded first, by the agent '{options.agent}', and performed once more"])
    recorded = execute(lambda listener, stop: run_batch(options, listener, stop))
    proving = prove_recorded(recorded, options, yes=wanted.yes)
    if proving is None or not proving.proven:
        follow = FollowUp(db=wanted.db, base_url=wanted.base_url, reset=wanted.site.can_be_reset)
        raise typer.Exit(tell(recorded, proving, follow, as_json=False) or 1)


def _agent(personas: Sequence[Persona], first: FirstOptions) -> str:
    """Choose who records: a model where a task is in free words."""
    import os

    from simulator.agent.models.choose import choose_agent
    from simulator.cli.model_agent import agent_with_a_model
    from simulator.runner.seeding.originals import is_free

    free = next((one for one in personas if is_free(one)), None)
    if free is None:
        return choose_agent(first.agent, os.environ) if first.agent != "auto" else "autopilot"
    return agent_with_a_model(first.agent, f"a task in free words of the persona '{free.persona}'")


def numbers_of(personas: Iterable[Persona]) -> dict[str, dict[str, Numbers]]:
    """Give what the files of personas say, as they are now, of how often users do what was recorded."""
    from simulator.persona.numbers import parse_range

    return {one.persona: parse_range(one.numbers) for one in personas}


def less_those_there(
    asked: FanOut, originals: Sequence[Original], wanted: Wanted, given: PerformingOptions, *, plan: bool = False
) -> FanOut:
    """Leave out of how many users there shall be who is on the site already: who was recorded, and who proved it.

    Args:
        asked: how many there shall be.
        originals: what users are made of.
        wanted: where.
        given: whether the site is reset before: then nobody is there.
        plan: whether nothing is done: then nobody is looked for, and who was recorded there is taken as there.

    Raises:
        Exit: there are as many as are wanted.
    """
    from dataclasses import replace

    from simulator.cli.execution import execute
    from simulator.runner.seeding.originals import users_recorded, users_there
    from simulator.runner.upkeep.verify_site import VerifySiteOptions

    if given.reset or asked.first > 1:
        return asked
    options = VerifySiteOptions(
        settings=wanted.settings, site=wanted.site, db=wanted.source, target="", headed=wanted.headed
    )
    if plan:
        there = users_recorded(wanted.source, originals, wanted.site)
    else:
        there = execute(lambda _, stop: users_there(options, originals, stop))
    if not there:
        return asked
    left = asked.count - len(there)
    known = "recorded on the site, and looked for when it begins" if plan else "on the site already, and counted"
    say([f"{len(there)} {known}: {', '.join(there)}; {max(left, 0)} more are made"])
    if left < 1:
        raise typer.Exit
    return replace(asked, count=left)
