"""This or that: two covers that compete for readers' votes, one vote a reader."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any, Literal

from simulator.demo.database import Reference, next_sequence
from simulator.demo.listings import Listing
from simulator.demo.sessions import User

PER_PAGE = 12
PER_BOOK = 10
"""Matchups that the page of a book shows."""

Choice = Literal["first", "second"]

_SELECT = """
SELECT matchup.id, matchup.seq, user.username, user.display_name,
    a.id, a.title, a.author, a.cover, a.deleted, b.id, b.title, b.author, b.cover, b.deleted,
    (SELECT count(*) FROM vote WHERE matchup = matchup.id AND choice = 'first'),
    (SELECT count(*) FROM vote WHERE matchup = matchup.id AND choice = 'second')
FROM matchup JOIN user ON user.id = matchup.owner
JOIN listing AS a ON a.id = matchup.first JOIN listing AS b ON b.id = matchup.second
"""


@dataclass(frozen=True, slots=True)
class Contender:
    """One of the two books, and how many voted for it."""

    choice: Choice
    id: int
    title: str
    author: str
    cover: str
    withdrawn: bool
    votes: int


@dataclass(frozen=True, slots=True)
class Matchup:
    """Two competing books."""

    id: int
    reference: Reference
    maker: str
    contenders: tuple[Contender, Contender]

    @property
    def votes(self) -> int:
        """All votes together."""
        return self.contenders[0].votes + self.contenders[1].votes


def create(db: sqlite3.Connection, owner: User, first: Listing, second: Listing) -> Matchup:
    """Let two books compete."""
    seq = next_sequence(db, owner.id, "matchup")
    row = db.execute(
        "INSERT INTO matchup (owner, seq, first, second) VALUES (?, ?, ?, ?) RETURNING id",
        (owner.id, seq, first.id, second.id),
    ).fetchone()
    matchup = find(db, row["id"])
    assert matchup is not None
    return matchup


def find(db: sqlite3.Connection, number: int) -> Matchup | None:
    """Look a matchup up."""
    row = db.execute(f"{_SELECT} WHERE matchup.id = ?", (number,)).fetchone()
    return _matchup(row) if row else None


def next_for(db: sqlite3.Connection, user: User | None) -> Matchup | None:
    """Return the oldest matchup that the reader has not voted in; for a stranger, the newest."""
    if user is None:
        row = db.execute(f"{_SELECT} ORDER BY matchup.id DESC LIMIT 1").fetchone()
    else:
        row = db.execute(
            f"{_SELECT} WHERE matchup.id NOT IN (SELECT matchup FROM vote WHERE user = ?) ORDER BY matchup.id LIMIT 1",
            (user.id,),
        ).fetchone()
    return _matchup(row) if row else None


def newest(db: sqlite3.Connection, page: int) -> tuple[list[Matchup], int]:
    """Return one page of all matchups, newest first, and how many there are in all."""
    total = db.execute("SELECT count(*) FROM matchup").fetchone()[0]
    rows = db.execute(f"{_SELECT} ORDER BY matchup.id DESC LIMIT ? OFFSET ?", (PER_PAGE, (page - 1) * PER_PAGE))
    return [_matchup(row) for row in rows], total


def newest_with(db: sqlite3.Connection, listing: Listing) -> list[Matchup]:
    """Return the matchups that a book takes part in, newest first; no more than its page shows."""
    rows = db.execute(
        f"{_SELECT} WHERE matchup.first = :book OR matchup.second = :book ORDER BY matchup.id DESC LIMIT :most",
        {"book": listing.id, "most": PER_BOOK},
    )
    return [_matchup(row) for row in rows]


def choice_of(db: sqlite3.Connection, user: User | None, matchup: Matchup) -> Choice | None:
    """Return what the reader voted for."""
    if user is None:
        return None
    row = db.execute("SELECT choice FROM vote WHERE user = ? AND matchup = ?", (user.id, matchup.id)).fetchone()
    return row["choice"] if row else None


def vote(db: sqlite3.Connection, user: User, matchup: Matchup, choice: Choice) -> Reference | None:
    """Cast a vote; None if the reader has voted here before."""
    if choice_of(db, user, matchup):
        return None
    seq = next_sequence(db, user.id, "vote")
    db.execute(
        "INSERT INTO vote (user, seq, matchup, choice) VALUES (?, ?, ?, ?)",
        (user.id, seq, matchup.id, choice),
    )
    return Reference(user.username, "vote", seq)


def _matchup(row: sqlite3.Row) -> Matchup:
    number, seq, username, maker, *books, votes_first, votes_second = row
    first = _contender("first", books[:5], votes_first)
    second = _contender("second", books[5:], votes_second)
    return Matchup(number, Reference(username, "matchup", seq), maker, (first, second))


def _contender(choice: Choice, book: list[Any], votes: int) -> Contender:
    number, title, author, cover, deleted = book
    return Contender(choice, number, title, author, cover, bool(deleted), votes)
