"""Names of files that come from elsewhere, and writing files that are called by them. Not: reading files.

A recorded name is sent to a site, and names no file here: what is written to disk is called by its hash.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Mapping
from pathlib import Path

LONGEST = 255
"""Bytes in the longest name that file systems take."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_SHORT = 16
"""Hexadecimal digits that distinguish files, as long as no two begin with the same."""
_ENDINGS = {
    kind: kind.rpartition("/")[2]
    for kind in (
        *("image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/bmp", "application/pdf"),
        *("application/zip", "application/json", "text/csv", "video/mp4", "audio/mpeg"),
    )
} | {"text/plain": "txt", "image/svg+xml": "svg"}
"""Endings of files by media type: of none of these does any program run a file, or read settings from it."""


def base_name(name: str) -> str:
    """Give a name that a file in a folder can have, as it is.

    Raises:
        ValueError: it leads elsewhere, holds what no name of a file holds, or is too long; in words.
    """
    if not name.strip(" .") or any(one in "/\\" for one in name):
        raise ValueError("expected the name of a file without a folder")
    if any(unicodedata.category(one) in ("Cc", "Cs") for one in name):
        raise ValueError("the name of a file holds no control characters")
    if len(name.encode()) > LONGEST:
        raise ValueError(f"the name of a file has at most {LONGEST} bytes")
    return name


def stored_names(media_types: Mapping[str, str]) -> dict[str, str]:
    """Name files on disk after what is in them: names that nothing imports, collects or takes for settings.

    Args:
        media_types: of each file, by the SHA-256 of its bytes.

    Returns:
        The names by SHA-256; no two are the same, whatever the case.

    Raises:
        ValueError: a key is no SHA-256.
    """
    if wrong := next((one for one in media_types if not _SHA256.fullmatch(one)), None):
        raise ValueError(f"expected the SHA-256 of a file, found {wrong[:80]!r}")
    short = [one[:_SHORT] for one in media_types]
    return {
        one: f"{one[:_SHORT] if short.count(one[:_SHORT]) == 1 else one}.{_ENDINGS.get(media_type, 'bin')}"
        for one, media_type in media_types.items()
    }


def replace_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link of that name is replaced, and what it leads to stays as it is.

    Raises:
        OSError: it cannot be written.
    """
    draft = path.with_name(f".{secrets.token_hex(8)}")
    try:
        with draft.open("xb") as file:
            file.write(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
