"""Bodies of requests as named values, and put together again with some of them otherwise.

A value's name is its *place*: the name of a form's field, with ``#2`` for the second of that name, or a pointer into a
JSON document. Not responsible for: which value is put there, or why.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulator.browser.wire.bodies import Part, join, read

Value = str | bytes | int | float | bool | None
"""A text, the bytes of a file, or a scalar of JSON."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a body."""

    place: str
    value: Value


def leaves(content_type: str, body: bytes) -> tuple[Leaf, ...] | None:
    """Take a body apart.

    Args:
        content_type: the header of its request.
        body: its bytes.

    Returns:
        Its values in order; None where it is neither a form nor a JSON document.
    """
    document = _json(content_type, body)
    if document is not None:
        return tuple(Leaf(place, value) for place, value in _scalars(document, ""))
    parts = read(content_type, body)
    if parts is None:
        return None
    return tuple(
        Leaf(place, part.content if part.filename is not None else part.value) for place, part in _placed(parts)
    )


def changed(content_type: str, body: bytes, values: Mapping[str, Value], drop: Sequence[str] = ()) -> bytes:
    """Put a body together again, with other values.

    Args:
        content_type: the header of its request.
        body: its bytes.
        values: what stands where, by place; a place that the body does not have is passed over.
        drop: places that are left out.
    """
    document = _json(content_type, body)
    if document is not None:
        return json.dumps(_rewritten(document, "", values, set(drop)), ensure_ascii=False).encode()
    parts = read(content_type, body)
    if parts is None:
        return body
    kept = [(place, part) for place, part in _placed(parts) if place not in drop]
    return join(content_type, [_with(part, values[place]) if place in values else part for place, part in kept])


def renamed(content_type: str, body: bytes, names: Mapping[str, str]) -> bytes:
    """Put a form together again, with other names of its fields; no other body is touched.

    Args:
        content_type: the header of its request.
        body: its bytes.
        names: old names to new ones.
    """
    parts = read(content_type, body)
    if parts is None:
        return body
    return join(content_type, [replace(part, name=names.get(part.name, part.name)) for part in parts])


def _json(content_type: str, body: bytes) -> Any:
    if not content_type.partition(";")[0].strip().lower().endswith("json"):
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


def _placed(parts: Sequence[Part]) -> Iterator[tuple[str, Part]]:
    seen: Counter[str] = Counter()
    for part in parts:
        seen[part.name] += 1
        yield part.name if seen[part.name] == 1 else f"{part.name}#{seen[part.name]}", part


def _with(part: Part, value: Value) -> Part:
    if isinstance(value, bytes):
        return replace(part, data=value, sha256=None)
    return replace(part, value=value if isinstance(value, str) else json.dumps(value))


def _children(document: Any, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(document, dict):
        yield from ((f"{place}/{name}", child) for name, child in document.items())
    elif isinstance(document, list):
        yield from ((f"{place}/{number}", child) for number, child in enumerate(document))


def _scalars(document: Any, place: str) -> Iterator[tuple[str, Any]]:
    if not isinstance(document, dict | list):
        yield place, document
    for below, child in _children(document, place):
        yield from _scalars(child, below)


def _rewritten(document: Any, place: str, values: Mapping[str, Value], drop: set[str]) -> Any:
    if not isinstance(document, dict | list):
        return values.get(place, document)
    kept = {
        below: _rewritten(child, below, values, drop)
        for below, child in _children(document, place)
        if below not in drop
    }
    if isinstance(document, list):
        return list(kept.values())
    return {below.rpartition("/")[2]: child for below, child in kept.items()}
