"""What a recording holds once, by its hash: blobs, and how pages looked."""

from __future__ import annotations

from simulator.browser.action_recorder import PageState
from simulator.canonical import sha256 as digest
from simulator.errors import RecordingError
from simulator.recording.layout import unpack
from simulator.recording.parsing import BLOB, PAGE, Misfit, refusal
from simulator.recording.tables import Tables

_FACTS = "SELECT sha256, media_type, size, encoding, x'' AS bytes FROM blob WHERE sha256 = ?"


class Blobs:
    """The blobs of one recording.

    Args:
        tables: of the recording.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def read(self, sha256: str) -> bytes:
        """Give a blob's bytes.

        Raises:
            RecordingError: it is not there, or is not what its hash says.
        """
        path = self._tables.path
        for row in self._tables.rows("SELECT * FROM blob WHERE sha256 = ?", (sha256,)):
            blob = BLOB.read(path, row)
            try:
                data = unpack(blob.encoding, blob.bytes, blob.size)
            except ValueError as error:
                raise refusal(path, BLOB.name(row), Misfit(["bytes"], str(error))) from None
            if digest(data) != blob.sha256:
                raise refusal(path, BLOB.name(row), Misfit(["bytes"], f"they hash to {digest(data)}"))
            return data
        raise RecordingError(f"{path} has no blob {sha256}; look with 'sim runs verify'")

    def media_type(self, sha256: str) -> str | None:
        """Give a blob's media type, or None where it is not there."""
        for row in self._tables.rows(_FACTS, (sha256,)):
            return BLOB.read(self._tables.path, row).media_type
        return None

    def size(self, sha256: str | None) -> int | None:
        """Give a blob's size in bytes, or None where it is not there."""
        for row in self._tables.rows(_FACTS, (sha256,)):
            return BLOB.read(self._tables.path, row).size
        return None


class Pages:
    """The pages of one recording. Each is read once: the page after an action is most often the one before the next.

    Args:
        tables: of the recording.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._read: dict[str, PageState] = {}

    def read(self, sha256: str | None) -> PageState | None:
        """Give how a page looked, or None where it is not there."""
        if sha256 is None:
            return None
        if sha256 not in self._read:
            rows = self._tables.rows("SELECT * FROM page WHERE sha256 = ?", (sha256,))
            if not rows:
                return None
            self._read[sha256] = PAGE.read(self._tables.path, rows[0])
        return self._read[sha256]
