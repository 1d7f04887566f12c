"""Recorded runs in other forms: a playbook, a test for pytest-playwright, a trace, an HTTP archive, or JSON of it all.

Not responsible for: how any of these is written down, or where.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from simulator.bindings import Bindings
from simulator.browser.evidence import Target
from simulator.browser.operations import map_options
from simulator.canonical import canonical_json, map_strings
from simulator.canonical import sha256 as hash_of
from simulator.errors import RecordingError, ToolError, UsageError
from simulator.filenames import replace_file
from simulator.recording.database import reading
from simulator.recording.journal import DEED, DELETION
from simulator.recording.layout import OF_RUN, hashes, hashes_inside, rows_of_run
from simulator.recording.reader import Recording, examine
from simulator.recording.rows import ActionRow, CreatedRow, RunRow, StepRow
from simulator.recording.upkeep.datasette import write_metadata
from simulator.recording.upkeep.importing import FILES
from simulator.recording.upkeep.playbook_of import read_playbook
from simulator.recording.upkeep.playbook_text import playbook_text
from simulator.replay.bind import bind_identity, known_of_others, values_of
from simulator.replay.plan import plan_run
from simulator.runner.exporting.effects import Observed
from simulator.runner.exporting.har import write_har
from simulator.runner.exporting.traces import write_trace
from simulator.runner.replays.selecting import select
from simulator.template import PLACEHOLDER, literal
from simulator.text_file import one_sentence
from simulator.tools.exporting.actions import Shown
from simulator.tools.exporting.script import Script
from simulator.tools.exporting.source import word_of

Format = Literal["pytest", "playbook", "har", "trace", "json", "datasette"]
_GENERATED = "site."


@dataclass(frozen=True, slots=True)
class Exported:
    """Runs in another form."""

    content: bytes
    files: Mapping[str, bytes]
    """What stands beside it, by path from there."""
    run: RunRow | None = None
    """Of a test: the last run that it performs."""
    secrets: Mapping[str, str] = field(default_factory=dict)
    """Of a test: names of secrets to the environment variables by which it takes them."""


def export(path: Path, target: str, format: Format) -> Exported:
    """Write a run, a batch, or all that is recorded, with everything that it depends on, in another form.

    Args:
        path: the recording.
        target: which runs of it.
        format: the form.

    Raises:
        RecordingError: there is no such run, or it cannot be written in that form.
    """
    try:
        return _export(path, target, format)
    except UsageError as error:  # whatever a stranger's words in it are
        raise type(error)(one_sentence(str(error))) from error


def _export(path: Path, target: str, format: Format) -> Exported:
    with Recording.open(path) as recording:
        if format == "har":
            return Exported(_encoded(write_har(recording, _meant(recording, target))), {})
        runs = select(recording, target).runs
        match format:
            case "playbook":
                playbook = read_playbook(recording, runs)
                files = {f"{FILES}/{file.name}": content(recording, key) for key, file in playbook.files.items()}
                return Exported(_encoded(playbook_text(playbook)), files)
            case "pytest":
                return _test(recording, runs)
            case "json":
                return Exported(_encoded(_everything(recording, runs)), {})
            case "datasette":
                return Exported(_encoded(write_metadata(path.stem)), {})
            case "trace":
                return Exported(write_trace(recording, runs), {})


def _encoded(text: str) -> bytes:
    """Encode JSON or YAML: half a character, which UTF-8 has not, is written as both escape it in their strings."""
    return text.encode("utf-8", "backslashreplace")


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
    beside = {Path(name): data for name, data in exported.files.items()}
    for name in beside:
        folder = (to.parent / name).parent
        if name.is_absolute() or ".." in name.parts or folder.resolve() != to.parent.resolve() / name.parent:
            raise UsageError(f"{folder} leads elsewhere, so nothing is written there: give '--to' another folder")
    for path, data in [(to, exported.content), *((to.parent / name, data) for name, data in beside.items())]:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path is to:
                path.write_bytes(data)
            else:
                replace_file(path, data)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}; name another file") from error
    return [to, *(to.parent / name for name in beside)]


def _everything(recording: Recording, runs: Sequence[RunRow]) -> str:
    """Write every row of some runs, and the blobs and pages that they refer to."""
    for run in runs:
        examine(recording, run.id)
    connection = recording.connection
    with reading(recording.path):
        tables: dict[str, list[dict[str, Any]]] = {
            table: [row for run in runs for row in rows_of_run(connection, table, run.id)] for table in OF_RUN
        }
    batches = sorted({run.batch_id for run in runs})
    tables["batch"] = [_row(recording, "batch", "id", one) for one in batches]
    found = hashes(row for rows in tables.values() for row in rows) | hashes_inside(connection, tables["llm_call"])
    tables["page"] = [row for key in sorted(found) if (row := _row(recording, "page", "sha256", key))]
    found |= hashes(tables["page"])
    blobs = {key: media_type for key in sorted(found) if (media_type := recording.blobs.media_type(key))}
    whole = {
        "tables": tables,
        "blobs": {
            key: {"media_type": media_type, "base64": base64.b64encode(recording.blobs.read(key)).decode()}
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
    if mailed := next((plan for plan in plans if plan.reads_mail), None):
        raise RecordingError(
            f"the run {mailed.run.id} reads mail, which a test on its own cannot: export it with --format playbook, or "
            "replay it in your tests by the fixture sim_replay"
        )
    parts = [bind_identity(plan, "same", "") for plan in plans]
    done: list[tuple[tuple[str, int], list[ActionRow | Shown]]] = []
    places: dict[str, str] = {}
    for part in parts:
        recorded = {one.name: one.value for one in part.plan.variables if one.value is not None}
        values = {**known_of_others(part, parts), **recorded, **values_of(part, "same")}
        name = f"{part.run.persona or 'user'}_{part.run.number}" if len(parts) > 1 else "user"
        made: dict[str, list[CreatedRow]] = {}
        for one in recording.created(part.run.id):
            made.setdefault(one.step_id, []).append(one)
        observed = Observed.of(recording, part.run.id, values) if not made else None
        for planned in part.plan.steps:
            step, actions = planned.step, list(_rendered(planned.actions, values, name))
            where = f"step {step.ordinal + 1} ({step.tool or 'by hand'}) of the run {part.run.id}"
            places |= {action.id: f"{where}, {action.kind}" for action in actions}
            if observed is not None:
                kept = list(observed.after(actions))
            else:
                kept = [*_seen(actions, step, values), *_kept(actions, made.get(step.id, ()), values)]
            done.append(((part.run.batch_id, step.batch_ordinal), [*actions, *_apart(kept)]))
    done.sort(key=lambda step: step[0])
    last = runs[-1]
    base_url = str(last.environment.get("base_url") or "http://127.0.0.1:8765")
    script = Script(
        Bindings(), base_url, place=lambda action: places[action.id] if isinstance(action, ActionRow) else ""
    )
    about = f"What {'users of ' if len(runs) > 1 else ''}'{last.persona or 'a user'}' did on the site, as recorded."
    try:
        text = script.write(
            f"test_{word_of(last.persona or '', 'run')}_{last.number}", about, [one for _, each in done for one in each]
        )
    except ToolError as error:
        raise RecordingError(f"the run {last.id} cannot be exported as a test: {error.message}") from error
    files = {f"{FILES}/{name}": content(recording, key) for name, key in script.uploads.items()}
    return Exported(text.encode(), files, last, dict(script.secrets))


def content(recording: Recording, sha256: str) -> bytes:
    """Give the bytes of a file that is written beside an export.

    Raises:
        RecordingError: they are not those that their hash says.
    """
    data = recording.blobs.read(sha256)
    if hash_of(data) != sha256:
        raise RecordingError(f"{recording.path}: the blob {sha256} holds other bytes; look with 'sim runs verify'")
    return data


def _seen(actions: Sequence[ActionRow], step: StepRow, values: Mapping[str, str]) -> Iterator[Shown]:
    """Give what the user had put in and the page showed at the end of a step."""
    bindings = Bindings(values)
    last = next((action for action in reversed(actions) if action.status == "done" and action.after), None)
    texts = [bindings.render(text) for text in step.metadata.get("shown", ())]
    if last and last.after and texts:
        yield Shown(last.actor, bindings.render(last.after.url), tuple(dict.fromkeys(texts)), here=True)


def _apart(kept: Sequence[Shown]) -> Iterator[Shown]:
    """Leave out what is expected on the page already."""
    here: set[str] = set()
    for one in kept:
        texts = tuple(text for text in one.texts if not (one.here and text in here))
        here |= {*texts} if one.here else set()
        if texts or one.numbers or one.absent or one.gone:
            yield replace(one, texts=texts)


def _kept(actions: Sequence[ActionRow], made: Sequence[CreatedRow], values: Mapping[str, str]) -> Iterator[Shown]:
    """Give what was read back when a step had been recorded: what the site shows of what was put in."""
    last = next((action for action in reversed(actions) if action.status == "done" and action.after), None)
    bindings = Bindings(values)
    for one in made if last else ():
        assert last is not None
        url = bindings.render(one.url)
        here = last.after is not None and bindings.render(last.after.url).partition("#")[0] == url.partition("#")[0]
        texts = tuple(dict.fromkeys(text for text in map(bindings.render, one.fields.values()) if text.strip()))
        if one.kind == DELETION:
            yield Shown(last.actor, url, gone=True)
        elif one.kind == DEED:
            yield Shown(last.actor, url, absent=texts if here else (), here=True)
        elif texts and url:
            yield Shown(last.actor, url, texts, here=here)


def _rendered(actions: Sequence[ActionRow], values: Mapping[str, str], actor: str) -> Iterator[ActionRow]:
    """Put a run's values into its actions; what the site generated stays a variable where an address is expected."""
    bindings = Bindings(values)
    generated = Bindings({**values, **{name: f"{{{{{name}}}}}" for name in values if name.startswith(_GENERATED)}})

    def put(text: str) -> str:
        return literal(bindings.render(text)) if PLACEHOLDER.search(text) else text

    for action in actions:
        target = action.target
        before = action.before and replace(action.before, url=generated.render(action.before.url))
        after = action.after and replace(
            action.after, url=generated.render(action.after.url), notes=tuple(map(put, action.after.notes))
        )
        yield replace(
            action,
            actor=f"{actor}_{action.actor}" if action.actor not in ("user", "main") else actor,
            target=target and Target.model_validate(map_strings(target.model_dump(mode="json"), put)),
            before=before and replace(before, notes=tuple(map(put, before.notes))),
            after=after,
            options=map_options(action.kind, action.options, put),
        )
