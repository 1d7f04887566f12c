"""A text that a page shows, in the forms that values are sought in. Not responsible for: what it is compared with."""

from __future__ import annotations

import html
import re
from functools import cached_property
from itertools import islice

from simulator.meaning.dates import Moments, moments
from simulator.meaning.folding import ELLIPSIS, alnum, bare, tidy, typed, words
from simulator.meaning.numbers import Figure, figures, rated

_NO_DIGITS = re.compile(r"[^0-9]+")
_MOST_CUTS = 12
"""Marks of a cut that are looked at in one text."""
_WHOLE, _NEAR = 2**16, 2**12
"""Characters up to which a text is one that may be cut as a whole, and those around a mark that count in a longer."""
_STARS = re.compile(r"\s*(?:[★⭐🌟]\s*){1,10}(?:[☆✩✰]\s*){0,10}")
"""A rating: it says a number."""
_FILLED = re.compile(r"[★⭐🌟]")
_MASK = re.compile(r"[•●∙⦁*]{2,}|x{4,}")


class Text:
    """A text of a page, brought into each form once, and only when somebody asks.

    Args:
        text: of an element, a field or a cell; or a longer one.
    """

    def __init__(self, text: str) -> None:
        self.tidy = tidy(text)
        self.typed = typed(self.tidy)
        self.words = words(self.typed)
        self.padded = f" {self.words} "
        self.digits = _NO_DIGITS.sub("", self.words)
        """Its digits, one after the other."""

    @classmethod
    def of(cls, text: str) -> Text:
        """Prepare a text to be looked at for many values."""
        return cls(text)

    @cached_property
    def unescaped(self) -> Text | None:
        """What a text says whose markup was escaped once too often; None where it was not."""
        if "&" not in self.tidy:
            return None
        found = html.unescape(self.tidy)
        return Text(found) if found != self.tidy else None

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Its numbers, in order."""
        said = str(len(_FILLED.findall(self.tidy))) if _STARS.fullmatch(self.tidy) else self.typed
        return tuple(rated(said, list(figures(said)))) if self.digits or said != self.typed else ()

    @cached_property
    def numbers(self) -> frozenset[str]:
        """All readings of the numbers in it that are no part of something else."""
        return frozenset().union(*(one.readings for one in self.figures if one.whole))

    @cached_property
    def moments(self) -> Moments:
        """Its dates and times."""
        return moments(self.typed, self.tidy) if self.digits else Moments()

    @cached_property
    def cuts(self) -> tuple[tuple[str, str], ...]:
        """The words before and after each mark of a cut."""
        if "..." not in self.typed and "⋯" not in self.typed:
            return ()
        # All that a site has brought, scripts included, is millions of characters: what is cut stands near its mark.
        near = len(self.typed) if len(self.typed) <= _WHOLE else _NEAR
        return tuple(
            (words(self._before(mark.start(), near)), words(self.typed[mark.end() : mark.end() + near]))
            for mark in islice(ELLIPSIS.finditer(self.typed), _MOST_CUTS)
        )

    def _before(self, end: int, near: int) -> str:
        """Give what stands before a place, from where a word begins."""
        part = self.typed[max(0, end - near) : end]
        return part if near >= end else part.partition(" ")[2]

    @cached_property
    def capitals(self) -> str | None:
        """Its words without accents, padded, where it is in capitals, which often have none; else None."""
        return bare(self.padded) if self.tidy.isupper() else None

    @cached_property
    def unmasked(self) -> tuple[str, ...]:
        """The letters and digits around each mask, where this shows a value only in part: ``•••• 1111``; else none."""
        parts = tuple(alnum(part) for part in _MASK.split(self.typed))
        return parts if len(parts) > 1 and any(parts) else ()

    def masks(self, letters: str) -> bool:
        """Return whether this may be a text of which it shows only some letters and digits.

        Args:
            letters: those of the text.
        """
        if not self.unmasked or len(letters) < sum(map(len, self.unmasked)):
            return False
        first, *between, last = self.unmasked
        at, end = len(first), len(letters) - len(last)
        if not (letters.startswith(first) and letters.endswith(last)):
            return False
        for part in between:
            at = letters.find(part, at, end)
            if at < 0:
                return False
            at += len(part)
        return True
