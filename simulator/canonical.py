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
_HASH_ROUTE = re.compile(r"(!?)(/(?!/).*)", re.DOTALL)
_LETTERS = re.compile(
    r"(?=[A-Za-z]*[A-Z]{2})(?=[A-Za-z]*[a-z])(?!(?:[a-z]*[A-Z]){0,3}[a-z]*$)"
    r"(?:(?![A-Za-z]*[a-z]{6})|(?=[A-Za-z]*(?i:[b-df-hj-np-tv-xz]{6})))[A-Za-z]{16,}",
    re.ASCII,
)
"""A token that happens to hold no digit: capitals stand together as in no row of words, and no lower-case word is long,
or so many consonants follow each other that nobody could say it. One of sixteen tokens of sixteen letters and digits
has no digit, and nine of ten of those are known by this."""

_ID = re.compile(r"(?:^|[_.-])(?:id|pk)$|[a-z]I[dD]$|^ID$")
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


def calls_an_id(name: str) -> bool:
    """Tell whether a name in a query calls its value an id: a number there is minted, as one in a path is."""
    return _ID.search(name) is not None


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
    mark, route = hash_route(parts.fragment)
    place = mark + urlunsplit(("", "", *_shapes(*route.partition("?")[::2]), "")) if route else parts.fragment
    return urlunsplit(("", "", *_shapes(parts.path, parts.query), "" if is_minted(place) else place))


def _shapes(path: str, query: str) -> tuple[str, str]:
    """Give the shape of a path and that of a query."""
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    return (
        "/".join("{id}" if is_minted(segment) else segment for segment in path.split("/")),
        "&".join(sorted(key + sep + ("{id}" if is_minted(value) else value) for key, sep, value in pairs)),
    )


def hash_route(fragment: str) -> tuple[str, str]:
    """Give what marks a fragment as the address of a part of an application, and that address: ``!`` and ``/books/42``.

    Both are empty where the fragment is a place in the page.
    """
    found = _HASH_ROUTE.fullmatch(fragment)
    return (found.group(1), found.group(2)) if found else ("", "")


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
