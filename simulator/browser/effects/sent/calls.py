"""Calls by JSON-RPC: all of them go to one address, and the page numbers them itself.

Pure functions over values. Not responsible for: GraphQL (``payloads``), or hearing of requests (``writes``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_ENVELOPE: Final = frozenset({"jsonrpc", "id", "method", "params"})
"""What a call consists of (JSON-RPC 1.0 and 2.0)."""
_CALLED: Final = "()"
"""How the name of what is called ends: an operation of GraphQL, which is known to change the site, ends otherwise."""


def call_of(value: Any) -> str:
    """Name what a request calls, as ``cases.update()``; empty where it is no call.

    Args:
        value: as it was sent; several calls may be in one request.
    """
    calls = value if isinstance(value, list) else [value]
    if not calls or not all(map(_is_call, calls)):
        return ""
    return " ".join(dict.fromkeys(one["method"].replace(" ", "_") + _CALLED for one in calls))


def is_call(operation: str) -> bool:
    """Return whether what a request was sent for is a call, by its name: nobody knows whether that writes or asks."""
    return operation.endswith(_CALLED)


def said_in(value: Any) -> Any:
    """Give what is said in a request, without the number that the page has given to the call.

    Args:
        value: as it was sent.
    """
    if isinstance(value, list):
        return [said_in(one) for one in value]
    return {"params": value["params"]}


def given_by(operation: str, answer: Any) -> Any:
    """Give what calls give, under the names of what was called: ``cases`` of ``cases.update()``.

    What another call to the same gives is of one kind then.

    Args:
        operation: the calls, as :func:`call_of` names them.
        answer: to them.
    """
    answers = answer if isinstance(answer, list) else [answer]
    given = [one.get("result") for one in answers if isinstance(one, Mapping)]
    called = service_of(operation)
    return {called: given[0] if len(given) == 1 else given}


def service_of(operation: str) -> str:
    """Give what of the site is called: ``cases`` of ``cases.update()``; all of it where it has one name."""
    name = operation.split()[0].removesuffix(_CALLED)
    return name.rpartition(".")[0] or name


def has_failed(answer: Any) -> bool:
    """Return whether a call gave an error, and nothing else. Older sites give one that is no object.

    Args:
        answer: to one call.
    """
    return isinstance(answer, Mapping) and bool(answer.get("error")) and answer.get("result") is None


def _is_call(value: Any) -> bool:
    if not isinstance(value, Mapping) or not {"id", "method", "params"} <= value.keys() <= _ENVELOPE:
        return False
    return isinstance(value["method"], str) and bool(value["method"]) and isinstance(value["params"], list | Mapping)
