"""A pack that is a folder, without Python: things, data, words and personas. Not responsible for: when it is loaded.

In the folder: ``pack.toml``, ``data/`` with a file for each data set, ``words.toml`` and ``personas/``. Nothing of it
is run.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simulator.domain.data.own import WrongSet, data_set, rules_of
from simulator.domain.data.rows import SUFFIXES, WrongRow, read_rows
from simulator.domain.data.sections import Dealing, Name
from simulator.domain.pack import DataSet, Pack
from simulator.domain.things import SiteThing, Thing
from simulator.text_file import UnreadableFile, one_sentence, read_text
from simulator.toml_file import Wrong, WrongToml, mistake, nearest_place, read_toml
from simulator.toml_places import positions

FILE_NAME = "pack.toml"
SIZE_LIMIT = 1 << 20
"""Bytes in the largest file of settings that is read."""


class WrongFolder(Exception):
    """A folder is no pack: why, with file, line and column.

    Args:
        reasons: all that is wrong.
    """

    def __init__(self, *reasons: str) -> None:
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        super().__init__(f"{reasons[0]}{more}")
        self.reasons = reasons


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _PackFile(_Part):
    """What ``pack.toml`` says."""

    name: Name
    version: Annotated[str, Field(min_length=1)]
    api: int
    about: str = ""
    things: dict[Name, SiteThing] = Field(default_factory=dict)
    data: dict[Name, Dealing] = Field(default_factory=dict)


def load_folder(folder: Path) -> Pack:
    """Read a folder as a pack.

    Raises:
        WrongFolder: it is not one.
    """
    said, where = _settings(folder / FILE_NAME)
    files = _data_files(folder / "data")
    reasons = [
        where(("data", key), f"there is no {folder / 'data' / key}.csv, .jsonl or .yaml")
        for key in said.data
        if key not in files
    ]
    for name, thing in said.things.items():
        for place, key in ((("data",), thing.data), (("message", "data"), thing.message.data if thing.message else "")):
            if key and key not in files:
                reasons.append(
                    where(
                        ("things", name, *place),
                        f"there is no data set '{key}'; known are {', '.join(files) or 'none'}",
                    )
                )
    data: list[DataSet] = []
    for key, path in files.items():
        try:
            data.append(_data_set(key, path, said.data.get(key, Dealing()), files))
        except (WrongRow, WrongFolder) as error:
            reasons.append(str(error))
    words = _words(folder / "words.toml")
    if reasons:
        raise WrongFolder(*reasons)
    personas = folder / "personas"
    return Pack(
        name=said.name,
        version=said.version,
        api=said.api,
        about=said.about,
        things=tuple(
            Thing(name=name, **{key: getattr(thing, key) for key in thing.model_fields_set})
            for name, thing in said.things.items()
        ),
        data=tuple(data),
        words=partial(dict, words),
        starters=(lambda: personas) if personas.is_dir() else None,
    )


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    try:
        text = read_text(path, SIZE_LIMIT)
        return text, read_toml(text)
    except UnreadableFile as error:
        raise WrongFolder(f"{path}:{error.line}:{error.column}: {error.message}") from None
    except WrongToml as error:
        raise WrongFolder(_located(path, error.wrong)) from None


def _located(path: Path, wrong: Wrong) -> str:
    return f"{path}:{wrong.line}:{wrong.column}: {one_sentence(wrong.said)}"


def _settings(path: Path) -> tuple[_PackFile, Any]:
    """Read what ``pack.toml`` says, and give what reports a mistake in it with its place."""
    text, data = _read(path)
    places = positions(text)
    try:
        said = _PackFile.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        found = sorted(mistake(details, places, _PackFile) for details in error.errors(include_url=False))
        raise WrongFolder(*(_located(path, one) for one in found)) from None

    def where(key: tuple[str, ...], said: str) -> str:
        return _located(path, Wrong(*nearest_place(places, key).value, f"{'.'.join(key)}: {said}"))

    return said, where


def _data_files(folder: Path) -> Mapping[str, Path]:
    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES and path.is_file()}


def _data_set(key: str, path: Path, said: Dealing, others: Collection[str]) -> DataSet:
    try:
        return data_set(key, said, read_rows(path, said.kinds_of_rows, rules_of(said)), path.parent, others)
    except WrongSet as error:
        raise WrongFolder(f"{path}:1:1: {error}") from None


def _words(path: Path) -> Mapping[str, tuple[str, ...]]:
    if not path.exists():
        return {}
    text, data = _read(path)
    for key, said in data.items():
        if not isinstance(said, list) or not all(isinstance(one, str) and one.strip() for one in said):
            at = nearest_place(positions(text), (key,)).value
            raise WrongFolder(_located(path, Wrong(*at, f"{key}: expected a list of texts in quotes")))
    return {key: tuple(said) for key, said in data.items()}
