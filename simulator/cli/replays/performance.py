"""What ``sim replay`` and ``sim accept`` share: a recording is performed on its site, and what came of it is written.

Not responsible for: how it is performed.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar

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
    ShardShare,
    SiteName,
    Source,
    users_at_once,
)

if TYPE_CHECKING:
    from simulator.cli.loading import Loaded, Prepared
    from simulator.config import Settings
    from simulator.replay.shards import Shard
    from simulator.runner.events import Listener, ReplayResult
    from simulator.runner.replays.gathering import Gathered
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.stop import Stop

T = TypeVar("T")


class PerformingOptions(NamedTuple):
    """What is performed, by whom, and where."""

    identity: Annotated[
        Literal["same", "fresh", "reuse"],
        typer.Option(
            "--identity",
            envvar="SIM_IDENTITY",
            help="The same users on a reset site, fresh ones, or the same who log in where they are on the site.",
        ),
    ] = "same"
    source: Source = None
    db: Db = None
    site: SiteName = None
    base_url: BaseUrl = None
    reset: Reset = False
    seed: Seed = None
    freeze_clock: Annotated[
        bool | None,
        typer.Option(
            "--freeze-clock/--no-freeze-clock",
            envvar="SIM_FREEZE_CLOCK",
            help="Let the pages' clock stand at the recorded run's start; by default as it was recorded.",
            show_default=False,
        ),
    ] = None
    pace: Annotated[
        Literal["none", "recorded", "human"],
        typer.Option(
            "--pace",
            envvar="SIM_PACE",
            help="When actions are done: at once, with the recorded gaps, or as the user would, typing key by key.",
        ),
    ] = "none"
    concurrency: Concurrency = None
    workers: Annotated[
        int, typer.Option("--workers", envvar="SIM_WORKERS", min=1, max=64, help="Share out among this many sites.")
    ] = 1
    shard: ShardShare = None
    quarantine: Annotated[
        Path | None,
        typer.Option(
            "--quarantine", envvar="SIM_QUARANTINE", metavar="FILE", help="Runs whose drifts do not count, and why."
        ),
    ] = None
    headed: Headed = False
    screenshots: ScreenshotPolicy = None
    exchanges: ExchangePolicy = None


class ReportOptions(NamedTuple):
    """Where what came of it is written."""

    as_json: Annotated[
        bool, typer.Option("--json", help="Print canonical JSON instead of text; or write it, with a FILE.json.")
    ] = False
    junit: Annotated[
        Path | None,
        typer.Option("--junit", envvar="SIM_JUNIT", metavar="FILE", help="Write what came of it as JUnit XML, too."),
    ] = None
    html: Annotated[
        Path | None,
        typer.Option("--html", envvar="SIM_HTML", metavar="FILE", help="Write it as a page, too: 'sim report'."),
    ] = None


class RequiringOptions(NamedTuple):
    """What makes the exit code 1, beside drifts."""

    fail_on_heal: Annotated[
        bool,
        typer.Option("--fail-on-heal", envvar="SIM_FAIL_ON_HEAL", help="Exit 1 if it healed or repaired anything."),
    ] = False
    require_proof: Annotated[
        int | None,
        typer.Option(
            "--require-proof",
            envvar="SIM_REQUIRE_PROOF",
            metavar="[PERCENT]",
            min=1,
            max=100,
            help="Exit 1 where fewer of a hundred writes are proven: seen again, with each input, on a later page. "
            "Without a number: all.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class Performance:
    """A recording that is ready to be performed."""

    options: ReplayOptions
    gathered: Gathered
    given: PerformingOptions
    observing: ObservingOptions
    loaded: Loaded | None
    reports: ReportOptions
    json_file: Path | None
    """The file that follows ``--json``."""

    def run(self, start: Callable[[Listener, Stop], Coroutine[Any, Any, T]]) -> T:
        """Perform it, in the event loop in which the browser has started."""
        from simulator.cli.execution import execute

        return execute(start, self.observing, runner=self.loaded and self.loaded.runner)

    def report(self, result: ReplayResult) -> None:
        """Write what came of it where that was asked for, and print it.

        Raises:
            EnvironmentFailure: there is no room for it, for example.
        """
        from simulator.cli.output import print_json, print_lines
        from simulator.report.follow_up import FollowUp
        from simulator.report.replay_summary import replay_lines

        given = self.given
        try:
            self._write(result)
        finally:
            # Whoever reads this may leave before its end, as 'head' does.
            if self.reports.as_json and not self.json_file:
                print_json(result)
            else:
                follow = FollowUp(db=given.db, base_url=given.base_url, reset=given.reset)
                print_lines(replay_lines(result, follow))

    def _write(self, result: ReplayResult) -> None:
        from simulator.cli.output import write_file
        from simulator.recording.reader import Recording
        from simulator.report.as_json import json_text

        if self.json_file:
            write_file(self.json_file, json_text(result) + "\n")
        if self.reports.junit:
            from simulator.report.junit import junit_xml

            write_file(self.reports.junit, junit_xml(result))
        if self.reports.html and result.batch_id:
            from simulator.report.page import html_report

            with Recording.open(result.db) as recording:
                write_file(self.reports.html, html_report(recording, result.batch_id))


@contextmanager
def performance(
    paths: Sequence[str],
    given: PerformingOptions,
    reports: ReportOptions,
    observing: ObservingOptions,
    *,
    ahead: bool = True,
) -> Iterator[Performance]:
    """Make ready what was named: its browser starts while the modules still load.

    Args:
        paths: what is performed; among them the file that follows ``--json``.
        given: by whom, and where.
        reports: where what came of it is written.
        observing: who observes it.
        ahead: whether it is performed, so that its browser may start before all is read.

    Raises:
        UsageError: nothing is named, or an option cannot be taken.
        ConfigError: ``sim.toml`` cannot be used.
        RecordingError: something that is named cannot be read.
        BrowserMissing: there is no browser.
    """
    from simulator.cli.loading import loading
    from simulator.cli.output import check_writable

    paths, json_file = _json_file(paths, as_json=reports.as_json)
    for file in (reports.junit, reports.html, json_file):
        if file:
            check_writable(file)
    with ExitStack() as stack:
        loaded = None
        if ahead and all(Path(path).exists() for path in paths if Path(path).suffix):
            loaded = stack.enter_context(loading(lambda: _prepare(given), _load))
        settings = loaded.settings if loaded else _settings(given)

        from simulator.replay.shards import Shard
        from simulator.runner.replays.gathering import gathered

        share = Shard.parse(given.shard) if given.shard else None
        source = given.source or given.db or settings.recording.db
        found = stack.enter_context(gathered(paths, source, landing=settings.recording.db))
        yield Performance(
            options=replay_options(given, settings, found, share, loaded, named=paths),
            gathered=found,
            given=given,
            observing=observing,
            loaded=loaded,
            reports=reports,
            json_file=json_file,
        )


def replay_options(
    given: PerformingOptions,
    settings: Settings,
    found: Gathered,
    share: Shard | None = None,
    loaded: Loaded | None = None,
    *,
    named: Sequence[str] = (),
) -> ReplayOptions:
    """Put together what a replay is asked for.

    Args:
        given: by whom, and where.
        settings: of ``sim.toml``.
        found: what is performed.
        share: of the runs that are; None: all.
        loaded: where its browser has started ahead.
        named: what was named, as it was.

    Raises:
        UsageError: there is no such site, or the quarantine file cannot be used.
    """
    import sys

    from simulator.runner.replays.options import ReplayOptions

    quarantined = None
    if given.quarantine:
        from simulator.runner.replays.quarantine import Quarantine

        quarantined = Quarantine.read(given.quarantine)
    return ReplayOptions(
        settings=settings,
        site=settings.site(given.site) if given.site else None,
        base_url=given.base_url,
        source=found.source,
        source_name=found.name,
        target=found.targets,
        named=tuple(named) if found.temporary else (),
        looked_up=given.source or given.db or settings.recording.db,
        identity=given.identity,
        seed=given.seed,
        freeze_clock=given.freeze_clock,
        pace=given.pace,
        concurrency=users_at_once(given.concurrency, settings),
        workers=given.workers,
        shard=share,
        quarantine=quarantined,
        db=given.db or settings.recording.db,
        reset=given.reset,
        headed=given.headed or settings.browser.headed,
        screenshots=given.screenshots or settings.run.screenshots,
        ahead=loaded and loaded.ahead,
        argv=tuple(sys.argv[1:]),
    )


def _settings(given: PerformingOptions) -> Settings:
    from simulator.config import load_settings

    return load_settings().with_exchanges(given.exchanges)


def _prepare(given: PerformingOptions) -> Prepared:
    """Read the settings, and find out from them which browser is probably needed."""
    from simulator.cli.loading import Prepared

    settings = _settings(given)
    from simulator.runner.surroundings.ahead import probable

    section = settings.site(given.site)
    at = section.with_base_url(given.base_url.replace("{worker}", "1")) if given.base_url else section
    return Prepared(settings, probable(settings, at, headed=given.headed or settings.browser.headed))


def _load() -> None:
    """Import what performs a recording: while the browser is starting."""
    import simulator.cli.execution
    import simulator.replay.shards
    import simulator.report.follow_up
    import simulator.report.replay_summary
    import simulator.runner.replays.gathering
    import simulator.runner.replays.replaying  # noqa: F401


def _json_file(paths: Sequence[str], *, as_json: bool) -> tuple[list[str], Path | None]:
    """Part the file that follows ``--json`` from what is replayed: no recording and no playbook ends in ``.json``."""
    from simulator.errors import UsageError

    files = [path for path in paths if path.endswith(".json")]
    others = [path for path in paths if not path.endswith(".json")]
    if files and (not as_json or len(files) > 1):
        raise UsageError(f"{files[-1]} is not a recording; to write the result as JSON, give --json and one FILE.json")
    if not others:
        raise UsageError("nothing to replay: name a recording, a playbook, a run, a batch, 'last' or 'all'")
    return others, Path(files[0]) if files else None


def lacks(result: ReplayResult, requiring: RequiringOptions) -> bool:
    """Return whether it lacks what was required of it; a lack of proof is printed."""
    import sys

    from simulator.report.proof import proven_percent

    least = requiring.require_proof
    unproven = least is not None and proven_percent(run.writes for run in result.runs) < least
    if unproven:
        print(f"fewer than {least} % of the writes are proven (--require-proof)", file=sys.stderr)
    return unproven or (requiring.fail_on_heal and any(run.heals or run.repairs for run in result.runs))
