"""Canonical JSON and content hashes. Not responsible for: where they are stored.

The forms below are part of the recording format: a change here changes every hash.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit, urlunsplit

_MINTED = re.compile(
    r"^(?:\d+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[0-9a-f]*\d)[0-9a-f]{12,}"
    r"|[A-Za-z]{1,6}-\d+|(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,})$",
    re.ASCII,
)
_LETTERS = re.compile(
    r"(?=[A-Za-z]*[A-Z]{2})(?=[A-Za-z]*[a-z])(?!(?:[a-z]*[A-Z]){0,3}[a-z]*$)"
    r"(?:(?![A-Za-z]*[a-z]{6})|(?=[A-Za-z]*(?i:[b-df-hj-np-tv-xz]{6})))[A-Za-z]{16,}",
    re.ASCII,
)
"""A token that happens to hold no digit: capitals stand together as in no row of words, and no lower-case word is long,
or so many consonants follow each other that nobody could say it. One of sixteen tokens of sixteen letters and digits
has no digit, and nine of ten of those are known by this."""

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_json(value: object) -> str:
    """Write a JSON value in its one canonical form: sorted keys, no spaces, UTF-8 text, no NaN.

    Args:
        value: anything :mod:`json` can write.

    Returns:
        The text, without a trailing newline.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    return _ENCODER.encode(value)


def sha256(data: bytes | str) -> str:
    """Hash bytes, or a text's UTF-8 bytes.

    Returns:
        64 lower-case hexadecimal digits.
    """
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def content_hash(value: object) -> str:
    """Hash a JSON value by its canonical form."""
    return sha256(canonical_json(value))


def is_minted(segment: str) -> bool:
    """Tell whether a path segment or a query value looks minted by a site: a number, a UUID, a token."""
    return bool(_MINTED.match(segment) or _LETTERS.fullmatch(segment))


def url_shape(url: str) -> str:
    """Reduce a URL to what stays the same between two visits: no host, minted segments as ``{id}``.

    Query values are kept when they are words and masked when they look minted; the order of the query's
    parameters does not count.

    Args:
        url: absolute or relative.

    Returns:
        For example ``/books/{id}/edit?sort=title``.
    """
    parts = urlsplit(url)
    path = "/".join("{id}" if is_minted(segment) else segment for segment in parts.path.split("/"))
    pairs = (pair.partition("=") for pair in parts.query.split("&") if pair)
    query = "&".join(sorted(key + sep + ("{id}" if is_minted(value) else value) for key, sep, value in pairs))
    return urlunsplit(("", "", path, query, "" if is_minted(parts.fragment) else parts.fragment))


def map_strings(value: Any, change: Any) -> Any:
    """Rebuild a JSON value with every string (keys excepted) passed through ``change``.

    Args:
        value: a JSON value.
        change: a function of a string to a string.

    Returns:
        A new value of the same shape.
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: map_strings(item, change) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [map_strings(item, change) for item in value]
    return value
