"""Who observes a batch: the terminal, a file of events, the log, a collector of traces; each without delaying anything.

Not responsible for: what any of them says.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from simulator.errors import ExtraMissing
from simulator.report.events.lines import LineFile, event_line
from simulator.report.events.log import log_event, logging_to
from simulator.report.events.tracing import Traces, tracing_wanted
from simulator.report.terminal.progress import Progress, progress
from simulator.runner.delivery import Losses, Outlet, TimedEvent, spread
from simulator.runner.events import Listener

_TERMINAL = "the terminal"
_COLLECTOR = "the OpenTelemetry collector"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observing:
    """Where events go beside the terminal."""

    events: Path | None = None
    """A file that gets each as a line of JSON."""
    log: Path | None = None
    """A file that gets the program's log, and each event in it as a line of words."""
    otel: bool = False
    """Whether spans are sent to a collector; they are, too, where the environment names one."""


@dataclass(frozen=True, slots=True)
class Observers:
    """Those who observe a batch."""

    listener: Listener
    """Takes each event for all of them."""
    say: Callable[[str], None]
    """Shows a sentence on the terminal."""
    losses: Losses


@contextmanager
def observers(observing: Observing, environ: Mapping[str, str] | None = None) -> Iterator[Observers]:
    """Open everything that observes a batch; at the end, say on standard error what was lost.

    Args:
        observing: where events go.
        environ: the environment, that of the process by default.

    Raises:
        UsageError: a file cannot be written.
        ExtraMissing: spans were asked for, and OpenTelemetry is not installed.
    """
    environ = os.environ if environ is None else environ
    losses = Losses(lambda text: screen.put(text))
    try:
        with ExitStack() as stack:
            shown = stack.enter_context(_shown(losses))
            screen = Outlet[TimedEvent | str](_TERMINAL, lambda item: _show(shown, item), losses)
            stack.enter_context(screen)
            takers: list[Callable[[TimedEvent], object]] = [screen.put]
            if observing.events:
                file = stack.enter_context(LineFile(observing.events))
                lines = Outlet[TimedEvent](str(observing.events), lambda timed: file.write(event_line(timed)), losses)
                takers.append(stack.enter_context(lines).put)
            if observing.log:
                log = stack.enter_context(LineFile(observing.log))
                written = stack.enter_context(Outlet(str(observing.log), log.write, losses))
                stack.enter_context(logging_to(written.put))
                logged = Outlet[TimedEvent]("the log", lambda timed: log_event(timed.event), losses)
                takers.append(stack.enter_context(logged).put)
            if traces := _traces(observing.otel, environ, losses, screen.put):
                spans = Outlet[TimedEvent](_COLLECTOR, traces, losses, finish=traces.close)
                takers.append(stack.enter_context(spans).put)
            yield Observers(spread(takers), screen.put, losses)
    finally:
        for line in losses.lines() if _TERMINAL not in losses.counts else ():
            print(line, file=sys.stderr)


@contextmanager
def _shown(losses: Losses) -> Iterator[Progress]:
    """Open what shows progress; a terminal that is gone is a loss, and nothing else."""
    shown = progress()
    try:
        shown.__enter__()
    except OSError as error:
        losses.lost(_TERMINAL, error)
    try:
        yield shown
    finally:
        try:
            shown.__exit__(None, None, None)
        except OSError as error:
            losses.lost(_TERMINAL, error)


def _show(shown: Progress, item: TimedEvent | str) -> None:
    if isinstance(item, str):
        shown.say(item)
    else:
        shown(item.event)


def _traces(asked: bool, environ: Mapping[str, str], losses: Losses, say: Callable[[str], object]) -> Traces | None:
    if not asked and not tracing_wanted(environ):
        return None
    try:
        return Traces(environ, lambda why, count: losses.lost(_COLLECTOR, why, count))
    except ExtraMissing as error:
        if asked:
            raise
        say(f"no spans are sent: {error}")
        return None
