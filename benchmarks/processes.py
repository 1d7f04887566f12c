"""What a process and everything that it started takes: CPU time and memory. Linux only.

Not responsible for: when it is asked.
"""

from __future__ import annotations

from pathlib import Path

import psutil


def cpu_of(pid: int) -> float:
    """Sum the CPU time that a process tree has used, in milliseconds.

    What has ended and was waited for is counted with its parent, so that renderers of closed contexts are not lost.
    """
    seconds = 0.0
    for process in _tree(pid):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        seconds += times.user + times.system + times.children_user + times.children_system
    return seconds * 1000


def memory_of(pid: int) -> float:
    """Sum the proportional set sizes of a process tree, in megabytes.

    Pages that several processes share count once, divided among them: see /proc/pid/smaps_rollup in proc(5).
    """
    kilobytes = 0
    for process in _tree(pid):
        try:
            lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii").splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue
        kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def _tree(pid: int) -> list[psutil.Process]:
    try:
        root = psutil.Process(pid)
        return [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []
