"""``sim accept``: performing a recording on a site that has changed on purpose. Not responsible for: what differs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simulator.cli.options import ObservingOptions, Paths
from simulator.cli.replays.performance import PerformingOptions, ReportOptions

if TYPE_CHECKING:
    from simulator.runner.replays.updating import Reviewed


def accept(
    paths: Paths,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Accept without being asked.")] = False,
    given: PerformingOptions,
    reports: ReportOptions,
    observing: ObservingOptions,
) -> None:
    """Perform recorded runs, and accept pages that are otherwise.

    It goes on where a page is otherwise, shows how, and asks. A new revision of the run holds what the pages are now.
    """
    from simulator.cli.replays.performance import performance
    from simulator.errors import UsageError

    with performance(paths, given, reports, observing) as ready:
        from simulator.cli.execution import exit_code
        from simulator.runner.replays.updating import review

        source = ready.gathered.source
        if ready.gathered.temporary:
            raise UsageError("'sim accept' is of one recording, which gets the revisions: name one")
        reviewed = ready.run(lambda listener, stop: review(ready.options, listener, stop))
    ready.report(reviewed.result)
    if reviewed.result.passed:
        ask(reviewed, source, yes=yes)
    raise typer.Exit(exit_code(reviewed.result))


def ask(reviewed: Reviewed, source: Path, *, yes: bool) -> None:
    """Show what pages are otherwise, and record it where a person agrees; exit with 1 where nobody does."""
    import sys

    from simulator.cli.output import print_lines
    from simulator.runner.replays.updating import accept as record_pages

    if not reviewed.otherwise:
        print_lines(["", "nothing to update: every page is as it was recorded"])
        return
    print_lines(reviewed.lines())
    if not yes and not (sys.stdin.isatty() and typer.confirm(f"\nRecord this in {source}?", err=True)):
        print(f"sim: {source} stays as it is; accept with --yes", file=sys.stderr)
        raise typer.Exit(1)
    revisions = record_pages(reviewed, source)
    print_lines(["", *(f"revision of run {run}: {revision}" for run, revision in revisions.items())])
