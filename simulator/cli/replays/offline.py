"""``sim offline``: replaying the agent of a run. Not responsible for: what is compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simulator.cli.options import Json, Paths, ReadingOptions, load_tools


def offline(
    paths: Paths,
    reading: ReadingOptions,
    tools: Annotated[
        list[Path] | None,
        typer.Option("--tools", metavar="FILE", help="Tools that the users were offered beside the toolsets."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Replay the agents: no browser, no site, no model.

    Today's agents get the recorded answers and results; exit 1 where one asks or calls something else.
    """
    import asyncio

    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.report.offline_lines import offline_lines
    from simulator.runner.continuing.offline import OfflineOptions, replay_offline
    from simulator.runner.replays.gathering import gathered

    settings = load_settings()
    landing = settings.recording.db
    with gathered(paths, reading.source or reading.db or landing, landing=landing) as found:
        options = OfflineOptions(
            settings=settings, source=found.source, target=found.targets, own_tools=load_tools(tools)
        )
        result = asyncio.run(replay_offline(options))
    print_json(result) if as_json else print_lines(offline_lines(result))
    if not result.passed:
        raise typer.Exit(1)
