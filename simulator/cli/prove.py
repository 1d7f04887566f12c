"""``sim prove``: performing a recording once more, so that it counts as proven. Not responsible for: what proves it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simulator.cli.options import (
    BrowserOptions,
    Concurrency,
    Db,
    Json,
    ObservingOptions,
    Reset,
    RunOrBatch,
    Seed,
    SiteOptions,
    Yes,
    random_seed,
    users_at_once,
)

if TYPE_CHECKING:
    from simulator.config import Site
    from simulator.replay.plan import Plan
    from simulator.report.follow_up import FollowUp
    from simulator.runner.batch import RunOptions
    from simulator.runner.events import BatchResult
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.replays.proving import Proving


def prove(
    run: RunOrBatch,
    *,
    identity: Annotated[
        Literal["fresh", "same"],
        typer.Option(
            "--identity",
            envvar="SIM_IDENTITY",
            help="Who performs it: other users, or the recorded ones on a site that is reset.",
        ),
    ] = "fresh",
    reset: Reset = False,
    yes: Yes = False,
    source: Annotated[
        Path | None,
        typer.Option("--source", metavar="FILE", help="Recording that holds the run; by default --db's."),
    ] = None,
    place: SiteOptions,
    seed: Seed = None,
    concurrency: Concurrency = None,
    db: Db = None,
    browser: BrowserOptions,
    observing: ObservingOptions,
    as_json: Json = False,
) -> None:
    """Perform a recording once more, to prove it.

    Where the second performance passed and showed the same effects, a new revision says that it is proven; else nothing
    is marked, and the exit code is 1. What fresh users were shown, too, is required from then on.
    """
    import sys

    from simulator.cli.execution import execute
    from simulator.config import load_settings
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.replays.proving import plans_of
    from simulator.runner.replays.proving import prove as prove_runs

    settings = load_settings()
    into = db or settings.recording.db
    options = ReplayOptions(
        settings=settings,
        site=place.named(settings),
        base_url=place.base_url,
        source=source or into,
        target=run,
        identity=identity,
        seed=seed or (random_seed() if identity == "fresh" else None),
        concurrency=users_at_once(concurrency, settings),
        db=into,
        reset=reset,
        headed=browser.headed or settings.browser.headed,
        screenshots=browser.screenshots or settings.run.screenshots,
        argv=tuple(sys.argv[1:]),
    )
    if not may_leave(plans_of(options), options, yes=yes):
        raise typer.Exit(1)
    proving = execute(lambda listener, stop: prove_runs(options, listener, stop), observing)
    raise typer.Exit(show(proving, options, as_json=as_json))


def require_consent(site: Site, *, yes: bool) -> None:
    """See before anything is done that somebody can agree to what a second performance leaves on a site.

    Raises:
        UsageError: nobody can.
    """
    import sys

    from simulator.errors import UsageError

    if not (yes or site.disposable or sys.stdin.isatty()):
        raise UsageError(
            f"the site '{site.name}' at {site.base_url} is not marked 'disposable', and --prove leaves there once more "
            "what the users do: give --yes to agree"
        )


def may_leave(plans: list[Plan], options: ReplayOptions, *, yes: bool) -> bool:
    """Return whether somebody agrees to what a second performance leaves on a site that is not marked disposable.

    Args:
        plans: of what is performed.
        options: how.
        yes: whether that was agreed to already.

    Raises:
        UsageError: nobody can be asked.
    """
    import sys

    from simulator.errors import UsageError
    from simulator.report.wording import harmless
    from simulator.runner.replays.proving import what_stays

    site = options.site or options.settings.site(plans[0].run.site)
    if yes or site.disposable:
        return True
    where = f"'{site.name}' at {options.base_url or site.base_url}"
    if not sys.stdin.isatty():
        raise UsageError(
            f"{where} is not marked 'disposable', and a second performance leaves there what the first one did: "
            f"{'; '.join(what_stays(plans, options))}. Give --yes to agree"
        )
    lines = [f"a second performance leaves on {where}:", *(f"  {line}" for line in what_stays(plans, options))]
    print("\n".join(map(harmless, lines)), file=sys.stderr)
    if typer.confirm("Perform it?", err=True):
        return True
    print("sim: nothing is proven; 'sim prove' does it later", file=sys.stderr)
    return False


def prove_recorded(recorded: BatchResult, options: RunOptions, *, yes: bool) -> Proving | None:
    """Perform once more what was just recorded; None where it did not pass, or nobody agrees to what that leaves.

    Args:
        recorded: what came of recording it.
        options: of the recording.
        yes: whether it is agreed to already.
    """
    from simulator.cli.execution import execute, exit_code
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.replays.proving import plans_of
    from simulator.runner.replays.proving import prove as prove_runs

    if exit_code(recorded):
        return None
    replaying = ReplayOptions(
        settings=options.settings,
        site=options.site,
        source=options.db,
        target=recorded.batch_id,
        identity="fresh",
        seed=random_seed(),
        concurrency=options.concurrency,
        db=options.db,
        headed=options.headed,
        screenshots=options.screenshots,
        argv=options.argv,
    )
    if not may_leave(plans_of(replaying), replaying, yes=yes):
        return None
    return execute(lambda listener, stop: prove_runs(replaying, listener, stop))


def tell(recorded: BatchResult, proving: Proving | None, follow: FollowUp, *, as_json: bool) -> int:
    """Print what came of recording a batch, and of proving it where that was done; give the exit code."""
    from simulator.cli.execution import exit_code
    from simulator.cli.output import print_json, print_lines
    from simulator.report.as_json import beside
    from simulator.report.proving import proving_lines
    from simulator.report.summary import batch_lines

    if as_json:
        print_json(beside(recorded, {"proving": proving}) if proving else recorded)
    else:
        print_lines([*batch_lines(recorded, follow), *(["", *proving_lines(proving, follow)] if proving else [])])
    return exit_code(recorded) or (0 if proving is None else exit_code(proving.result) or int(not proving.proven))


def show(proving: Proving, options: ReplayOptions, *, as_json: bool) -> int:
    """Print what came of proving runs, and give the exit code."""
    from simulator.cli.execution import exit_code
    from simulator.cli.output import print_json, print_lines
    from simulator.report.follow_up import FollowUp
    from simulator.report.proving import proving_lines

    follow = FollowUp(db=options.db, base_url=options.base_url, reset=options.reset)
    print_json(proving) if as_json else print_lines(proving_lines(proving, follow))
    return exit_code(proving.result) or int(not proving.proven)
