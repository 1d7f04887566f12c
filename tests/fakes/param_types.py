"""Judges a request by the SDK's own types. Not responsible for: the rules that types cannot say."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from tests.fakes.model_server import Refused


def check_types(body: dict[str, Any], adapter: TypeAdapter[Any]) -> None:
    """See that a body has what a type wants, and nothing else.

    Raises:
        Refused: it has not.
    """
    try:
        known = _drained(adapter.validate_python(body))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Refused(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if extra := _lost(body, known):
        raise Refused(f"{extra}: extra inputs are not permitted")


def _drained(value: Any) -> Any:
    """Run through what pydantic validates only as it is read."""
    if isinstance(value, dict):
        return {key: _drained(item) for key, item in value.items()}
    if value is None or isinstance(value, str | bytes | int | float):
        return value
    return [_drained(item) for item in value]


def _lost(given: Any, known: Any, path: str = "") -> str:
    """Give the path of the first key that no type knows."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key not in known:
                return f"{path}{key}"
            if found := _lost(value, known[key], f"{path}{key}."):
                return found
    if isinstance(given, list) and isinstance(known, list):
        for place, (one, other) in enumerate(zip(given, known, strict=True)):
            if found := _lost(one, other, f"{path}{place}."):
                return found
    return ""
