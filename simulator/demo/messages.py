"""Messages between readers, with the book that they are about, if any."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from simulator.demo.database import Reference, next_sequence
from simulator.demo.listings import Listing
from simulator.demo.sessions import User

PER_PAGE = 20

Box = Literal["received", "sent"]


@dataclass(frozen=True, slots=True)
class Message:
    """A message as the inbox shows it; `username` and `name` are the other reader's."""

    id: int
    username: str
    name: str
    body: str
    sent: str
    listing: int | None
    title: str | None
    withdrawn: int | None


def send(db: sqlite3.Connection, sender: User, recipient: User, body: str, listing: Listing | None) -> Reference:
    """Deliver a message."""
    seq = next_sequence(db, sender.id, "message")
    db.execute(
        "INSERT INTO message (sender, seq, recipient, listing, body) VALUES (?, ?, ?, ?, ?)",
        (sender.id, seq, recipient.id, listing.id if listing else None, body),
    )
    return Reference(sender.username, "message", seq)


def in_box(db: sqlite3.Connection, user: User, box: Box, page: int) -> tuple[list[Message], int]:
    """Return one page of a reader's messages, newest first, and how many there are in all."""
    mine, other = ("recipient", "sender") if box == "received" else ("sender", "recipient")
    total = db.execute(f"SELECT count(*) FROM message WHERE {mine} = ?", (user.id,)).fetchone()[0]
    rows = db.execute(
        "SELECT message.id, username, display_name, body, sent, listing.id, title, deleted"
        f" FROM message JOIN user ON user.id = message.{other}"
        f" LEFT JOIN listing ON listing.id = message.listing WHERE message.{mine} = ?"
        " ORDER BY message.id DESC LIMIT ? OFFSET ?",
        (user.id, PER_PAGE, (page - 1) * PER_PAGE),
    )
    return [Message(*row) for row in rows], total
