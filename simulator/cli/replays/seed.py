"""``sim seed``: many fresh users of a recording. Not responsible for: how they are made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from simulator.cli.options import (
    BaseUrl,
    Concurrency,
    Db,
    ExchangePolicy,
    Headed,
    ObservingOptions,
    Paths,
    Reset,
    ScreenshotPolicy,
    Seed,
    SiteName,
    Source,
    random_seed,
)
from simulator.cli.replays.performance import PerformingOptions, ReportOptions

if TYPE_CHECKING:
    from simulator.runner.events import ReplayResult
    from simulator.runner.replays.replaying import ReplayOptions
    from simulator.runner.seeding.fan_out import FanOut

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
            min=1,
            max=1_000_000,
            metavar="USERS",
            help="Like --count, but only add whom earlier seedings of the same recording and --seed have not made.",
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
        str | None, typer.Option("--rate", metavar="N/min", help="Let no more users begin in a time than so many.")
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
        from simulator.runner.seeding.fan_out import FanOut, Tolerance, parse_mix, parse_rate, parse_span

        wanted = self.ensure if self.users is None else self.users
        if wanted is None or (self.users and self.ensure):
            raise UsageError("how many users shall there be? give --count USERS, or --ensure USERS")
        if self.ensure and self.first > 1:
            raise UsageError("--ensure finds by itself who is there: it takes no --first")
        return FanOut(
            count=wanted,
            ensure=self.ensure is not None,
            first=self.first,
            mix=parse_mix(self.mix or ()),
            shared=tuple(self.shared or ()),
            keep_words=self.keep_words,
            max_failures=Tolerance.parse(self.max_failures),
            on_drift="stop" if self.on_drift == "stop" else "skip",
            interval_s=parse_rate(self.rate) if self.rate else 0,
            ramp_s=parse_span(self.ramp),
        )


def seed(
    paths: Paths,
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
    place: PlaceOptions,
    reports: ReportOptions,
    observing: ObservingOptions,
) -> None:
    """Make many fresh users of recorded ones, without any model.

    Users who depend on each other are copied together, as a cast. The first cast has to pass, and to be proven, before
    others begin.
    """
    from dataclasses import replace

    from simulator.cli.output import check_writable
    from simulator.cli.replays.performance import performance
    from simulator.errors import UsageError
    from simulator.runner.seeding.manifest import check_manifest

    asked = fan_out.read()
    if asked.ensure and place.seed is None:
        raise UsageError("--ensure adds to the users of a seed: give the --seed that they were drawn from")
    if scheduler:
        check_scheduler(scheduler, heals=fan_out.on_drift == "heal")
    check_manifest(manifest, with_passwords=with_passwords)
    if manifest:
        check_writable(manifest)
    given = PerformingOptions(identity="fresh", **{**place._asdict(), "seed": place.seed or random_seed()})
    with performance(paths, given, reports, observing, ahead=not plan) as ready:
        from simulator.cli.execution import exit_code
        from simulator.runner.replays.replaying import replay as replay_recording

        options = replace(
            ready.options,
            fan_out=asked,
            mode="heal" if fan_out.on_drift == "heal" else "strict",
            elsewhere=_spread_over(scheduler),
        )
        if plan:
            _show(options, as_json=reports.as_json)
            return
        _require_consent(options, yes=yes)
        result = ready.run(lambda listener, stop: replay_recording(options, listener, stop))
        if manifest:
            _write_manifest(manifest, result, options, with_passwords=with_passwords)
    ready.report(result)
    raise typer.Exit(exit_code(result))


def _spread_over(scheduler: str | None) -> Any:
    """Give what opens a cluster by the address of its scheduler; None without one."""
    from functools import partial

    if scheduler is None:
        return None
    from simulator.runner.cluster.spreading import open_spread

    return partial(open_spread, scheduler)


def check_scheduler(address: str, *, heals: bool) -> None:
    """See that users can be performed by a cluster, before anything is opened.

    Args:
        address: of its scheduler.
        heals: whether drifts are to be healed.

    Raises:
        UsageError: that is no address, or there would be something to heal.
        ExtraMissing: Dask.distributed is not installed.
    """
    import re
    from importlib.util import find_spec

    from simulator.errors import ExtraMissing, UsageError
    from simulator.version import DISTRIBUTION

    if not re.fullmatch(r"(tcp|tls|ws|wss)://[^/\s]+:\d{1,5}", address):
        raise UsageError(f"--scheduler: expected an address such as tcp://10.0.0.5:8786, found '{address}'")
    if heals:
        raise UsageError("--on-drift heal makes a new revision here, and workers of --scheduler cannot")
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


def _show(options: ReplayOptions, *, as_json: bool) -> None:
    """Print what a seeding would do."""
    from simulator.cli.output import print_json, print_lines
    from simulator.report.seeding import preview_lines
    from simulator.runner.seeding.preview import preview

    found = preview(options)
    print_json(found) if as_json else print_lines(preview_lines(found))


def _require_consent(options: ReplayOptions, *, yes: bool) -> None:
    """See that somebody agrees to what is left on a site that is not marked disposable.

    Raises:
        UsageError: nobody can be asked.
        Exit: nobody agrees.
    """
    import sys

    from simulator.errors import UsageError
    from simulator.report.seeding import left_lines
    from simulator.report.wording import harmless
    from simulator.runner.seeding.preview import preview

    if yes:
        return
    found = preview(options)
    if found.disposable:
        return
    lines = left_lines(found)
    if not sys.stdin.isatty():
        raise UsageError(
            "\n".join([f"the site '{found.site}' is not marked 'disposable'; give --yes to agree", *lines])
        )
    print("\n".join(map(harmless, lines)), file=sys.stderr)
    if not typer.confirm(f"Make {found.users} users there?", err=True):
        print("sim: nobody was made", file=sys.stderr)
        raise typer.Exit(1)
