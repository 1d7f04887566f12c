"""What happens in a batch as JSON lines in a file, as it happens. Not responsible for: any other listener."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import fields
from pathlib import Path
from types import TracebackType
from typing import Self

from simulator.canonical import well_formed
from simulator.errors import UsageError
from simulator.recording.stamps import wall_time
from simulator.report.as_json import json_text
from simulator.runner.delivery import TimedEvent
from simulator.runner.events import Event


class LineFile:
    """A file, or a pipe that somebody reads, that gets lines. A context manager.

    Args:
        path: the file, begun again.

    Raises:
        UsageError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Without O_NONBLOCK, a pipe would be waited for until somebody reads it.
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        except OSError as error:
            if error.errno == errno.ENXIO:
                raise UsageError(f"nobody reads the pipe {path}; start what reads it first") from error
            raise UsageError(f"{path} cannot be written: {error.strerror}; name another file") from error
        os.set_blocking(self._file, True)
        self._torn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def write(self, line: str) -> None:
        """Write a line, at once.

        Raises:
            OSError: it is not in the file, or not whole; the next one begins a line of its own.
        """
        data = ("\n" if self._torn else "").encode() + well_formed(line).encode() + b"\n"
        written = os.write(self._file, data)
        if written < len(data):
            self._torn = True
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._torn = False


def event_line(timed: TimedEvent) -> str:
    """Write an event as a JSON object: ``event``, its name; ``at``, in UTC; and its own fields."""
    event = timed.event
    given = {field.name: getattr(event, field.name) for field in fields(event)}
    return json_text({"event": event_name(type(event)), "at": wall_time(timed.at_ns), **given})


def event_name(kind: type[Event]) -> str:
    """Give the name of a kind of event, such as ``step_done``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", kind.__name__).lower()
