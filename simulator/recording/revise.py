"""Writes a new revision of a run: a copy of it with something changed; no revision is ever written over.

A revision stands in the batch of the run that it revises, under the same number, with the same ordinals, and names the
first revision as its source: what depends on the run depends on whichever revision is performed. Not responsible for:
what is changed, or which revision is performed.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.browser.action_recorder import ActionKind, ActionStart, PageState, Settled
from simulator.browser.evidence import Target
from simulator.browser.operations import options_json
from simulator.canonical import canonical_json, map_strings
from simulator.recording.database import explained, reading
from simulator.recording.dependencies import closure
from simulator.recording.layout import hashes, rows_of_run
from simulator.recording.reader import Recording, examine
from simulator.recording.redoing import Redone, moved_ends, new_ids, redo
from simulator.recording.rows import RunKind, RunRow, VariableRow
from simulator.recording.stamps import new_id, wall_time
from simulator.recording.upkeep.promote import copy_runs, insert
from simulator.recording.writer import Writer

_COPIED = ("actor", "step", "action", "variable", "dependency", "created", "write", "effect")
"""What a revision has of its own. Traffic and model calls stay with the first revision, but for calls of a repair."""
_WORDED = {"write": ("url", "leads_to"), "effect": ("url", "label", "was", "shows")}
"""Columns that hold templates, of the tables of what was sent and seen."""
_OWN_IDS = ("actor", "step", "action", "created", "write", "effect", "llm_call")
_REFERENCES = ("id", "step_id", "action_id", "actor_id", "write_id", "input_id")


@dataclass(frozen=True, slots=True)
class Added:
    """An action that a revision has besides those of the run before it."""

    start: ActionStart
    after: PageState
    settled: Settled = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a revision has that the run before it has not; everything else is as it was.

    Keys are the ids of that run's rows.
    """

    targets: Mapping[str, Target] = field(default_factory=dict)
    """By action."""
    kinds: Mapping[str, ActionKind] = field(default_factory=dict)
    """By action: what is done."""
    values: Mapping[str, str] = field(default_factory=dict)
    """By action: what is typed, chosen or visited, as a template."""
    recorded_values: Mapping[str, str | None] = field(default_factory=dict)
    """By action: the value rendered; None for secrets."""
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By action: all its options."""
    after: Mapping[str, PageState] = field(default_factory=dict)
    """By action: the page that it leads to."""
    inserted: Mapping[str, Sequence[Added]] = field(default_factory=dict)
    """By action: what is done before it, by the same actor."""
    appended: Mapping[str, Sequence[Added]] = field(default_factory=dict)
    """By action: what is done after it."""
    inputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By step: all its arguments."""
    flags: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By step: marks that are added to its marks."""
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By what was made on the site: its fields, as templates."""
    wording: Callable[[str], str] | None = None
    """Puts what is stored of writes and effects in other words; None: they stay as they are."""
    variables: tuple[VariableRow, ...] = ()
    """Set besides those that are there."""
    redone: tuple[Redone, ...] = ()
    """Parts of the run that are done in another way, with what a model was asked for them."""
    observed: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """Rows of the tables ``write`` and ``effect`` that the revision has besides, of the run's actions."""
    proofs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What proves the revision, by identity policy: what proved the run before it does not, unless it stands here."""
    notes: tuple[str, ...] = ()
    """In words, each change: kept in the summary of the revision."""


def newest(runs: Iterable[RunRow]) -> dict[str, RunRow]:
    """Give the newest revision of each recorded run, by the id of its first one; replays are not."""
    found: dict[str, RunRow] = {}
    for run in sorted((run for run in runs if run.kind != "replay"), key=lambda run: (run.revision, run.id)):
        found[run.original] = run
    return found


def bring(writer: Writer, source: Recording, run_ids: Sequence[str]) -> None:
    """Copy runs, and what they depend on, into the recording that gets revisions, as far as it lacks them.

    Raises:
        RecordingError: a run is still going on.
        StorageFull: the disk takes no more.
    """
    there = {row[0] for row in writer.execute("SELECT id FROM run")}
    absent = {each.id for each in source.runs()} - there
    needed = [one for one in closure(source, run_ids) if one in absent]
    if needed:
        with explained(writer.path):
            copy_runs(source, needed, writer.connection)


def next_revision(writer: Writer, run: RunRow) -> int:
    """Give the number of a new revision: one more than that of any that there is.

    Args:
        writer: of the recording that gets it.
        run: what is revised; a revision or not.
    """
    (known,) = writer.execute(
        "SELECT coalesce(max(revision), 0) FROM run WHERE kind <> 'replay' AND (id = ?1 OR source_run = ?1)",
        (run.original,),
    ).fetchone()
    return int(max(known, run.revision)) + 1


def write_revision(writer: Writer, source: Recording, run_id: str, changes: Changes, *, kind: RunKind) -> str:
    """Write a new revision of a run.

    Args:
        writer: of the recording that gets it; the source itself, or another one, into which what the run depends on is
            copied, too.
        source: the recording that holds the run.
        run_id: the run; a revision or not.
        changes: what the revision has otherwise.
        kind: ``heal`` where it was healed or repaired; else the kind of the run.

    Returns:
        The id of the revision.

    Raises:
        RecordingError: a run that it depends on is still going on.
        StorageFull: the disk takes no more.
    """
    run = source.run(run_id)
    examine(source, run.id)
    bring(writer, source, [run.id, run.original])
    number = next_revision(writer, run)
    with reading(source.path):
        rows = {table: list(rows_of_run(source.connection, table, run.id)) for table in _COPIED}
        (whole,) = rows_of_run(source.connection, "run", run.id)
    revision_id = new_id()
    summary: dict[str, Any] = {name: value for name, value in (run.summary or {}).items() if name != "proofs"}
    summary |= {"changes": list(changes.notes)} if changes.notes else {}
    summary |= {"proofs": dict(changes.proofs)} if changes.proofs else {}
    with writer.transaction() as change:
        _copy_pages(writer, source, rows["action"])
        redo(writer, rows, changes.redone)
        if changes.redone and "ends" in summary:
            summary["ends"] = moved_ends(summary["ends"], rows["step"])
        for table, more in changes.observed.items():
            rows[table] += map(dict, more)
        ids = new_ids(rows, _OWN_IDS)
        rows["action"] = list(_with_added(writer, rows["action"], changes))
        insert(
            writer.connection,
            "run",
            [
                whole
                | {
                    "id": revision_id,
                    "kind": kind,
                    "source_run": run.original,
                    "revision": number,
                    "summary": writer.json(summary) if summary else None,
                    "process_id": None,
                    "started_at": wall_time(),
                    "ended_at": wall_time(),
                    "started_ns": time.monotonic_ns(),
                    "ended_ns": time.monotonic_ns(),
                    "change": change,
                }
            ],
        )
        for table in (*_COPIED, "llm_call"):
            for row in rows.get(table, ()):
                row |= _changed(writer, table, row, changes)
                row |= {"run_id": revision_id} if "run_id" in row else {}
                row |= {key: ids[row[key]] for key in _REFERENCES if row.get(key) in ids}
                row |= {"carried": _with_new_ids(row["carried"], ids)} if table == "write" else {}
                row |= {"change": change} if "change" in row else {}
                insert(writer.connection, table, [row])
        for variable in changes.variables:
            writer.execute("DELETE FROM variable WHERE run_id = ? AND name = ?", (revision_id, variable.name))
            where = {"step_id": ids.get(variable.step_id or ""), "action_id": ids.get(variable.action_id or "")}
            value = writer.text(variable.value)
            writer.insert("variable", run_id=revision_id, name=variable.name, kind=variable.kind, value=value, **where)
        writer.close_run(revision_id, change)
    return revision_id


def _with_new_ids(carried: str, ids: Mapping[str, str]) -> str:
    return canonical_json([one | {"input": ids.get(one["input"], one["input"])} for one in json.loads(carried)])


def _with_added(writer: Writer, actions: Iterable[dict[str, Any]], changes: Changes) -> Iterator[dict[str, Any]]:
    """Give the actions with those that are added, renumbered in each step."""
    places: Counter[str] = Counter()
    for action in actions:
        before = [_added(writer, action, one) for one in changes.inserted.get(action["id"], ())]
        behind = [_added(writer, action, one) for one in changes.appended.get(action["id"], ())]
        for row in (*before, action, *behind):
            yield row | {"ordinal": places[row["step_id"]]}
            places[row["step_id"]] += 1


def _added(writer: Writer, beside: Mapping[str, Any], added: Added) -> dict[str, Any]:
    start = added.start
    target, value, shown = writer.texts(
        start.target.model_dump_json(exclude_defaults=True) if start.target else None, start.value, start.recorded_value
    )
    return {
        **beside,
        "id": new_id(),
        "kind": start.kind,
        "target": target,
        "value": value,
        "recorded_value": shown,
        "aim": start.aim,
        "choice": None,
        "options": writer.json(options_json(start.kind, start.options)),
        "settled": added.settled,
        "before_page": writer.put_page(start.before) if start.before else None,
        "after_page": writer.put_page(added.after),
        "error": None,
    }


def _changed(writer: Writer, table: str, row: Mapping[str, Any], changes: Changes) -> dict[str, Any]:
    """Give the columns of a row that are other than they were."""
    own = row.get("id", "")
    found: dict[str, Any] = {}
    if table == "action":
        if own in changes.targets:
            found["target"] = writer.text(changes.targets[own].model_dump_json(exclude_defaults=True))
        if own in changes.kinds:
            found["kind"] = changes.kinds[own]
        if own in changes.values:
            found["value"] = writer.text(changes.values[own])
        if own in changes.recorded_values:
            found["recorded_value"] = writer.text(changes.recorded_values[own])
        if own in changes.options:
            found["options"] = writer.json(options_json(changes.kinds.get(own, row["kind"]), changes.options[own]))
        if own in changes.after:
            found["after_page"] = writer.put_page(changes.after[own])
    elif table == "step":
        if own in changes.inputs:
            found["input"] = writer.json(dict(changes.inputs[own]))
        if own in changes.flags:
            found["flags"] = canonical_json(json.loads(row["flags"] or "{}") | dict(changes.flags[own]))
    elif table == "created" and own in changes.fields:
        found["fields"] = writer.json(dict(changes.fields[own]))
    elif table in _WORDED and changes.wording is not None:
        found = {name: writer.text(changes.wording(row[name])) for name in _WORDED[table]}
        if table == "effect":
            found["thing"] = writer.json(map_strings(json.loads(row["thing"]), changes.wording))
    return found


def _copy_pages(writer: Writer, source: Recording, actions: Iterable[Mapping[str, Any]]) -> None:
    """Copy the pages and files that actions refer to, where the recording that gets them lacks them."""
    found = hashes(actions)
    pages = [dict(row) for key in sorted(found) for row in _all(source, "page", key)]
    for key in sorted(found | hashes(pages)):
        insert(writer.connection, "blob", [dict(row) for row in _all(source, "blob", key)])
    insert(writer.connection, "page", pages)


def _all(source: Recording, table: str, key: str) -> Iterable[Any]:
    with reading(source.path):
        return source.connection.execute(f"SELECT * FROM {table} WHERE sha256 = ?", (key,)).fetchall()
