"""`sim`, cut off at a chosen place of what it records; or copied there, as a killed one would leave its files.

``CUT`` holds JSON: ``by`` is ``kill`` (without a warning), ``interrupt`` and ``terminate`` (the signals), ``browser``
(the browser dies), ``page`` (the process that shows the page dies), ``down`` and ``hangs`` (the site, whose process is
``site``, dies or does nothing any more), and ``place`` says after which write that is
done, from 1. With ``copies``, a folder, nothing is cut off: what is there after each write is copied, beside the
database ``shop``. Options as ``sim``.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil

from simulator.cli.main import main
from simulator.recording.run_recorder import RunRecorder

CUT = json.loads(os.environ["CUT"])
WRITES = ("begin_step", "begin", "end", "end_step")
"""Of a step and of its actions; each is in the recording when it returns."""


def copy(source: Path, target: Path) -> None:
    """Copy a database that is written to."""
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as whole, closing(sqlite3.connect(target)) as to:
        whole.backup(to)


def browsers(kind: str) -> list[psutil.Process]:
    """Give the processes of a kind that this program has started and that live."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):  # it has died, if nobody has taken note yet
            if any(word.startswith(f"--type={kind}") for word in one.cmdline()):
                found.append(one)
    return found


def cut_off() -> None:
    """Do what ends the run."""
    match CUT["by"]:
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "interrupt":
            os.kill(os.getpid(), signal.SIGINT)
        case "terminate":
            os.kill(os.getpid(), signal.SIGTERM)
        case "browser":
            helper = browsers("zygote")[0]
            (helper.parent() or helper).kill()
        case "page":
            for one in browsers("renderer"):
                one.kill()
        case "down":
            os.kill(CUT["site"], signal.SIGKILL)
        case "hangs":
            os.kill(CUT["site"], signal.SIGSTOP)


class Counter:
    """Counts the writes, and does at each what is to be done."""

    def __init__(self) -> None:
        self.place = 0

    def written(self, recorder: RunRecorder, what: str) -> None:
        self.place += 1
        if "copies" in CUT:
            folder = Path(CUT["copies"]) / f"{self.place:03d}-{what}"
            folder.mkdir(parents=True)
            copy(recorder._writer.path, folder / "runs.db")
            copy(Path(CUT["shop"]), folder / "shop.db")
        elif self.place == CUT["place"]:
            cut_off()


def counted(write: Callable[..., Any], counter: Counter) -> Callable[..., Any]:
    """Give a method of the recorder that counts."""

    def wrapped(self: RunRecorder, *given: Any, **named: Any) -> Any:
        result = write(self, *given, **named)
        counter.written(self, write.__name__)
        return result

    return wrapped


if __name__ == "__main__":
    counter = Counter()
    for name in WRITES:
        setattr(RunRecorder, name, counted(getattr(RunRecorder, name), counter))
    sys.exit(main())
