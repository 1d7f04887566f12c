"""Playwright's driver as a process that runs before Playwright is imported.

A command begins with half a second of imports, and the driver, a program for Node, takes about as long to start. So who
knows that a command needs a browser starts the driver first, and who drives the browser takes it over. Not responsible
for: what is said to the driver (``edge``).
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import platformdirs
from playwright._impl._driver import compute_driver_executable, get_driver_env
from playwright._impl._errors import Error

from simulator.scratch import scratch_folder

_AUTHORITIES = "NODE_EXTRA_CA_CERTS"
_TEMPORARY = "TMPDIR"
_COMPILED = "NODE_COMPILE_CACHE"
_OPTIONS = "NODE_OPTIONS"
_SMALL_HEAP = "--max-semi-space-size=2"
"""Megabytes of new objects after which Node looks which of them are used. What it knows of pages is soon forgotten:
by its own measure the driver takes a third more memory."""
_STOP_S = 5.0
_waiting: DriverProcess | None = None
"""The process that nobody has taken over yet."""


class DriverProcess:
    """A driver that runs, and its folder for temporary files."""

    def __init__(self) -> None:
        """Start it.

        Raises:
            OSError: it cannot be started, or there is no folder for its files.
            Error: this installation of Playwright has no driver.
        """
        self._kept = ExitStack()
        self.folder = self._kept.enter_context(scratch_folder())
        try:
            executable, program = compute_driver_executable()
            self._process = subprocess.Popen(
                [executable, program, "run-driver"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=_standard_error(),
                env=get_driver_env() | variables(self.folder, None),
            )
        except BaseException:
            self._kept.close()
            raise
        self.stdin: asyncio.StreamWriter
        self.stdout: asyncio.StreamReader

    async def attach(self) -> None:
        """Have the running loop read and write its pipes, under the names that a process of the loop's own has."""
        loop = asyncio.get_running_loop()
        self.stdout = asyncio.StreamReader(limit=32768)
        protocol = asyncio.StreamReaderProtocol(self.stdout)
        await loop.connect_read_pipe(lambda: protocol, self._process.stdout)
        unread = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        writing, flow = await loop.connect_write_pipe(lambda: unread, self._process.stdin)
        self.stdin = asyncio.StreamWriter(writing, flow, None, loop)

    async def communicate(self) -> None:
        """Say that nothing more is sent, and wait until it has ended."""
        self.stdin.close()
        while await self.stdout.read(32768):
            pass
        await asyncio.to_thread(self._process.wait)

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return self._process.poll() is not None

    def remove_folder(self) -> None:
        """Remove its temporary files: after it has ended."""
        self._kept.close()

    def kill(self) -> None:
        """End it and what is left of it, where nobody has taken it over."""
        self._process.kill()
        self._process.communicate(timeout=_STOP_S)
        self.remove_folder()


@contextmanager
def driver_waiting() -> Iterator[DriverProcess | None]:
    """Start a driver, and end it with the context if nobody has taken it over.

    Where it cannot be started nothing waits: whoever needs one starts it, and sees why it does not start.
    """
    global _waiting
    if sys.platform != "win32":  # whose event loop reads no pipes of others
        with suppress(OSError, Error):
            _waiting = DriverProcess()
    try:
        yield _waiting
    finally:
        if left := taken():
            left.kill()


def taken() -> DriverProcess | None:
    """Take over the driver that waits, if there is one and it still runs."""
    global _waiting
    process, _waiting = _waiting, None
    if process and process.has_ended:
        process.kill()
        return None
    return process


def variables(temporary: Path | None, authority: Path | None) -> dict[str, str]:
    """Give what a driver learns from its environment alone.

    Args:
        temporary: where it and its browsers keep temporary files; None: where the system keeps them.
        authority: certificates that it trusts in connections that it makes itself.
    """
    # Node keeps what it has compiled of the driver: it starts in three quarters of the time.
    compiled = os.environ.get(_COMPILED) or platformdirs.user_cache_path("simulator", appauthor=False) / "driver"
    options = " ".join(
        filter(None, (_SMALL_HEAP, os.environ.get(_OPTIONS)))
    )  # of two that disagree the last one counts
    known = {_AUTHORITIES: authority, _TEMPORARY: temporary, _COMPILED: compiled, _OPTIONS: options}
    return {name: str(value) for name, value in known.items() if value is not None}


def _standard_error() -> int | None:
    """Give where it may complain: the program's own standard error, where that is a file."""
    for stream in (sys.stderr, sys.__stderr__):
        with suppress(AttributeError, OSError, ValueError):
            return stream.fileno()  # type: ignore[union-attr]
    return None
