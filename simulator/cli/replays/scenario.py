"""``sim seed seed.toml``: the waves of a scenario, one after the other. Not responsible for: what a file may say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import typer

if TYPE_CHECKING:
    from simulator.cli.options import ObservingOptions
    from simulator.cli.replays.originals import FirstOptions, Wanted
    from simulator.cli.replays.performance import PerformingOptions, RequiringOptions
    from simulator.cli.replays.preview import Seeding
    from simulator.config import Settings
    from simulator.persona import Persona
    from simulator.persona.numbers import Numbers
    from simulator.runner.events import Listener, ReplayResult
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.seeding.scenario import Group, ScenarioFile
    from simulator.runner.stop import Stop


class Ready(NamedTuple):
    """A group of users that may be made."""

    group: Group
    options: ReplayOptions


def make_scenario(
    path: Path,
    given: PerformingOptions,
    first: FirstOptions,
    seeding: Seeding,
    requiring: RequiringOptions,
    observing: ObservingOptions,
    *,
    as_json: bool,
) -> NoReturn:
    """Make what a scenario says, or show what that would be.

    Args:
        path: of its file.
        given: where, and how; a site and a seed go before those of the file.
        first: who records a persona of which nothing is recorded.
        seeding: how it goes on, and what is shown.
        requiring: what makes the exit code 1.
        observing: who observes it.
        as_json: whether what came of it is printed as JSON.

    Raises:
        Exit: always, with the exit code.
        SimulatorError: it cannot be read, or made.
    """
    from simulator.cli.execution import execute
    from simulator.cli.options import persona_folder
    from simulator.cli.output import check_writable
    from simulator.cli.replays.preview import require_consent
    from simulator.config import load_settings
    from simulator.domain import Named, name_packs
    from simulator.runner.seeding.scenario import read_scenario

    settings = load_settings().with_exchanges(given.exchanges)
    file = read_scenario(path)
    # Whoever reads settings once more has the data of those alone in use: from here on nobody does.
    first = first._replace(personas=first.personas or file.personas() or persona_folder(None))
    name_packs(Named(settings.packs, settings.root, file.data(settings.own_data)))
    if seeding.manifest:
        check_writable(seeding.manifest)
    with ExitStack() as stack:
        ready = _ready(file, settings, given, first, seeding, stack)
        if ready is None:
            raise typer.Exit
        if seeding.plan:
            _show(ready, as_json=as_json)
            raise typer.Exit
        require_consent(*(one.options for one in ready), yes=seeding.yes)
        results = execute(lambda listener, stop: _perform(ready, listener, stop), observing)
        if seeding.manifest:
            _write_manifest(seeding.manifest, ready, results, with_passwords=seeding.with_passwords)
    _print_results(ready, results, given, as_json=as_json)
    raise typer.Exit(_exit_code(results, requiring))


def _ready(
    file: ScenarioFile,
    settings: Settings,
    given: PerformingOptions,
    first: FirstOptions,
    seeding: Seeding,
    stack: ExitStack,
) -> list[Ready] | None:
    """Find what each group is made of, and see that nothing speaks against making it; None where nothing is recorded.

    Raises:
        SimulatorError: one of the groups cannot be made, with its place in the file.
    """
    from dataclasses import replace

    from simulator.cli.replays.originals import Wanted
    from simulator.cli.replays.performance import replay_options
    from simulator.persona.numbers import parse_range
    from simulator.runner.replays.gathering import gathered
    from simulator.runner.seeding.preview import preview

    with _placed(file.at("site")):
        site = settings.site(given.site or file.said.site)
    groups = file.groups(given.seed)
    db = given.db or settings.recording.db
    source = given.source or db
    wanted = Wanted(
        settings=settings,
        site=site.with_base_url(given.base_url) if given.base_url else site,
        base_url=given.base_url,
        source=source,
        db=db,
        first=first,
        headed=given.headed or settings.browser.headed,
        yes=seeding.yes,
    )
    meant = _runs_of(file, groups, wanted, plan=seeding.plan)
    if meant is None:
        return None
    runs, own_numbers = meant
    ready: list[Ready] = []
    for group in groups:
        with _placed(group.at):
            found = stack.enter_context(
                gathered([runs[name] for name in group.names], source, landing=settings.recording.db)
            )
            one = given._replace(site=site.name, seed=group.seed, reset=given.reset and not ready)
            wave = group.said
            fan_out = replace(
                seeding.fan_out,
                count=group.count,
                mix=wave.mix,
                shared=wave.shared,
                deals_with=wave.deals_with,
                numbers={**seeding.fan_out.numbers, **parse_range(wave.numbers)},
                numbers_of=own_numbers,
                keep_words=seeding.fan_out.keep_words or file.said.keep_words,
            )
            options = replay_options(one, settings, found, named=[runs[name] for name in group.names])
            options = replace(options, fan_out=fan_out, mode="heal" if seeding.heal else "strict")
            preview(options)
            ready.append(Ready(group, options))
    _refuse_doubles(ready)
    _refuse_strangers(ready)
    return ready


@contextmanager
def _placed(at: str) -> Iterator[None]:
    """Give a mistake its place in the file."""
    from simulator.errors import UsageError

    try:
        yield
    except UsageError as error:
        raise UsageError(str(error) if str(error).startswith(at) else f"{at}: {error}") from None


def _runs_of(
    file: ScenarioFile, groups: Sequence[Group], wanted: Wanted, *, plan: bool
) -> tuple[dict[str, str], dict[str, dict[str, Numbers]]] | None:
    """Give what each name means: the proven run of a persona, or what it says; None where a plan lacks one.

    Returns:
        That, and what the files of the personas say of how often users do what was recorded.
    """
    from simulator.cli.replays.originals import (
        explain_what_comes_first,
        numbers_of,
        origin_lines,
        personas_among,
        proven_runs,
        say,
    )
    from simulator.runner.seeding.originals import find_originals

    meant: dict[str, str] = {}
    personas: dict[str, Persona] = {}
    for group in groups:
        for name in group.names:
            beside = file.path.parent / name
            meant[name] = str(beside) if beside.exists() else name
            with _placed(group.at):
                personas |= personas_among([meant[name]], wanted.source, wanted.first.personas)
    named = [*{one.persona: one for one in personas.values()}.values()]
    found = find_originals(wanted.source, named, wanted.site) if plan else proven_runs(named, wanted)
    if found:
        say(line for one in found for line in origin_lines(one))
    if not explain_what_comes_first(found):
        return None
    proven = {one.persona.persona: run.id for one in found if (run := one.run or one.unproven)}
    runs = {name: proven[personas[said].persona] if said in personas else said for name, said in meant.items()}
    return runs, numbers_of(named)


def _personas(ready: Ready) -> set[str]:
    """Give the personas of a group, without those who were made before."""
    from simulator.recording.reader import Recording
    from simulator.replay.seeding.casts import met_among
    from simulator.runner.replays.choosing import choose

    with Recording.open(ready.options.source) as recording:
        plans = choose(recording, ready.options).plans
    met = met_among(plans, ready.group.said.deals_with)
    return {plan.run.persona or "" for plan in plans if plan not in met}


def _refuse_doubles(ready: Sequence[Ready]) -> None:
    """See that no two groups of one seed draw the same users.

    Raises:
        UsageError: two do.
    """
    from simulator.errors import UsageError

    drawn: dict[tuple[str, str], Group] = {}
    for one in ready:
        for persona in sorted(_personas(one)):
            before = drawn.setdefault((one.group.seed, persona), one.group)
            if before is not one.group:
                raise UsageError(
                    f"{one.group.at}: users of '{persona}' are made by {before.label}, too, and the seed would draw "
                    "the same ones again: put them into another wave"
                )


def _refuse_strangers(ready: Sequence[Ready]) -> None:
    """See that whom a wave deals with is made by a wave before.

    Raises:
        UsageError: somebody is not.
    """
    from simulator.errors import UsageError
    from simulator.recording.reader import Recording
    from simulator.replay.seeding.casts import met_among
    from simulator.runner.replays.choosing import choose

    for one in ready:
        made = {name for other in ready if other.group.wave < one.group.wave for name in _personas(other)}
        with Recording.open(one.options.source) as recording:
            met = met_among(choose(recording, one.options).plans, one.group.said.deals_with)
        for plan in met:
            if plan.run.persona not in made:
                raise UsageError(f"{one.group.at}: deals_with: no wave before makes a user of '{plan.run.persona}'")


async def _perform(ready: Sequence[Ready], listener: Listener, stop: Stop) -> list[ReplayResult]:
    """Make one group after the other; none after one that failed."""
    from dataclasses import replace

    from simulator.cli.replays.originals import say
    from simulator.recording.reader import Recording
    from simulator.runner.replays.choosing import choose
    from simulator.runner.replays.replaying import replay
    from simulator.runner.seeding.earlier import met_users, users_made

    results: list[ReplayResult] = []
    batches: list[tuple[int, str]] = []
    for group, options in ready:
        say([group.label])
        assert options.fan_out is not None
        if group.said.deals_with:
            made = users_made(options.db, [batch for wave, batch in batches if wave < group.wave])
            with Recording.open(options.source) as recording:
                plans = choose(recording, options).plans
            known = met_users(plans, group.said.deals_with, made)
            options = replace(options, fan_out=replace(options.fan_out, known=known))
        result = await replay(options, listener, stop)
        results.append(result)
        assert result.seeded is not None
        batches += [(group.wave, batch) for batch in (*result.seeded.earlier, result.batch_id) if batch]
        if not result.passed or result.interrupted:
            break
    return results


def _exit_code(results: Sequence[ReplayResult], requiring: RequiringOptions) -> int:
    from simulator.cli.execution import exit_code
    from simulator.cli.replays.performance import lacks

    return next((code for one in results if (code := exit_code(one) or int(lacks(one, requiring)))), 0)


def _show(ready: Sequence[Ready], *, as_json: bool) -> None:
    """Print what it would do."""
    from simulator.cli.output import print_json, print_lines
    from simulator.report.seeding import preview_lines
    from simulator.runner.seeding.preview import preview

    found = [(group, preview(options)) for group, options in ready]
    if as_json:
        print_json({"waves": [{"wave": group.wave, "label": group.label, "plan": one} for group, one in found]})
        return
    for number, (group, one) in enumerate(found):
        print_lines([*([""] if number else []), group.label, *preview_lines(one)])


def _print_results(
    ready: Sequence[Ready], results: Sequence[ReplayResult], given: PerformingOptions, *, as_json: bool
) -> None:
    """Print what came of it."""
    from simulator.cli.output import print_json, print_lines
    from simulator.report.follow_up import FollowUp
    from simulator.report.replay_summary import replay_lines

    made = [(one.group, result) for one, result in zip(ready, results, strict=False)]
    left = [one.group.label for one in ready[len(results) :]]
    if as_json:
        waves = [{"wave": group.wave, "label": group.label, "result": result} for group, result in made]
        print_json({"waves": waves, "not_begun": left})
        return
    follow = FollowUp(db=given.db, base_url=given.base_url, reset=given.reset)
    for number, (group, result) in enumerate(made):
        print_lines([*([""] if number else []), group.label, *replay_lines(result, follow)])
    print_lines(f"not begun {label}" for label in left)


def _write_manifest(
    path: Path, ready: Sequence[Ready], results: Sequence[ReplayResult], *, with_passwords: bool
) -> None:
    """Write who was made by all waves."""
    import json

    from simulator.canonical import canonical_json
    from simulator.runner.seeding.manifest import made_users, manifest_text, write_manifest

    texts: list[str] = []
    for (_, options), result in zip(ready, results, strict=False):
        site = options.settings.site(result.site)
        site = site.with_base_url(options.base_url) if options.base_url else site
        users = made_users(result, site, with_passwords=with_passwords)
        texts.append(manifest_text(users, result, site, path.suffix))
    if path.suffix == ".json":
        waves: list[Mapping[str, object]] = [
            {"wave": one.group.wave, "label": one.group.label, **json.loads(text)}
            for one, text in zip(ready, texts, strict=False)
        ]
        whole = canonical_json({"waves": waves}) + "\n"
    else:
        heads = dict.fromkeys(text.partition("\n")[0] for text in texts)
        whole = "\n".join(heads) + "\n" + "".join(text.partition("\n")[2] for text in texts)
    write_manifest(path, whole, secret=with_passwords)
