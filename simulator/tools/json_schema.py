"""Judges values by a JSON Schema of draft 2020-12. Not responsible for: the schemas of tools, which pydantic makes.

A schema is an agent's input: a reference that leaves it is refused, never fetched.
"""

from __future__ import annotations

from collections.abc import Mapping

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import JsonValue
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY


def broken(schema: Mapping[str, JsonValue]) -> str:
    """Say what is wrong with a schema; nothing for one that is valid."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return f"{error.json_path}: {error.message}"
    return ""


def problems(schema: Mapping[str, JsonValue], value: JsonValue) -> list[str]:
    """Say where a value does not fit a valid schema, in the order of the value."""
    found = Draft202012Validator(schema, registry=EMPTY_REGISTRY).iter_errors(value)
    try:
        return [f"{one.json_path}: {one.message}" for one in found]
    except Unresolvable as error:
        return [f"the schema refers to what is not in it: {error}"]
