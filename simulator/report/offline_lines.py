"""What came of an offline replay, for a terminal. Not responsible for: JSON, or the replay."""

from __future__ import annotations

from simulator.replay.requests import Difference
from simulator.report.wording import counted, short_path
from simulator.runner.continuing.offline import OfflineResult, OfflineRun


def offline_lines(result: OfflineResult) -> list[str]:
    """Sum an offline replay up; the first line says how it went.

    Args:
        result: what came of it.
    """
    runs = counted(len(result.runs), "run")
    different = [run for run in result.runs if run.difference]
    source = short_path(result.source)
    if different:
        head = f"failed: {len(different)} of {runs} of {source}: today's agent does something else than was recorded"
    else:
        head = f"passed: {runs} of {source}: today's agent asks and does what was recorded"
    return [head, "", *(line for run in result.runs for line in _run(run))]


def _run(run: OfflineRun) -> list[str]:
    requests = f"{counted(run.requests, 'request')} and " if run.requests or run.agent != "autopilot" else ""
    done = f"{requests}{counted(run.calls, 'call')} as recorded"
    lines = [f"user {run.number} ({run.persona}, {run.agent}): {done}"]
    if run.note:
        lines.append(f"  {run.note}")
    if found := run.difference:
        lines += [f"  {found.where}: {found.part} differs", *_both(found)]
    if run.reworded:
        first, *more = run.reworded
        besides = f", and {counted(len(more), 'other text')}" if more else ""
        lines += [f"  only worded otherwise by this version: {first.part}{besides}", *_both(first)]
    return lines


def _both(found: Difference) -> list[str]:
    return [f"    recorded  {found.recorded}", f"    today     {found.today}"]
