"""From the section of a data set to the data set: its rows read, and its fields held together.

Not responsible for: when that is done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from simulator.domain.data.faking import NoSuchFake, fake
from simulator.domain.data.making import Made, Rule
from simulator.domain.data.rows import Cell, Row, Rows, WrongRow, WrongValue, checked_rows, read_rows, read_table
from simulator.domain.data.sections import Dealing, OwnData
from simulator.domain.pack import DataSet
from simulator.errors import ConfigError
from simulator.row_fields import RowFields
from simulator.template import one_of, wrong_set
from simulator.text_file import UnreadableFile, read_text
from simulator.toml_file import nearest_place
from simulator.toml_places import Place, positions

TEXT = "text"
"""How the field of a data set of texts is called."""
_SIZE_LIMIT = 1 << 20


class WrongSet(Exception):
    """A section names what is not among the fields of its rows: why, in a sentence."""


class OwnSections:
    """The data sets of a project, as the section ``data`` of its ``sim.toml`` says them.

    Args:
        said: by key.
        root: the folder that files are relative to.
        file: ``sim.toml`` itself; None where there is none.
    """

    def __init__(self, said: Mapping[str, OwnData], root: Path, file: Path | None) -> None:
        self.said = said
        self._root = root
        self._file = file
        self._read: dict[str, DataSet] | None = None

    def read(self) -> Mapping[str, DataSet]:
        """Give the data sets by key; their files are read once.

        Raises:
            ConfigError: all that is wrong with them, a line each, with file, line and column.
        """
        if self._read is None:
            read, wrong = self.check()
            if wrong:
                raise ConfigError("\n".join(wrong))
            self._read = read
        return self._read

    def check(self) -> tuple[dict[str, DataSet], list[str]]:
        """Read all of them: those that can be used, and what is wrong with the others, with the place."""
        read: dict[str, DataSet] = {}
        wrong: list[str] = []
        places = self._places()
        for key, said in self.said.items():
            where = _Where(self._file, places, key)
            try:
                read[key] = data_set(key, said, self._rows(said, where), self._folder(said))
            except WrongRow as error:
                wrong.append(str(error).replace(f"{self._root}/", ""))
            except WrongSet as error:
                wrong.append(where.sentence(str(error)))
            except WrongValue as error:
                wrong.append(f"{where.name}:{error.line}:{error.column}: {error.said}")
        return read, wrong

    def _rows(self, said: OwnData, where: _Where) -> Rows:
        kinds = said.kinds_of_rows
        if said.file is None:
            rows = [where.row(number, row) for number, row in enumerate(said.rows)]
            return checked_rows(rows, kinds, rules_of(said), self._root) if rows else []
        path = self._root / said.file
        if said.table is not None:
            return read_table(path, said.table, kinds, rules_of(said))
        return read_rows(path, kinds, rules_of(said))

    def _folder(self, said: OwnData) -> Path:
        return (self._root / said.file).parent if said.file else self._root

    def _places(self) -> Mapping[tuple[str, ...], Place]:
        try:
            return positions(read_text(self._file, _SIZE_LIMIT)) if self._file else {(): Place((1, 1), (1, 1))}
        except UnreadableFile:  # it has gone since it was read
            return {(): Place((1, 1), (1, 1))}


class _Where(NamedTuple):
    """The section of a data set in its file."""

    file: Path | None
    places: Mapping[tuple[str, ...], Place]
    key: str

    @property
    def name(self) -> str:
        return str(self.file or "sim.toml")

    def at(self, *path: str) -> tuple[int, int]:
        return nearest_place(dict(self.places), ("data", self.key, *path)).value

    def sentence(self, said: str) -> str:
        line, column = self.at()
        return f"{self.name}:{line}:{column}: data.{self.key}: {said}"

    def row(self, number: int, values: Mapping[str, str | int | float | bool] | str) -> Row:
        at = self.at(str(number)) if ("data", self.key, str(number)) in self.places else self.at("rows", str(number))
        if isinstance(values, str):
            return Row(Cell(values, *at), *at)
        return Row({name: Cell(value, *at) for name, value in values.items()}, *at)


def rules_of(said: Dealing) -> tuple[Rule, ...]:
    """Give what has to hold of every row."""
    return tuple(Rule.read(rule) for rule in said.rules)


def data_set(key: str, said: Dealing, rows: Rows, folder: Path, others: Collection[str] = ()) -> DataSet:
    """Give a data set.

    Args:
        key: what it is called: a word for several, such as ``tools``.
        said: its section.
        rows: its rows, or texts; none where all of its fields are made.
        folder: what files in it are named relative to.
        others: the names of the sets beside it.

    Raises:
        WrongSet: the section names what is not there.
    """
    if said_wrong := wrong_set(key, others):
        raise WrongSet(said_wrong)
    names = _fields(rows, said)
    _refuse_strange(said, names)
    made = {name: Made.read(text) for name, text in said.make.items()}
    _refuse_unknown_providers(made)
    return DataSet(
        name=one_of(key),
        several=key,
        rows=tuple(rows),
        count=said.count,
        made=made,
        kinds=said.fields,
        rules=rules_of(said),
        language=said.language or "",
        weight=said.weight or "",
        unique=said.unique,
        short=said.short,
        folder=folder,
        told=names if said.told is None else said.told,
        listed=names if said.listed is None else said.listed,
        fields=_row_fields(rows, said, names),
        example=next(iter(names), ""),
    )


def _fields(rows: Rows, said: Dealing) -> tuple[str, ...]:
    """Give the fields of a row, in order: those of the file, and those that are made."""
    first = rows[0] if rows else {}
    if isinstance(first, str):
        return (TEXT,)
    twice = sorted(first.keys() & said.make.keys())
    if twice:
        raise WrongSet(f"'{twice[0]}' is made, and its rows have it, too; leave one of them out")
    return (*first, *said.make)


def _row_fields(rows: Rows, said: Dealing, names: Sequence[str]) -> RowFields | None:
    """Give which fields name a row, distinguish it, or are anybody's: as the section says, or as the rows show.

    The first text names a row. A text of several words is hardly another row's. A text that many rows share is
    anybody's.
    """
    if names == (TEXT,):
        return None
    if said.named or said.telling or said.common:
        return RowFields(named=said.named, telling=said.telling, common=said.common)
    texts = {
        name: [str(row[name]) for row in rows if not isinstance(row, str) and name in row]
        for name in _texts(rows, said, names)
    }
    named = next(iter(texts), "")
    common = [
        name for name, values in texts.items() if name != named and values and 2 * len(set(values)) <= len(values)
    ]
    long = [
        name
        for name, values in texts.items()
        if name not in (named, *common) and values and sum(len(value.split()) for value in values) >= 3 * len(values)
    ]
    long += [name for name in said.make if name != named and name in texts and any(Made.read(said.make[name]).fakes())]
    return RowFields(named=(named,) if named else (), telling=tuple(long), common=tuple(common))


def _texts(rows: Rows, said: Dealing, names: Sequence[str]) -> Iterator[str]:
    """Give the fields that hold texts."""
    first = rows[0] if rows else {}
    for name in names:
        value = "" if isinstance(first, str) else first.get(name, "")
        if said.fields.get(name, "text") == "text" and isinstance(value, str):
            yield name


def _refuse_strange(said: Dealing, names: Sequence[str]) -> None:
    """Refuse unknown fields.

    Raises:
        WrongSet: with the first.
    """
    if names == (TEXT,) and (said.fields or said.make or said.language or said.weight or said.rules):
        raise WrongSet("its rows are texts, which have no fields; write rows with fields, or leave out what names them")
    asked = [(name, "fields") for name in said.fields]
    asked += [(name, f"make.{field}") for field, text in said.make.items() for name in Made.read(text).fields()]
    asked += [(name, "rules") for rule in rules_of(said) for name in rule.fields()]
    asked += [(name, "language") for name in (said.language,) if name]
    asked += [(name, "weight") for name in (said.weight,) if name]
    asked += [(name, key) for key in ("named", "telling", "common") for name in getattr(said, key)]
    asked += [(name, "told") for name in said.told or ()]
    asked += [(name, "listed") for name in said.listed or ()]
    for name, where in asked:
        if name not in names:
            raise WrongSet(f"{where} names '{name}', and its rows have {', '.join(names)}")


def _refuse_unknown_providers(made: Mapping[str, Made]) -> None:
    """Refuse what Faker has no provider for, or not with these arguments.

    Raises:
        WrongSet: with the first.
    """
    for name, one in made.items():
        for asked in one.fakes():
            try:
                fake("en_US", asked.provider, asked.args, dict(asked.kwargs), seed=1)
            except NoSuchFake as error:
                raise WrongSet(f"make.{name}: {error}") from None
