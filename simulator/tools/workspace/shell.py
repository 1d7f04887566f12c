"""A shell that is kept between calls. Not responsible for: whether it may be used, or reporting to an agent.

The command is evaluated in the shell itself, so that folders, variables and functions stay. Behind it a mark with the
exit code is written to both outputs, on descriptors of the shell's own: a command can neither send its output past it
nor read the line that writes it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
import shlex
import shutil
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from simulator.errors import ToolError
from simulator.tools.workspace import keeper

OUTPUT_LIMIT = 16_000
"""Bytes of each output that are kept of one command: half of them from its beginning, half from its end."""
TIMEOUT_S = 120.0
_CHUNK = 65_536
_ENDING_S = 5.0
_SWEEP_S = 0.2
"""Seconds between two looks for what is left of a shell."""
_MARKED = "SIM_SHELL"
"""Every process of a shell inherits this variable, and can be found by it."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a command wrote to one stream."""

    text: str
    cut: int = 0
    """Bytes that were left out in the middle."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a command."""

    output: Output
    error: Output
    exit_code: int
    ended: bool
    """Whether the shell itself is gone; the next command gets a new one."""


class _Stream:
    """One output of a shell."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._held = b""
        self._start()

    def _start(self) -> None:
        self._head, self._tail, self._total = bytearray(), bytearray(), 0

    async def until(self, mark: bytes) -> int | None:
        """Read until a mark; gives the exit code in it, or None when the stream ends before."""
        self._start()
        pattern = re.compile(rb"\x1e" + mark + rb" (\d+)\x1e")
        longest = len(mark) + 6
        while True:
            try:
                chunk = await self._reader.read(_CHUNK)
            except asyncio.CancelledError:
                self._keep(self._held)
                raise
            self._held += chunk
            if found := pattern.search(self._held):
                self._keep(self._held[: found.start()])
                self._held = self._held[found.end() :]
                return int(found.group(1))
            whole = len(self._held) - longest if chunk else len(self._held)
            if whole > 0:
                self._keep(self._held[:whole])
                self._held = self._held[whole:]
            if not chunk:
                return None

    def _keep(self, data: bytes) -> None:
        half = OUTPUT_LIMIT // 2
        self._total += len(data)
        room = half - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        del self._tail[:-half]

    async def drain(self) -> None:
        """Read what is left to read, until the stream ends."""
        while await self._reader.read(_CHUNK):
            pass

    def taken(self) -> Output:
        """Give what was read since the last mark."""
        cut = self._total - len(self._head) - len(self._tail)
        between = f"\n[cut: {cut} bytes]\n".encode() if cut else b""
        return Output((bytes(self._head) + between + bytes(self._tail)).decode(errors="replace"), cut)


@dataclass(slots=True)
class _Running:
    """A shell's processes and pipes."""

    process: asyncio.subprocess.Process
    lifeline: int
    """Closing it ends the shell and all that it started."""
    ended: asyncio.Event
    """Set when its keeper has ended."""
    name: str
    output: _Stream
    error: _Stream


class Shell:
    """Runs commands one after the other in one bash, started when it is first needed.

    Args:
        folder: where it starts, and its home.
        timeout_s: seconds after which a command is stopped, with the shell and all that it started.
    """

    def __init__(self, folder: Path, *, timeout_s: float = TIMEOUT_S) -> None:
        self._folder = folder
        self._timeout_s = timeout_s
        self._running: _Running | None = None

    async def run(self, command: str) -> Ran:
        """Run a command and wait for its end.

        Args:
            command: one or more lines of bash; its standard input is empty.

        Raises:
            ToolError: ``timeout``, or ``unavailable`` where there is no bash.
        """
        shell = self._running = self._running or await self._start()
        mark = secrets.token_hex(16)
        line = (
            f"eval {shlex.quote(command)} </dev/null 8>&- 9>&-\n"
            f"printf '\\036{mark} %d\\036' $? >&9; printf '\\036{mark} 0\\036' >&8\n"
        )
        try:
            async with asyncio.timeout(self._timeout_s):
                code = await self._carry_out(shell, line.encode("utf-8", "replace"), mark.encode())
        except TimeoutError:
            await self.close()
            written = (shell.output.taken().text + shell.error.taken().text)[-1000:]
            raise ToolError(
                "timeout",
                f"the command was stopped after {self._timeout_s:g} s, with the shell and all that it had started; "
                f"the next call begins a new shell. Run what takes long in the background. It wrote: {written!r}",
            ) from None
        except BaseException:
            await self.close()
            raise
        if code is None:
            await self.close()
            code = shell.process.returncode or 0
            return Ran(shell.output.taken(), shell.error.taken(), code, ended=True)
        return Ran(shell.output.taken(), shell.error.taken(), code, ended=False)

    async def close(self) -> None:
        """End the shell and everything that it started."""
        shell, self._running = self._running, None
        if shell is None:
            return
        os.close(shell.lifeline)
        assert shell.process.stdin is not None
        shell.process.stdin.close()
        try:
            await asyncio.wait_for(shell.ended.wait(), _ENDING_S)
        except TimeoutError:
            shell.process.kill()
            await shell.ended.wait()
        await _sweep(shell.name, asyncio.gather(shell.output.drain(), shell.error.drain()))
        await shell.process.wait()

    async def _carry_out(self, shell: _Running, line: bytes, mark: bytes) -> int | None:
        assert shell.process.stdin is not None
        with contextlib.suppress(ConnectionError):  # it has ended: its outputs say so, too
            shell.process.stdin.write(line)
            await shell.process.stdin.drain()
        async with asyncio.TaskGroup() as group:
            reading = [group.create_task(stream.until(mark)) for stream in (shell.output, shell.error)]
            ended = group.create_task(shell.ended.wait())
            await asyncio.wait({*reading, ended}, return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                await _sweep(shell.name, *reading)  # what is left holds the outputs open
            await asyncio.wait(reading)
            ended.cancel()
        return reading[0].result()

    async def _start(self) -> _Running:
        bash = shutil.which("bash")
        if bash is None or sys.platform != "linux":
            raise ToolError("unavailable", "a shell needs bash on Linux; go on without it, or fail")
        name = secrets.token_hex(16)
        wanted, lifeline = os.pipe()
        farewell, living = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-I", "-S", keeper.__file__, str(wanted), str(living), bash, "--noprofile", "--norc",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
                cwd=self._folder, env={**_environment(self._folder), _MARKED: name}, pass_fds=(wanted, living),
                start_new_session=True,
            )  # fmt: skip
        except BaseException:
            os.close(lifeline)
            os.close(farewell)
            raise
        finally:
            os.close(wanted)
            os.close(living)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"exec 9>&1 8>&2\n")
        output, error = _Stream(process.stdout), _Stream(process.stderr)
        return _Running(process, lifeline, _at_end_of(farewell), name, output, error)


def _at_end_of(pipe: int) -> asyncio.Event:
    """Give an event for the moment in which nobody holds the other end of a pipe; then this end is closed."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()

    def end() -> None:
        loop.remove_reader(pipe)
        os.close(pipe)
        ended.set()

    loop.add_reader(pipe, end)
    return ended


def _environment(folder: Path) -> Mapping[str, str]:
    """What a command needs, and nothing of this process: there may be keys in its environment."""
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
    }


async def _sweep(name: str, *reading: asyncio.Future[Any]) -> None:
    """Kill what is left of a shell until nothing holds its outputs open, so that they can be read to their end.

    More than once, as a process that becomes another program has no environment for a moment.
    """
    left: Collection[asyncio.Future[Any]] = reading
    while left:
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get(_MARKED) == name:
                    process.kill()
        _, left = await asyncio.wait(left, timeout=_SWEEP_S)
