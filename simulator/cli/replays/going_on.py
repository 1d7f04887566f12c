"""What ``sim runs resume`` does where it means a seeding. Not responsible for: runs of agents, or going on."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from simulator.cli.options import ObservingOptions
    from simulator.config import Settings
    from simulator.runner.seeding.resuming import SeedingResumption


def going_on(
    settings: Settings, db: Path, target: str, *, source: Path | None, assumed: Mapping[int, bool]
) -> SeedingResumption | None:
    """Find the seeding that is to be gone on with; None where something else is meant.

    Args:
        settings: of ``sim.toml``.
        db: the recording.
        target: a run or a batch.
        source: the recording that users are made of, where it is another one than then.
        assumed: what a person says of steps.

    Raises:
        RecordingError: the file cannot be read, or there is no such run or batch.
    """
    from simulator.recording.reader import Recording
    from simulator.runner.seeding.resuming import SeedingResumption, find_seeding

    with Recording.open(db) as recording:
        found = find_seeding(recording, target)
    if found is None:
        return None
    batch, run = found
    return SeedingResumption(settings=settings, db=db, batch=batch, run=run, source=source, assumed=assumed)


def resume_users(
    options: SeedingResumption, observing: ObservingOptions, *, given_db: Path | None, as_json: bool
) -> NoReturn:
    """Go on with a seeding, and tell what came of it.

    Args:
        options: what goes on.
        observing: who observes it.
        given_db: the recording, where one was named.
        as_json: whether it is told as JSON.

    Raises:
        Exit: always, with the exit code.
        SimulatorError: nothing is left to do, or it cannot go on.
    """
    from simulator.cli.execution import execute, exit_code
    from simulator.cli.output import print_json, print_lines
    from simulator.report.follow_up import FollowUp
    from simulator.report.replay_summary import replay_lines
    from simulator.runner.seeding.resuming import resume_seeding

    result = execute(lambda listener, stop: resume_seeding(options, listener, stop), observing)
    follow = FollowUp(db=given_db, base_url=options.base_url, reset=False)
    print_json(result) if as_json else print_lines(replay_lines(result, follow))
    raise typer.Exit(exit_code(result))
