"""More accounts for an application that nobody can register at, put into its own database before it is served."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path


def add_accounts(database: Path, table: str, name: str, names: Sequence[str], email: str = "email") -> None:
    """Add accounts that are as the first one, its password among that, but for name and address.

    Args:
        database: of SQLite.
        table: holds the accounts.
        name: its column with what one logs in as.
        names: theirs.
        email: its column with the address.
    """
    with closing(sqlite3.connect(database)) as connection, connection:
        shape = connection.execute(f'PRAGMA table_info("{table}")').fetchall()
        kept = [f'"{column}"' for _, column, _, _, _, key in shape if not key and column not in (name, email)]
        columns = ", ".join([f'"{name}"', f'"{email}"', *kept])
        for one in names:
            connection.execute(
                f'INSERT INTO "{table}" ({columns}) SELECT ?, ?, {", ".join(kept)} FROM "{table}" ORDER BY id LIMIT 1',
                (one, f"{one}@example.org"),
            )
