"""What Datasette shows beside a recording: what each table, view and column holds, and questions that are often asked.

Not responsible for: the recording itself, which Datasette opens as it is (``datasette -i FILE -m metadata.yaml``).
"""

from __future__ import annotations

import io
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from simulator.recording.upkeep.comments import comments, view_comments
from simulator.recording.upkeep.describe import open_new

_HIDDEN: Final = ("sequence", "process", "_sqlite_migrations")
"""Tables that keep the file in order and hold nothing of users."""
_QUERIES: Final[dict[str, tuple[str, str]]] = {
    "steps_of_a_run": ("What a run did, step by step", "SELECT * FROM v_steps WHERE run = :run ORDER BY step"),
    "actions_of_a_run": (
        "What a run did in the browser",
        "SELECT * FROM v_actions WHERE run = :run ORDER BY step, action",
    ),
    "failures": (
        "What failed, and how often",
        "SELECT tool, error_type, error, count(*) AS times, max(started_at) AS last\n"
        "FROM v_failures GROUP BY tool, error_type, error ORDER BY times DESC",
    ),
    "made_by_persona": (
        "What users made on the site, by persona",
        "SELECT persona, kind, status, count(*) AS things FROM v_created GROUP BY persona, kind, status",
    ),
    "slow_tools": (
        "How long tools take",
        "SELECT tool, count(*) AS steps, round(avg(ms), 1) AS mean_ms, max(ms) AS most_ms\n"
        "FROM v_steps WHERE status = 'done' GROUP BY tool ORDER BY mean_ms DESC",
    ),
    "verdicts": (
        "What replays came to",
        "SELECT source_run, verdict, count(*) AS replays FROM v_runs WHERE kind = 'replay'\n"
        "GROUP BY source_run, verdict",
    ),
}
"""Questions by name: a title, and how they are asked of the views."""


def write_metadata(database: str) -> str:
    """Write the metadata of a recording for Datasette, as YAML.

    Args:
        database: how Datasette calls the recording: its file's name without the ending.
    """
    with open_new() as db:
        described = {**view_comments(db), **comments(db)}
    tables: dict[str, Any] = {
        name: {"description": about[""], "columns": {column: text for column, text in about.items() if column}}
        for name, about in described.items()
        if name not in _HIDDEN
    }
    whole = {
        "title": f"Recording '{database}'",
        "description": "What synthetic users did on a web site. Begin with the views, whose names begin with v_.",
        "databases": {
            database: {
                "tables": {**tables, **{name: {"hidden": True} for name in _HIDDEN}},
                "queries": {
                    name: {"title": title, "sql": LiteralScalarString(sql + "\n")}
                    for name, (title, sql) in _QUERIES.items()
                },
            }
        },
    }
    yaml = YAML()
    yaml.width = 1 << 20
    out = io.StringIO()
    yaml.dump(whole, out)
    return out.getvalue()
