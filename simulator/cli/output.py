"""What commands print. Not responsible for: what it says."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from simulator.errors import EnvironmentFailure, UsageError


def print_json(value: object) -> None:
    """Print a value on standard output as canonical JSON."""
    from simulator.report.as_json import json_text

    print(json_text(value))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output, folded to a terminal; what pages and people wrote in them does not steer it."""
    from simulator.report.terminal.columns import fold
    from simulator.report.wording import harmless

    width = output_width()
    for line in lines:
        for part in harmless(line).split("\n"):
            print("\n".join(fold(part, width)), flush=width is not None)


def check_writable(path: Path) -> None:
    """Make the folder of a file that will be written at the end, and see that the file can be; it stays as it is.

    Raises:
        UsageError: it cannot.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        there = path.exists()
        path.open("a").close()
        if not there:
            path.unlink()
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; name another file") from error


def write_file(path: Path, content: str | bytes) -> None:
    """Write a result into a file.

    Raises:
        EnvironmentFailure: there is no room for it, for example.
    """
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise EnvironmentFailure(f"{path} cannot be written: {error.strerror}; make room for it") from error


def output_width(stream: TextIO | None = None) -> int | None:
    """Give the width of the terminal that a stream is, by default standard output; None where it is not one."""
    return shutil.get_terminal_size().columns if (stream or sys.stdout).isatty() else None
