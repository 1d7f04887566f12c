"""Whether an input is what a tool takes, in words that a model can correct itself by. Not responsible for: the tool."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from pydantic import AliasChoices, BaseModel, ValidationError
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
        typed: parameters whose text may be a secret: no message shows what was found there.
    """
    if broken := [_shown(name) for name, value in given.items() if not (is_text(name) and is_text(value))]:
        return Validated(None, "; ".join(f"{name}: holds half a character, a lone surrogate" for name in broken))
    given = by_own_names(model, given)
    try:
        return Validated(model.model_validate(given, by_name=True, by_alias=False))
    except ValidationError as error:
        found = (_problem(model, detail, typed) for detail in error.errors(include_url=False))
        return Validated(None, "; ".join(found))


def by_own_names(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """Give an input with each parameter under its own name, where it was passed under another that it is taken by.

    Args:
        model: what the tool takes; its fields say by ``AliasChoices`` what else they are called.
        given: the input; where it passes both names, both stay, and the other one is reported as unknown.
    """
    own: dict[str, str] = {}
    for name, field in model.model_fields.items():
        others = field.validation_alias.choices if isinstance(field.validation_alias, AliasChoices) else ()
        if name not in given:
            own |= {other: name for other in others if isinstance(other, str)}
    taken = {name: next((other for other in given if own.get(other) == name), "") for name in own.values()}
    return {own[name] if name in own and taken[own[name]] == name else name: value for name, value in given.items()}


def is_text(value: object) -> bool:
    """Return whether all texts of a JSON value can be written as UTF-8: JSON can hold some that cannot."""
    if isinstance(value, str):
        return _shown(value) == value
    if isinstance(value, Mapping):
        return all(is_text(key) and is_text(item) for key, item in value.items())
    return not isinstance(value, list) or all(map(is_text, value))


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
