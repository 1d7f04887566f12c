"""The bookshop's SQLite file: its schema, how it is opened, transactions, and the owners' sequences.

One file is one site, covers included. What the rows mean is said by the modules that query them.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, NamedTuple

from simulator.demo.errors import NotABookshop

APPLICATION_ID = 0x464F5845  # "FOXE", written into the file's header

Kind = Literal["user", "listing", "save", "message", "matchup", "vote"]


class Reference(NamedTuple):
    """Names a thing on the site by who made it and in what order, so that it is the same on every site."""

    owner: str
    kind: Kind
    seq: int


# `listing.deleted` is a mark, so that messages and matchups about a withdrawn book keep their reference.
# `sequence` outlives what it numbered: a number is never given twice.
SCHEMA = """
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE user (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    username TEXT NOT NULL UNIQUE,
    display_name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE COLLATE NOCASE,
    city TEXT NOT NULL,
    password TEXT,
    joined TEXT NOT NULL DEFAULT (date('now'))
) STRICT;
CREATE TABLE session (
    digest TEXT PRIMARY KEY,
    user INTEGER REFERENCES user (id) ON DELETE CASCADE,
    flash TEXT,
    started TEXT NOT NULL DEFAULT (datetime('now'))
) STRICT, WITHOUT ROWID;
CREATE TABLE sequence (
    user INTEGER NOT NULL REFERENCES user (id),
    kind TEXT NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (user, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE cover (
    name TEXT PRIMARY KEY,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    content BLOB NOT NULL
) STRICT;
CREATE TABLE listing (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner INTEGER NOT NULL REFERENCES user (id),
    seq INTEGER NOT NULL,
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    genre TEXT NOT NULL,
    condition TEXT NOT NULL,
    pence INTEGER NOT NULL,
    description TEXT NOT NULL,
    cover TEXT NOT NULL REFERENCES cover (name),
    words TEXT NOT NULL,
    listed TEXT NOT NULL DEFAULT (date('now')),
    deleted INTEGER NOT NULL DEFAULT 0,
    UNIQUE (owner, seq)
) STRICT;
CREATE INDEX listing_for_sale ON listing (genre, id) WHERE deleted = 0;
CREATE INDEX listing_cover ON listing (cover);
CREATE TABLE save (
    user INTEGER NOT NULL REFERENCES user (id),
    seq INTEGER NOT NULL,
    listing INTEGER NOT NULL REFERENCES listing (id),
    PRIMARY KEY (user, listing)
) STRICT, WITHOUT ROWID;
CREATE INDEX save_listing ON save (listing);
CREATE TABLE message (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sender INTEGER NOT NULL REFERENCES user (id),
    seq INTEGER NOT NULL,
    recipient INTEGER NOT NULL REFERENCES user (id),
    listing INTEGER REFERENCES listing (id),
    body TEXT NOT NULL,
    sent TEXT NOT NULL DEFAULT (datetime('now')),
    UNIQUE (sender, seq)
) STRICT;
CREATE INDEX message_recipient ON message (recipient, id);
CREATE TABLE matchup (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner INTEGER NOT NULL REFERENCES user (id),
    seq INTEGER NOT NULL,
    first INTEGER NOT NULL REFERENCES listing (id),
    second INTEGER NOT NULL REFERENCES listing (id),
    UNIQUE (owner, seq)
) STRICT;
CREATE INDEX matchup_first ON matchup (first);
CREATE INDEX matchup_second ON matchup (second);
CREATE TABLE vote (
    user INTEGER NOT NULL REFERENCES user (id),
    seq INTEGER NOT NULL,
    matchup INTEGER NOT NULL REFERENCES matchup (id),
    choice TEXT NOT NULL CHECK (choice IN ('first', 'second')),
    PRIMARY KEY (user, matchup)
) STRICT, WITHOUT ROWID;
CREATE INDEX vote_matchup ON vote (matchup, choice);
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),
    who TEXT,
    method TEXT NOT NULL,
    route TEXT NOT NULL,
    path TEXT NOT NULL,
    fields TEXT NOT NULL,
    status INTEGER NOT NULL,
    effect TEXT,
    owner TEXT,
    kind TEXT,
    seq INTEGER,
    step TEXT
) STRICT;
"""

# Children before parents, as foreign keys are enforced.
CONTENT_TABLES = (
    "change", "vote", "matchup", "message", "save", "listing", "cover", "sequence", "session", "user",
)  # fmt: skip


def open_database(path: Path, *, create: bool = True) -> sqlite3.Connection:
    """Open the site in the file.

    Args:
        path: The SQLite file.
        create: Whether to make an empty site, and the folder it is in, where there is none.

    Returns:
        A connection in autocommit mode; use `transaction` for more than one statement.

    Raises:
        NotABookshop: The path cannot be written or holds something else.
    """
    if not create and not path.is_file():
        raise NotABookshop(f"{path}: no such bookshop database; `sim demo serve` creates one")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, isolation_level=None, timeout=10)
    except (OSError, sqlite3.OperationalError) as error:
        raise NotABookshop(f"{path}: cannot be opened as a bookshop database ({error})") from error
    try:
        if not _is_bookshop(db):
            _create(db, path, create)
        db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
    except sqlite3.DatabaseError as error:
        db.close()
        raise NotABookshop(f"{path}: cannot be used as a bookshop database ({error})") from error
    except NotABookshop:
        db.close()
        raise
    db.row_factory = sqlite3.Row
    return db


@contextmanager
def existing_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a site that must be there already, and close it afterwards.

    Raises:
        NotABookshop: There is no such file, or it holds something else.
    """
    db = open_database(path, create=False)
    try:
        yield db
    finally:
        db.close()


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit what happens inside as one piece, or nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def next_sequence(db: sqlite3.Connection, user_id: int, kind: Kind) -> int:
    """Mint the user's next number for things of this kind, starting at 1."""
    row = db.execute(
        "INSERT INTO sequence VALUES (?, ?, 1) ON CONFLICT (user, kind) DO UPDATE SET last = last + 1 RETURNING last",
        (user_id, kind),
    ).fetchone()
    return int(row[0])


def setting(db: sqlite3.Connection, key: str) -> str:
    """Read a setting that was written when the site was created."""
    return str(db.execute("SELECT value FROM setting WHERE key = ?", (key,)).fetchone()[0])


def is_new(db: sqlite3.Connection) -> bool:
    """Return whether the site was never filled, as opposed to emptied on purpose."""
    return db.execute("SELECT 1 FROM setting WHERE key = 'filled'").fetchone() is None


def empty(db: sqlite3.Connection) -> None:
    """Delete everything on the site and restart all numbering; to be called in a transaction."""
    db.execute("INSERT OR REPLACE INTO setting VALUES ('filled', 'yes')")
    for table in CONTENT_TABLES:
        db.execute(f"DELETE FROM {table}")
    db.execute("DELETE FROM sqlite_sequence")


def _is_bookshop(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID)


def _create(db: sqlite3.Connection, path: Path, create: bool) -> None:
    db.execute("BEGIN EXCLUSIVE")
    if _is_bookshop(db):  # another process was quicker
        db.execute("ROLLBACK")
        return
    if not create or db.execute("SELECT 1 FROM sqlite_master").fetchone():
        raise NotABookshop(f"{path}: a SQLite database, but not a bookshop's; choose another file")
    for statement in SCHEMA.split(";\n"):
        if statement.strip():
            db.execute(statement)
    db.execute("INSERT INTO setting VALUES ('csrf_key', ?)", (secrets.token_hex(32),))
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("COMMIT")
