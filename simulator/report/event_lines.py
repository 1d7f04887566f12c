"""What happens in a batch as JSON lines in a file, as it happens. Not responsible for: any other listener."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from simulator.errors import UsageError
from simulator.recording.stamps import wall_time
from simulator.report.as_json import json_text
from simulator.runner.events import Event, Listener


@contextmanager
def event_lines(path: Path | None, say: Callable[[str], None]) -> Iterator[Listener]:
    """Open a file of events and give what writes to it.

    Each line is an object: ``event`` (such as ``step_done``), ``at`` (UTC), and the event's own fields. What cannot be
    written is said once, with the count of the events that are lost by then, and does not end the batch.

    Args:
        path: the file, begun anew; None gives a listener that does nothing.
        say: tells a person.

    Raises:
        UsageError: it cannot be opened.
    """
    if path is None:
        yield lambda event: None
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("wb", buffering=0)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; name another file") from error
    lost = 0

    def write(event: Event) -> None:
        nonlocal lost
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(event).__name__).lower()
        told = {field.name: getattr(event, field.name) for field in fields(event)}
        line = json_text({"event": name, "at": wall_time(), **told}).encode() + b"\n"
        try:
            whole = file.write(line) == len(line)
            why = "the disk is full"
        except OSError as error:
            whole, why = False, str(error.strerror)
        if not whole:
            if not lost:
                say(f"events are being lost: {path} cannot be written: {why}")
            lost += 1

    try:
        with file:
            yield write
    finally:
        if lost:
            say(f"{lost} events are not whole in {path}")
