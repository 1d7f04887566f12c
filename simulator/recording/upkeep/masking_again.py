"""Masks what a run has stored already, when a secret comes up that nobody knew before.

A text that was typed or read openly may prove to be a secret later: it is dragged into a password field, or a text
field turns into one. Not responsible for: which secrets there are, or what was sent to a model meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from simulator.canonical import canonical_json
from simulator.recording.layout import hashes_inside, unpack
from simulator.recording.writer import Writer, page_hash
from simulator.recording.writing.requests import Outline, apply, difference

_STEPS = "SELECT id FROM step WHERE run_id = :run"
_ACTIONS = f"SELECT id FROM action WHERE step_id IN ({_STEPS})"
_TEXTS: dict[str, tuple[tuple[str, ...], str]] = {
    "step": (("input", "result", "error_message", "metadata", "task"), "run_id = :run"),
    "action": (
        ("target", "value", "recorded_value", "choice", "options", "error"),
        f"step_id IN ({_STEPS})",
    ),
    "variable": (("value",), "run_id = :run"),
    "created": (("url", "fields"), "run_id = :run"),
    "write": (("url", "operation", "leads_to", "carried"), "run_id = :run"),
    "effect": (("url", "label", "thing", "was", "shows"), "run_id = :run"),
    "exchange": (("url", "request_headers", "request_parts", "response_headers", "error"), "run_id = :run"),
}
"""Columns that hold texts of a run, by table."""
_REFERRED = " OR ".join(
    f"EXISTS (SELECT 1 FROM {table} WHERE {' OR '.join(f'instr({column}, :old)' for column in columns)})"
    for table, columns in {
        "exchange": ("request_body", "response_body", "request_parts"),
        "llm_call": ("request", "response"),
        "page": ("snapshot",),
        "action": ("value", "options"),
        "step": ("images", "metadata", "result", "input"),
    }.items()
)
"""Returns whether anything in the file refers to the blob ``:old``."""
_PAGES = ("before_page", "after_page")
_BODIES = ("request_body", "response_body")


def mask_again(writer: Writer, run_id: str) -> None:
    """Mask every text of a run by the secrets that are known now.

    Args:
        writer: the open recording.
        run_id: the run.
    """
    with writer.transaction() as change:
        for table, (columns, where) in _TEXTS.items():
            _mask_columns(writer, table, columns, where, run_id, change)
        for column in _PAGES:
            _mask_pages(writer, column, run_id)
    for column in _BODIES:
        _mask_blobs(writer, column, run_id)
    _mask_calls(writer, run_id)


def _mask_columns(writer: Writer, table: str, columns: Sequence[str], where: str, run_id: str, change: int) -> None:
    listed = ", ".join(columns)
    for rowid, *texts in writer.execute(
        f"SELECT rowid, {listed} FROM {table} WHERE {where}", {"run": run_id}
    ).fetchall():
        masked = writer.texts(*texts)
        if list(masked) != texts:
            sets = ", ".join(f"{column} = ?" for column in columns)
            writer.execute(f"UPDATE {table} SET {sets} WHERE rowid = ?", (*masked, rowid))
            if table in ("step", "action"):
                writer.execute(f"UPDATE {table} SET change = ? WHERE rowid = ?", (change, rowid))


def _mask_pages(writer: Writer, column: str, run_id: str) -> None:
    """Put masked pages in place of those that hold a secret; one that nobody refers to any more goes."""
    pages = writer.execute(
        f"SELECT DISTINCT page.sha256, url, title, page.status, requests, alerts, notes, snapshot FROM page "
        f"JOIN action ON {column} = page.sha256 WHERE step_id IN ({_STEPS})",
        {"run": run_id},
    ).fetchall()
    for old, url, title, status, *lists, snapshot in pages:
        told = writer.texts(url, title, *lists)
        if list(told) == [url, title, *lists]:
            continue
        values: Any = (told[0], told[1], status, *told[2:])
        new = page_hash(values)
        writer.execute(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", (new, *values, snapshot)
        )
        writer.execute(
            f"UPDATE action SET {column} = :new WHERE {column} = :old AND step_id IN ({_STEPS})",
            {"new": new, "old": old, "run": run_id},
        )
        writer.execute(
            "DELETE FROM page WHERE sha256 = :old AND NOT EXISTS "
            "(SELECT 1 FROM action WHERE before_page = :old OR after_page = :old)",
            {"old": old},
        )
    writer.forget_page()


def _mask_blobs(writer: Writer, column: str, run_id: str) -> None:
    """Put masked bodies in place of those that hold a secret; one that nobody refers to any more goes."""
    bodies = writer.execute(
        f"SELECT DISTINCT sha256, media_type, encoding, bytes FROM blob JOIN exchange ON {column} = sha256 "
        "WHERE run_id = ?",
        (run_id,),
    ).fetchall()
    for old, media_type, encoding, data in bodies:
        new = writer.put_blob(unpack(encoding, data), media_type)
        if new == old:
            continue
        with writer.transaction():
            writer.execute(f"UPDATE exchange SET {column} = ? WHERE {column} = ? AND run_id = ?", (new, old, run_id))
            writer.execute(
                f"DELETE FROM blob WHERE sha256 = :old AND NOT ({_REFERRED})",
                {"old": old},
            )


def _mask_calls(writer: Writer, run_id: str) -> None:
    """Put masked requests to models, and masked answers, in place of those that hold a secret.

    A request is stored as its difference to the one before, by the hashes of its parts: where a part changes, all
    requests that have it are rewritten.
    """
    put: dict[str, str] = {}

    def again(sha256: str) -> str:
        if sha256 not in put:
            data, media_type = _blob(writer, sha256)
            put[sha256] = writer.put_blob(data, media_type)
        return put[sha256]

    old: dict[str, Outline] = {}
    new: dict[str, tuple[str, Outline]] = {}
    changed: list[tuple[str, str, str | None, str]] = []
    for call_id, request, response in writer.execute(
        "SELECT id, request, response FROM llm_call WHERE run_id = ? ORDER BY ordinal", (run_id,)
    ).fetchall():
        document = json.loads(_blob(writer, request)[0])
        before = document.get("before")
        was = old[request] = apply(document, None if before is None else old[before])
        now = replace(was, system=again(was.system), tools=again(was.tools), messages=tuple(map(again, was.messages)))
        written = canonical_json(difference(None if before is None else new[before], now)).encode()
        stored = put[request] = writer.put_blob(written, "application/json")
        new[request] = stored, now
        answer = None if response is None else again(response)
        if (stored, answer) != (request, response):
            changed.append((stored, now.hash, answer, call_id))
    if not changed:
        return
    with writer.transaction():
        for values in changed:
            writer.execute("UPDATE llm_call SET request = ?, request_hash = ?, response = ? WHERE id = ?", values)
        columns = ("request", "response")
        calls = writer.execute("SELECT request, response FROM llm_call").fetchall()
        used = hashes_inside(writer.connection, (dict(zip(columns, call, strict=True)) for call in calls))
        for sha256 in (one for one, other in put.items() if one != other and one not in used):
            writer.execute(f"DELETE FROM blob WHERE sha256 = :old AND NOT ({_REFERRED})", {"old": sha256})


def _blob(writer: Writer, sha256: str) -> tuple[bytes, str]:
    encoding, data, media_type = writer.execute(
        "SELECT encoding, bytes, media_type FROM blob WHERE sha256 = ?", (sha256,)
    ).fetchone()
    return unpack(encoding, data), media_type
