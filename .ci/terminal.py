#!/usr/bin/env -S .venv/bin/python
"""Draws docs/images/run.svg: three users act on the bundled bookshop, and their recording is replayed.

The commands are run for real, in a temporary folder; what they print is drawn as it is, long lines in several. Call it
as .ci/terminal.py, or .ci/terminal.py FILE to draw another file.
"""

import os
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = ("sim init", "sim personas run --count 3 --seed 7", "sim replay last --reset")
COLUMNS, LINE, SIZE, MARGIN, INDENT = 110, 19, 13, 16, 10


def text(line: str) -> str:
    """Give a line for SVG, which leaves out spaces unless they are hard ones."""
    return escape(line).replace(" ", "\u00a0")


def lines_of(command: str, folder: str) -> list[str]:
    """Run a command, and give the prompt and what it wrote to standard output."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIM_")}
    environment |= {"PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}", "COLUMNS": str(COLUMNS)}
    done = subprocess.run(command.split(), cwd=folder, env=environment, capture_output=True, text=True, check=True)
    said = [part for line in done.stdout.rstrip().splitlines() for part in wrapped(line)]
    return [f"$ {command}", *said, ""]


def wrapped(line: str) -> list[str]:
    """Give a line in parts that fit; the ones after the first stand where values do."""
    return textwrap.wrap(line, COLUMNS, subsequent_indent=" " * INDENT, drop_whitespace=False) or [""]


def colour(line: str) -> str:
    """Give the colour of a line."""
    if line.startswith("$ "):
        return "#7ee787"
    return "#f0f6fc" if line.startswith(("passed", "failed")) else "#9da7b3"


def main(file: Path) -> None:
    """Run the commands, and draw them."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [line for command in COMMANDS for line in lines_of(command, folder)][:-1]
    width, height = 2 * MARGIN + int(COLUMNS * SIZE * 0.602), 2 * MARGIN + LINE * len(lines)
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * number + SIZE}" fill="{colour(line)}">{text(line)}</text>'
        for number, line in enumerate(lines)
        if line
    )
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="A run of three users, and its replay">\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>\n'
        f'<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="{SIZE}" '
        f'xml:space="preserve">\n{rows}\n</g>\n</svg>\n',
        "utf-8",
    )


main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images/run.svg")
