"""Whether an input is what a tool takes, in words that a model can correct itself by. Not responsible for: the tool."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails


class Validated(NamedTuple):
    """An input as the tool takes it, or what is wrong with it."""

    input: BaseModel | None
    problems: str = ""


def validate(model: type[BaseModel], given: Mapping[str, Any], *, typed: Collection[str] = ()) -> Validated:
    """Check an input.

    Args:
        model: what the tool takes.
        given: the input.
        typed: parameters whose text may be a secret: what was found there is not told.
    """
    if broken := [_shown(name) for name, value in given.items() if not (_is_text(name) and _is_text(value))]:
        return Validated(None, "; ".join(f"{name}: holds half a character, a lone surrogate" for name in broken))
    try:
        return Validated(model.model_validate(given))
    except ValidationError as error:
        found = (_problem(model, detail, typed) for detail in error.errors(include_url=False))
        return Validated(None, "; ".join(found))


def _is_text(value: object) -> bool:
    """Tell whether all texts of a JSON value can be written as UTF-8: JSON can hold some that cannot."""
    if isinstance(value, str):
        return _shown(value) == value
    if isinstance(value, Mapping):
        return all(_is_text(key) and _is_text(item) for key, item in value.items())
    return not isinstance(value, list) or all(map(_is_text, value))


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _problem(model: type[BaseModel], detail: ErrorDetails, typed: Collection[str]) -> str:
    path = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "missing":
        return f"{path}: is required"
    if detail["type"] == "extra_forbidden":
        known = ", ".join(model.model_fields) or "none"
        return f"{path}: is not a parameter; there are: {known}"
    expected = detail["msg"].replace("Input should be", "expected").replace("Value error, ", "")
    if detail["loc"] and detail["loc"][0] in typed:
        return f"{path}: {expected}"
    return f"{path}: {expected}, found {_short(detail['input'])}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
