"""Data sets for a terminal. Not responsible for: what is in them, or who takes what of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulator.agent.site_things.supply import Use
from simulator.domain import DataSet
from simulator.report.terminal.columns import columns


def data_rows(sets: Iterable[DataSet], uses: Sequence[Use] = ()) -> list[dict[str, Any]]:
    """Give what is known of each data set, for a program.

    Args:
        sets: in the order to show.
        uses: what users take of them for the things of sites.
    """
    return [
        {
            "name": one.key,
            "rows": None if one.deal else len(one.rows),
            "each": None if one.deal else _each(one, _of(uses, one)),
            "users": _users(one, _of(uses, one)),
            "fields": list(_fields(one)),
            "uses": [
                {
                    "persona": use.persona,
                    "things": list(use.things),
                    "each": use.each,
                    "users": use.users,
                    "lacking": use.lacking,
                }
                for use in _of(uses, one)
            ],
        }
        for one in sets
    ]


def data_lines(sets: Iterable[DataSet], uses: Sequence[Use], width: int | None) -> list[str]:
    """Give a line for each data set: its rows, how many each user is dealt, and for how many users these suffice.

    Below stands what users of each persona take for the things of sites.

    Args:
        sets: in the order to show.
        uses: what users take of them.
        width: cells of the terminal; None cuts nothing.
    """
    rows = [("data", "rows", "each", "users", "fields")]
    for one in sets:
        fields = ", ".join(_fields(one)) or "texts"
        if one.deal:
            rows.append((one.key, "", "", "any", "as its pack deals them"))
            continue
        own = _of(uses, one)
        rows.append((one.key, str(len(one.rows) or "made"), str(_each(one, own)), _many(_users(one, own)), fields))
        rows += [(f"  {use.persona}", "", str(use.each), _many(use.users), _said(use)) for use in own]
    return (
        columns(rows, right=(1, 2, 3), width=width)
        if len(rows) > 1
        else ["there is no data set; see [data] of sim.toml"]
    )


def _of(uses: Sequence[Use], one: DataSet) -> list[Use]:
    return [use for use in uses if use.data == one.key]


def _said(use: Use) -> str:
    lack = f"; too few for one user: {use.lacking} more needed" if use.lacking else ""
    return f"for {', '.join(use.things)}{lack}"


def _many(users: int | None) -> str:
    return "any" if users is None else str(users)


def _each(one: DataSet, uses: Sequence[Use]) -> int:
    if uses:
        return max(use.each for use in uses)
    return min(one.count, len(one.rows)) if one.rows else one.count


def _users(one: DataSet, uses: Sequence[Use]) -> int | None:
    """Give how many users of a persona there can be before a row is dealt twice; None where that is not bounded."""
    if uses:
        return min((use.users for use in uses if use.users is not None), default=None)
    return len(one.rows) // _each(one, ()) if one.rows and one.unique and not one.weight and not one.deal else None


def _fields(one: DataSet) -> Iterable[str]:
    first: Mapping[str, Any] | str = one.rows[0] if one.rows else {}
    return () if isinstance(first, str) else (*first, *one.made)
