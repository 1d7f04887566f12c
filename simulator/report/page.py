"""A batch as one HTML file that opens from disk: runs, their steps over time, pictures, and what a replay found.

Not responsible for: where it is written, or reading recordings. The file holds everything that it shows, asks for
nothing and runs nothing; every text of a site in it is escaped.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from simulator.bindings import Bindings
from simulator.browser.effects.model import WriteProof
from simulator.browser.evidence import Box
from simulator.canonical import canonical_json
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, BatchRow, RunRow
from simulator.replay.drift import DriftReport
from simulator.replay.healing import Heal
from simulator.report.proof import proofs_of, share_proven, unproven, write_rows
from simulator.report.recorded import (
    RecordedRun,
    RecordedStep,
    describe_target,
    identity_values,
    read_run,
    status_of,
    username_of,
)
from simulator.report.replay_summary import GOOD
from simulator.report.wording import duration, short_id
from simulator.runner.repairs.repair import Repair
from simulator.runner.spending import together

_WIDEST = 1e6
"""CSS pixels that no browser's view has."""


@dataclass(frozen=True, slots=True)
class _Picture:
    """A picture of a page, with the box of what the next action is aimed at."""

    name: str
    """By which :meth:`_Pictures.styles` holds it: a picture that is shown twice is in the file once."""
    caption: str
    box: str = ""
    """Place and size as CSS, in percent of the picture; empty for none."""


class _Pictures:
    """The pictures of a page, each once."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._names: dict[str, str] = {}

    def name(self, metadata: Mapping[str, Any]) -> str:
        """Give the name of the picture that a step kept; empty for none."""
        sha256 = metadata.get("screenshot")
        return self._names.setdefault(sha256, f"picture-{len(self._names) + 1}") if isinstance(sha256, str) else ""

    def styles(self) -> Iterator[tuple[str, str]]:
        """Give each picture's name and ``data:`` address."""
        for sha256, name in self._names.items():
            data = base64.b64encode(self._recording.blobs.read(sha256)).decode()
            yield name, f"data:image/png;base64,{data}"  # whatever else it may be called, no other kind is shown


@dataclass(frozen=True, slots=True)
class _Step:
    number: int
    tool: str
    status: str
    task: str
    asked: str
    """What was asked of a model for it."""
    given: str
    error: str
    taken: str
    left: float
    """Where it begins, in percent of the run's time."""
    width: float
    actions: tuple[tuple[str, str, str], ...]
    """What was done, what came of it, and where it led."""
    signs: tuple[str, ...]
    """Errors that the page showed, and requests that failed."""
    pictures: tuple[_Picture, ...]

    @property
    def failed(self) -> bool:
        return self.status != "done"


@dataclass(frozen=True, slots=True)
class _Run:
    title: str
    id: str
    status: str
    good: bool
    facts: tuple[tuple[str, str], ...]
    reason: str
    quarantined: str
    """Why its drift did not count; empty where it did."""
    evidence: tuple[tuple[str, str], ...]
    heals: tuple[Heal, ...]
    repairs: tuple[Repair, ...]
    shape: str
    """Width and height of its browser's view, as CSS."""
    steps: tuple[_Step, ...]
    made: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]
    """Kind and address of each thing, and what it was given."""
    proofs: tuple[WriteProof, ...]
    writes: tuple[tuple[str, str], ...]
    """What was sent, and whether it is proven."""

    @property
    def proven(self) -> str:
        """How many of its writes are."""
        return share_proven([self.proofs])

    @property
    def unproven(self) -> bool:
        """Whether it wrote, and nothing of that is."""
        return unproven([self.proofs])


def html_report(recording: Recording, batch: str) -> str:
    """Write a batch as a page.

    Args:
        recording: where it stands.
        batch: its id, the beginning or end of one, or ``last``.

    Raises:
        RecordingError: there is no such batch, or several.
    """
    row = recording.batch(batch)
    pictures = _Pictures(recording)
    recorded = [read_run(recording, run.id) for run in recording.runs(row.id)]
    runs = [_run(recording, one, pictures) for one in recorded]
    runs.sort(key=lambda run: run.good)
    asked = together(one.usage.total for one in recorded)
    facts = [*_batch_facts(row), *([("models", str(asked))] if asked else [])]
    loader = PackageLoader("simulator.report")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.get_template("report.html")
    return template.render(
        batch=row,
        runs=runs,
        facts=facts,
        good=sum(run.good for run in runs),
        healed=sum(bool(run.heals) for run in runs),
        repaired=sum(bool(run.repairs) for run in runs),
        excused=sum(bool(run.quarantined) for run in runs),
        proven=share_proven(run.proofs for run in runs),
        unproven=unproven(run.proofs for run in runs),
        pictures=pictures.styles(),
    )


def _batch_facts(batch: BatchRow) -> list[tuple[str, str]]:
    settings = {name: str(value) for name, value in batch.settings.items() if isinstance(value, str | int | float)}
    facts = [("batch", batch.id), ("kind", batch.kind), ("started", batch.started_at), ("seed", batch.seed)]
    source = [("recorded batch", batch.source_batch), ("recording", batch.source_path)]
    return [*facts, *((name, value) for name, value in source if value), *settings.items()]


def _run(recording: Recording, recorded: RecordedRun, pictures: _Pictures) -> _Run:
    run = recorded.run
    values = {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
    shown = Bindings(identity_values(run) | values).shown
    status = status_of(run)
    drift = (run.summary or {}).get("drift")
    facts = [
        ("run", run.id),
        ("site", f"{run.site} at {run.environment.get('base_url', '')}"),
        ("browser", str(run.environment.get("browser", ""))),
        ("agent", run.agent or "none"),
        *([("model", str(recorded.usage.total))] if recorded.usage.total else []),
        *([("recorded run", run.source_run)] if run.source_run else []),
        *([("took", duration((run.ended_ns - run.started_ns) / 1e9))] if run.ended_ns else []),
    ]
    return _Run(
        title=f"{run.number}. {username_of(run)} ({run.persona or 'no persona'})",
        id=short_id(run.id),
        status=status,
        good=status in GOOD,
        facts=tuple(facts),
        reason=run.reason or "",
        quarantined=str((run.summary or {}).get("quarantined", "")),
        evidence=tuple(_evidence(DriftReport.of_summary(drift))) if drift else (),
        heals=tuple(Heal(**heal) for heal in (run.summary or {}).get("heals", ())),
        repairs=tuple(Repair.of_summary(repair) for repair in (run.summary or {}).get("repairs", ())),
        shape="{:g} / {:g}".format(*(_viewport(run) or (4, 3))),
        steps=tuple(_steps(recorded, pictures, shown)),
        made=tuple(
            (made.kind, shown(made.url), tuple((name, shown(text)) for name, text in made.fields.items()))
            for made in recorded.made
        ),
        proofs=proofs_of(run),
        writes=tuple((shown(called), came) for called, came in write_rows(proofs_of(run))),
    )


def _evidence(drift: DriftReport) -> Iterator[tuple[str, str]]:
    yield "verdict", drift.verdict
    yield "step", f"{drift.step}, {drift.tool}"
    yield "expected", drift.expected
    yield "found", drift.found
    agreed = (", ".join(drift.agreed),) if drift.agreed else ()
    for name, texts in (("agreed", agreed), ("contradicted", drift.contradicted), ("near", drift.candidates)):
        yield from ((name, text) for text in texts)


def _steps(recorded: RecordedRun, pictures: _Pictures, shown: Callable[[str], str]) -> Iterator[_Step]:
    run = recorded.run
    viewport = _viewport(run)
    ends = [one.step.ended_ns or one.step.started_ns for one in recorded.steps]
    whole = max([*ends, run.started_ns + 1]) - run.started_ns
    before = ""
    for one, ended in zip(recorded.steps, ends, strict=True):
        step = one.step
        after = pictures.name(step.metadata)
        aimed = next((action.target.box for action in one.actions if action.target and action.target.box), None)
        kept = []
        if before and aimed:
            box = _placed(aimed, viewport)
            kept.append(_Picture(before, "before, with what was aimed at" if box else "before", box))
        if after:
            kept.append(_Picture(after, "after"))
        yield _Step(
            number=step.ordinal + 1,
            tool=step.tool or "by hand",
            status=step.status,
            task=step.task or "",
            asked=str(recorded.usage.of_step(step.id) or ""),
            given=shown(canonical_json(step.input)) if step.input else "",
            error=f"{step.error_type}: {step.error_message}" if step.error_message else "",
            taken=duration((ended - step.started_ns) / 1e9),
            left=100 * (step.started_ns - run.started_ns) / whole,
            width=max(100 * (ended - step.started_ns) / whole, 0.3),
            actions=tuple(_action(action, shown) for action in one.actions),
            signs=tuple(_signs(one)),
            pictures=tuple(kept),
        )
        before = after or before


def _action(action: ActionRow, shown: Callable[[str], str]) -> tuple[str, str, str]:
    words = [action.kind, *([describe_target(action.target)] if action.target else [])]
    if action.value is not None:
        words.append(f"blob {action.value[:12]}" if action.kind == "upload" else action.value or "''")
    came = action.error or (action.status if action.status != "done" else action.settled or "")
    return shown(" ".join(words)), shown(came), shown(action.after.url) if action.after else ""


def _signs(one: RecordedStep) -> Iterator[str]:
    for action in one.actions:
        if action.after is None:
            continue
        yield from (f"the page says: {text}" for text in action.after.alerts)
        yield from (f"in the console: {text}" for text in action.after.errors)
        if action.after.status >= 400:
            yield f"the page has status {action.after.status}"
        for method, address, status in action.after.requests:
            if status == 0 or status >= 400:
                yield f"{method} {address}: {f'status {status}' if status else 'no answer'}"


def _viewport(run: RunRow) -> tuple[float, float] | None:
    """Give width and height of a run's browser view; None where they are no sizes of one."""
    context = run.environment.get("context")
    sizes = [context.get(name) for name in ("width", "height")] if isinstance(context, dict) else []
    sound = [float(one) for one in sizes if isinstance(one, int | float) and 0 < one < _WIDEST]
    return (sound[0], sound[1]) if len(sound) == 2 else None


def _placed(box: Box, viewport: tuple[float, float] | None) -> str:
    width, height = viewport or (0, 0)
    if viewport is None or box.y > height or box.x > width:
        return ""
    shares: Sequence[tuple[str, float]] = (
        ("left", box.x / width),
        ("top", box.y / height),
        ("width", box.width / width),
        ("height", box.height / height),
    )
    return "; ".join(f"{name}: {100 * share:.2f}%" for name, share in shares)
