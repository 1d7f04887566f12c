"""The command ``sim``: its groups, and what an error becomes. Not responsible for: any command.

Nothing that a command needs is imported before that command runs, so that ``sim --help`` answers at once.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib import import_module
from typing import Annotated, NamedTuple, NoReturn

import typer
from typer.main import get_command

from simulator.cli.old_spellings import refuse_old_spelling
from simulator.cli.option_groups import grouped
from simulator.errors import SimulatorError
from simulator.version import VERSION

_EPILOG = (
    "Exit codes: 0 done, 1 a run failed or a replay drifted, 2 a wrong option or file, "
    "3 something around the program is missing, 130 interrupted."
)

_NAMES = frozenset(
    {errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS}
)
"""Errors of the system that are about a name that was given, or what may be done there."""
_USUAL = {"--require-proof": 100, "--ensure": 0}
"""The value that an option has where none follows it: all writes, and as many users as a scenario file says."""
_LONGEST = 1000
"""Characters of a line about an error."""


class _Place(NamedTuple):
    """Where a command stands, or a group of them."""

    module: str
    name: str
    """Of the function, or of the group."""
    grouped: bool = False
    """Whether it takes options in groups."""


_REPLAYS = "simulator.cli.replays"
_COMMANDS = {
    "init": _Place("simulator.cli.init", "init"),
    "doctor": _Place("simulator.cli.doctor", "doctor"),
    "personas": _Place("simulator.cli.personas", "app"),
    "runs": _Place("simulator.cli.runs", "app"),
    "goal": _Place("simulator.cli.goal", "goal", grouped=True),
    "replay": _Place(f"{_REPLAYS}.replay", "replay", grouped=True),
    "plan": _Place(f"{_REPLAYS}.plan", "plan", grouped=True),
    "seed": _Place(f"{_REPLAYS}.seed", "seed", grouped=True),
    "prove": _Place("simulator.cli.prove", "prove", grouped=True),
    "accept": _Place(f"{_REPLAYS}.accept", "accept", grouped=True),
    "continue": _Place(f"{_REPLAYS}.continuation", "continue_run", grouped=True),
    "offline": _Place(f"{_REPLAYS}.offline", "offline", grouped=True),
    "report": _Place("simulator.cli.report", "report"),
    "cleanup": _Place("simulator.cli.cleanup", "cleanup"),
    "demo": _Place("simulator.cli.demo", "app"),
    "tools": _Place("simulator.cli.tools", "app"),
    "packs": _Place("simulator.cli.packs", "app"),
    "data": _Place("simulator.cli.data", "app"),
    "site": _Place("simulator.cli.sites.learn", "app"),
}
"""In the order in which ``sim --help`` shows them."""
_PERFORMING = frozenset({"replay", "accept", "seed"})
"""Commands that load while their browser starts."""
_NO_BROWSER = frozenset({"--help", "-h", "--plan"})
"""Options with which they start none."""


def _version(asked: bool) -> None:
    if asked:
        print(f"simulator {VERSION}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def application(only: str = "") -> typer.Typer:
    """Put the commands together.

    Args:
        only: the command that is called, or the group: the modules and the options of the others are left alone, which
            is half of what it takes until a command begins. Empty: all of them.
    """
    app = typer.Typer(
        name="sim",
        help="Synthetic users for a web site: an agent acts a persona once, the recording is replayed without a model.",
        epilog=_EPILOG,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(_options)
    for name, place in _COMMANDS.items():
        if only in ("", name):
            _add(app, name, place)
    return app


def _add(app: typer.Typer, name: str, place: _Place) -> None:
    found = getattr(import_module(place.module), place.name)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=name)
    else:
        app.command(name)(grouped(found) if place.grouped else found)


def _print_error(said: str) -> None:
    """Print an error; what it quotes of a file, or of a word that was given, neither steers nor floods the terminal."""
    from simulator.cli.output import output_width
    from simulator.report.terminal.columns import fold
    from simulator.report.wording import harmless

    lines = (line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…" for line in harmless(f"sim: {said}").split("\n"))
    print("\n".join(part for line in lines for part in fold(line, output_width(sys.stderr))), file=sys.stderr)


def _whole(words: Sequence[str]) -> list[str]:
    """Give an option its usual value where none follows: ``--require-proof`` is ``--require-proof=100``."""
    following = [*words, ""][1:]
    return [
        f"{word}={_USUAL[word]}" if word in _USUAL and not after.isdigit() else word
        for word, after in zip(words, following, strict=True)
    ]


def _driver_waiting(words: Sequence[str]) -> AbstractContextManager[object]:
    """Start the driver of a browser for what surely performs something, before anything of it is loaded."""
    if not words or words[0] not in _PERFORMING or not _NO_BROWSER.isdisjoint(words):
        return nullcontext()
    from simulator.browser.launch.driver_process import driver_waiting

    return driver_waiting()


@cache
def _command(only: str) -> Callable[..., object]:
    """Make the commands of their functions, once: a process may run several, as tests do."""
    return get_command(application(only))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        arguments: the words after ``sim``; those of the process by default.

    Returns:
        The exit code. A bug is no error of the program's own, and leaves with its traceback.
    """
    for stream in (sys.stdout, sys.stderr):
        # A name that is no text of the terminal's encoding is shown escaped, not an error of its own.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    words = sys.argv[1:] if arguments is None else arguments
    try:
        refuse_old_spelling(words)
        with _driver_waiting(words):
            _command(words[0] if words and words[0] in _COMMANDS else "")(args=_whole(words), prog_name="sim")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except SimulatorError as error:
        _print_error(str(error))
        code = error.exit_code
    except OSError as error:
        if error.errno not in _NAMES or error.filename is None:
            raise
        _print_error(f"{os.fsdecode(error.filename)}: {error.strerror}; name another file or folder")
        code = 2
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes once more when it exits, and must find somebody who reads.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def run() -> NoReturn:
    """Be the process of a command: run it, and exit."""
    code = main()
    # What was loaded is not looked through for garbage once more before it goes with the process: that takes a tenth of
    # a second, as long as everything else of the exit.
    gc.freeze()
    sys.exit(code)
