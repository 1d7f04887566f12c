"""A transaction of the bookshop, and one of a recording: as one piece, or nothing, and the connection serves on."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from simulator.demo.database import transaction as of_bookshop
from simulator.recording.database import transaction as of_recording

Transaction = Callable[[sqlite3.Connection], AbstractContextManager[None]]
both = pytest.mark.parametrize("transaction", [of_bookshop, of_recording], ids=["bookshop", "recording"])


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    """A database in which a row without its parent is noticed when it is committed."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)")
    connection.execute("CREATE TABLE child (parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
    yield connection
    connection.close()


def rows(db: sqlite3.Connection) -> list[int]:
    return [parent for (parent,) in db.execute("SELECT id FROM parent UNION ALL SELECT parent FROM child")]


@both
def test_what_cannot_be_committed_leaves_nothing_open(db: sqlite3.Connection, transaction: Transaction) -> None:
    with pytest.raises(sqlite3.IntegrityError), transaction(db):
        db.execute("INSERT INTO child VALUES (1)")
    assert not db.in_transaction
    with transaction(db):
        db.execute("INSERT INTO parent VALUES (2)")
    assert rows(db) == [2]


@both
def test_what_is_broken_off_is_undone(db: sqlite3.Connection, transaction: Transaction) -> None:
    def broken_off() -> None:
        with transaction(db):
            db.execute("INSERT INTO parent VALUES (1)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert not db.in_transaction
    assert rows(db) == []
