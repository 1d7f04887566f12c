"""``sim seed``: many fresh users of a recording. Not responsible for: how they are made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NoReturn

import typer

from simulator.cli.options import (
    BaseUrl,
    Concurrency,
    Db,
    ExchangePolicy,
    Headed,
    ObservingOptions,
    Reset,
    ScreenshotPolicy,
    Seed,
    SiteName,
    Source,
    random_seed,
)
from simulator.cli.replays.originals import FirstOptions
from simulator.cli.replays.performance import PerformingOptions, ReportOptions, RequiringOptions
from simulator.cli.replays.preview import Seeding

if TYPE_CHECKING:
    from simulator.runner.events import Listener, ReplayResult
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.seeding.fan_out import FanOut
    from simulator.runner.stop import Stop

Originals = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Runs or batches by their ids, 'last' batch, 'all', recordings, playbooks; personas by name or file; or a "
        "scenario, such as seed.toml.",
        show_default=False,
    ),
]
Count = Annotated[
    int | None,
    typer.Option(
        "--count", min=1, max=1_000_000, metavar="USERS", help="How many users there shall be, in whole casts."
    ),
]


class PlaceOptions(NamedTuple):
    """What users are made of, and where."""

    source: Source = None
    db: Db = None
    site: SiteName = None
    base_url: BaseUrl = None
    reset: Reset = False
    seed: Seed = None
    concurrency: Concurrency = None
    pace: Annotated[
        Literal["none", "recorded", "human"],
        typer.Option("--pace", envvar="SIM_PACE", help="When actions are done: as for 'sim replay'."),
    ] = "none"
    headed: Headed = False
    screenshots: ScreenshotPolicy = None
    exchanges: ExchangePolicy = None


class FanOutOptions(NamedTuple):
    """Who the users are, and when no other begins."""

    users: Count = None
    ensure: Annotated[
        int | None,
        typer.Option(
            "--ensure",
            min=0,
            max=1_000_000,
            metavar="USERS",
            help="Like --count, but only add whom earlier seedings of the same recording and --seed have not made; "
            "with a scenario file, without a number.",
        ),
    ] = None
    first: Annotated[
        int, typer.Option("--first", min=1, metavar="N", help="Leave out the users before this number: they are there.")
    ] = 1
    mix: Annotated[
        list[str] | None,
        typer.Option("--mix", metavar="PERSONA=N,…", help="How many users each persona has among those of all."),
    ] = None
    shared: Annotated[
        list[str] | None,
        typer.Option(
            "--shared", metavar="NAME", help="A persona or run that is performed once, for all; may be repeated."
        ),
    ] = None
    numbers: Annotated[
        list[str] | None,
        typer.Option(
            "--numbers",
            metavar="DATA=N..M",
            help="How often users do what was recorded twice or more for rows of a data set, such as tickets=0..10.",
        ),
    ] = None
    keep_words: Annotated[
        bool,
        typer.Option("--keep-words", help="Let every user put in the words that a recorded one had of its own."),
    ] = False
    max_failures: Annotated[
        str,
        typer.Option(
            "--max-failures", metavar="N|PERCENT%", help="Let nobody else begin once more users have failed than this."
        ),
    ] = "5%"
    on_drift: Annotated[
        Literal["stop", "skip", "heal"],
        typer.Option(
            "--on-drift",
            help="stop: nobody else begins; skip: the others go on; heal: as 'sim replay --mode heal' does.",
        ),
    ] = "skip"
    rate: Annotated[
        str | None, typer.Option("--rate", metavar="N/min", help="Let at most this many users begin per time.")
    ] = None
    ramp: Annotated[
        str, typer.Option("--ramp", metavar="TIME", help="Spread the starts of all users over this, such as 30s.")
    ] = "0s"

    def read(self) -> FanOut:
        """Read what was asked for.

        Raises:
            UsageError: an option cannot be read, or nobody said how many users there shall be.
        """
        from simulator.errors import UsageError

        wanted = self.ensure if self.users is None else self.users
        if not wanted or (self.users and self.ensure is not None):
            raise UsageError("how many users shall there be? give --count USERS, or --ensure USERS")
        if self.ensure and self.first > 1:
            raise UsageError("--ensure finds by itself who is there: it takes no --first")
        return self._of(wanted)

    def beside_a_file(self) -> FanOut:
        """Read what was asked for beside a scenario file, which says how many users there shall be, of whom.

        Raises:
            UsageError: an option cannot be read, or stands in the file.
        """
        from simulator.errors import UsageError

        against = {"--count": self.users, "--mix": self.mix, "--shared": self.shared, "--first": self.first > 1}
        if named := [name for name, given in against.items() if given]:
            raise UsageError(f"{', '.join(named)}: a scenario file says that itself, for each of its waves")
        if self.ensure:
            raise UsageError("--ensure takes no number here: the scenario file says how many users there shall be")
        return self._of(1)

    def _of(self, count: int) -> FanOut:
        from simulator.persona.numbers import parse_numbers
        from simulator.runner.seeding.fan_out import FanOut, Tolerance, parse_mix, parse_rate, parse_span

        return FanOut(
            count=count,
            ensure=self.ensure is not None,
            first=self.first,
            mix=parse_mix(self.mix or ()),
            shared=tuple(self.shared or ()),
            numbers=parse_numbers(self.numbers or (), "--numbers"),
            keep_words=self.keep_words,
            max_failures=Tolerance.parse(self.max_failures),
            on_drift="stop" if self.on_drift == "stop" else "skip",
            interval_s=parse_rate(self.rate) if self.rate else 0,
            ramp_s=parse_span(self.ramp),
        )


def seed(
    paths: Originals,
    *,
    fan_out: FanOutOptions,
    plan: Annotated[
        bool, typer.Option("--plan", help="Show what it would do: users, data, time, what it leaves; and do nothing.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Leave on a site that is not disposable what the users make.")
    ] = False,
    manifest: Annotated[
        Path | None,
        typer.Option(
            "--manifest", metavar="FILE", help="Write who was made, and where what they made is: .json or .csv."
        ),
    ] = None,
    with_passwords: Annotated[
        bool, typer.Option("--with-passwords", help="Write their passwords into the manifest, too; its mode is 0600.")
    ] = False,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            envvar="SIM_SCHEDULER",
            metavar="ADDRESS",
            help="Let the workers of a Dask cluster perform the users, such as tcp://10.0.0.5:8786.",
        ),
    ] = None,
    first: FirstOptions,
    place: PlaceOptions,
    requiring: RequiringOptions,
    reports: ReportOptions,
    observing: ObservingOptions,
) -> None:
    """Make many fresh users of recorded ones, without any model.

    Of a persona its proven run is taken; without one, one user is recorded first, and performed once more. Users who
    depend on each other are copied together, as a cast. The first cast has to pass, and to be proven, before
    others begin.
    """
    from simulator.cli.output import check_writable
    from simulator.errors import UsageError
    from simulator.runner.seeding.manifest import check_manifest

    heal = fan_out.on_drift == "heal"
    if scheduler:
        check_scheduler(scheduler, heal=heal, numbers=bool(fan_out.numbers))
    if heal and fan_out.numbers:
        raise UsageError("--on-drift heal mends what was recorded, and --numbers performs something else: give one")
    if files := [path for path in paths if path.endswith(".toml")]:
        from simulator.cli.replays.scenario import make_scenario

        if len(paths) > 1 or reports.junit or reports.html or scheduler:
            raise UsageError(f"{files[0]} is a scenario: it stands alone, without --junit, --html and --scheduler")
        check_manifest(manifest, with_passwords=with_passwords)
        seeding = Seeding(
            fan_out.beside_a_file(), plan=plan, yes=yes, heal=heal, manifest=manifest, with_passwords=with_passwords
        )
        given = PerformingOptions(identity="fresh", **place._asdict())
        make_scenario(Path(files[0]), given, first, seeding, requiring, observing, as_json=reports.as_json)
    asked = fan_out.read()
    if asked.ensure and place.seed is None:
        raise UsageError("--ensure adds to the users of a seed: give the --seed that they were drawn from")
    check_manifest(manifest, with_passwords=with_passwords)
    if manifest:
        check_writable(manifest)
    given = PerformingOptions(identity="fresh", **{**place._asdict(), "seed": place.seed or random_seed()})
    made_of, asked = _of_personas(paths, asked, given, first, plan=plan, yes=yes)
    if not made_of:
        return
    seeding = Seeding(
        asked, plan=plan, yes=yes, heal=heal, manifest=manifest, with_passwords=with_passwords, scheduler=scheduler
    )
    make_users(made_of, given, seeding, requiring, reports, observing)


def make_users(
    paths: Sequence[str],
    given: PerformingOptions,
    seeding: Seeding,
    requiring: RequiringOptions,
    reports: ReportOptions,
    observing: ObservingOptions,
) -> NoReturn:
    """Make fresh users of recorded ones, or show what that would be.

    Args:
        paths: what they are made of.
        given: where, and how.
        seeding: how many.
        requiring: what makes the exit code 1.
        reports: where what came of it is written.
        observing: who observes it.

    Raises:
        Exit: always, with the exit code.
        SimulatorError: they cannot be made.
    """
    from dataclasses import replace

    from simulator.cli.replays.performance import lacks, performance
    from simulator.cli.replays.preview import require_consent, show_preview

    with performance(paths, given, reports, observing, ahead=not seeding.plan) as ready:
        from simulator.cli.execution import exit_code
        from simulator.runner.replays.replaying import replay as replay_recording

        fan_out = seeding.fan_out
        mode: Literal["strict", "heal"] = "heal" if seeding.heal else "strict"
        options = replace(ready.options, fan_out=fan_out, mode=mode, elsewhere=_spread_over(seeding.scheduler))
        if seeding.plan:
            show_preview(options, as_json=reports.as_json)
            raise typer.Exit
        require_consent(options, yes=seeding.yes)

        async def perform(listener: Listener, stop: Stop) -> ReplayResult:
            with stop.after(seeding.limit_minutes, f"{seeding.limit_minutes} minutes are over"):
                return await replay_recording(options, listener, stop)

        result = ready.run(perform)
        if seeding.manifest:
            _write_manifest(seeding.manifest, result, options, with_passwords=seeding.with_passwords)
    ready.report(result)
    raise typer.Exit(exit_code(result) or int(lacks(result, requiring)))


def _of_personas(
    paths: Sequence[str], asked: FanOut, given: PerformingOptions, first: FirstOptions, *, plan: bool, yes: bool
) -> tuple[Sequence[str], FanOut]:
    """Put the proven run of each persona in the place of its name; where there is none, it is recorded first.

    Returns:
        What users are made of, nothing where none are; and how many there shall be, without who is there already.
    """
    from dataclasses import replace

    from simulator.cli.replays import originals
    from simulator.config import load_settings
    from simulator.runner.seeding.originals import find_originals

    settings = load_settings()
    db = given.db or settings.recording.db
    source = given.source or db
    personas = originals.personas_among(paths, source, first.personas)
    if not personas:
        return paths, asked
    site = settings.site(given.site)
    wanted = originals.Wanted(
        settings=settings,
        site=site.with_base_url(given.base_url) if given.base_url else site,
        base_url=given.base_url,
        source=source,
        db=db,
        first=first,
        headed=given.headed or settings.browser.headed,
        yes=yes,
    )
    named = [*personas.values()]
    found = find_originals(source, named, site) if plan else originals.proven_runs(named, wanted)
    originals.say(line for one in found for line in originals.origin_lines(one))
    if not originals.explain_what_comes_first(found):
        return [], asked
    asked = replace(asked, numbers_of=originals.numbers_of(named))
    meant = zip(personas, found, strict=True)
    runs = {name: run.id for name, one in meant if (run := one.run or one.unproven)}
    return [runs.get(path, path) for path in paths], originals.less_those_there(asked, found, wanted, given, plan=plan)


def _spread_over(scheduler: str | None) -> Any:
    """Give what opens a cluster by the address of its scheduler; None without one."""
    from functools import partial

    if scheduler is None:
        return None
    from simulator.runner.cluster.spreading import open_spread

    return partial(open_spread, scheduler)


def check_scheduler(address: str, *, heal: bool = False, numbers: bool = False) -> None:
    """See that users can be performed by a cluster, before anything is opened.

    Args:
        address: of its scheduler.
        heal: whether drifts are to be healed.
        numbers: whether users do what was recorded more or less often.

    Raises:
        UsageError: that is no address, or its workers cannot do what is asked for.
        ExtraMissing: Dask.distributed is not installed.
    """
    import re
    from importlib.util import find_spec

    from simulator.errors import ExtraMissing, UsageError
    from simulator.version import DISTRIBUTION

    if not re.fullmatch(r"(tcp|tls|ws|wss)://[^/\s]+:\d{1,5}", address):
        raise UsageError(f"--scheduler: expected an address such as tcp://10.0.0.5:8786, found '{address}'")
    if heal:
        raise UsageError("--on-drift heal makes a new revision here, and workers of --scheduler cannot")
    if numbers:
        raise UsageError("--numbers is for one machine: workers of --scheduler perform what was recorded")
    if find_spec("distributed") is None:
        raise ExtraMissing(
            f"--scheduler needs the package distributed; install it with: pip install '{DISTRIBUTION}[cluster]'"
        )


def _write_manifest(path: Path, result: ReplayResult, options: ReplayOptions, *, with_passwords: bool) -> None:
    """Write who was made, and where what they made is."""
    from simulator.runner.seeding.manifest import made_users, manifest_text, write_manifest

    site = options.settings.site(result.site)
    site = site.with_base_url(options.base_url) if options.base_url else site
    users = made_users(result, site, with_passwords=with_passwords)
    write_manifest(path, manifest_text(users, result, site, path.suffix), secret=with_passwords)
