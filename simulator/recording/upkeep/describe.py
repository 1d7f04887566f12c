"""Describes the tables of a recording from the live schema. Not responsible for: the rest of the documentation.

``python -m simulator.recording.upkeep.describe docs/recordings.md`` renews the tables between the two marks there.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from sqlite_utils.db import Database

from simulator.recording.schema import MIGRATIONS
from simulator.recording.upkeep.comments import NOT_WRITTEN, comments, view_comments

BEGIN = "<!-- tables: begin -->"
END = "<!-- tables: end -->"


@contextlib.contextmanager
def open_new() -> Iterator[Database]:
    """Open a new and empty recording in memory."""
    with Database(memory=True) as db:
        MIGRATIONS.apply(db)
        yield db


def describe_schema() -> str:
    """Write the tables and views of a new recording as Markdown."""
    parts = []
    with open_new() as db:
        for table, about in comments(db).items():
            lines = [f"### `{table}`", about[""], "", "| column | type | what it holds |", "|---|---|---|"]
            for column in db.query("SELECT name, type FROM pragma_table_info(?)", [table]):
                more = NOT_WRITTEN.get((table, column["name"]), "")
                lines.append(
                    f"| `{column['name']}` | {column['type']} | {about[column['name']]}{more and f'. {more}'} |"
                )
            parts.append("\n".join(lines))
        for view, about in view_comments(db).items():
            lines = [f"### `{view}`", f"A view. {about['']}", "", "| column | what it holds |", "|---|---|"]
            lines += [f"| `{name}` | {text} |" for name, text in about.items() if name]
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def renewed(text: str) -> str:
    """Give a document with the tables between its marks renewed."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{describe_schema()}\n{END}{after}"


if __name__ == "__main__":
    document = Path(sys.argv[1])
    document.write_text(renewed(document.read_text("utf-8")), "utf-8")
