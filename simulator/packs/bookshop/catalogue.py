"""The book catalogue: real titles in the public domain, as facts.

Responsible for the titles that identities deal in and for the list of genres. Which identity gets which
title is `dealing`; condition, price and description of a copy are `books`.
"""

from functools import cache
from importlib import resources
from typing import NamedTuple

GENRES = (
    "Fiction",
    "Classics",
    "Crime",
    "Science fiction",
    "Fantasy",
    "Horror",
    "Adventure",
    "History",
    "Biography",
    "Philosophy",
    "Poetry",
    "Drama",
    "Children",
    "Travel",
    "Science",
    "Textbook",
)
"""Every genre of the catalogue, as the bundled bookshop names its shelves."""


class Title(NamedTuple):
    """A book as a library knows it."""

    title: str
    author: str
    year: int
    """Year of first publication."""
    genre: str
    language: str
    """ISO 639-1 code of the language of the title."""


@cache
def catalogue() -> tuple[Title, ...]:
    """Return every title, in the order of the data file."""
    text = resources.files(__package__).joinpath("catalogue.txt").read_text(encoding="utf-8")
    rows = (line.split("|") for line in text.splitlines() if not line.startswith("#"))
    return tuple(Title(title, author, int(year), genre, language) for title, author, year, genre, language in rows)
