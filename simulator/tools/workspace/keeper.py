"""Runs a shell, and ends all that came of it when the shell or the program that wanted it is gone.

Not responsible for: what the shell does. A program of its own, for ``python -I -S``: standard library only, Linux only.
Whatever the shell starts stays below this process, also what leaves its process group and what its parent abandons.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import sys
from collections.abc import Iterator

# From <linux/prctl.h>.
_SET_PDEATHSIG = 1
_SET_CHILD_SUBREAPER = 36
_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def main(wanted: int, living: int, command: list[str]) -> int:
    """Run a command until it ends or a pipe is closed at its other end, then kill every descendant.

    Args:
        wanted: file descriptor of that pipe's reading end; nothing is written to it.
        living: file descriptor of the writing end of another, which only this process holds.
        command: a program's path and its arguments.

    Returns:
        The command's exit code; 128 and the signal's number where a signal ended it.
    """
    for end in (wanted, living):
        os.set_inheritable(end, False)
    libc = ctypes.CDLL(None)
    libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    news, told = os.pipe()
    for end in (news, told):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(told)
    for number in (signal.SIGCHLD, *_ENDING):
        signal.signal(number, lambda *_: None)
    shell = os.fork()
    if not shell:
        libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and what is ignored stays so
            signal.signal(number, signal.SIG_DFL)
        os.execv(command[0], command)
    nothing = os.open(os.devnull, os.O_RDWR)
    for end in (0, 1, 2):
        os.dup2(nothing, end)
    code = _watch(shell, wanted, news)
    _end_descendants()
    return code


def _watch(shell: int, wanted: int, news: int) -> int:
    while True:
        ready, _, _ = select.select([wanted, news], [], [])
        signals = os.read(news, 512) if news in ready else b""
        code = _reap(shell)
        if code is not None:
            return code
        if wanted in ready or any(number in _ENDING for number in signals):
            return 128 + signal.SIGKILL


def _reap(shell: int) -> int | None:
    """Take note of every child that has ended; gives the shell's exit code where it is one of them."""
    code = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            if pid == shell:
                ended = os.waitstatus_to_exitcode(status)
                code = ended if ended >= 0 else 128 - ended
    return code


def _end_descendants() -> None:
    """Kill children until there is none: those of a killed child become children of this process."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for pid in _children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> Iterator[int]:
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{entry}/stat", "rb") as file:
                # The name before the last parenthesis may hold anything; state and parent follow.
                if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                    yield int(entry)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
