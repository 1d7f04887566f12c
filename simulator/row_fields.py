"""Which fields of a dealt row name it, which are hardly another one's, and which are anybody's.

A data set says it. It is stored with every user that has rows of it, so a replay knows it without the pack. Not
responsible for: what follows from it (``recognition``, ``replay``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

_VARIABLE = re.compile(r"(?:user\.\d+\.)?(?!user\.)(?P<data>\w+)\.\d+\.(?P<field>\w+)")
Role = Literal["called", "beside", "telling", "common", ""]
"""``called``: what the row is called. ``beside``: names it together with that. ``telling``: hardly another one's.
``common``: anybody's. Empty: none of these."""


class RowFields(BaseModel):
    """The fields of a data set's rows, by what their values say of a row. A field stands in one of them at most."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    named: tuple[str, ...] = ()
    """By which other users know a row. The first is what it is called; the others count in a text that says that."""
    telling: tuple[str, ...] = ()
    """Whose values are hardly another row's, such as a description."""
    common: tuple[str, ...] = ()
    """Whose values are anybody's, even where the name of a row says the same word."""

    def role(self, field: str) -> Role:
        """Give what a field says of its row."""
        if field in self.named:
            return "called" if field == self.named[0] else "beside"
        return "telling" if field in self.telling else "common" if field in self.common else ""

    def led_by(self, field: str) -> RowFields | None:
        """Give the same for rows that another field names; None where none does, or this says so already."""
        return self.model_copy(update={"named": (field,)}) if field and field not in self.named else None


Naming = Mapping[str, RowFields]
"""By data set."""
FORMERLY = RowFields(
    named=("title", "author"),
    telling=("description", "new_description"),
    common=("genre", "condition", "language"),
)
"""Holds for data sets that do not say it, and for recordings from before data sets could."""


def role_of(variable: str, naming: Naming) -> Role:
    """Give what a variable says of a row that was dealt to its user, or to another one; empty: it is of no row.

    Args:
        variable: such as ``ticket.1.title`` or ``user.2.ticket.1.title``.
        naming: what is known of data sets.
    """
    found = _VARIABLE.fullmatch(variable)
    return naming.get(found["data"], FORMERLY).role(found["field"]) if found else ""


def names_own_row(variable: str, naming: Naming) -> bool:
    """Return whether others know a row of the user itself by a variable; that of ``user.1.`` is another user's."""
    return not variable.startswith("user.") and role_of(variable, naming) in ("called", "beside")


def beside(variable: str, naming: Naming) -> list[str]:
    """Give the variables that name a row together with one that says what it is called; none for any other variable.

    Args:
        variable: such as ``ticket.1.title``.
        naming: what is known of data sets.
    """
    if role_of(variable, naming) != "called":
        return []
    found = _VARIABLE.fullmatch(variable)
    assert found is not None
    row = variable.removesuffix(found["field"])
    return [row + field for field in naming.get(found["data"], FORMERLY).named[1:]]
