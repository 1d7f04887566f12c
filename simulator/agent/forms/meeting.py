"""Which field of a form a column of a row goes into: by label, name, id, placeholder, type, options and meaning.

Not responsible for: what stands in the column, or filling the field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from simulator.agent.reading import Field, Form
from simulator.tools.pages.meanings import NEVER_GUESSED, meaning_of_text
from simulator.tools.pages.vocabulary import normal, says

_ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"title", "subject", "full_name", "display_name"}),
    frozenset({"description", "message", "bio"}),
)
"""Meanings that stand for each other where a thing is described: what it is called, and what is said of it."""
_NO_TEXT = frozenset(
    {"checkbox", "switch", "radio", "select", "select-one", "select-multiple", "file", "range", "color"}
)
_DATED = frozenset({"date", "datetime-local", "month", "week", "time"})
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_URL = re.compile(r"https?://\S+")
_TRUTHS = frozenset({"true", "false"})
_LONG = 40
"""Characters from which on a text belongs into a large field, and is not what something is called."""
SURE = 40
"""Points from which on a field is what a column means by its own words; below stands what its kind alone suggests."""


class Column(NamedTuple):
    """A value that a form is to be given."""

    name: str
    text: str
    """What it is now."""
    called: str = ""
    """What its field is called, where somebody said it."""
    telling: bool = False
    """Whether such a column holds a text of several words."""


class Met(NamedTuple):
    """The form of a page that some columns go into."""

    form: Form
    fields: Mapping[str, Field]
    """By the names of the columns."""
    points: int


def best_form(
    forms: Sequence[Form],
    row: Sequence[Column],
    needed: str,
    more: Mapping[str, tuple[str, ...]],
    *,
    by_kind: bool = True,
) -> Met | None:
    """Give the form that takes the most of a row; None where none has a field for the column that is needed.

    Args:
        forms: those of the page.
        row: what is to go into one of them.
        needed: the column without which it is another form.
        more: further phrases by meaning, of the site.
        by_kind: whether a column may go into a field that no word gives it, or only one that means as much.
    """
    met = [meet(form, row, needed, more, by_kind=by_kind) for form in forms]
    fitting = [one for one in met if needed in one.fields]
    return max(fitting, key=lambda one: one.points) if fitting else None


def meet(
    form: Form, row: Sequence[Column], needed: str, more: Mapping[str, tuple[str, ...]], *, by_kind: bool = True
) -> Met:
    """Give each column its field, as far as the form has one: the surest pair first, no field twice.

    Where no word decides, the kind does: the column that names the thing goes into the first field for a short text
    that is left, and the only long one into the only large field. That was seen to be right on forms in languages of
    which no word is known; it costs a wrong field where a form begins with something else.
    """
    asked = [field for field in form.questions if not _is_apart(field)]
    scored = sorted(
        (
            (-points, at, place)
            for at, column in enumerate(row)
            for place, field in enumerate(asked)
            if (points := fit_of(column, field, more, by_kind=by_kind))
        ),
    )
    met: dict[str, Field] = {}
    total = 0
    for points, at, place in scored:
        column, field = row[at], asked[place]
        if column.name not in met and field.ref not in {one.ref for one in met.values()}:
            met[column.name] = field
            total -= points
    if by_kind:
        _by_kind(met, asked, row, needed)
    return Met(form, met, total + len(met))


def fit_of(column: Column, field: Field, more: Mapping[str, tuple[str, ...]], *, by_kind: bool = True) -> int:
    """Give how surely a field is for a column, in points up to 100; 0: nothing suggests so, or it takes no such value.

    Args:
        column: the column.
        field: the field.
        more: further phrases by meaning, of the site.
        by_kind: whether a column whose field is known by what it is called may go into one that only means the same:
            on the page of a thing a field for notes may stand in place of its description.
    """
    if not _takes(field, column.text):
        return 0
    texts = [normal(text) for text in (*_texts(field), field.placeholder) if text]
    wanted = normal(column.called or column.name)
    if wanted in texts or (not column.called and field.meaning and wanted == normal(field.meaning)):
        return 100
    by_words = max((_overlap(text, wanted) for text in texts), default=0)
    if column.called:
        alike = by_kind and field.meaning and field.meaning == meaning_of_text(column.called, more)
        return by_words or (50 if alike else 0)
    meaning = meaning_of_text(column.name.replace("_", " "), more)
    if meaning and field.meaning:
        alike = any({meaning, field.meaning} <= group for group in _ALIKE)
        by_words = max(by_words, 70 if meaning == field.meaning else 45 if alike else 0)
    if field.options and normal(column.text) in map(normal, field.options):
        by_words = max(by_words, 60)
    return by_words or _by_type(field, column.text)


def is_free_text(field: Field) -> bool:
    """Return whether anything can be typed into a field."""
    return not field.options and field.type not in _NO_TEXT | _DATED | {"number", "email", "url", "tel", "password"}


def is_large(field: Field) -> bool:
    """Return whether a field has room for several lines."""
    return field.type == "textarea"


def _texts(field: Field) -> tuple[str, ...]:
    return (field.group if field.type == "radio" else field.label, field.name, field.id)


def _is_apart(field: Field) -> bool:
    return field.meaning in NEVER_GUESSED or field.meaning == "search" or field.type in ("password", "file", "hidden")


def _overlap(text: str, wanted: str) -> int:
    """Give points where the words of one stand in the other: ``ticket[title]`` for ``title``, a share of the whole."""
    if says(text, wanted):
        return SURE + 40 * len(wanted) // len(text)
    if says(wanted, text) and len(text) > 2:
        return SURE + 30 * len(text) // len(wanted)
    return 0


def _takes(field: Field, text: str) -> bool:
    if field.options:
        said = normal(text)
        return bool(said) and any(
            said == normal(one) or says(normal(one), said) or says(said, normal(one)) for one in field.options if one
        )
    if field.type in ("checkbox", "switch"):
        return text.lower() in _TRUTHS
    if field.type in ("number", "range"):
        return _NUMBER.fullmatch(text) is not None
    if field.type in _DATED:
        return _DATE.fullmatch(text) is not None or (field.type == "time" and ":" in text)
    if field.type == "email":
        return _ADDRESS.fullmatch(text) is not None
    if field.type == "url":
        return _URL.fullmatch(text) is not None
    return True


def _by_type(field: Field, text: str) -> int:
    """Give points where the kind of a value is that of a field, and of no other."""
    kinds = ((_DATED, _DATE), ({"email"}, _ADDRESS), ({"url"}, _URL), ({"number"}, _NUMBER))
    if field.dates and _DATE.fullmatch(text):
        return 30
    return next((30 for types, kind in kinds if field.type in types and kind.fullmatch(text)), 0)


def _by_kind(met: dict[str, Field], asked: Sequence[Field], row: Sequence[Column], needed: str) -> None:
    """Give columns that no word placed the field that only they fit."""

    def left(large: bool) -> list[Field]:
        used = {one.ref for one in met.values()}
        return [one for one in asked if one.ref not in used and is_free_text(one) and is_large(one) is large]

    long = [
        one
        for one in row
        if one.name not in {needed, *met} and not one.called and (one.telling or len(one.text) > _LONG)
    ]
    if len(long) == 1 and len(left(True)) == 1:
        met[long[0].name] = left(True)[0]
    title = next((one for one in row if one.name == needed and one.name not in met and not one.called), None)
    places = left(False) or (left(True) if not long else [])
    if title is not None and places:
        met[needed] = places[0]
