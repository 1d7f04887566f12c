"""What a request says in JSON, taken apart: its parts by name, and the operations of GraphQL or the calls in it.

Pure functions over one value. Not responsible for: hearing of requests, or what of them the user put in (``writes``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final

from simulator.browser.effects.sent.calls import call_of, said_in

MOST_PARTS: Final = 500
"""Of a body, or of an answer, that are looked at."""
_MUTATION = re.compile(r"\bmutation\b\s*(\w*)")
_LITERAL = re.compile(r'(\w+)\s*:\s*("(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?|true|false)')
"""A value that stands in a query of GraphQL itself, with what it is called."""


def parts_of(value: Any) -> tuple[tuple[str, str], ...]:
    """Give name and text of each part of a JSON value.

    What JSON Patch changes is called by its path, and what stands in a query of GraphQL by its argument. Of a call by
    JSON-RPC the parameters are parts.

    Args:
        value: as a request sent it.
    """
    said = said_in(value) if call_of(value) else _patched(value)
    queries = [] if said is not value else [one["query"] for one in _queries(value)]
    literals = (pair for query in queries for pair in _literals(query))
    return tuple(islice(chain(leaves(said), literals), MOST_PARTS))


def unfolded(parts: Iterable[tuple[str, str]], kept: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Give name and text of some parts; of an object or a list in JSON in a part those of its own, by their paths.

    Args:
        parts: of a request.
        kept: the names of parts that are no JSON for the user, who has put in what stands there.
    """
    for name, text in parts:
        found = None if name in kept or text[:1] not in ("{", "[") else _read(text)
        if isinstance(found, dict | list):
            yield from ((f"{name}.{path}", each) for path, each in islice(leaves(found), MOST_PARTS))
        else:
            yield name, text


def operation_of(value: Any) -> str | None:
    """Name the mutations of a GraphQL request, or what is called by JSON-RPC; empty for none, None where it only asks.

    Args:
        value: as it was sent; several operations may be in one request.
    """
    if called := call_of(value):
        return called
    requests = value if isinstance(value, list) else [value]
    queries = _queries(value)
    if not queries or len(queries) < len(requests) or not any("{" in one["query"] for one in queries):
        return ""
    found = [(one, mutation) for one in queries if (mutation := _MUTATION.search(one["query"]))]
    names = [str(one.get("operationName") or mutation.group(1) or "mutation") for one, mutation in found]
    return " ".join(dict.fromkeys(names)) or None


def only_asks(body: bytes) -> bool:
    """Return whether what a request sends are queries of GraphQL, and no mutation."""
    value = _read(body.decode("utf-8", errors="replace"))
    return value is not None and operation_of(value) is None


def leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Give what is at the ends of a JSON value, in its order, each with its path; not by recursion, as pages nest."""
    left = [("", value)]
    while left:
        path, one = left.pop()
        if isinstance(one, dict | list):
            inner = one.items() if isinstance(one, dict) else enumerate(one)
            left += reversed([(f"{path}.{key}" if path else str(key), each) for key, each in inner])
        elif one is not None:
            yield path, one if isinstance(one, str) else json.dumps(one)


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _queries(value: Any) -> list[dict[str, Any]]:
    requests = value if isinstance(value, list) else [value]
    return [one for one in requests if isinstance(one, dict) and isinstance(one.get("query"), str)]


def _patched(value: Any) -> Any:
    """Give what JSON Patch (RFC 6902) puts where; the value itself where it is not one."""
    if not isinstance(value, list) or not value:
        return value
    if not all(isinstance(one, dict) and isinstance(one.get("path"), str) and "op" in one for one in value):
        return value
    return {one["path"].strip("/").replace("/", "."): one["value"] for one in value if "value" in one}


def _literals(query: str) -> Iterator[tuple[str, str]]:
    for name, text in _LITERAL.findall(query):
        try:
            yield name, json.loads(text) if text.startswith('"') else text
        except ValueError:
            continue  # it escapes something in another way than JSON does
