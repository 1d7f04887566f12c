"""From the text of ``sim.toml`` to settings, or to its mistakes. Not responsible for: what is right."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from simulator.config.models import Model
from simulator.config.packs import Mistake, read_sections, route_mistakes, take_sections, thing_mistakes
from simulator.config.positions import Place, positions
from simulator.config.settings import Settings
from simulator.config.values import shown
from simulator.domain import Named, name_packs, nearest_file
from simulator.errors import ConfigError
from simulator.text_file import UnreadableFile, one_sentence, place, read_text

FILE_NAME = "sim.toml"
SIZE_LIMIT = 1 << 20
"""Bytes in the largest file that is read."""
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


@cache
def default_text() -> str:
    """Give the text of the ``sim.toml`` that comes with the program."""
    return resources.files(__package__).joinpath("default_sim.toml").read_text("utf-8")


def load_settings(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings.

    The packs that it names are in use from then on. A file that does not define the site ``bookshop`` gets the bundled
    one.

    Args:
        path: the file; without it the nearest ``sim.toml`` in the working folder or above, and if there is
            none, the built-in defaults.
        environ: where secrets are looked up when they are used; without it the process's environment.

    Raises:
        ConfigError: the file cannot be read, or there is a mistake in it.
    """
    settings = _load(path if path is not None else nearest_file(Path.cwd()), environ)
    name_packs(Named(settings.packs, settings.root))
    return settings


def _load(file: Path | None, environ: Mapping[str, str] | None) -> Settings:
    if file is None:
        return _parse(default_text(), FILE_NAME, None, environ)
    try:
        text = read_text(file, SIZE_LIMIT)
    except UnreadableFile as error:
        hint = "; 'sim init' writes one" if error.missing else ""
        raise ConfigError(f"{file}:{error.line}:{error.column}: {error.message}{hint}") from None
    return _parse(text, str(file), file.absolute(), environ)


def _parse(text: str, shown: str, file: Path | None, environ: Mapping[str, str] | None) -> Settings:
    data = _read_toml(text, shown)
    _check_bounds(data, text, shown)
    data = {section: {} for section in Settings.model_fields if section not in ("sites", "mailbox", "packs")} | data
    sites = data.setdefault("site", {})
    bundled = isinstance(sites, dict) and "bookshop" not in sites
    if bundled:
        sites["bookshop"] = tomllib.loads(default_text())["site"]["bookshop"]
    root = file.parent if file else Path.cwd()
    context = {"root": root, "file": file, "environ": os.environ if environ is None else environ}
    reading = _Reading(text, data, context, ("site", "bookshop") if bundled else None)
    settings = reading.settings()
    if settings is None:
        wrong = reading.wrong()
        lines = dict.fromkeys(f"{shown}:{line}:{column}: {one_sentence(said)}" for line, column, said in wrong)
        raise ConfigError("\n".join(lines))
    return settings


class _Reading:
    """What a file says, and what is wrong with it.

    Args:
        text: of the file.
        data: what it says, with what it leaves out.
        context: of the checks: where the file is, and the environment.
        given: the path of what is not in the file, whose mistakes are nobody's; None where all of it is.
    """

    def __init__(self, text: str, data: dict[str, Any], context: dict[str, Any], given: tuple[str, ...] | None) -> None:
        self._text = text
        self._data = data
        self._context = context
        self._given = given
        self._errors: list[tuple[tuple[str, ...], type[BaseModel], ValidationError]] = []
        self._mistakes: list[Mistake] = []

    def settings(self) -> Settings | None:
        """Give the settings; None where anything is wrong."""
        named = self._named()
        taken = take_sections(self._data, named)
        sites = {name: site for name, site in self._sites() if isinstance(site, dict)}
        sections, wrong = read_sections(taken.sections, sites, self._context)
        self._errors += [(one.section.path, one.section.pack.settings or BaseModel, one.error) for one in wrong]
        self._mistakes += taken.mistakes
        for name, site in sites.items():
            self._mistakes += route_mistakes(name, site, named)
            self._mistakes += thing_mistakes(name, site, named)
        self._mistakes = [one for one in self._mistakes if one.path[:2] != self._given]
        try:
            # As JSON, because pydantic's strict mode takes lists for tuples and texts for paths only there.
            settings = Settings.model_validate_json(
                json.dumps(self._data, default=str), strict=True, context=self._context
            )
        except ValidationError as error:
            self._errors.append(((), Settings, error))
            return None
        for name, read in settings.sites.items():
            read._sections = sections[name]
        return None if self._errors or self._mistakes else settings

    def wrong(self) -> list[tuple[int, int, str]]:
        """Give every mistake, in the order of the file: line, column, and a sentence."""
        places = positions(self._text)
        found = [
            _mistake(details, places, model, path)
            for path, model, error in self._errors
            for details in error.errors(include_url=False)
        ]
        for path, of_key, said in self._mistakes:
            place = _nearest_place(places, path)
            found.append((*(place.key if of_key else place.value), f"{_dotted(path)}: {said}"))
        return sorted(found)

    def _named(self) -> Named:
        names = self._data.get("packs")
        given = None if names is None else tuple(map(str, names)) if isinstance(names, list) else ()
        return Named(given, self._context["root"])

    def _sites(self) -> Iterator[tuple[str, Any]]:
        sites = self._data["site"]
        yield from sites.items() if isinstance(sites, dict) else ()


def _read_toml(text: str, shown: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{shown}:{one_sentence(_syntax_error(text, error))}") from None
    except RecursionError:
        raise ConfigError(f"{shown}:1:1: the values are nested too deeply") from None
    except Exception as error:
        # Whatever the parser makes of a text that it was not made for is a mistake in that text.
        digits = _LONG_NUMBER.search(text)
        line, column = place(text, digits.start() if digits else 0)
        said = "expected a number of at most 64 bits" if digits else f"not TOML: {error or type(error).__name__}"
        raise ConfigError(f"{shown}:{line}:{column}: {one_sentence(said)}") from None


def _check_bounds(data: Mapping[str, Any], text: str, shown: str) -> None:
    """Refuse what no setting is, and what not every reader of the values can take: deep nesting and huge numbers."""
    found: list[tuple[tuple[str, ...], Any]] = [((), data)]
    while found:
        path, value = found.pop()
        said = None
        if len(path) > _DEEPEST:
            said = "the values are nested too deeply"
        elif isinstance(value, int) and value.bit_length() >= 64:
            said = f"{_dotted(path)}: expected a number of at most 64 bits"
        if said:
            line, column = _nearest_place(positions(text), path).value
            raise ConfigError(f"{shown}:{line}:{column}: {one_sentence(said)}")
        if isinstance(value, dict):
            found += [((*path, key), one) for key, one in value.items()]
        elif isinstance(value, list):
            found += [((*path, str(number)), one) for number, one in enumerate(value)]


def _syntax_error(text: str, error: tomllib.TOMLDecodeError) -> str:
    found = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", str(error))
    if found is None:
        return f" {error}"
    said, line, column = found.groups()
    lines = text.splitlines() or [""]
    return f"{line or len(lines)}:{column or len(lines[-1]) + 1}: {said[:1].lower()}{said[1:]}"


def _mistake(
    details: ErrorDetails,
    places: Mapping[tuple[str, ...], Place],
    model: type[BaseModel],
    within: tuple[str, ...],
) -> tuple[int, int, str]:
    """Say where a mistake is and what it is: line, column, sentence.

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
    name = _dotted(path)
    if kind == "extra_forbidden":
        known = _known_keys(model, path[len(within) : -1])
        near = get_close_matches(path[-1], known, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known here are {', '.join(known)}"
        line, column = _nearest_place(places, path).key
        return line, column, f"{name}: unknown key; {hint}"
    if kind == "missing":
        line, column = _nearest_place(places, path[:-1]).key
        return line, column, f"{name}: expected a value, found none"
    at = _nearest_place(places, path)
    line, column = at.key if is_key else at.value
    if kind == "value_error":
        return line, column, f"{name}: {details['ctx']['error']}"
    value = path[-1] if is_key else details["input"]
    # Where a table belongs, a value may be a secret that was meant to be referred to.
    found = _KINDS.get(type(value), "something else") if _EXPECTED.get(kind) == "a table" else shown(value)
    return line, column, f"{name}: expected {_expected(details)}, found {found}"


def _nearest_place(places: Mapping[tuple[str, ...], Place], path: tuple[str, ...]) -> Place:
    """Give where a value stands, or the nearest of those that it is in."""
    while path not in places:
        path = path[:-1]
    return places[path]


def _dotted(path: tuple[str, ...]) -> str:
    """Write a path as it stands in TOML."""
    return ".".join(part if _BARE.fullmatch(part) else json.dumps(part) for part in path)


def _expected(details: ErrorDetails) -> str:
    context = details.get("ctx", {})
    if details["type"] == "literal_error":
        return f"one of {context['expected'].replace(' or ', ', ')}"
    if details["type"] in _EXPECTED:
        return _EXPECTED[details["type"]].format(**context)
    return details["msg"].removeprefix("Input should be ")


def _known_keys(whole: type[BaseModel], path: tuple[str, ...]) -> list[str]:
    """Give the keys that may stand in the table at a path of what a model reads."""
    model: Any = whole
    for part in path:
        if isinstance(model, type) and issubclass(model, BaseModel):
            fields = {field.alias or name: field for name, field in model.model_fields.items()}
            model = _inner(fields[part].annotation) if part in fields else Model
        else:
            given = get_args(model)
            model = _inner(given[0] if given[-1:] == (Ellipsis,) else given[1])
    return [field.alias or name for name, field in model.model_fields.items()]


def _inner(annotation: Any) -> Any:
    """Take a table's type out of what surrounds it."""
    if hasattr(annotation, "__metadata__"):
        return _inner(annotation.__origin__)
    options = [option for option in get_args(annotation) if option is not type(None)]
    return options[0] if type(None) in get_args(annotation) else annotation
