"""What happens in a batch as messages of Python's logging, and a file that they are kept in.

Not responsible for: what any event means.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from simulator.canonical import canonical_json
from simulator.report.wording import counted, one_line, short_id
from simulator.runner.events import (
    AgentSaid,
    BatchEnded,
    BatchStarted,
    Event,
    LimitReached,
    ModelCalled,
    RunEnded,
    RunStarted,
    StepDone,
    TaskEnded,
    TaskStarted,
    ToolAnswered,
    ToolCalled,
)

LOGGER = "simulator"
"""Logger of the whole program."""
_FORMAT = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"
_log = logging.getLogger(f"{LOGGER}.events")


def log_event(event: Event) -> None:
    """Log an event: what a run is at as ``INFO``, its single calls as ``DEBUG``; a line each."""
    level, text = _message(event)
    if _log.isEnabledFor(level):
        _log.log(level, "%s", one_line(text))


@contextmanager
def logging_to(write: Callable[[str], None]) -> Iterator[None]:
    """Hand every message of the program to somebody, as lines of text.

    Args:
        write: takes a message; it must be quick, and may not raise.
    """
    logger = logging.getLogger(LOGGER)
    handler, level = _Handler(write), logger.level
    handler.setFormatter(logging.Formatter(_FORMAT))
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class _Handler(logging.Handler):
    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__()
        self._write = write

    def emit(self, record: logging.LogRecord) -> None:
        """Take a message."""
        self._write(self.format(record))


def _message(event: Event) -> tuple[int, str]:
    """Say an event in words."""
    match event:
        case BatchStarted():
            users = counted(event.total, "user")
            return logging.INFO, f"batch {event.batch_id}: {users} on {event.site} at {event.base_url}"
        case BatchEnded():
            return logging.INFO, f"the batch has {event.status}" if event.status != "interrupted" else "interrupted"
        case RunStarted():
            return logging.INFO, f"user {event.number}: {event.persona} {event.username} starts run {event.run_id}"
        case RunEnded():
            reason = f": {event.reason}" if event.reason else ""
            return logging.INFO, f"user {event.number}: {event.verdict or event.status}{reason}"
        case TaskStarted():
            text = f": {event.text}" if event.text else ""
            return logging.INFO, f"user {event.number}: task {event.index} {event.task}{text}"
        case TaskEnded():
            reason = f": {event.reason}" if event.reason else ""
            return logging.INFO, f"user {event.number}: {event.task} {event.status} in {event.seconds:.2f} s{reason}"
        case LimitReached():
            told = "ended" if event.ends else "warned"
            return logging.INFO, f"user {event.number}: {told} by {event.limit}: {event.reason}"
        case ToolCalled():
            return logging.DEBUG, f"user {event.number}: calls {event.tool} {canonical_json(dict(event.input))}"
        case ToolAnswered(success=True):
            size = f"{event.characters:,} characters, {counted(event.images, 'picture')}"
            return logging.DEBUG, f"user {event.number}: {event.tool} answered {size}"
        case ToolAnswered():
            return logging.DEBUG, f"user {event.number}: {event.tool} failed, {event.error_type}: {event.error}"
        case StepDone():
            came = "done" if event.success else "failed"
            step = f"step {short_id(event.step_id)}" if event.step_id else "step"
            return logging.DEBUG, f"user {event.number}: {step} {event.tool} {came} in {event.seconds:.3f} s"
        case AgentSaid():
            return logging.DEBUG, f"user {event.number}: says: {event.text}"
        case ModelCalled():
            used = event.usage
            tokens = f"{used.input + used.cache_write + used.cache_read:,} tokens in, {used.output:,} out"
            return logging.DEBUG, f"user {event.number}: {event.model} answered in {event.seconds:.2f} s, {tokens}"
