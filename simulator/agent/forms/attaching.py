"""Which file of a row goes into which file field of a form. Not responsible for: uploading it."""

from __future__ import annotations

from collections.abc import Mapping

from simulator.agent.filling import Value
from simulator.agent.forms.meeting import Column, fit_of
from simulator.agent.forms.row import Row
from simulator.agent.reading import Field, Form
from simulator.agent.tool_client import TaskFailed


def files_of(row: Row, form: Form, more: Mapping[str, tuple[str, ...]]) -> list[tuple[Field, Value]]:
    """Give each file of a row its field: by words, the surest pair first; where there is one of each, without words.

    Args:
        row: with the names of its files.
        form: the form.
        more: further phrases by meaning, of the site.

    Returns:
        Fields, each with the name of its file.

    Raises:
        TaskFailed: a column that somebody named has no field, or a field that has to be filled has no column.
    """
    asked = [field for field in form.questions if field.type == "file"]
    columns = [Column(name, value.text, row.called.get(name, "")) for name, value in row.files.items()]
    scored = sorted(
        (-points, at, place)
        for at, column in enumerate(columns)
        for place, field in enumerate(asked)
        if (points := fit_of(column, field, more))
    )
    met: dict[str, Field] = {}
    for _, at, place in scored:
        if columns[at].name not in met and asked[place] not in met.values():
            met[columns[at].name] = asked[place]
    if not met and len(asked) == len(columns) == 1 and not columns[0].called:
        met[columns[0].name] = asked[0]
    lacking = [column for column in columns if column.name not in met and (row.strict or column.called)]
    if lacking:
        there = ", ".join(repr(field.shown) for field in asked) or "none"
        raise TaskFailed(
            f"the form has no file field for {lacking[0].name!r}; it has {there}: say in 'fields' what it is called"
        )
    empty = [field for field in asked if field.required and not field.filled and field not in met.values()]
    if empty:
        raise TaskFailed(
            f"{empty[0].shown!r} has to be given a file, and no column of the row goes into it: give the data set a "
            "column of kind 'picture' or 'file', and say in 'fields' what the field is called"
        )
    return [(field, row.files[name]) for name, field in met.items()]
