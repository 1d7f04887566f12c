"""Running a batch or a replay to its end, or to Ctrl-C. Not responsible for: either of them, or showing them."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, TypeVar

from simulator.cli.options import ObservingOptions
from simulator.errors import SiteUnreachable
from simulator.report.events.observers import Observers, Observing, observers
from simulator.runner.events import BatchResult, Listener, ReplayResult
from simulator.runner.stop import Stop

T = TypeVar("T")
INTERRUPTED = 130
_ONCE = "finishing the current steps; press Ctrl-C again to stop at once"
_TWICE = "stopped at once; what was done until then is recorded"


def execute(
    start: Callable[[Listener, Stop], Coroutine[Any, Any, T]],
    observing: ObservingOptions | None = None,
    *,
    runner: asyncio.Runner | None = None,
) -> T:
    """Run until the end, showing progress on standard error.

    The first Ctrl-C (or SIGTERM) asks for an orderly end, the second one cancels.

    Args:
        start: begins the work, with the listener for its events and what will ask it to stop.
        observing: who observes it beside the terminal.
        runner: whose event loop it runs in; None: in one of its own.

    Raises:
        KeyboardInterrupt: it was cancelled.
        UsageError: one of the files cannot be written.
        ExtraMissing: OpenTelemetry is not installed.
    """
    given = observing or ObservingOptions()
    try:
        with observers(Observing(events=given.events, log=given.log, otel=given.otel)) as watching:
            work = _run(start, watching)
            result = runner.run(work) if runner else asyncio.run(work)
    except asyncio.CancelledError:
        print(_TWICE, file=sys.stderr)
        raise KeyboardInterrupt from None
    if isinstance(result, BatchResult | ReplayResult):
        return replace(result, lost_events={**result.lost_events, **watching.losses.counts})
    return result


async def _run(start: Callable[[Listener, Stop], Coroutine[Any, Any, T]], watching: Observers) -> T:
    stop = Stop()
    work = asyncio.ensure_future(start(watching.listener, stop))

    def interrupt() -> None:
        if stop.requested:
            work.cancel()
        else:
            stop.request()
            watching.say(_ONCE)

    loop = asyncio.get_running_loop()
    for kind in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(kind, interrupt)
    try:
        return await work
    finally:
        for kind in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(kind)


def exit_code(result: BatchResult | ReplayResult) -> int:
    """Give the exit code of what came of a batch or a replay: 0, 1, 3 where the site has gone, or 130."""
    if isinstance(result, ReplayResult) and result.lost_site:
        return SiteUnreachable.exit_code
    if result.interrupted:
        return INTERRUPTED
    if isinstance(result, ReplayResult):
        return 0 if result.passed else 1
    return 0 if all(run.status == "passed" for run in result.runs) else 1
