"""What a seeding is asked for, and what it would do: shown before it does anything, and asked about where it stays.

Not responsible for: finding it out, or its words.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

if TYPE_CHECKING:
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.seeding.fan_out import FanOut


class Seeding(NamedTuple):
    """What is made, and what is shown of it."""

    fan_out: FanOut
    plan: bool = False
    yes: bool = False
    heal: bool = False
    manifest: Path | None = None
    with_passwords: bool = False
    scheduler: str | None = None
    """Address of the scheduler of a cluster that performs the users; None: this machine does."""
    limit_minutes: float | None = None
    """When it is asked to end; None: never."""


def show_preview(options: ReplayOptions, *, as_json: bool) -> None:
    """Print what a seeding would do."""
    from simulator.cli.output import print_json, print_lines
    from simulator.report.seeding import preview_lines
    from simulator.runner.seeding.preview import preview

    found = preview(options)
    print_json(found) if as_json else print_lines(preview_lines(found))


def require_consent(*options: ReplayOptions, yes: bool) -> None:
    """See that somebody agrees to what is left on a site that is not marked disposable.

    Args:
        options: of each seeding; all of them are on one site.
        yes: whether it is agreed to already.

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
    previews = [preview(one) for one in options]
    found = previews[0]
    if found.disposable:
        return
    lines = [line for one in previews for line in left_lines(one)]
    if not sys.stdin.isatty():
        raise UsageError(
            "\n".join([f"the site '{found.site}' is not marked 'disposable'; give --yes to agree", *lines])
        )
    print("\n".join(map(harmless, lines)), file=sys.stderr)
    if not typer.confirm(f"Make {sum(one.users for one in previews)} users there?", err=True):
        print("sim: nobody was made", file=sys.stderr)
        raise typer.Exit(1)
