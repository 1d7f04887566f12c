"""Which process writes, and whether it is still alive. Not responsible for: ending processes."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from simulator.recording.parsing import PROCESS


@dataclass(frozen=True, slots=True)
class ProcessMark:
    """What distinguishes one process from every other, later ones with the same number included."""

    pid: int
    birth: str
    boot: str
    space: str

    def alive(self) -> bool:
        """Return whether that process can still write.

        A recording is written on the machine that holds it, so a process of another boot is dead. One of the
        same boot in another process-id namespace (a container's) cannot be seen and is taken to be alive.
        """
        here = current()
        if self.boot != here.boot:
            return False
        if self.space != here.space:
            return True
        return _birth(self.pid) == self.birth


@cache
def _system() -> tuple[str, str]:
    """Give the hash of this boot and the process-id namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        space = os.readlink("/proc/self/ns/pid")
    except OSError:
        import psutil  # loaded on other systems alone

        boot, space = f"{psutil.boot_time():.0f}", ""
    return hashlib.sha256(boot.encode()).hexdigest()[:16], space


def _birth(pid: int) -> str:
    """Give when a process began, in its system's own count; empty where it is gone or a zombie."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return "" if state in "ZX" else fields[18]
    except OSError:
        pass
    if Path("/proc/self/stat").exists():
        return ""
    import psutil

    try:
        process = psutil.Process(pid)
        return "" if process.status() == psutil.STATUS_ZOMBIE else f"{process.create_time():.2f}"
    except psutil.NoSuchProcess:
        return ""


def current() -> ProcessMark:
    """Mark this process."""
    pid = os.getpid()
    boot, space = _system()
    return ProcessMark(pid, _birth(pid), boot, space)


def dead_processes(connection: sqlite3.Connection, path: Path) -> list[str]:
    """Return which processes, of those with anything running in a recording, are dead.

    Args:
        connection: the open recording.
        path: its path, for messages.

    Raises:
        RecordingError: a row of such a process is malformed.
    """
    cursor = connection.execute(
        "SELECT id, pid, birth, boot, space FROM process WHERE id IN "
        "(SELECT process_id FROM run WHERE status = 'running' "
        "UNION SELECT process_id FROM batch WHERE status = 'running')"
    )
    names = [column[0] for column in cursor.description]
    rows = [PROCESS.read(path, dict(zip(names, row, strict=True))) for row in cursor.fetchall()]
    return [row.id for row in rows if not ProcessMark(row.pid, row.birth, row.boot, row.space).alive()]
