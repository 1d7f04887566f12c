"""The forms in which texts and addresses spell a value: as a slug, encoded, in other letters.

Not responsible for: which values there are, or where they are recognised (``recognition``).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from urllib.parse import quote, quote_plus

from simulator.date_writings import WRITINGS
from simulator.month_writings import NAMED_MONTHS

_WHOLE_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i"}
)
"""Letters that no accent makes, as most sites write them in an address."""
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "ø": "oe", "æ": "ae"})
"""Letters as sites in German, and in the languages of the north, write them there."""


def _without_accents(value: str) -> str:
    spread = unicodedata.normalize("NFKD", value.lower().translate(_WHOLE_LETTERS))
    return "".join(char for char in spread if not unicodedata.combining(char))


def _joined(value: str, between: str) -> str:
    return re.sub(r"[^a-z0-9]+", between, value).strip(between)


def _closed(value: str) -> str:
    """Give a slug into which signs within a word do not go: ``annas-3d-map`` of ``Anna's 3.d map``."""
    plain = unicodedata.normalize("NFKD", value).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain)).strip("-_")


DERIVED: Mapping[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "slug": lambda value: _joined(_without_accents(value), "-"),
    "slug_spelt": lambda value: _joined(_without_accents(value.lower().translate(_SPELT_OUT)), "-"),
    "slug_closed": _closed,
    "slug_cut": lambda value: _joined(value.lower(), "-"),
    "snake": lambda value: _joined(_without_accents(value), "_"),
    "dotted": lambda value: _joined(_without_accents(value), "."),
    "dashes": lambda value: value.replace(" ", "-"),
    "underscores": lambda value: value.replace(" ", "_"),
    "dots": lambda value: value.replace(" ", "."),
    "filename": lambda value: "_".join(re.sub(r"[^\w\s.-]", "", value).split()),
    "comma": lambda value: value.replace(".", ","),
    "first": lambda value: value.split()[0] if value.split() else value,
    "quoted": lambda value: quote(value, safe=""),
    "plus": quote_plus,
    "plus_quoted": lambda value: quote(quote_plus(value), safe=""),
    "quoted_twice": lambda value: quote(quote(value, safe=""), safe=""),
    "html": lambda value: escape(value, quote=False),
    "curly": lambda value: value.replace("'", "\u2019"),
    "nbsp": lambda value: value.replace(" ", "\u00a0"),
    "nfd": lambda value: unicodedata.normalize("NFD", value),
    **{name: writing.write for name, writing in WRITINGS.items()},
    **NAMED_MONTHS,
}
_SLUGS = (
    "slug",
    "slug_spelt",
    "slug_closed",
    "slug_cut",
    "snake",
    "dotted",
    "dashes",
    "underscores",
    "dots",
    "filename",
)
"""Forms in which sites write what something is called as one word: in addresses, and as names of files."""
ADDRESSED = ("quoted", "plus", "plus_quoted", "quoted_twice")
"""Forms in which addresses spell a whole text: as a path, as a query, and in an address that another one names."""
_ENCODINGS = (*ADDRESSED, "html", "curly", "nbsp", "nfd")
_SPELLED: Mapping[str, tuple[str, ...]] = {
    "row.called": (*_SLUGS, "lower", "upper", *_ENCODINGS),
    "display_name": (*_SLUGS, "lower", "upper", *_ENCODINGS),
    "email": ("quoted",),
    "street": _ENCODINGS,
}
"""Forms in which a value is recognised besides as it is, by what it says."""
JOINED = {"slug": "-", "snake": "_", "dotted": ".", "quoted": "%20", "plus": "+", "nbsp": "\u00a0"}
"""Forms in which a first and a last name are recognised together, and what stands between them."""


@lru_cache(maxsize=4096)
def other_spellings(kind: str, value: str) -> tuple[tuple[str, str], ...]:
    """Give the forms of a value in which it is recognised, too, where they are others than the value."""
    found: dict[str, str] = {}
    for form in _SPELLED.get(kind, ()):
        spelled = DERIVED[form](value)
        if spelled != value:
            found.setdefault(spelled, form)
    return tuple((form, spelled) for spelled, form in found.items())


def as_word(value: str) -> re.Pattern[str]:
    """Give what finds a value where it is no part of a longer word."""
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
