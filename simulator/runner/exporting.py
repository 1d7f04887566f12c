"""Recorded runs in other forms: a playbook, a test for pytest-playwright, a trace, an HTTP archive, or JSON of it all.

Not responsible for: how any of these is written down, or where.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from simulator.browser.evidence import Target
from simulator.canonical import canonical_json, map_strings
from simulator.errors import RecordingError, ToolError, UsageError
from simulator.recording.importing import FILES
from simulator.recording.layout import OF_RUN, hashes, hashes_inside, rows_of_run
from simulator.recording.playbook import read_playbook
from simulator.recording.playbook_text import playbook_text
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, RunRow
from simulator.replay.bind import bind_identity, known_of_others, values_of
from simulator.replay.mail import reads_mail
from simulator.replay.plan import plan_run
from simulator.runner.har import write_har
from simulator.runner.selecting import select
from simulator.runner.traces import write_trace
from simulator.template import PLACEHOLDER, Bindings, literal
from simulator.tools.exporting.script import Script

Format = Literal["pytest", "playbook", "har", "trace", "json"]
_MINTED = "site."


@dataclass(frozen=True, slots=True)
class Exported:
    """Runs in another form."""

    content: bytes
    files: Mapping[str, bytes]
    """What stands beside it, by path from there."""


def export(path: Path, target: str, format: Format) -> Exported:
    """Write a run, a batch, or all that is recorded, with everything that it depends on, in another form.

    Args:
        path: the recording.
        target: which runs of it.
        format: the form.

    Raises:
        RecordingError: there is no such run, or it cannot be written in that form.
    """
    with Recording.open(path) as recording:
        if format == "har":
            return Exported(write_har(recording, _meant(recording, target)).encode(), {})
        runs = select(recording, target).runs
        match format:
            case "playbook":
                playbook = read_playbook(recording, runs)
                files = {f"{FILES}/{file.name}": recording.blob(key) for key, file in playbook.files.items()}
                return Exported(playbook_text(playbook).encode(), files)
            case "pytest":
                return _test(recording, runs)
            case "json":
                return Exported(_everything(recording, runs).encode(), {})
            case "trace":
                return Exported(write_trace(recording, runs), {})


def _meant(recording: Recording, target: str) -> Sequence[RunRow]:
    """Give the runs that a target means; a replay is one, too."""
    named = [run for run in recording.runs(kind="replay") if run.id.startswith(target) or run.id.endswith(target)]
    return named if len(named) == 1 else select(recording, target).runs


def write_export(exported: Exported, to: Path) -> list[Path]:
    """Write an export and what stands beside it.

    Returns:
        The files that were written.

    Raises:
        UsageError: one cannot be written.
    """
    contents = {to: exported.content} | {to.parent / name: data for name, data in exported.files.items()}
    for path, data in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}; name another file") from error
    return list(contents)


def _everything(recording: Recording, runs: Sequence[RunRow]) -> str:
    """Write every row of some runs, and the blobs and pages that they refer to."""
    connection = recording.connection
    tables: dict[str, list[dict[str, Any]]] = {
        table: [row for run in runs for row in rows_of_run(connection, table, run.id)] for table in OF_RUN
    }
    batches = sorted({run.batch_id for run in runs})
    tables["batch"] = [_row(recording, "batch", "id", one) for one in batches]
    found = hashes(row for rows in tables.values() for row in rows) | hashes_inside(connection, tables["llm_call"])
    tables["page"] = [row for key in sorted(found) if (row := _row(recording, "page", "sha256", key))]
    found |= hashes(tables["page"])
    blobs = {key: media_type for key in sorted(found) if (media_type := recording.media_type(key))}
    whole = {
        "tables": tables,
        "blobs": {
            key: {"media_type": media_type, "base64": base64.b64encode(recording.blob(key)).decode()}
            for key, media_type in blobs.items()
        },
    }
    return canonical_json(whole) + "\n"


def _row(recording: Recording, table: str, column: str, value: str) -> dict[str, Any]:
    rows = recording.connection.execute(f"SELECT * FROM {table} WHERE {column} = ?", (value,)).fetchall()
    return dict(rows[0]) if rows else {}


def _test(recording: Recording, runs: Sequence[RunRow]) -> Exported:
    """Write runs as one test: each user has a page, and does things in the order in which they were recorded."""
    plans = [plan_run(recording, run) for run in runs]
    refused = next((plan for plan in plans if plan.refused), None)
    if refused:
        raise RecordingError(f"the run {refused.run.id} cannot be exported: {refused.refused}")
    if mailed := next((plan for plan in plans if reads_mail(plan)), None):
        raise RecordingError(
            f"the run {mailed.run.id} reads mail, which a test on its own cannot: export it with --format playbook, or "
            "replay it in your tests by the fixture sim_replay"
        )
    parts = [bind_identity(plan, "same", "") for plan in plans]
    done: list[tuple[tuple[str, int], list[ActionRow]]] = []
    for part in parts:
        recorded = {one.name: one.value for one in part.plan.variables if one.value is not None}
        values = {**known_of_others(part, parts), **recorded, **values_of(part, "same")}
        name = f"{part.run.persona or 'user'}_{part.run.number}" if len(parts) > 1 else "user"
        for planned in part.plan.steps:
            place = (part.run.batch_id, planned.step.batch_ordinal)
            done.append((place, list(_rendered(planned.actions, values, name))))
    done.sort(key=lambda step: step[0])
    last = runs[-1]
    script = Script(Bindings(), str(last.environment.get("base_url") or "http://127.0.0.1:8765"))
    about = f"What {'users of ' if len(runs) > 1 else ''}'{last.persona or 'a user'}' did on the site, as recorded."
    name = re.sub(r"\W+", "_", f"test_{last.persona or 'run'}_{last.number}").lower()
    try:
        text = script.write(name, about, [action for _, actions in done for action in actions])
    except ToolError as error:
        raise RecordingError(f"the run {last.id} cannot be exported as a test: {error.message}") from error
    files = {f"{FILES}/{name}": recording.blob(sha256) for name, sha256 in script.uploads.items()}
    return Exported(text.encode(), files)


def _rendered(actions: Sequence[ActionRow], values: Mapping[str, str], actor: str) -> Iterator[ActionRow]:
    """Put a run's values into its actions; what the site minted stays a variable where an address is expected."""
    bindings = Bindings(values)
    minted = Bindings({**values, **{name: f"{{{{{name}}}}}" for name in values if name.startswith(_MINTED)}})

    def put(text: str) -> str:
        return literal(bindings.render(text)) if PLACEHOLDER.search(text) else text

    for action in actions:
        target = action.target
        before = action.before and replace(action.before, url=minted.render(action.before.url))
        after = action.after and replace(
            action.after, url=minted.render(action.after.url), notes=tuple(map(put, action.after.notes))
        )
        yield replace(
            action,
            actor=f"{actor}_{action.actor}" if action.actor not in ("user", "main") else actor,
            target=target and Target.model_validate(map_strings(target.model_dump(mode="json"), put)),
            before=before and replace(before, notes=tuple(map(put, before.notes))),
            after=after,
            options=map_strings(dict(action.options), put),
        )
