"""Temporary folders of which none stays for good. Not responsible for: what is in them.

A program that is killed cannot remove its folder. So each folder holds a file that is locked as long as its program
lives, and whoever makes the next folder removes those whose lock nobody holds.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_LOG = logging.getLogger(__name__)
_PREFIX = "sim-"
_LOCK = ".lock"


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder for as long as the context lasts, and remove those of programs that were killed.

    Raises:
        OSError: the folder for temporary files cannot be written.
    """
    remove_abandoned()
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if sys.platform != "win32":
                fcntl.flock(lock, fcntl.LOCK_EX)
                # One that came between the two lines above took the folder for an abandoned one.
                folder.mkdir(mode=0o700, exist_ok=True)
            yield folder
        finally:
            os.close(lock)


def remove_abandoned() -> list[Path]:
    """Remove the folders of this user whose program does not live any more, and give their paths.

    On Windows nothing is removed: nothing there distinguishes such a folder from one that is in use.
    """
    folders = Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/")
    removed = [folder for folder in folders if _remove_if_abandoned(folder)]
    if removed:
        _LOG.info("removed what programs that were killed had left: %s", ", ".join(map(str, removed)))
    return removed


def _remove_if_abandoned(folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        if folder.is_symlink() or folder.lstat().st_uid != os.getuid():
            return False
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:  # None of these, or one that is just being made or has been removed.
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except OSError:  # Its program lives.
        return False
    finally:
        os.close(lock)
    return True
