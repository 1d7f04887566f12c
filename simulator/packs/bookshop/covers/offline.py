"""Covers without a network: drawn for the titles of the catalogue, and for any other. Not responsible for: drawing."""

from __future__ import annotations

from functools import cache, lru_cache

from simulator.canonical import sha256
from simulator.errors import ToolError
from simulator.packs.bookshop.catalogue import Title, catalogue
from simulator.packs.bookshop.covers.cover import Cover, CoverImage, title_key, words

SCHEME = "cover:"
_EMPTY_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "book",
        "books",
        "by",
        "for",
        "from",
        "good",
        "in",
        "novel",
        "novels",
        "of",
        "old",
        "on",
        "some",
        "the",
        "used",
        "with",
    ]
)


class Drawings:
    """The covers that were drawn in this process, by the hash of their bytes."""

    def __init__(self) -> None:
        self._images: dict[str, CoverImage] = {}

    def find(self, query: str, count: int) -> list[Cover]:
        """Give covers of the books that a query means, best first; of an unknown title, one of its own."""
        return [self._cover(book) for book in search(query)[:count]]

    def image(self, cover_url: str) -> CoverImage:
        """Give a cover that was drawn.

        Raises:
            ToolError: ``not_found``: none was drawn under this address.
        """
        if cover_url not in self._images:
            raise ToolError(
                "not_found", f"no cover was drawn as {cover_url}; take an address that fetch_book_covers gave"
            )
        return self._images[cover_url]

    def _cover(self, book: Title) -> Cover:
        data = _drawn(book.title, book.author, book.genre)
        url = SCHEME + sha256(data)
        if url not in self._images:
            self._images[url] = CoverImage(data, "image/jpeg", url.removeprefix(SCHEME), url)
        return Cover(title=book.title, author=book.author, cover_url=url, source="offline")


@lru_cache(maxsize=512)
def _drawn(title: str, author: str, genre: str) -> bytes:
    # Most commands draw nothing: what draws takes as long to load as all else of covers.
    from simulator.packs.bookshop.covers.drawing import draw_cover

    return draw_cover(title, author, genre)


def title_in(query: str) -> str:
    """Give the title of the catalogue's book that a query names, with or without its author; empty for none."""
    asked = words(query)
    return next((book.title for book, (title, author) in _known() if asked in (title, title + author)), "")


def search(query: str) -> list[Title]:
    """Find the books that a query means, best first.

    Args:
        query: a title, with or without its author; or a topic. What is neither is taken for a title that the
            catalogue does not have: ``Title by Author``, or the title alone.
    """
    asked = words(query)
    if not asked:
        return []
    exact = next((book for book, (title, author) in _known() if asked in (title, title + author)), None)
    named = exact or next((book for book, (title, _) in _known() if len(title) > 1 and _contains(asked, title)), None)
    if named is not None:
        alike = [book for book in catalogue() if book.author == named.author or book.genre == named.genre]
        return _unique([named, *sorted(alike, key=lambda book: book.author != named.author)])
    terms = [word for word in asked if word not in _EMPTY_WORDS]
    scored = [(sum(_in_book(term, book) for term in terms), book) for book in catalogue()]
    best = max(score for score, _ in scored)
    topical = [term for term in terms if any(_in_book(term, book) for book in catalogue())]
    if best == 0 or 2 * len(topical) <= len(terms):
        title, _, author = query.strip().partition(" by ")
        return [Title(title.strip(), author.strip(), 0, "", "")]
    # Of equal fit, another order for each query.
    ranked = sorted(scored, key=lambda pair: (-pair[0], sha256(f"{query}|{pair[1].title}")))
    return _unique([book for score, book in ranked if score])


@cache
def _known() -> tuple[tuple[Title, tuple[tuple[str, ...], tuple[str, ...]]], ...]:
    return tuple((book, (words(book.title), words(book.author))) for book in catalogue())


@cache
def _vocabulary(book: Title) -> frozenset[str]:
    return frozenset(words(f"{book.title} {book.author} {book.genre}"))


def _in_book(term: str, book: Title) -> bool:
    """Return whether a word stands in a book's facts, also in another number: classic, classics."""
    if term in _vocabulary(book):
        return True
    return len(term) > 3 and any(
        len(word) > 3 and (word.startswith(term) or term.startswith(word)) and abs(len(word) - len(term)) < 3
        for word in _vocabulary(book)
    )


def _contains(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _unique(books: list[Title]) -> list[Title]:
    kept: dict[tuple[str, ...], Title] = {}
    for book in books:
        kept.setdefault(title_key(book.title), book)
    return list(kept.values())
