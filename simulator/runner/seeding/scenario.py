"""A scenario: what a team wants on its site, as a file says it that is committed. Not responsible for: making it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from simulator.domain.data.own import OwnSections
from simulator.domain.data.sections import OwnData
from simulator.domain.pack import DataSet
from simulator.errors import ConfigError
from simulator.persona.numbers import Range
from simulator.text_file import UnreadableFile, one_sentence, read_text
from simulator.toml_file import Wrong, WrongToml, mistake, nearest_place, read_toml
from simulator.toml_places import Place, positions

SIZE_LIMIT = 1 << 20
"""Bytes in the largest file that is read."""
Number = Annotated[int, Field(gt=0, le=1_000_000)]
Share = Annotated[int, Field(ge=0, le=1_000_000)]
Named = Annotated[str, Field(min_length=1, max_length=500)]
"""A persona, by name or file, a run or a batch, or a recording."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Wave(_Table):
    """Users who are made after those of the waves before."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,39}$")] | None = None
    """Its users are drawn from the seed and this; None: from the seed and the number of the wave."""
    users: dict[Named, Number] = Field(default_factory=dict)
    """How many there are of each persona, run or batch; each is a population of its own."""
    of: tuple[Named, ...] = Field(default=(), alias="from")
    """Of which personas, runs or batches one population is made."""
    count: Number | None = None
    """How many users that population has."""
    mix: dict[str, Share] = Field(default_factory=dict)
    """By persona how many users it shall have among those of all."""
    shared: tuple[str, ...] = ()
    """Who is performed once, for all: personas, labels or runs."""
    numbers: dict[str, Range] = Field(default_factory=dict)
    """By data set how many segments for its rows a user performs, such as ``0..10``."""
    deals_with: tuple[str, ...] = ()
    """Personas in whose places users of the waves before stand, chosen by the seed."""

    @model_validator(mode="after")
    def _says_how_many(self) -> Self:
        if bool(self.users) == bool(self.of):
            raise ValueError('expected either users = { asker = 40 } or from = ["asker"] with count = 40')
        if self.users and (self.count or self.mix):
            raise ValueError("'count' and 'mix' belong to 'from': 'users' has a number for each already")
        if self.of and self.count is None:
            raise ValueError("expected 'count' beside 'from': how many users there shall be")
        return self


class Scenario(_Table):
    """What a seeding is to make."""

    site: Named | None = None
    """Section of ``sim.toml``; None: the one that is meant without a name."""
    seed: int | Annotated[str, Field(min_length=1, max_length=100)]
    personas: Named | None = None
    """Folder of persona files, relative to the file; None: the usual one."""
    keep_words: bool = False
    """Whether every user may put in the words that a recorded one had of its own."""
    data: dict[str, OwnData] = Field(default_factory=dict)
    """Data sets, as in ``sim.toml``; those of the same names there do not count."""
    wave: tuple[Wave, ...] = Field(min_length=1, max_length=1000)


@dataclass(frozen=True, slots=True)
class Group:
    """Users of a wave that are one population."""

    wave: int
    """From 1."""
    at: str
    """Where it stands: file, line and column."""
    label: str
    """For a person: ``wave 2 (helpers): 20 of helper``."""
    names: tuple[str, ...]
    """Of what it is made."""
    count: int
    seed: str
    said: Wave


class ScenarioFile:
    """A scenario that was read, with where everything stands.

    Args:
        path: the file.
        said: what it says.
        places: of all that stands in it.
    """

    def __init__(self, path: Path, said: Scenario, places: Mapping[tuple[str, ...], Place]) -> None:
        self.path, self.said = path, said
        self._places = dict(places)

    def groups(self, seed: str | None = None) -> list[Group]:
        """Give what is made, one after the other.

        Args:
            seed: to be taken instead of the file's own.
        """
        found: list[Group] = []
        for number, wave in enumerate(self.said.wave, start=1):
            drawn = str(self.said.seed) if seed is None else seed
            drawn += f".{wave.name or number}" if wave.name or number > 1 else ""
            called = f"wave {number}" + (f" ({wave.name})" if wave.name else "")
            parts: list[tuple[tuple[str, ...], int, tuple[str, ...]]]
            parts = [((name,), count, ("users", name)) for name, count in wave.users.items()]
            for names, count, where in parts or [(wave.of, wave.count or 0, ("from",))]:
                at = self.at("wave", str(number - 1), *where)
                label = f"{called}: {count} of {', '.join(names)}"
                found.append(Group(number, at, label, names, count, drawn, wave))
        return found

    def at(self, *path: str) -> str:
        """Write where something stands."""
        line, column = nearest_place(self._places, path).key
        return f"{self.path}:{line}:{column}"

    def personas(self) -> Path | None:
        """Give the folder of persona files that it names."""
        return self.path.parent / self.said.personas if self.said.personas else None

    def data(self, own: OwnSections) -> JoinedData:
        """Give its data sets, and those of the project that it has not.

        Args:
            own: those of the project.
        """
        return JoinedData(own, OwnSections(self.said.data, self.path.absolute().parent, self.path.absolute()))


class JoinedData:
    """The data sets of a project, some of which a scenario has of its own.

    Args:
        own: those of the project.
        said: those of the scenario.
    """

    def __init__(self, own: OwnSections, said: OwnSections) -> None:
        self._own, self._said = own, said

    def read(self) -> Mapping[str, DataSet]:
        """Give them by key.

        Raises:
            ConfigError: one of them cannot be used.
        """
        return {**self._own.read(), **self._said.read()}


def read_scenario(path: Path) -> ScenarioFile:
    """Read a scenario.

    Raises:
        ConfigError: it cannot be read, or there is a mistake in it: each with file, line and column.
    """
    try:
        text = read_text(path, SIZE_LIMIT)
    except UnreadableFile as error:
        raise ConfigError(f"{path}:{error.line}:{error.column}: {error.message}") from None
    try:
        data = read_toml(text)
    except WrongToml as error:
        raise ConfigError(_lines(path, [error.wrong])) from None
    places = positions(text)
    _rows_in_place(data)
    try:
        # As JSON, because pydantic's strict mode takes lists for tuples only there.
        said = Scenario.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False)
        # A list of tables with a mistake in each is not too short as well.
        told = [one for one in details if one["type"] != "too_short" or len(details) == 1]
        wrong = [mistake(one, places, Scenario) for one in told]
        raise ConfigError(_lines(path, sorted(wrong))) from None
    return ScenarioFile(path, said, places)


def _rows_in_place(data: dict[str, Any]) -> None:
    """Take a list in the place of a data set's table for its rows."""
    own = data.get("data")
    if isinstance(own, dict):
        data["data"] = {key: {"rows": said} if isinstance(said, list) else said for key, said in own.items()}


def _lines(path: Path, wrong: list[Wrong]) -> str:
    return "\n".join(dict.fromkeys(f"{path}:{one.line}:{one.column}: {one_sentence(one.said)}" for one in wrong))
