"""What ``[data.tools]`` says, in ``sim.toml`` or in a folder pack. Not responsible for: the rows."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from simulator.domain.data.making import NUMBER, Made, Rule
from simulator.domain.data.rows import SUFFIXES, Kind

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
DATABASES = (".db", ".sqlite", ".sqlite3")
"""How the name of a file ends that is an SQLite database."""
Short = Literal["cycle", "stop", "vary"]
"""What is done where users need more rows than there are."""


def _made(text: str) -> str:
    Made.read(text)
    return text


def _rule(text: str) -> str:
    Rule.read(text)
    return text


class Dealing(BaseModel):
    """How the rows of a data set are dealt to users."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: Annotated[int, Field(gt=0, le=1000)] = 3
    """How many rows each user is dealt, at most as many as there are."""
    fields: dict[Name, Kind] = Field(default_factory=dict)
    """What fields hold; those that are not named hold what they do in the first row."""
    make: dict[Name, Annotated[str, AfterValidator(_made)]] = Field(default_factory=dict)
    """Fields that are made for each row that a user is dealt, such as ``{{faker.company}}``, in this order."""
    rules: tuple[Annotated[str, AfterValidator(_rule)], ...] = ()
    """What has to hold of every row, such as ``sale_price < price``."""
    language: Name | None = None
    """The field that holds the language or locale of a row: users get those of theirs, and those that name none."""
    weight: Name | None = None
    """The field that holds how often a row is dealt, relative to others; users may then share rows."""
    unique: bool = True
    """Whether the users of a persona share no row for as long as there are any."""
    short: Short = "cycle"
    """Where there are fewer rows than users need: deal them once more, stop before anything is done, or deal them once
    more with a number behind the first field that holds a text."""
    named: tuple[Name, ...] = ()
    """Fields by which other users know a row; the first is what it is called."""
    telling: tuple[Name, ...] = ()
    """Fields whose values are hardly another row's."""
    common: tuple[Name, ...] = ()
    """Fields whose values are anybody's. Where none of the three is given, the rows say it."""
    told: tuple[Name, ...] | None = None
    """Fields of its user's rows that a model may see; None: all."""
    listed: tuple[Name, ...] | None = None
    """Fields that a person is shown in a preview; None: all."""

    @property
    def kinds_of_rows(self) -> dict[str, Kind]:
        """What the fields hold that are not made."""
        return {name: kind for name, kind in self.fields.items() if name not in self.make}

    @model_validator(mode="after")
    def _made_of_what_stands_before(self) -> Self:
        made = list(self.make)
        for place, (name, text) in enumerate(self.make.items()):
            if name == NUMBER:
                raise ValueError(f"expected another name than '{NUMBER}', which is the number of the row")
            late = sorted(set(Made.read(text).fields()) & set(made[place:]))
            if late:
                raise ValueError(f"'{name}' is made of '{late[0]}', which stands after it; write that one first")
        return self


class OwnData(Dealing):
    """A data set of a project: ``[data.tools]`` of ``sim.toml``."""

    file: str | None = None
    """Where its rows are: a CSV, JSON Lines or YAML file, or an SQLite database; relative to the folder of
    ``sim.toml``."""
    table: Annotated[str, Field(min_length=1)] | None = None
    """Of an SQLite database."""
    rows: tuple[dict[Name, str | int | float | bool] | str, ...] = ()
    """The rows themselves, or texts."""

    @model_validator(mode="after")
    def _has_rows(self) -> Self:
        if (self.file is not None) + bool(self.rows) > 1:
            raise ValueError("expected 'file' or 'rows', found both")
        if self.file is None and not self.rows and not self.make:
            raise ValueError("expected 'file', 'rows' or 'make': nothing says what its rows are")
        database = self.file is not None and self.file.endswith(DATABASES)
        if self.file is not None and not self.file.endswith((*SUFFIXES, *DATABASES)):
            raise ValueError(
                f"expected a file that ends with {', '.join((*SUFFIXES, *DATABASES))}, found {self.file!r}"
            )
        if database != (self.table is not None):
            raise ValueError(
                "expected 'table' too: which one of the database" if database else "'table' is for an SQLite database"
            )
        return self
