"""What ``sim runs resume`` does where it means a seeding. Not responsible for: runs of agents, or going on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from simulator.cli.options import BrowserOptions, ObservingOptions, SiteOptions
    from simulator.config import Settings


def go_on_with_users(
    settings: Settings,
    target: str,
    *,
    source: Path | None,
    scheduler: str | None,
    assumed: Mapping[int, bool],
    place: SiteOptions,
    concurrency: int | None,
    browser: BrowserOptions,
    observing: ObservingOptions,
    db: Path | None,
    as_json: bool,
) -> None:
    """Go on with a seeding, and report what came of it; nothing is done where something else is meant.

    Args:
        settings: of ``sim.toml``.
        target: a run or a batch.
        source: the recording that users are made of, where it is another one than then.
        scheduler: address of the cluster whose workers were given users.
        assumed: what a person says of steps.
        place: the site.
        concurrency: how many users act at once.
        browser: how they act.
        observing: who observes it.
        db: the recording, where one was named.
        as_json: whether it is reported as JSON.

    Raises:
        Exit: it was a seeding; with the exit code.
        SimulatorError: there is no such run or batch, nothing is left to do, or it cannot go on.
    """
    from simulator.cli.execution import execute, exit_code
    from simulator.cli.options import users_at_once
    from simulator.cli.output import print_json, print_lines
    from simulator.cli.replays.seed import check_scheduler
    from simulator.errors import UsageError
    from simulator.recording.reader import Recording
    from simulator.report.follow_up import FollowUp
    from simulator.report.replay_summary import replay_lines
    from simulator.runner.seeding.resuming import SeedingResumption, find_seeding, resume_seeding

    file = db or settings.recording.db
    with Recording.open(file) as recording:
        found = find_seeding(recording, target)
    if found is None:
        if source:
            raise UsageError("--source names what users of 'sim seed' are made of, and this is no such batch")
        return
    if scheduler:
        check_scheduler(scheduler)
    options = SeedingResumption(
        settings=settings,
        site=place.named(settings),
        base_url=place.base_url,
        db=file,
        batch=found[0],
        run=found[1],
        source=source,
        concurrency=users_at_once(concurrency, settings),
        headed=browser.headed or settings.browser.headed,
        screenshots=browser.screenshots or settings.run.screenshots,
        assumed=assumed,
        scheduler=scheduler or "",
    )
    result = execute(lambda listener, stop: resume_seeding(options, listener, stop), observing)
    follow = FollowUp(db=db, base_url=place.base_url)
    print_json(result) if as_json else print_lines(replay_lines(result, follow))
    raise typer.Exit(exit_code(result))
