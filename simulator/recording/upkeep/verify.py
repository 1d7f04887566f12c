"""Checks a whole recording: hashes, references, forms and order. Not responsible for: mending it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from simulator.canonical import sha256
from simulator.recording.layout import hashes, unpack
from simulator.recording.parsing import (
    ACTION,
    ACTOR,
    BATCH,
    BLOB,
    CREATED,
    DEPENDENCY,
    EFFECT,
    EXCHANGE,
    LLM_CALL,
    PAGE,
    PROCESS,
    RUN,
    STEP,
    VARIABLE,
    VARIABLE_USE,
    WRITE,
    Misfit,
    RowType,
    parse_json,
)
from simulator.recording.reader import Recording
from simulator.recording.writer import page_hash
from simulator.recording.writing.requests import Outline, apply

MALFORMED: Final = object()
"""Stands for the value of a text that is not JSON."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in a recording that cannot be right."""

    where: str
    """Table and key, such as ``blob 5f3a...``."""
    what: str
    malformed: bool = False
    """A row cannot be read, so what follows from it cannot be checked."""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


def verify(path: Path) -> list[Problem]:
    """Check everything in a recording that can be checked; the file stays as it is.

    Returns:
        The problems found; none when all is well.

    Raises:
        RecordingError: it is missing, not a recording, newer than this program, or locked.
    """
    problems: list[Problem] = []
    with Recording.open(path) as recording:
        connection = recording.connection
        for check in (_integrity, _types, _blobs, _references, _order, _endings):
            problems += _found_by(check, connection)
        if not any(problem.malformed for problem in problems):
            for check in (_pages, _exchanges, _model_calls, _secrets):
                problems += _found_by(check, connection)
    return problems


def _found_by(
    check: Callable[[sqlite3.Connection], Iterator[Problem]], connection: sqlite3.Connection
) -> list[Problem]:
    found: list[Problem] = []
    try:
        found += check(connection)
    except (sqlite3.Error, UnicodeError) as error:
        found.append(Problem("file", f"{error} (found by the check of {check.__name__[1:]})", malformed=True))
    return found


def _integrity(connection: sqlite3.Connection) -> Iterator[Problem]:
    for (line,) in connection.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield Problem("file", line)


def _references(connection: sqlite3.Connection) -> Iterator[Problem]:
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield Problem(f"{table} row {rowid}", f"refers to a missing row of '{parent}'")
    known = {key for (key,) in connection.execute("SELECT sha256 FROM blob")}
    for key, options in connection.execute("SELECT id, options FROM action WHERE kind = 'upload'"):
        for missing in hashes([{"options": options}]) - known:
            yield Problem(f"action {key}", f"uploads the missing blob {missing}")
    for key, text in connection.execute("SELECT id, images FROM step WHERE images IS NOT NULL"):
        for missing in hashes([{"images": text}]) - known:
            yield Problem(f"step {key}", f"shows the missing blob {missing}")


def _types(connection: sqlite3.Connection) -> Iterator[Problem]:
    """See that every column of every row holds what a reader takes it for."""
    for kind, given in _ROWS:
        for row in connection.execute(f"SELECT * FROM {kind.table}"):
            try:
                kind.fit(row, **given)
            except Misfit as wrong:
                yield Problem(kind.name(row), str(wrong), malformed=True)


def _blobs(connection: sqlite3.Connection) -> Iterator[Problem]:
    for key, size, encoding, stored in connection.execute("SELECT sha256, size, encoding, bytes FROM blob"):
        try:
            data = unpack(encoding, stored, size)
        except ValueError as error:
            yield Problem(f"blob {key}", str(error))
            data = stored
        if sha256(data) != key:
            yield Problem(f"blob {key}", f"its bytes hash to {sha256(data)}")


def _pages(connection: sqlite3.Connection) -> Iterator[Problem]:
    rows = connection.execute("SELECT sha256, url, title, status, requests, alerts, notes FROM page")
    for key, *values in rows:
        if page_hash(tuple(values)) != key:
            yield Problem(f"page {key}", f"its content hashes to {page_hash(tuple(values))}")


def _model_calls(connection: sqlite3.Connection) -> Iterator[Problem]:
    known = {key for (key,) in connection.execute("SELECT sha256 FROM blob")}
    outlines: dict[str, dict[str, Outline]] = {}
    rows = connection.execute(
        "SELECT llm_call.*, step.run_id AS led FROM llm_call LEFT JOIN step ON step.id = step_id "
        "ORDER BY llm_call.run_id, llm_call.ordinal"
    )
    for row in rows.fetchall():
        where, before = f"llm_call {row['id']}", outlines.setdefault(row["run_id"], {})
        if row["led"] not in (None, row["run_id"]):
            yield Problem(where, "led to a step of another run")
        if (row["status"] == "done") != (row["response"] is not None):
            yield Problem(where, f"is {row['status']} {'with' if row['response'] else 'without'} an answer")
        document = _document(connection, row["request"])
        if not isinstance(document, dict) or ("before" in document and str(document["before"]) not in before):
            yield Problem(where, "its request is no difference to one before it in the run")
            continue
        try:
            outline = apply(document, before[document["before"]] if "before" in document else None)
        except ValueError as error:
            yield Problem(where, f"its request cannot be read: {error}")
            continue
        before[row["request"]] = outline
        if outline.hash != row["request_hash"]:
            yield Problem(where, f"its request hashes to {outline.hash}")
        for part in sorted({outline.system, outline.tools, *outline.messages}):
            told = _document(connection, part)
            if told is MALFORMED:
                yield Problem(where, f"lacks the part {part} of its request")
            for picture in sorted(_pictures(told) - known):
                yield Problem(where, f"shows the missing blob {picture}")
        if row["response"] is not None and _document(connection, row["response"]) is MALFORMED:
            yield Problem(where, f"its answer {row['response']} is missing or not JSON")


def _document(connection: sqlite3.Connection, sha256: str) -> Any:
    """Give the JSON value of a blob; :data:`MALFORMED` where it is missing, cannot be unpacked, or is not one."""
    sql = "SELECT encoding, bytes, size FROM blob WHERE sha256 = ?"
    for encoding, stored, size in connection.execute(sql, (sha256,)):
        try:
            return parse_json(unpack(encoding, stored, size).decode("utf-8", "surrogatepass"))
        except ValueError:
            return MALFORMED
    return MALFORMED


def _pictures(value: Any) -> set[str]:
    """Give the hashes of the pictures in a message."""
    if isinstance(value, dict):
        if value.get("type") == "blob":
            return {str(value.get("sha256"))}
        return {sha256 for item in value.values() for sha256 in _pictures(item)}
    if isinstance(value, list):
        return {sha256 for item in value for sha256 in _pictures(item)}
    return set()


def _exchanges(connection: sqlite3.Connection) -> Iterator[Problem]:
    known = {key for (key,) in connection.execute("SELECT sha256 FROM blob")}
    rows = connection.execute(
        "SELECT exchange.*, step.run_id AS step_run, action.step_id AS action_step, actor.run_id AS actor_run, "
        "before.run_id AS before_run, before.ordinal AS before_ordinal FROM exchange "
        "LEFT JOIN step ON step.id = exchange.step_id LEFT JOIN action ON action.id = exchange.action_id "
        "LEFT JOIN actor ON actor.id = exchange.actor_id "
        "LEFT JOIN exchange AS before ON before.id = exchange.redirect_of"
    )
    for row in rows:
        where = f"exchange {row['id']}"
        if {row["step_run"], row["actor_run"], row["before_run"]} - {None, row["run_id"]}:
            yield Problem(where, "belongs to another run than its step, its actor or what led to it")
        if row["action_step"] not in (None, row["step_id"]):
            yield Problem(where, "belongs to another step than its action")
        if row["before_ordinal"] is not None and row["before_ordinal"] >= row["ordinal"]:
            yield Problem(where, "was led to by one that was sent after it")
        for missing in hashes([{"parts": row["request_parts"]}]) - known:
            yield Problem(where, f"sends the missing blob {missing}")
        for column in ("request_headers", "response_headers"):
            for name, value in _parsed(row[column]) if _parsed(row[column]) is not MALFORMED else ():
                if name.lower() in _WITHHELD and "{{secret." not in value and _holds(name, value):
                    yield Problem(where, f"holds the header '{name}'")


def _holds(name: str, value: str) -> bool:
    """Return whether a header holds a value: a cookie that is removed holds none."""
    return name.lower() != "set-cookie" or any(not line.partition(";")[0].endswith("=") for line in value.split("\n"))


def _order(connection: sqlite3.Connection) -> Iterator[Problem]:
    owners = {
        "actor": "run_id",
        "step": "run_id",
        "action": "step_id",
        "created": "run_id",
        "write": "action_id",
        "effect": "action_id",
        "exchange": "run_id",
        "llm_call": "run_id",
    }
    for table, owner in owners.items():
        for key, least, most, count in connection.execute(
            f"SELECT {owner}, min(ordinal), max(ordinal), count(*) FROM {table} GROUP BY {owner} "
            "HAVING min(ordinal) <> 0 OR max(ordinal) <> count(*) - 1"
        ):
            what = f"its {count} rows of '{table}' are numbered {least} to {most}"
            yield Problem(f"{owner.removesuffix('_id')} {key}", what)
    for table in ("batch", "run", "step", "action", "created"):
        for (key,) in connection.execute(f"SELECT id FROM {table} WHERE change > (SELECT value FROM sequence)"):
            yield Problem(f"{table} {key}", "its change number is beyond the sequence")


def _endings(connection: sqlite3.Connection) -> Iterator[Problem]:
    for key, status in connection.execute(
        "SELECT step.id, run.status FROM step JOIN run ON run.id = step.run_id "
        "WHERE step.status = 'pending' AND run.status <> 'running'"
    ):
        yield Problem(f"step {key}", f"is pending in a run that is {status}")
    for key, status in connection.execute(
        "SELECT llm_call.id, run.status FROM llm_call JOIN run ON run.id = llm_call.run_id "
        "WHERE llm_call.status = 'pending' AND run.status <> 'running'"
    ):
        yield Problem(f"llm_call {key}", f"is pending in a run that is {status}")
    for key, status in connection.execute(
        "SELECT action.id, step.status FROM action JOIN step ON step.id = action.step_id "
        "WHERE action.status = 'pending' AND step.status <> 'pending'"
    ):
        yield Problem(f"action {key}", f"is pending in a step that is {status}")
    for key, status in connection.execute(
        "SELECT id, status FROM run WHERE ended_at IS NULL AND status NOT IN ('running', 'interrupted')"
    ):
        yield Problem(f"run {key}", f"is {status} but has no end")


def _secrets(connection: sqlite3.Connection) -> Iterator[Problem]:
    rows = connection.execute("SELECT id, kind, target, value, recorded_value FROM action")
    for key, kind, target, value, recorded in rows:
        parsed = _parsed(target)
        secret = "{{secret." in (value or "") or (isinstance(parsed, dict) and parsed.get("secret", False))
        if secret and (recorded is not None or not ("{{" in (value or "{{") or kind == "press")):
            yield Problem(f"action {key}", "holds what was typed into a secret field")


def _parsed(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return MALFORMED


_ROWS: Final[tuple[tuple[RowType[Any], dict[str, Any]], ...]] = (
    (PROCESS, {}),
    (BATCH, {"runs": 0}),
    (RUN, {"steps": 0}),
    (ACTOR, {}),
    (PAGE, {}),
    (BLOB, {}),
    (STEP, {}),
    (ACTION, {"actor": "", "before": None, "after": None}),
    (VARIABLE, {}),
    (VARIABLE_USE, {}),
    (DEPENDENCY, {"run_id": "-"}),
    (CREATED, {}),
    (WRITE, {}),
    (EFFECT, {}),
    (EXCHANGE, {"actor": None}),
    (LLM_CALL, {}),
)
"""How the rows of each table are read, and what a reader adds to them."""
_WITHHELD = ("cookie", "set-cookie", "authorization", "proxy-authorization")
