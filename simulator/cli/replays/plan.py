"""``sim plan``: what a replay would do. Not responsible for: planning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator.cli.options import Json, Paths, ReadingOptions, ShardShare

if TYPE_CHECKING:
    from simulator.runner.replays.selecting import PlanOptions


def plan(paths: Paths, reading: ReadingOptions, shard: ShardShare = None, as_json: Json = False) -> None:
    """Show what a replay would do, and do nothing.

    It says why it leaves out the rest.
    """
    from simulator.config import load_settings
    from simulator.replay.shards import Shard
    from simulator.runner.replays.gathering import gathered
    from simulator.runner.replays.selecting import PlanOptions

    share = Shard.parse(shard) if shard else None
    landing = load_settings().recording.db
    with gathered(paths, reading.source or reading.db or landing, landing=landing) as found:
        print_plan(PlanOptions(source=found.source, target=found.targets, shard=share), as_json=as_json)


def print_plan(options: PlanOptions, *, as_json: bool) -> None:
    """Print what a replay would do."""
    from simulator.cli.output import print_json, print_lines
    from simulator.runner.replays.selecting import plan_text

    planned = plan_text(options)
    print_json(planned) if as_json else print_lines(planned.lines())
