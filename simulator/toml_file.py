"""TOML that anybody may have written: as values, with the line and column of each mistake.

Not responsible for: what is right, which a pydantic model says.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from simulator.text_file import place
from simulator.toml_places import Place, positions

Path = tuple[str, ...]
_EXPECTED = {
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "path_type": "a path in quotes",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "greater_than": "a number above {gt:g}",
    "greater_than_equal": "a number of at least {ge:g}",
    "less_than_equal": "a number of at most {le:g}",
    "too_short": "at least one value",
    "string_pattern_mismatch": "a name of small letters, digits, '-' and '_'",
}
"""What to say for pydantic's types of error: what would have been right."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A key that stands without quotes."""
_DEEPEST = 16
"""Tables and lists within each other; no setting has half as many."""
_LONG_NUMBER = re.compile(r"[0-9][0-9_]{999,}")
_KINDS = {str: "a text", int: "a number", float: "a number", bool: "true or false", list: "a list"}


class Wrong(NamedTuple):
    """A mistake in a file."""

    line: int
    column: int
    said: str


class WrongToml(Exception):
    """A text that is no TOML, or no settings can hold: what is wrong, and where."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(wrong.said)
        self.wrong = wrong


def shown(value: object) -> str:
    """Write a value as it stands in TOML, or nearly so."""
    return str(value).lower() if isinstance(value, bool) else repr(value)


def read_toml(text: str) -> dict[str, Any]:
    """Read a text.

    Raises:
        WrongToml: it is no TOML, or holds what not every reader of values takes: deep nesting and huge numbers.
    """
    data = _parsed(text)
    _check_bounds(data, text)
    return data


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WrongToml(_syntax_error(text, error)) from None
    except RecursionError:
        raise WrongToml(Wrong(1, 1, "the values are nested too deeply")) from None
    except Exception as error:
        # Whatever the parser makes of a text that it was not made for is a mistake in that text.
        digits = _LONG_NUMBER.search(text)
        said = "expected a number of at most 64 bits" if digits else f"not TOML: {error or type(error).__name__}"
        raise WrongToml(Wrong(*place(text, digits.start() if digits else 0), said)) from None


def _check_bounds(data: Mapping[str, Any], text: str) -> None:
    found: list[tuple[Path, Any]] = [((), data)]
    while found:
        path, value = found.pop()
        said = None
        if len(path) > _DEEPEST:
            said = "the values are nested too deeply"
        elif isinstance(value, int) and value.bit_length() >= 64:
            said = f"{dotted(path)}: expected a number of at most 64 bits"
        if said:
            raise WrongToml(Wrong(*nearest_place(positions(text), path).value, said))
        if isinstance(value, dict):
            found += [((*path, key), one) for key, one in value.items()]
        elif isinstance(value, list):
            found += [((*path, str(number)), one) for number, one in enumerate(value)]


def _syntax_error(text: str, error: tomllib.TOMLDecodeError) -> Wrong:
    found = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if found is None:
        return Wrong(1, 1, str(error))
    said, line, column = found.groups()
    lines = text.splitlines() or [""]
    return Wrong(int(line or len(lines)), int(column or len(lines[-1]) + 1), f"{said[:1].lower()}{said[1:]}")


def mistake(
    details: ErrorDetails,
    places: Mapping[Path, Place],
    model: type[BaseModel],
    within: Path = (),
) -> Wrong:
    """Say where a mistake is and what it is.

    Args:
        details: the mistake, in what was read by a model.
        places: of all that stands in the file.
        model: which one.
        within: where what was read stands.
    """
    kind = details["type"]
    is_key = details["loc"][-1:] == ("[key]",)
    path = (*within, *(str(part) for part in details["loc"] if part != "[key]"))
    while path not in places and path[:-1] in places and kind not in ("missing", "extra_forbidden"):
        path = path[:-1]
    name = dotted(path)
    if kind == "extra_forbidden":
        known = _known_keys(model, path[len(within) : -1])
        near = get_close_matches(path[-1], known, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known here are {', '.join(known)}"
        line, column = nearest_place(places, path).key
        return Wrong(line, column, f"{name}: unknown key; {hint}")
    if kind == "missing":
        line, column = nearest_place(places, path[:-1]).key
        return Wrong(line, column, f"{name}: {_missing(model, path, within)}")
    at = nearest_place(places, path)
    line, column = at.key if is_key else at.value
    if kind == "value_error":
        return Wrong(line, column, f"{name}: {details['ctx']['error']}")
    value = path[-1] if is_key else details["input"]
    # Where a table belongs, a value may be a secret that was meant to be referred to.
    found = _KINDS.get(type(value), "something else") if _EXPECTED.get(kind) == "a table" else shown(value)
    return Wrong(line, column, f"{name}: expected {_expected(details)}, found {found}")


def nearest_place(places: Mapping[Path, Place], path: Path) -> Place:
    """Give where a value stands, or the nearest of those that it is in."""
    while path not in places:
        path = path[:-1]
    return places[path]


def dotted(path: Path) -> str:
    """Write a path as it stands in TOML."""
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part) for part in path)


def _expected(details: ErrorDetails) -> str:
    context = details.get("ctx", {})
    if details["type"] == "literal_error":
        return f"one of {context['expected'].replace(' or ', ', ')}"
    if details["type"] in _EXPECTED:
        return _EXPECTED[details["type"]].format(**context)
    return details["msg"].removeprefix("Input should be ")


def _missing(model: type[BaseModel], path: Path, within: Path) -> str:
    """Say what is not there, and where it belongs."""
    *table, key = path
    if table:
        header = [part for part in table if not part.isdigit()]
        return f"the key is missing in [{dotted(tuple(header))}]"
    annotation = _fields(_table_at(model, path[len(within) : -1]))[key].annotation
    if get_origin(annotation) is tuple:
        return f"the file has no table [[{dotted(path)}]]"
    return "the key is missing above the first table"


def _known_keys(whole: type[BaseModel], path: Path) -> list[str]:
    """Give the keys that may stand in the table at a path of what a model reads."""
    return [*_fields(_table_at(whole, path))]


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Give the fields of a table by their keys."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _table_at(whole: type[BaseModel], path: Path) -> type[BaseModel]:
    """Give what reads the table at a path of what a model reads."""
    model: Any = whole
    for part in path:
        if isinstance(model, type) and issubclass(model, BaseModel):
            fields = _fields(model)
            model = _inner(fields[part].annotation) if part in fields else _more(model)
        else:
            given = get_args(model)
            model = _inner(given[0] if given[-1:] == (Ellipsis,) else given[1])
    return model  # type: ignore[no-any-return]


def _inner(annotation: Any) -> Any:
    """Take a table's type out of what surrounds it."""
    if hasattr(annotation, "__metadata__"):
        return _inner(annotation.__origin__)
    options = [option for option in get_args(annotation) if option is not type(None)]
    return options[0] if type(None) in get_args(annotation) else annotation


def _more(model: type[BaseModel]) -> Any:
    """Give the type of the keys that a model takes besides its fields."""
    return get_args(get_type_hints(model)["__pydantic_extra__"])[1]
