"""Which recorded runs a name means, with everything that they depend on. Not responsible for: replaying them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.errors import RecordingError
from simulator.recording.reader import Recording
from simulator.recording.revise import newest
from simulator.recording.rows import RunRow
from simulator.replay.plan import Plan, plan_run
from simulator.replay.shards import Shard


@dataclass(frozen=True, slots=True)
class Selection:
    """The runs that a target means, with everything that they depend on."""

    runs: tuple[RunRow, ...]
    batch_id: str | None
    """The batch, where the target is one."""


def select(recording: Recording, target: str | Sequence[str]) -> Selection:
    """Find what a target means.

    Args:
        recording: where to look.
        target: see ``target`` of :class:`~simulator.runner.replays.replaying.ReplayOptions`.

    Raises:
        RecordingError: there is no such run or batch, or several.
    """
    named = [target] if isinstance(target, str) else target
    meant = [_named(recording, name) for name in named]
    chosen = [run for runs, _ in meant for run in runs]
    batch_id = meant[0][1] if len(meant) == 1 else None
    if not chosen:
        raise RecordingError(f"{recording.path} holds no recorded run; record some with 'sim personas run'")
    held = newest(recording.runs())
    rows = {run.original: run for run in chosen}
    waiting = list(rows.values())
    while waiting:
        needed = {need.producer_run for need in recording.dependencies(waiting.pop().id)} - rows.keys()
        found = {run_id: held[run_id] for run_id in needed if run_id in held}
        rows |= found
        waiting += found.values()
    return Selection(tuple(sorted(rows.values(), key=lambda run: (run.batch_id, run.number))), batch_id)


def _named(recording: Recording, target: str) -> tuple[list[RunRow], str | None]:
    """Give the runs that a name means, and the batch where it means one."""
    recorded = [batch for batch in recording.batches() if batch.kind in ("record", "heal", "import")]
    if target == "all":
        return [run for batch in recorded for run in _begun(recording, batch.id)], None
    if target == "last":
        if not recorded:
            raise RecordingError(f"{recording.path} holds no recorded batch; record one with 'sim personas run'")
        newest_batch = max(recorded, key=lambda batch: batch.id).id
        return _begun(recording, newest_batch), newest_batch
    if any(batch.id.startswith(target) or batch.id.endswith(target) for batch in recorded):
        batch_id = recording.batch(target).id
        return _begun(recording, batch_id), batch_id
    run = recording.run(target)
    if run.kind == "replay":
        raise RecordingError(f"the run {run.id} is itself a replay; name its source, {run.source_run}")
    return [run], None


def _begun(recording: Recording, batch_id: str) -> list[RunRow]:
    """Give the runs of a batch, the newest revision of each, but for users who never began: they have nothing to do."""
    return [run for run in newest(recording.runs(batch_id)).values() if run.status != "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What ``sim plan`` was asked for."""

    source: Path
    target: str | Sequence[str]
    """See ``target`` of :class:`~simulator.runner.replays.replaying.ReplayOptions`."""
    shard: Shard | None = None
    """Plan this share of the runs only."""


@dataclass(frozen=True, slots=True)
class PlanText:
    """Plans in words."""

    plans: tuple[Plan, ...]

    def lines(self) -> list[str]:
        """Give the lines to show."""
        shown: list[str] = []
        for plan in self.plans:
            run = plan.run
            shown.append(f"run {run.id}  user {run.number}  {run.persona or 'no persona'}")
            shown += plan.lines()
        return shown


def plan_text(options: PlanOptions) -> PlanText:
    """Plan a replay without performing it.

    Args:
        options: what was asked for.

    Raises:
        RecordingError: the file cannot be read, or there is no such run.
    """
    with Recording.open(options.source) as recording:
        plans = tuple(plan_run(recording, run) for run in select(recording, options.target).runs)
        return PlanText(options.shard.take(plans) if options.shard else plans)


def require_acts(plans: Sequence[Plan]) -> None:
    """See that there is something to perform, where every run was recorded as failed.

    Raises:
        RecordingError: none of the runs did anything that can be done again.
    """
    runs = [plan.run for plan in plans]
    if any(run.status == "passed" for run in runs) or any(step.actions for plan in plans for step in plan.steps):
        return
    more = f", and {len(runs) - 1} more like it" if len(runs) > 1 else ""
    raise RecordingError(
        f"nothing to replay: run {runs[0].id[-8:]} did nothing that can be done again{more}; "
        f"it was recorded as {runs[0].ending}"
    )
