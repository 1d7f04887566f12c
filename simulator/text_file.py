"""Files that anybody may have written, as text: regular ones, of a bounded size, in UTF-8, or refused with the place.

Not responsible for: what a text means, or any file that this program made for itself.
"""

from __future__ import annotations

import codecs
import os
import stat
from pathlib import Path

_OTHER_ENCODINGS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
"""What a file begins with that an editor saved in another encoding; the longer marks stand first."""


_LONGEST = 500
"""Characters of a sentence about a mistake."""


class UnreadableFile(Exception):
    """A file that cannot be read: why, and where in it.

    Args:
        message: what is wrong, and what to do.
        line: from 1.
        column: from 1, in characters.
        missing: whether there is no such file.
    """

    def __init__(self, message: str, line: int = 1, column: int = 1, *, missing: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.missing = missing


def read_text(path: Path, limit: int) -> str:
    """Read a text file whole.

    Args:
        path: the file.
        limit: bytes in the largest file that is read.

    Returns:
        The text, without a byte order mark.

    Raises:
        UnreadableFile: it is missing, no regular file, too large, or not UTF-8.
    """
    return decoded(read_bytes(path, limit))


def read_bytes(path: Path, limit: int) -> bytes:
    """Read a file whole, and never more than its limit: a pipe that nobody writes to and a device are not waited for.

    Raises:
        UnreadableFile: it is missing, no regular file, or too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise UnreadableFile("there is no such file", missing=True) from None
    except OSError as error:
        raise UnreadableFile(f"the file cannot be read: {error.strerror}") from error
    except ValueError:
        raise UnreadableFile("no file can have this name; it holds a NUL or half a character") from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableFile("this is a folder; name a file in it")
        if not stat.S_ISREG(mode):
            raise UnreadableFile("this is a pipe or a device; save what it gives as a file first")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise UnreadableFile(f"the file cannot be read: {error.strerror}") from error
    finally:
        os.close(descriptor)
    if len(data) > limit:
        raise UnreadableFile(f"expected at most {_size(limit)}")
    return data


def decoded(data: bytes) -> str:
    """Read bytes as UTF-8.

    Raises:
        UnreadableFile: they are something else, with the place of the first that is.
    """
    for mark, encoding in _OTHER_ENCODINGS.items():
        if data.startswith(mark):
            raise UnreadableFile(f"expected UTF-8 text, found {encoding}; save the file in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = place(before.decode("utf-8-sig"), len(before))
        raise UnreadableFile("expected UTF-8 text; save the file in that encoding", line, column) from error


def place(text: str, index: int) -> tuple[int, int]:
    """Give the line and column, from 1, of a character of a text."""
    before = text[:index]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def one_sentence(message: str) -> str:
    """Write what is wrong on one line of a length that a person reads, whatever of the file it quotes."""
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _size(limit: int) -> str:
    return f"{limit >> 20} MiB" if limit >= 1 << 20 else f"{limit >> 10} KiB"
