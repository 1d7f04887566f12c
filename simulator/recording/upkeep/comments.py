"""Reads what the schema of a recording says of its tables, views and columns, as SQLite keeps it."""

from __future__ import annotations

import re

from sqlite_utils.db import Database

from simulator.recording.effect_tables import SPOTS

_TABLE = re.compile(r"CREATE TABLE \w+ \( -- (.+)")
_COLUMN = re.compile(r"^\s+([a-z_0-9]+) [A-Z].*? -- (.+)$", re.MULTILINE)
_ADDED = re.compile(r"^ALTER TABLE (\w+) ADD COLUMN (\w+) .*; -- (.+)$", re.MULTILINE)
_VIEW = re.compile(r"CREATE VIEW \w+ AS -- (.+)")
_SHOWN = re.compile(r"^ .* AS ([a-z_0-9]+),? -- (.+)$", re.MULTILINE)
NOT_WRITTEN = {
    ("batch", "kind"): "No batch is `heal`: a revision stands in the batch of the run that it revises",
    ("batch", "status"): "No batch is `cancelled`: its runs are",
    ("run", "origin"): "Today every run is decided by an agent; `human` and `mcp` come from playbooks alone",
    ("run", "label"): "Given to parts of a run that a model repairs, and by playbooks",
    ("created", "kind"): "Tools keep no journal any more: `effect` tells what was made. Entries come from recordings "
    "from before effects, and from playbooks of them",
    ("effect", "shows"): "Of an echo: a name of its user that stands in the same card, or with it on the page of its "
    "thing, a template; `…` where only a part of that was read",
    ("effect", "spot"): "Behind the name may stand which of the texts in a line it is, as `0/2`",
    ("page", "snapshot"): "Taken where a step failed, as the pictures of failures are",
    ("variable", "kind"): "What identities, books and clocks give is not stored as variables; `book` and `clock` come "
    "from playbooks alone; `text` also holds where things are that others deal with (`made.ticket.1`), as templates",
}
"""What the comments of a released migration, which are never changed, promise beyond what programs write today."""


def comments(db: Database) -> dict[str, dict[str, str]]:
    """Give what the schema says of each table (under the empty name) and of each of its columns."""
    found: dict[str, dict[str, str]] = {}
    rows = db.query("SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*'")
    for row in rows:
        about = _TABLE.match(row["sql"])
        found[row["name"]] = {"": about.group(1) if about else ""} | dict(_COLUMN.findall(row["sql"]))
    for table, column, about in _ADDED.findall(SPOTS):  # SQLite keeps no comment of a column that was added
        if column in db[table].columns_dict:
            found[table][column] = about
    return found


def view_comments(db: Database) -> dict[str, dict[str, str]]:
    """Give what the schema says of each view (under the empty name) and of each of its columns."""
    found: dict[str, dict[str, str]] = {}
    for row in db.query("SELECT name, sql FROM sqlite_master WHERE type = 'view' ORDER BY rowid"):
        about = _VIEW.match(row["sql"])
        found[row["name"]] = {"": about.group(1) if about else ""} | dict(_SHOWN.findall(row["sql"]))
    return found


def json_columns(db: Database) -> dict[str, list[str]]:
    """Give the columns of each table that hold JSON."""
    return {
        table: [column for column, about in columns.items() if column and about.startswith("JSON")]
        for table, columns in comments(db).items()
    }
