"""What a persona file may hold at each place, in words, read off the model's JSON Schema.

Responsible for phrases such as "a whole number above 0" and for the keys known at a place, so that no limit
is written twice.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from simulator.domain import Pack, packs_in_use
from simulator.persona.model import PERSONA_NAME, Persona

_PATTERNS = {
    PERSONA_NAME: "a name of lower-case letters, digits, _ and - such as night_owl",
}
Schema = dict[str, Any]


class Expectations:
    """The expectations that a JSON Schema states."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    @classmethod
    def of_persona(cls) -> "Expectations":
        """Return those of a persona file."""
        return _persona_expectations(packs_in_use())

    def keys(self, location: Sequence[str | int]) -> list[str]:
        """Return the keys that the mapping at ``location`` may have."""
        return [key for key in self._at(location).get("properties", {}) if key != "task_type"]

    def phrase(self, location: Sequence[str | int], error: str) -> str:
        """Return what is expected at ``location``, with the bound that ``error`` (a pydantic type) names."""
        schema = self._at(location)
        if "enum" in schema:
            return f"one of {', '.join(map(str, schema['enum']))}"
        match schema.get("type"):
            case "integer":
                return f"a whole number{_bounds(schema, error)}"
            case "number":
                return f"a number{_bounds(schema, error)}"
            case "string" if "pattern" in schema:
                return _PATTERNS.get(schema["pattern"]) or _called(schema)
            case "string" if error == "string_too_long":
                return f"text of at most {schema['maxLength']} characters"
            case "string":
                return "some text"
            case "array" if error == "too_long":
                return f"a list of at most {schema['maxItems']}"
            case "array":
                return "a list with at least one item" if schema.get("minItems") else "a list"
            case _:
                keys = self.keys(location)
                return f"a mapping with keys such as {', '.join(keys[:4])}" if keys else "a mapping"

    def _at(self, location: Sequence[str | int]) -> Schema:
        here = self._resolved(self._schema)
        for part in location:
            here = self._resolved(self._inside(here, part))
        return here

    def _inside(self, schema: Schema, part: str | int) -> Schema:
        if isinstance(part, int):
            return dict(schema.get("items", {}))
        if part in schema.get("tasks", {}):
            return dict(schema["tasks"][part])
        return dict(schema.get("properties", {}).get(part) or schema.get("additionalProperties") or {})

    def _resolved(self, schema: Schema) -> Schema:
        while True:
            if "$ref" in schema:
                schema = self._schema["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
            elif "anyOf" in schema:
                schema = next(option for option in schema["anyOf"] if option.get("type") != "null")
            else:
                return schema


@lru_cache(maxsize=8)
def _persona_expectations(packs: tuple[Pack, ...]) -> Expectations:
    return Expectations(Persona.model_json_schema())


def _called(schema: Schema) -> str:
    """Say a text of a form by its title and its first example: ``a currency code such as EUR``."""
    example = f" such as {schema['examples'][0]}" if schema.get("examples") else ""
    return f"a {str(schema.get('title', 'text')).lower()}{example}"


def _bounds(schema: Schema, error: str) -> str:
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    if lowest is not None and highest is not None:
        return f" from {lowest:g} to {highest:g}"
    if highest is not None and error.startswith("less_than"):
        return f" of at most {highest:g}"
    above = schema.get("exclusiveMinimum")
    return f" above {above:g}" if above is not None else ""
