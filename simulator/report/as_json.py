"""Values as JSON: the names are those of the fields. Not responsible for: what is reported."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic_core import to_jsonable_python

from simulator.canonical import canonical_json


def json_text(value: object) -> str:
    """Write dataclasses, models, paths and what they are nested in as canonical JSON.

    Two equal values have the same text: keys are sorted, and there are no spaces between them.
    """
    return canonical_json(to_jsonable_python(value))


def beside(value: object, more: Mapping[str, object]) -> dict[str, object]:
    """Give the fields of a value, and others beside them."""
    fields: dict[str, object] = to_jsonable_python(value)
    return {**fields, **more}
