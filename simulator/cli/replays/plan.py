"""``sim plan``: what a replay would do. Not responsible for: planning."""

from __future__ import annotations

from simulator.cli.options import Json, Paths, ReadingOptions, ShardShare


def plan(paths: Paths, reading: ReadingOptions, shard: ShardShare = None, as_json: Json = False) -> None:
    """Show what a replay would do, and do nothing.

    It says why it leaves out the rest.
    """
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.replay.shards import Shard
    from simulator.runner.replays.gathering import gathered
    from simulator.runner.replays.selecting import PlanOptions, plan_text

    share = Shard.parse(shard) if shard else None
    landing = load_settings().recording.db
    with gathered(paths, reading.source or reading.db or landing, landing=landing) as found:
        planned = plan_text(PlanOptions(source=found.source, target=found.targets, shard=share))
    print_json(planned) if as_json else print_lines(planned.lines())
