"""What commands print. Not responsible for: what it says."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable


def print_json(value: object) -> None:
    """Print a value on standard output as canonical JSON."""
    from simulator.report.as_json import json_text

    print(json_text(value))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output."""
    for line in lines:
        print(line)


def output_width() -> int | None:
    """Give the width of the terminal that standard output is; None where it is a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
