"""Books for sale: listing, changing and withdrawing them, their covers, finding them, saving them."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from simulator.demo.database import Reference, next_sequence
from simulator.demo.forms import Book, Picture
from simulator.demo.sessions import User

PER_PAGE = 24
SORTS = {
    "newest": ("Newest first", "listing.id DESC"),
    "oldest": ("Oldest first", "listing.id"),
    "price_asc": ("Price, low to high", "pence, listing.id"),
    "price_desc": ("Price, high to low", "pence DESC, listing.id"),
    "title": ("Title, A to Z", "title COLLATE NOCASE, listing.id"),
}

_EXTENSIONS = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}
_SELECT = """
SELECT listing.id, listing.seq, user.id AS owner, user.username, user.display_name, user.city, title, author,
    genre, condition, pence, description, cover, listed, deleted
FROM listing JOIN user ON user.id = listing.owner
"""


@dataclass(frozen=True, slots=True)
class Listing:
    """A book for sale, as pages show it."""

    id: int
    seq: int
    owner: int
    username: str
    seller: str
    city: str
    title: str
    author: str
    genre: str
    condition: str
    pence: int
    description: str
    cover: str
    listed: str
    deleted: int

    @property
    def reference(self) -> Reference:
        """Name the listing independently of the number that the site gave it."""
        return Reference(self.username, "listing", self.seq)


class Wanted(NamedTuple):
    """What a reader looks for."""

    words: str = ""
    genre: str = ""
    seller: int | None = None
    sort: str = "newest"
    page: int = 1


class Found(NamedTuple):
    """One page of what a reader looked for."""

    listings: list[Listing]
    total: int

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.total // PER_PAGE))


def create(db: sqlite3.Connection, owner: User, book: Book, picture: Picture) -> Listing:
    """Put a book up for sale."""
    row = db.execute(
        "INSERT INTO listing"
        " (owner, seq, title, author, genre, condition, pence, description, cover, words)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        (
            owner.id,
            next_sequence(db, owner.id, "listing"),
            *_columns(book),
            store_cover(db, picture),
            _words(book),
        ),
    ).fetchone()
    listing = find(db, row["id"])
    assert listing is not None
    return listing


def change(db: sqlite3.Connection, listing: Listing, book: Book, picture: Picture | None) -> None:
    """Change a book that is for sale; without a picture it keeps its cover."""
    cover = store_cover(db, picture) if picture else listing.cover
    db.execute(
        "UPDATE listing SET title = ?, author = ?, genre = ?, condition = ?, pence = ?, description = ?,"
        " cover = ?, words = ? WHERE id = ?",
        (*_columns(book), cover, _words(book), listing.id),
    )
    db.execute(
        "DELETE FROM cover WHERE name = ? AND NOT EXISTS (SELECT 1 FROM listing WHERE cover = cover.name)",
        (listing.cover,),
    )


def withdraw(db: sqlite3.Connection, listing: Listing) -> None:
    """Take a book off the shelves; matchups and messages about it stay."""
    db.execute("UPDATE listing SET deleted = 1 WHERE id = ?", (listing.id,))


def find(db: sqlite3.Connection, number: int) -> Listing | None:
    """Look up a book that is for sale."""
    row = db.execute(f"{_SELECT} WHERE listing.id = ? AND NOT deleted", (number,)).fetchone()
    return Listing(*row) if row else None


def search(db: sqlite3.Connection, wanted: Wanted) -> Found:
    """Find books whose title, author or description holds all words, of one genre or seller or of all."""
    conditions, values = ["deleted = 0"], list[str | int]()
    if wanted.genre:
        conditions.append("genre = ?")
        values.append(wanted.genre)
    if wanted.seller is not None:
        conditions.append("owner = ?")
        values.append(wanted.seller)
    for word in wanted.words.casefold().split():
        conditions.append("instr(words, ?)")
        values.append(word)
    where = " AND ".join(conditions)
    total = db.execute(f"SELECT count(*) FROM listing WHERE {where}", values).fetchone()[0]
    rows = db.execute(
        f"{_SELECT} WHERE {where} ORDER BY {SORTS[wanted.sort][1]} LIMIT ? OFFSET ?",
        (*values, PER_PAGE, (wanted.page - 1) * PER_PAGE),
    )
    return Found([Listing(*row) for row in rows], total)


def newest(db: sqlite3.Connection, limit: int) -> list[Listing]:
    """Return the books that came in last."""
    rows = db.execute(f"{_SELECT} WHERE deleted = 0 ORDER BY listing.id DESC LIMIT ?", (limit,))
    return [Listing(*row) for row in rows]


def of_seller(db: sqlite3.Connection, user: User) -> list[Listing]:
    """Return what a reader has for sale, newest first."""
    rows = db.execute(f"{_SELECT} WHERE listing.owner = ? AND deleted = 0 ORDER BY listing.id DESC", (user.id,))
    return [Listing(*row) for row in rows]


def saved_by(db: sqlite3.Connection, user: User) -> list[Listing]:
    """Return what a reader has saved and can still buy, last saved first."""
    rows = db.execute(
        f"{_SELECT} JOIN save ON save.listing = listing.id WHERE save.user = ? AND deleted = 0 ORDER BY save.seq DESC",
        (user.id,),
    )
    return [Listing(*row) for row in rows]


def saved_among(db: sqlite3.Connection, user: User | None, shown: Sequence[Listing]) -> set[int]:
    """Return which of the books the reader has saved."""
    if user is None or not shown:
        return set()
    marks = ", ".join("?" * len(shown))
    rows = db.execute(
        f"SELECT listing FROM save WHERE user = ? AND listing IN ({marks})",
        (user.id, *(listing.id for listing in shown)),
    )
    return {row[0] for row in rows}


def save(db: sqlite3.Connection, user: User, listing: Listing) -> Reference | None:
    """Save a book for later; None if it was saved already."""
    if saved_among(db, user, [listing]):
        return None
    seq = next_sequence(db, user.id, "save")
    db.execute("INSERT INTO save (user, seq, listing) VALUES (?, ?, ?)", (user.id, seq, listing.id))
    return Reference(user.username, "save", seq)


def unsave(db: sqlite3.Connection, user: User, listing: Listing) -> Reference | None:
    """Take back a save; None if there was none."""
    row = db.execute("DELETE FROM save WHERE user = ? AND listing = ? RETURNING seq", (user.id, listing.id)).fetchone()
    return Reference(user.username, "save", row["seq"]) if row else None


def times_saved(db: sqlite3.Connection, listing: Listing) -> int:
    """Return how many readers have saved the book."""
    return int(db.execute("SELECT count(*) FROM save WHERE listing = ?", (listing.id,)).fetchone()[0])


def store_cover(db: sqlite3.Connection, picture: Picture) -> str:
    """Keep a cover once, however often it is uploaded, and return the name that it is served under."""
    sha256 = hashlib.sha256(picture.content).hexdigest()
    name = f"{sha256[:20]}.{_EXTENSIONS[picture.media_type]}"
    db.execute(
        "INSERT OR IGNORE INTO cover (name, media_type, sha256, content) VALUES (?, ?, ?, ?)",
        (name, picture.media_type, sha256, picture.content),
    )
    return name


def cover(db: sqlite3.Connection, name: str) -> Picture | None:
    """Return a stored cover."""
    row = db.execute("SELECT media_type, content FROM cover WHERE name = ?", (name,)).fetchone()
    return Picture(row["media_type"], row["content"]) if row else None


def _columns(book: Book) -> tuple[str, str, str, str, int, str]:
    return book.title, book.author, book.genre, book.condition, book.pence, book.description


def _words(book: Book) -> str:
    return f"{book.title}\n{book.author}\n{book.description}".casefold()
