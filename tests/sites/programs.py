"""A site that runs as a program of its own: started, waited for, and ended.

Not responsible for: installing it (``packages``).
"""

from __future__ import annotations

import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def program(
    command: Sequence[str | Path],
    url: str,
    ready: str,
    *,
    seconds: float = 180.0,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Run a program that serves a site.

    Args:
        command: the program with its arguments.
        url: where it serves; it is given once it answers.
        ready: path of a page that answers when it is up.
        seconds: how long that may take.
        folder: where it runs.
        environment: what it runs with; None for that of this process.
    """
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)
    try:
        deadline = time.monotonic() + seconds
        while True:
            try:
                urllib.request.urlopen(f"{url}{ready}", timeout=30).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
        yield url
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)
