"""Stores a playbook as runs of a recording, with the files beside it. Not responsible for: its text, or a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.effects.model import Carried, Effect, KnownThing, Observed, Place, Write
from simulator.canonical import canonical_json, sha256
from simulator.errors import RecordingError
from simulator.recording.recorder import Recorder
from simulator.recording.rows import RunStatus
from simulator.recording.run_recorder import RunRecorder
from simulator.recording.stamps import new_id
from simulator.recording.upkeep.playbook import Act, At, Made, Playbook, Run, Step, rendered
from simulator.recording.upkeep.playbook_text import parse_playbook
from simulator.text_file import UnreadableFile, read_bytes
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult

_ENDED: Final = ("done", "failed", "cancelled")
"""How an operation ended of which it is known what it came to."""
FILES = "files"
"""Folder beside a playbook that holds what its runs upload."""
FILE_LIMIT = 512 * 1024 * 1024
"""Bytes in the largest file that a run uploads."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to."""

    batches: tuple[str, ...]
    runs: tuple[str, ...]


def import_playbook(path: Path, db: Path) -> Imported:
    """Store the runs of a playbook in a recording, as a batch of kind ``import``.

    Args:
        path: the playbook.
        db: the recording; made where it is missing.

    Returns:
        The ids that the runs have there.

    Raises:
        RecordingError: the playbook cannot be read, contradicts itself, or lacks a file.
    """
    playbook = parse_playbook(path)
    _check(playbook, path)
    contents = {digest: _content(path, digest, file.name) for digest, file in playbook.files.items()}
    runs: dict[str, RunRecorder] = {}
    steps: dict[str, list[str]] = {}
    batches: dict[int, str] = {}
    with Recorder.open(db) as recorder:
        for digest, data in contents.items():
            recorder.put_blob(data, playbook.files[digest].media_type)
        for run in playbook.runs:
            if run.batch not in batches:
                batches[run.batch] = recorder.begin_batch(
                    argv=(), seed=run.seed, settings={}, kind="import", source_path=path.name
                )
            runs[run.run] = _begin(recorder, batches[run.batch], run)
            steps[run.run] = _store(recorder, runs[run.run], run)
            _relate(runs, steps, run)
            whole = all(step.success is not None for step in run.steps)
            status: RunStatus = "passed" if whole else "interrupted"
            summary = {**run.summary, "steps": len(run.steps), **({"proofs": run.proofs} if run.proofs else {})}
            runs[run.run].end_run(status=status, verdict=status, summary=summary)
        for batch in batches.values():
            recorder.end_batch(batch, status="passed")
    return Imported(tuple(batches.values()), tuple(one.id for one in runs.values()))


def _check(playbook: Playbook, path: Path) -> None:
    """See that everything that a playbook refers to stands in it, before anything is stored."""
    known: dict[str, int] = {}
    for run in playbook.runs:
        if run.run in known:
            raise RecordingError(f"{path}: two runs are called '{run.run}'; give one of them another name")
        for at, step in enumerate(run.steps, 1):
            for need in step.needs:
                if need.run not in known or (need.step or 1) > known[need.run]:
                    raise RecordingError(
                        f"{path}: step {at} of '{run.run}' needs {need.name} of step {need.step} of '{need.run}', "
                        "which does not stand before it"
                    )
            _check_observed(step, at, run, path)
            for act in step.actions:
                digest = act.options.get("sha256") if act.kind == "upload" else None
                if digest is not None and digest not in playbook.files:
                    raise RecordingError(f"{path}: step {at} of '{run.run}' uploads a file that 'files' does not name")
        for name, variable in run.variables.items():
            if (variable.step or 0) > len(run.steps) or (variable.action and not variable.step):
                raise RecordingError(f"{path}: '{run.run}' has no step {variable.step}, which would give {name}")
            if variable.step and (variable.action or 0) > len(run.steps[variable.step - 1].actions):
                raise RecordingError(
                    f"{path}: step {variable.step} of '{run.run}' has no operation {variable.action}, "
                    f"which would give {name}"
                )
        known[run.run] = len(run.steps)


def _check_observed(step: Step, at: int, run: Run, path: Path) -> None:
    """See that what an operation sent or showed is of operations up to it, and of requests that were sent."""
    for place, act in enumerate(step.actions, 1):
        if act.status not in _ENDED and (act.sent or act.seen):
            raise RecordingError(
                f"{path}: operation {place} of step {at} of '{run.run}' was {act.status}: what it sent is not known"
            )
        named: list[At] = [one for sent in act.sent for one in sent.carried]
        named += [one for seen in act.seen for one in (seen.input, seen.sent)]
        for one in named:
            before = (one.step, one.action) <= (at, place) and one.action <= len(run.steps[one.step - 1].actions)
            if not before:
                raise RecordingError(
                    f"{path}: operation {place} of step {at} of '{run.run}' names operation {one.action} of step "
                    f"{one.step}, which does not stand before it"
                )
        for seen in act.seen:
            if seen.write >= len(run.steps[seen.sent.step - 1].actions[seen.sent.action - 1].sent):
                raise RecordingError(
                    f"{path}: operation {place} of step {at} of '{run.run}' has seen request {seen.write} of operation "
                    f"{seen.sent.action} of step {seen.sent.step}, which sent no such request"
                )


def _content(path: Path, digest: str, name: str) -> bytes:
    file = path.parent / FILES / name
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise RecordingError(
            f"{file} leads out of the folder of {path.name}, so it is nothing that {path.name} uploads"
        )
    try:
        data = read_bytes(file, FILE_LIMIT)
    except UnreadableFile as error:
        raise RecordingError(
            f"{file}, which {path.name} uploads, cannot be read: {error.message}; export it with '--to FILE'"
        ) from None
    if sha256(data) != digest:
        raise RecordingError(f"{file} is not the file that {path.name} uploads: its bytes have another SHA-256")
    return data


def _begin(recorder: Recorder, batch: str, run: Run) -> RunRecorder:
    return recorder.begin_run(
        batch_id=batch,
        number=run.number,
        kind="import",
        agent=run.agent,
        persona=run.persona,
        identity=run.identity,
        environment={**run.environment, "seed": run.seed},
        site=run.site,
        origin=run.origin,
        key_fingerprint=run.key_fingerprint,
        label=run.label,
    )


def _store(recorder: Recorder, into: RunRecorder, run: Run) -> list[str]:
    for actor in run.actors:
        into.actors.add(actor.name, identity=actor.identity, context=actor.context)
    shown: dict[str, PageState | None] = {}
    steps: list[str] = []
    actions: dict[tuple[int, int], str] = {}
    entered = 0
    for at, step in enumerate(run.steps, 1):
        call = ToolCall(id=f"step-{at}", name=step.tool, input=step.input) if step.tool else None
        step_id = into.begin_step(call=call, replay=step.replay, task=step.task, withheld=step.withheld)
        steps.append(step_id)
        for place, act in enumerate(step.actions, 1):
            actions[at, place] = _act(into, act, shown, actions, (at, place))
        for made in step.made:
            _enter(recorder, into.id, step_id, entered, made)
            entered += 1
        if step.success is None:
            into.current_step = None
        else:
            into.end_step(step_id, _result(step))
        if step.flags:
            flags = recorder.writer.text(canonical_json(step.flags))
            with recorder.writer.transaction():
                recorder.writer.execute("UPDATE step SET flags = ? WHERE id = ?", (flags, step_id))
    for name, variable in run.variables.items():
        source = steps[variable.step - 1] if variable.step else None
        action = actions[variable.step, variable.action] if variable.step and variable.action else None
        into.variables.set(name, variable.value, kind=variable.kind, step_id=source, action_id=action)
    return steps


def _enter(recorder: Recorder, run_id: str, step_id: str, ordinal: int, made: Made) -> None:
    """Store an entry of the journal of a run that was recorded before effects: its replays are checked by it."""
    writer = recorder.writer
    with writer.transaction() as change:
        writer.insert(
            "created", id=new_id(), run_id=run_id, step_id=step_id, ordinal=ordinal, kind=made.kind,
            url=writer.text(made.url), fields=writer.json(dict(made.fields)), status="live", change=change,
        )  # fmt: skip


def _result(step: Step) -> ToolResult:
    error = ToolFailure(type=step.error[0], message=step.error[1]) if step.error else None
    return ToolResult(success=bool(step.success), data=step.result, error=error, metadata=step.metadata)


def _observed(act: Act, actions: Mapping[tuple[int, int], str]) -> Observed:
    """Give what an operation sent and what was seen again after it."""
    own = list(actions.values())[-1]
    writes = tuple(
        Write(
            number, own, one.initiator, one.method, one.url, one.operation, one.status, one.leads_to,
            tuple(Carried(each.part, actions[each.step, each.action]) for each in one.carried),
        )
        for number, one in enumerate(act.sent)
    )  # fmt: skip
    effects = tuple(
        Effect(
            actions[one.input.step, one.input.action], actions[one.sent.step, one.sent.action], one.write, one.strength,
            one.likeness, Place(one.url, one.by, one.label, one.keyed, one.spot), one.looked, one.kind,
            KnownThing(**dict(one.thing)), one.was, one.shows,
        )
        for one in act.seen
    )  # fmt: skip
    return Observed(writes, effects)


def _act(
    into: RunRecorder,
    act: Act,
    shown: dict[str, PageState | None],
    actions: dict[tuple[int, int], str],
    at: tuple[int, int],
) -> str:
    before = act.before.state if act.before else shown.get(act.by)
    after = act.after.state if act.after else None
    shown[act.by] = after or before
    start = ActionStart(
        act.kind,
        act.by,
        target=act.target,
        value=act.value,
        recorded_value=act.was if act.was is not None else rendered(act.value),
        aim=act.aim,
        choice=act.choice,
        before=before,
        options=dict(act.options),
    )
    action = actions[at] = into.begin(start)
    if act.status in _ENDED:
        outcome = ActionOutcome(
            act.status,
            settled=act.settled or "quiet",
            after=after,
            error=act.error,
            observed=_observed(act, actions),
        )
        into.end(action, outcome)
    return action


def _relate(runs: Mapping[str, RunRecorder], steps: Mapping[str, list[str]], run: Run) -> None:
    for step_id, step in zip(steps[run.run], run.steps, strict=True):
        for need in step.needs:
            producer = steps[need.run][need.step - 1] if need.step else None
            runs[run.run].add_dependency(
                step_id=step_id, producer_run=runs[need.run].id, producer_step=producer, name=need.name
            )
