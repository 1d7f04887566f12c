"""What the workers of one test session share. Not responsible for: what it is."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """Give this worker's own copy of a folder that the first of all workers makes.

    Args:
        factory: of the worker's temporary folders.
        name: the same one for every worker.
        make: fills the folder.
    """
    workers = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    kept = workers / f"made-{name}"
    with (workers / f"made-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            making = factory.mktemp(f"making-{name}")
            make(making)
            making.rename(kept)
    folder = factory.mktemp(name)
    shutil.copytree(kept, folder, dirs_exist_ok=True)
    return folder
