"""Answers of public services, kept on disk. Not responsible for: what they mean."""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from simulator.canonical import sha256

MAX_AGE_SECONDS = 30 * 24 * 3600.0
_log = logging.getLogger(__name__)


class Cache:
    """A folder with a file for each URL; processes may share it.

    Args:
        folder: made when it is first written to.
        wall: returns the time, in seconds since 1970.
    """

    def __init__(self, folder: Path, wall: Callable[[], float]) -> None:
        self._folder = folder
        self._wall = wall

    def get(self, url: str) -> bytes | None:
        """Give what is kept for a URL, unless it is too old."""
        file = self._file(url)
        try:
            if self._wall() - file.stat().st_mtime > MAX_AGE_SECONDS:
                return None
            return file.read_bytes()
        except OSError:
            return None

    def put(self, url: str, body: bytes) -> None:
        """Keep an answer; a folder that cannot be written to costs the cache, not the answer."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(body)
                os.replace(name, self._file(url))
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(name)
                raise
        except OSError as error:
            _log.warning("covers are not cached in %s: %s", self._folder, error.strerror)

    def drop(self, url: str) -> None:
        """Forget what is kept for a URL; a folder that cannot be written to keeps it."""
        try:
            self._file(url).unlink(missing_ok=True)
        except OSError as error:
            _log.warning("a cover in %s cannot be dropped: %s", self._folder, error.strerror)

    def _file(self, url: str) -> Path:
        return self._folder / sha256(url)
