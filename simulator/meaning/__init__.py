"""Judges whether a text that a page shows stands for a value that a user put in: values by what they mean.

Numbers are compared as numbers, dates as dates, markup as its text, words without regard to how they are set. Pure: it
knows no page and no recording. Not responsible for: which place of a page is bound to which field.
"""

from __future__ import annotations

from functools import lru_cache

from simulator.meaning.folding import weight
from simulator.meaning.forms import says_form_of, stems
from simulator.meaning.kinds import Likeness
from simulator.meaning.text import Text
from simulator.meaning.value import Value

_text = lru_cache(maxsize=8192)(Text)
__all__ = [
    "Likeness", "Text", "Value", "contradicts", "find_in", "is_telling", "likeness", "says_form_of", "stems", "weight",
]  # fmt: skip


def likeness(put: str, shown: str) -> Likeness | None:
    """Judge whether a text as a whole stands for a value.

    Args:
        put: what a user put in.
        shown: a field's value, a cell, what stands after its label.

    Returns:
        ``same``, also where a number or a date is written as another locale does, or markup is shown as its text;
        ``transformed`` for another case, typography, grouping or scale; ``beginning`` where it is cut; else None.
    """
    return Value.of(put).likeness(_text(shown))


def find_in(put: str, text: str) -> Likeness | None:
    """Seek a value in a longer text that a page shows, where words begin and end.

    Args:
        put: what a user put in; a number is found as a whole one, never as a part of another.
        text: for many values make a :class:`Text` once and ask :meth:`Value.find_in`.
    """
    return Value.of(put).find_in(_text(text))


def contradicts(put: str, shown: str) -> bool:
    """Return whether a place that is bound to a field says something else than was put in.

    Args:
        put: what a user put in.
        shown: the whole content of the place. Nothing, punctuation, a relative date and a masked value are absence.
    """
    return Value.of(put).contradicts(_text(shown))


def is_telling(put: str) -> bool:
    """Return whether a value counts anywhere on a page; else only in a place that is bound to its field.

    Args:
        put: what a user put in. States, short numbers, dates without a time, names and common words prove nothing.
    """
    return Value.of(put).is_telling
