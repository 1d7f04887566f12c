"""What is to go into a form. Not responsible for: which field each of it goes into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from simulator.agent.filling import Value


class Row(NamedTuple):
    """What is to go into a form."""

    values: Mapping[str, Value]
    """By column."""
    needed: str
    """The column without which it is another form; no answer takes its place."""
    about: str
    """What it is about, such as ``ticket 1``: the same field of another one gets another value."""
    called: Mapping[str, str] = {}
    """What the fields are called that columns go into, as far as somebody said it."""
    telling: Sequence[str] = ()
    """Columns that hold texts of several words."""
    strict: bool = False
    """Whether every column has to have a field."""
    submit: str | None = None
    """What the button says that sends the form, where it has several, or it stands outside of the form."""
    files: Mapping[str, Value] = {}
    """Names of files that the user has, by column."""
    changes: bool = False
    """Whether it changes a thing: answers leave all columns as they are, and none goes into a field that no word gives
    it."""
