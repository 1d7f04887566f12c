"""What is on the site, written so that two sites can be compared: snapshot, change log and reset.

A snapshot names everything by its owner, its kind and the owner's sequence. It holds nothing that depends on
the machine, the moment or the order in which different users came: no ids, times, hashes of passwords,
sessions, tokens or storage names.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from simulator.demo import journal, stock
from simulator.demo.database import Kind, Reference, empty, existing_database, open_database, transaction

State = dict[str, dict[str, dict[str, Any]]]
"""Owner's username, kind, owner's sequence (as text, as JSON keys are), the thing."""


def site_state(db: Path) -> State:
    """Read the snapshot of a site.

    Args:
        db: The bookshop's database file; a server may be running on it.

    Raises:
        NotABookshop: There is no such file, or it holds something else.
    """
    with existing_database(db) as connection:
        return snapshot(connection)


def state_json(db: Path) -> str:
    """Return the snapshot as canonical JSON: sorted keys, no spaces, one newline at the end.

    Raises:
        NotABookshop: There is no such file, or it holds something else.
    """
    return canonical(site_state(db))


def change_log(db: Path) -> list[dict[str, Any]]:
    """Return every request that could change the site, oldest first.

    Raises:
        NotABookshop: There is no such file, or it holds something else.
    """
    with existing_database(db) as connection:
        return journal.read(connection)


def reset(db: Path, *, stock: bool = True) -> None:
    """Empty a site, or create it; a server that runs on it serves the new content at once.

    Args:
        db: The bookshop's database file.
        stock: Whether the shop's own dozen books come in.

    Raises:
        NotABookshop: The file holds something else.
    """
    connection = open_database(db)
    try:
        refill(connection, with_stock=stock)
    finally:
        connection.close()


def refill(db: sqlite3.Connection, *, with_stock: bool = True) -> None:
    """Empty an open site and put the house's stock in."""
    with transaction(db):
        empty(db)
        if with_stock:
            stock.add(db)


def canonical(state: State) -> str:
    """Return a snapshot as canonical JSON."""
    return json.dumps(state, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def snapshot(db: sqlite3.Connection) -> State:
    """Read the snapshot of an open site."""
    db.execute("BEGIN")  # one moment, whatever others write meanwhile
    try:
        return _snapshot(db)
    finally:
        db.execute("COMMIT")


def _snapshot(db: sqlite3.Connection) -> State:
    state: State = {}

    def put(owner: str, kind: Kind, seq: int, thing: dict[str, Any]) -> None:
        state.setdefault(owner, {}).setdefault(kind, {})[str(seq)] = thing

    people = {row["id"]: row for row in db.execute("SELECT * FROM user")}
    books, duels = (
        {
            row["id"]: Reference(people[row["owner"]]["username"], kind, row["seq"])
            for row in db.execute(f"SELECT id, owner, seq FROM {kind}")
        }
        for kind in ("listing", "matchup")
    )
    for person in people.values():
        names = ("username", "display_name", "email", "city")
        put(person["username"], "user", 1, {name: person[name] for name in names})
    for row in db.execute(
        "SELECT listing.*, media_type, sha256, length(content) AS size"
        " FROM listing JOIN cover ON cover.name = listing.cover WHERE NOT deleted"
    ):
        fields = ("title", "author", "genre", "condition", "description")
        thing: dict[str, Any] = {name: row[name] for name in fields}
        thing["price"] = f"{row['pence'] // 100}.{row['pence'] % 100:02}"
        thing["cover"] = {name: row[name] for name in ("media_type", "size", "sha256")}
        put(people[row["owner"]]["username"], "listing", row["seq"], thing)
    for row in db.execute("SELECT * FROM save"):
        put(people[row["user"]]["username"], "save", row["seq"], {"listing": books[row["listing"]]})
    for row in db.execute("SELECT * FROM message"):
        thing = {
            "to": people[row["recipient"]]["username"],
            "listing": books.get(row["listing"]),
            "body": row["body"],
        }
        put(people[row["sender"]]["username"], "message", row["seq"], thing)
    for row in db.execute("SELECT * FROM matchup"):
        thing = {"first": books[row["first"]], "second": books[row["second"]]}
        put(people[row["owner"]]["username"], "matchup", row["seq"], thing)
    for row in db.execute("SELECT * FROM vote"):
        thing = {"matchup": duels[row["matchup"]], "choice": row["choice"]}
        put(people[row["user"]]["username"], "vote", row["seq"], thing)
    return state
