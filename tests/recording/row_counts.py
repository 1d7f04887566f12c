"""How many rows the tables of a recording have."""

from __future__ import annotations

from simulator.recording import Recording

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' ORDER BY name"


def row_counts(recording: Recording) -> dict[str, int]:
    """Give the number of rows of each table."""
    names = [row["name"] for row in recording.tables.rows(_TABLES)]
    return {name: recording.tables.count(f'SELECT count(*) FROM "{name}"') for name in names}
