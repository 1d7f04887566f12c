"""Data sets for a terminal. Not responsible for: what is in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.domain import DataSet
from simulator.report.terminal.columns import columns


def data_rows(sets: Iterable[DataSet]) -> list[dict[str, Any]]:
    """Give what is known of each data set, for a program."""
    return [
        {
            "name": one.key,
            "rows": None if one.deal else len(one.rows),
            "each": None if one.deal else _each(one),
            "users": _users(one),
            "fields": list(_fields(one)),
        }
        for one in sets
    ]


def data_lines(sets: Iterable[DataSet], width: int | None) -> list[str]:
    """Give a line for each data set: its rows, how many each user is dealt, and for how many users these suffice.

    Args:
        sets: in the order to show.
        width: cells of the terminal; None cuts nothing.
    """
    rows = [("data", "rows", "each", "users", "fields")]
    for one in sets:
        fields = ", ".join(_fields(one)) or "texts"
        if one.deal:
            rows.append((one.key, "", "", "any", "as its pack deals them"))
        else:
            users = _users(one)
            rows.append(
                (one.key, str(len(one.rows) or "made"), str(_each(one)), "any" if users is None else str(users), fields)
            )
    return (
        columns(rows, right=(1, 2, 3), width=width)
        if len(rows) > 1
        else ["there is no data set; see [data] of sim.toml"]
    )


def _each(one: DataSet) -> int:
    return min(one.count, len(one.rows)) if one.rows else one.count


def _users(one: DataSet) -> int | None:
    """Give how many users of a persona there can be before a row is dealt twice; None where that is not bounded."""
    return len(one.rows) // _each(one) if one.rows and one.unique and not one.weight and not one.deal else None


def _fields(one: DataSet) -> Iterable[str]:
    first: Mapping[str, Any] | str = one.rows[0] if one.rows else {}
    return () if isinstance(first, str) else (*first, *one.made)
