"""Reads rows of a recording as typed values: each column by its type, and what does not fit by its place.

A recording may come from a stranger. What is read here is all that any other part of the program sees of it.
Not responsible for: the types themselves (``rows``, ``documents``, ``simulator.browser.operations``).
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json
from typing_extensions import TypedDict

from simulator.browser.action_recorder import PageState
from simulator.browser.operations import operation_of
from simulator.canonical import canonical_json
from simulator.errors import RecordingError
from simulator.recording.rows import (
    ActionRow,
    ActorRow,
    BatchRow,
    BlobRow,
    CreatedRow,
    DependencyRow,
    EffectRow,
    ExchangeRow,
    LlmCallRow,
    ProcessRow,
    RunRow,
    StepRow,
    VariableRow,
    VariableUseRow,
    WriteRow,
)

T = TypeVar("T")
Columns = Mapping[str, Any] | sqlite3.Row
"""A row by the names of its columns."""

_MAY_BE_INFINITE = re.compile(r"\d{300}|\d[eE]\+?\d{3}")
"""Only a number that is written so can be too large to be one: JSON has no word for infinity, but 1e999 reads as it."""
_LONGEST = 200
"""Characters of a complaint."""


class Misfit(Exception):
    """A column does not hold what its type says.

    Args:
        place: the column, and the path in its JSON.
        what: what is wrong there.
    """

    def __init__(self, place: Sequence[object], what: str) -> None:
        self.place = ".".join(map(str, place))
        self.what = what
        super().__init__(f"{self.place}: {what}")


def parse_json(text: Any) -> Any:
    """Read a JSON text strictly: no lone surrogates, no NaN, nothing that is nested without end.

    Raises:
        ValueError: it is not one.
    """
    if not isinstance(text, str):
        raise ValueError(f"expected a JSON text, found {type(text).__name__}")
    if text == "{}":
        return {}
    value = from_json(text, allow_inf_nan=False)
    if _MAY_BE_INFINITE.search(text):
        canonical_json(value)
    return value


class RowType(Generic[T]):
    """How the rows of one table are read.

    Args:
        kind: what a row becomes.
        table: its name.
        key: the columns that name a row.
        json: the columns that hold JSON.
        empty: those of them that are an empty object where they are NULL.
    """

    def __init__(
        self, kind: type[T], table: str, *, key: Sequence[str] = ("id",), json: Sequence[str] = (),
        empty: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.table = table
        self._key = key
        self._json = json
        self._empty = empty
        self._names = frozenset(getattr(kind, "__dataclass_fields__"))  # noqa: B009
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[T]:
        """Made when a row is read: making all of them takes a program a tenth of a second to start."""
        return TypeAdapter(self._kind)

    def fit(self, row: Columns, **given: Any) -> T:
        """Read a row.

        Args:
            row: its columns; those that the type does not have are left out.
            given: what stands in place of columns, or beside them.

        Raises:
            Misfit: a column does not hold what its type says.
        """
        values = self._values(row, given)
        try:
            return self._adapter.validate_python(values)
        except ValidationError as error:
            raise _misfit(error) from None

    def read(self, path: Path, row: Columns, **given: Any) -> T:
        """Read a row of a file.

        Raises:
            RecordingError: a column does not hold what its type says; it names file, table, row and column.
        """
        try:
            return self.fit(row, **given)
        except Misfit as wrong:
            raise refusal(path, self.name(row), wrong) from None

    def name(self, row: Columns) -> str:
        """Name a row: its table and its key."""
        return " ".join((self.table, *(short(row[column]) for column in self._key)))

    def _values(self, row: Columns, given: Mapping[str, Any]) -> dict[str, Any]:
        values = {name: row[name] for name in row.keys() if name in self._names}  # noqa: SIM118
        values |= given
        for column in self._json:
            text = row[column]
            try:
                values[column] = ({} if column in self._empty else None) if text is None else parse_json(text)
            except ValueError as error:
                raise Misfit([column], f"is not JSON that can be read: {error}") from None
        return values


_OPERATION = ("kind", "target", "value", "recorded_value", "aim", "choice", "options")
"""Columns of an action that the model of its kind reads together."""


class ActionType(RowType[ActionRow]):
    """How actions are read: by the model of their kind."""

    @cached_property
    def _rest(self) -> TypeAdapter[dict[str, Any]]:
        hints = get_type_hints(ActionRow, include_extras=True).items()
        return TypeAdapter(
            TypedDict("_Rest", {name: of for name, of in hints if name not in _OPERATION})  # type: ignore[operator]
        )

    def fit(self, row: Columns, **given: Any) -> ActionRow:
        """Read a row, as :meth:`RowType.fit` does."""
        values = self._values(row, given)
        parts = {name: values.pop(name) for name in _OPERATION}
        try:
            done = operation_of(**parts)
            rest = self._rest.validate_python(values)
        except KeyError:
            raise Misfit(["kind"], f"there is no action '{short(parts['kind'])}'") from None
        except ValidationError as error:
            raise _misfit(error) from None
        return ActionRow(
            kind=done.kind, target=done.target, value=done.value, recorded_value=done.recorded_value, aim=done.aim,
            choice=done.choice, options=done.options, **rest,
        )  # fmt: skip


def _misfit(error: ValidationError) -> Misfit:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return Misfit(first["loc"], first["msg"].removeprefix("Value error, "))


def refusal(path: Path, where: str, wrong: Misfit) -> RecordingError:
    """Say what does not fit, and where it stands."""
    what = short(wrong.what, _LONGEST)
    return RecordingError(f"{path}: {where}: {short(wrong.place, _LONGEST)}: {what}; see 'sim runs verify'")


def short(value: object, most: int = 80) -> str:
    """Write a value of a stranger's file so that it fits into a message: in one line, not too long."""
    text = value if isinstance(value, str) else repr(value)
    text = "".join(mark if mark.isprintable() else "?" for mark in text[: most + 1])
    return text if len(text) <= most else f"{text[:most]}…"


BATCH = RowType(BatchRow, "batch", json=("argv", "settings"))
RUN = RowType(RunRow, "run", json=("identity", "environment", "summary"))
ACTOR = RowType(ActorRow, "actor", json=("identity", "context"))
STEP = RowType(StepRow, "step", json=("input", "result", "images", "metadata", "flags"), empty=("metadata", "flags"))
ACTION = ActionType(ActionRow, "action", json=("target", "choice", "options"))
VARIABLE = RowType(VariableRow, "variable", key=("run_id", "name"))
VARIABLE_USE = RowType(VariableUseRow, "variable_use", key=("step_id", "name"))
DEPENDENCY = RowType(DependencyRow, "dependency", key=("step_id", "name"))
CREATED = RowType(CreatedRow, "created", json=("fields",))
WRITE = RowType(WriteRow, "write", json=("carried",))
EFFECT = RowType(EffectRow, "effect", json=("thing",))
EXCHANGE = RowType(ExchangeRow, "exchange", json=("request_headers", "request_parts", "response_headers", "timings"))
LLM_CALL = RowType(LlmCallRow, "llm_call", json=("usage",))
PAGE = RowType(PageState, "page", key=("sha256",), json=("requests", "alerts", "notes"))
BLOB = RowType(BlobRow, "blob", key=("sha256",))
PROCESS = RowType(ProcessRow, "process")
