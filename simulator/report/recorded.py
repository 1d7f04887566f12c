"""Recorded runs for a terminal: lists, and one run step by step. Not responsible for: reading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simulator.bindings import Bindings
from simulator.browser.evidence import Target
from simulator.canonical import canonical_json
from simulator.recording.journal import CHANGE
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, RunRow, StepRow
from simulator.replay.drift import DriftReport
from simulator.replay.healing import Heal
from simulator.replay.left.made import cleaned_by, deleted_by, made_things
from simulator.report.proof import proofs_of, share_proven, write_rows
from simulator.report.replay_summary import checks_line, drift_lines, heal_lines, repair_lines
from simulator.report.terminal.columns import columns, cut
from simulator.report.terminal.usage import RecordedBatch, RunUsage, read_batch, read_usage, spending_rows
from simulator.report.wording import counted, duration, short_id
from simulator.runner.repairs.repair import Repair
from simulator.runner.spending import Spending
from simulator.template import one_of


@dataclass(frozen=True, slots=True)
class RecordedStep:
    """A step with its actions."""

    step: StepRow
    actions: tuple[ActionRow, ...]


class Made(NamedTuple):
    """Something that a run made on the site."""

    kind: str
    url: str
    """A template."""
    status: str
    """``live`` by the journal, or ``seen`` as it was observed; ``removed`` once it was cleaned up."""
    fields: Mapping[str, str]
    """What it was given, as templates."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A run with all that it did and made."""

    run: RunRow
    steps: tuple[RecordedStep, ...]
    made: tuple[Made, ...]
    """What its journal names, and what was observed besides."""
    usage: RunUsage = field(default_factory=RunUsage)
    """What it asked of models."""


def read_run(recording: Recording, name: str) -> RecordedRun:
    """Read a run as a whole.

    Args:
        recording: where it stands.
        name: as `Recording.run` takes it.

    Raises:
        RecordingError: there is none of that name, or several.
    """
    run = recording.run(name)
    actions: dict[str, list[ActionRow]] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
    steps = [RecordedStep(step, tuple(actions.get(step.id, ()))) for step in recording.steps(run.id)]
    return RecordedRun(run, tuple(steps), tuple(_made(recording, run)), read_usage(recording, run))


def _made(recording: Recording, run: RunRow) -> Iterator[Made]:
    bindings = Bindings({one.name: one.value for one in recording.variables(run.id) if one.value is not None})
    rows = recording.created(run.id)
    yield from (Made(row.kind, row.url, row.status, row.fields) for row in rows)
    named = {bindings.shown(row.url) for row in rows}
    cleaned = cleaned_by(recording)
    for thing in made_things(recording, run.id, bindings, deleted_by(rows, bindings)):
        if thing.kind != CHANGE and bindings.shown(thing.url) not in named:
            yield Made(thing.kind, thing.url, "removed" if thing.id in cleaned else "seen", thing.texts)


def read_run_or_batch(recording: Recording, name: str) -> RecordedRun | RecordedBatch:
    """Read what a name means: a run, or else a batch.

    Raises:
        RecordingError: neither has that name, or several of them have.
    """
    found = any(run.id.startswith(name) or run.id.endswith(name) for run in recording.runs())
    if not found and any(batch.id.startswith(name) or batch.id.endswith(name) for batch in recording.batches()):
        return read_batch(recording, name)
    return read_run(recording, name)


def run_list_lines(runs: Iterable[RunRow], width: int | None) -> list[str]:
    """Give a line for each run, in the order given.

    Args:
        runs: the runs.
        width: cells of the terminal; None cuts nothing.
    """
    rows = [("run", "batch", "at (UTC)", "kind", "status", "proven", "steps", "persona", "user")]
    rows += [
        (short_id(run.id), short_id(run.batch_id), _moment(run.started_at)[5:16], _short_kind(run), status_of(run),
         ", ".join(run.proven) or "-", str(run.steps), run.persona or "-", username_of(run))
        for run in runs
    ]  # fmt: skip
    return columns(rows, right=(6,), whole=(0, 1, 2), width=width)


def batch_shown(shown: RecordedBatch, width: int | None) -> list[str]:
    """Show a batch: how it went, its runs, and what they asked of models."""
    batch = shown.batch
    lines = [f"batch {batch.id} ({batch.kind}): {batch.status}", "", f"seed      {batch.seed}", ""]
    lines += run_list_lines(shown.runs, width)
    users = [(f"{run.number}. {username_of(run)}", spent) for run, spent in zip(shown.runs, shown.usage, strict=True)]
    for title, spent in (("asked of models, by user", users), ("by persona", list(shown.by_persona.items()))):
        if rows := spending_rows(spent):
            lines += ["", title, *columns(rows, right=range(1, 6), width=width, indent="  ")]
    return lines


def run_lines(recorded: RecordedRun, width: int | None) -> list[str]:
    """Show a run: who, where and how it went, then each step with its actions.

    Args:
        recorded: the run.
        width: cells of the terminal, to which what was put in is cut; why something failed is shown whole. None cuts
            nothing.
    """
    run = recorded.run
    lines = [
        f"run {run.id} ({_kind(run)}): {status_of(run)}" + (f": {run.reason}" if run.reason else ""),
        "",
        *(f"{name:<9} {value}" for name, value in _facts(run)),
        *([f"model     {recorded.usage.total}"] if recorded.usage.total else []),
        "",
    ]
    for one in recorded.steps:
        lines += _step_lines(one, recorded.usage.of_step(one.step.id), width)
    if recorded.made:
        lines += ["", "made"]
        rows = [(made.kind, made.url, made.status, canonical_json(made.fields)) for made in recorded.made]
        lines += columns(rows, width=width, indent="  ")
    if writes := proofs_of(run):
        lines += ["", f"writes    {share_proven([writes])}", *columns(write_rows(writes), width=width, indent="  ")]
    if changes := (run.summary or {}).get("changes"):
        lines += ["", "changed since the revision before", *(cut(f"  {change}", width) for change in changes)]
    if heals := (run.summary or {}).get("heals"):
        lines += ["", "healed", *(line for heal in heals for line in heal_lines(Heal(**heal)))]
    if repairs := (run.summary or {}).get("repairs"):
        told = (repair_lines(Repair.of_summary(one)) for one in repairs)
        lines += ["", "repaired", *(line for lines_of in told for line in lines_of)]
    if drift := (run.summary or {}).get("drift"):
        lines += ["", "drift", *drift_lines(DriftReport.of_summary(drift))]
    return lines


def _kind(run: RunRow) -> str:
    return run.kind if run.kind == "replay" or run.revision == 1 else f"{run.kind}, revision {run.revision}"


def _short_kind(run: RunRow) -> str:
    return run.kind if run.kind == "replay" or run.revision == 1 else f"rev. {run.revision}"


def _facts(run: RunRow) -> list[tuple[str, str]]:
    facts = [("user", f"{username_of(run)} ({run.persona or 'no persona'}, number {run.number})")]
    facts.append(("site", f"{run.site} at {run.environment.get('base_url', 'an unknown address')}"))
    facts.append(("batch", run.batch_id))
    facts += [("source", f"run {run.source_run}")] if run.source_run else []
    facts.append(("agent", run.agent or "none"))
    taken = f", took {duration((run.ended_ns - run.started_ns) / 1e9)}" if run.ended_ns else ""
    checks = (run.summary or {}).get("checks")
    facts += [("checks", checks_line(checks))] if checks else []
    facts += [
        (
            "proven",
            f"{policy}: {proof['proven']} of {counted(proof['writes'], 'write')} seen again by run {proof['run']}",
        )
        for policy, proof in sorted((run.summary or {}).get("proofs", {}).items())
    ]
    facts.append(("started", f"{_moment(run.started_at)} UTC{taken}"))
    return facts


def _step_lines(one: RecordedStep, asked: Spending, width: int | None) -> list[str]:
    step = one.step
    taken = f"  {duration((step.ended_ns - step.started_ns) / 1e9)}" if step.ended_ns else ""
    task = f"  ({step.task})" if step.task else ""
    given = canonical_json(step.input) if step.input else ""
    told = f"{step.ordinal + 1:>4}  {step.tool or 'by hand'}  {step.status}{taken}{task}  {given}"
    lines = [cut(told.rstrip(), width)]
    if asked:
        lines.append(f"      model: {asked}")
    if step.error_message:
        lines.append(f"      {step.error_type}: {step.error_message}")
    for action in one.actions:
        lines.append(cut(f"      {_action_line(action)}", width))
        lines += [f"        {action.error}"] if action.error else []
    return lines


def _action_line(action: ActionRow) -> str:
    words = [action.kind, *([describe_target(action.target)] if action.target else [])]
    words += [_value(action)] if action.value is not None else []
    words += [f"[{action.choice.rule}]"] if action.choice else []
    stayed = action.before and action.after and action.before.url == action.after.url
    after = f" -> {action.after.url}" if action.after and not stayed else ""
    status = "" if action.status == "done" else f" ({action.status})"
    return " ".join(words) + status + after


def _value(action: ActionRow) -> str:
    if action.kind == "upload":
        return f"blob {(action.value or '')[:12]}"
    return action.value or "''"


def describe_target(target: Target) -> str:
    """Say in words which element an action was aimed at, such as ``button 'Save' in form 'Edit'``."""
    name = target.called or target.placeholder or target.name_attr
    words = f"{target.role or target.tag} '{name}'" if name else target.role or target.tag
    scope = next((scope for scope in target.scopes if scope.name), None)
    return f"{words} in {scope.kind} '{scope.name}'" if scope else words


def username_of(run: RunRow) -> str:
    """Give the name of a run's user, or else its label."""
    identity: Mapping[str, Any] = run.identity or {}
    return str(identity.get("username", run.label or "-"))


def identity_values(run: RunRow) -> dict[str, str]:
    """Give the recorded values of a run's user and of what the user was dealt, by the names of their variables."""
    identity: Mapping[str, Any] = run.identity or {}
    groups: dict[str, Mapping[str, Any]] = {"identity": identity}
    for key, dealt in identity.items():
        if isinstance(dealt, list):
            name = one_of(key)
            rows = [row for row in dealt if isinstance(row, dict)]
            groups |= {f"{name}.{place}": row for place, row in enumerate(rows, start=1)}
            groups[f"text.{name}"] = {str(place): text for place, text in enumerate(dealt, start=1)}
    return {
        f"{group}.{name}": value
        for group, values in groups.items()
        for name, value in values.items()
        if isinstance(value, str)
    }


def status_of(run: RunRow) -> str:
    """Give a run's verdict where it has one, else its status."""
    return run.verdict if run.verdict and run.verdict != run.status else run.status


def _moment(stamp: str) -> str:
    return stamp[:19].replace("T", " ")
