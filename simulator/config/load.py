"""From the text of ``sim.toml`` to settings, or to its mistakes. Not responsible for: what is right."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from simulator.addresses import urlsplit
from simulator.config.packs import Mistake, data_mistakes, read_sections, route_mistakes, take_sections, thing_mistakes
from simulator.config.settings import Settings
from simulator.config.values import base_url
from simulator.domain import Named, name_packs, nearest_file
from simulator.errors import ConfigError
from simulator.text_file import UnreadableFile, one_sentence, read_text
from simulator.toml_file import Wrong, WrongToml, dotted, mistake, nearest_place, read_toml
from simulator.toml_places import positions

FILE_NAME = "sim.toml"
SIZE_LIMIT = 1 << 20
"""Bytes in the largest file that is read."""


@cache
def default_text() -> str:
    """Give the text of the ``sim.toml`` that comes with the program."""
    return resources.files(__package__).joinpath("default_sim.toml").read_text("utf-8")


def plain_text(url: str | None = None) -> str:
    """Give the text of a ``sim.toml`` for a site of one's own, without a pack.

    Args:
        url: the site's address; without it one of this machine stands there.

    Raises:
        ConfigError: that is no address.
    """
    text = resources.files(__package__).joinpath("plain_sim.toml").read_text("utf-8")
    if url is None:
        return text
    try:
        own = base_url(url)
    except ValueError as error:
        raise ConfigError(f"--base-url: {error}") from None
    return text.replace('"http://127.0.0.1:8000"', json.dumps(own)).replace("staging.example.com", urlsplit(own).netloc)


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
    name_packs(Named(settings.packs, settings.root, settings.own_data))
    return settings


def read_settings(text: str, file: Path, environ: Mapping[str, str] | None = None) -> Settings:
    """Read settings of a text that is to become a file, or a part of one. No pack comes into use by that.

    Args:
        text: of the file.
        file: where it is to be; paths in it are relative to its folder.
        environ: as for :func:`load_settings`.

    Raises:
        ConfigError: there is a mistake in it.
    """
    return _parse(text, str(file), file.absolute(), environ)


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
    try:
        data = read_toml(text)
    except WrongToml as error:
        raise ConfigError(_lines(shown, [error.wrong])) from None
    data = {
        section: {} for section in Settings.model_fields if section not in ("sites", "mailbox", "packs", "data")
    } | data
    sites = data.setdefault("site", {})
    bundled = isinstance(sites, dict) and "bookshop" not in sites
    if bundled:
        sites["bookshop"] = tomllib.loads(default_text())["site"]["bookshop"]
    root = file.parent if file else Path.cwd()
    context = {"root": root, "file": file, "environ": os.environ if environ is None else environ}
    reading = _Reading(text, data, context, ("site", "bookshop") if bundled else None)
    settings = reading.settings()
    if settings is None:
        raise ConfigError(_lines(shown, reading.wrong()))
    return settings


def _lines(shown: str, wrong: Iterable[Wrong]) -> str:
    return "\n".join(dict.fromkeys(f"{shown}:{one.line}:{one.column}: {one_sentence(one.said)}" for one in wrong))


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
        taken = take_sections(self._data, named, self._given)
        sites = {name: site for name, site in self._sites() if isinstance(site, dict)}
        sections, wrong = read_sections(taken.sections, sites, self._context)
        self._errors += [(one.section.path, one.section.pack.settings or BaseModel, one.error) for one in wrong]
        self._mistakes += taken.mistakes
        data = self._data.get("data")
        own: dict[str, Any] = data if isinstance(data, dict) else {}
        for key, said in own.items():
            if isinstance(said, list):  # in place of a table: the rows themselves
                own[key] = {"rows": said}
        self._mistakes += data_mistakes(own, named)
        for name, site in sites.items():
            self._mistakes += route_mistakes(name, site, named)
            self._mistakes += thing_mistakes(name, site, named, own)
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

    def wrong(self) -> list[Wrong]:
        """Give every mistake, in the order of the file."""
        places = positions(self._text)
        found = [
            mistake(details, places, model, path)
            for path, model, error in self._errors
            for details in error.errors(include_url=False)
        ]
        for path, of_key, said in self._mistakes:
            place = nearest_place(places, path)
            found.append(Wrong(*(place.key if of_key else place.value), f"{dotted(path)}: {said}"))
        return sorted(found)

    def _named(self) -> Named:
        names = self._data.get("packs")
        given = None if names is None else tuple(map(str, names)) if isinstance(names, list) else ()
        return Named(given, self._context["root"])

    def _sites(self) -> Iterator[tuple[str, Any]]:
        sites = self._data["site"]
        yield from sites.items() if isinstance(sites, dict) else ()
