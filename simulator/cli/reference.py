"""The reference of all commands, made of their own help. Not responsible for: what the help says.

``python -m simulator.cli.reference docs/cli.md`` rewrites it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import typer
from typer.main import get_command

from simulator.cli.main import application

_WIDTH = 100
_HEAD = """# Commands

Made of the commands' own help by `python -m simulator.cli.reference docs/cli.md`.

Results are written to standard output, progress and errors to standard error. With `--json` a result is canonical
JSON: sorted keys, no spaces, and the names of its fields are those of the Python values that it tells. An option with
an environment variable takes its value from there when it is not given.

| exit code | when |
|---|---|
| 0 | done |
| 1 | a run failed, or a replay drifted |
| 2 | an option, a file or a recording is wrong |
| 3 | something around the program is missing: a browser, the site, a key, room on the disk |
| 130 | interrupted; what was finished is recorded |

The first Ctrl-C lets the steps in progress finish and closes everything; the second one stops at once.
"""


def reference() -> str:
    """Write the help of every command as Markdown."""
    root = typer.Context(get_command(application()), info_name="sim", terminal_width=_WIDTH)
    return "\n".join([_HEAD, *_sections(root)])


def _sections(context: typer.Context) -> Iterator[str]:
    yield f"## {context.command_path}\n\n```text\n{context.get_help().rstrip()}\n```\n"
    for name, command in getattr(context.command, "commands", {}).items():
        if not command.hidden:
            yield from _sections(typer.Context(command, parent=context, info_name=name, terminal_width=_WIDTH))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), "utf-8")
