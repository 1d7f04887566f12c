"""What came of a replay, for a terminal. Not responsible for: progress, batches, or JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from simulator.replay.drift import DriftReport
from simulator.report.follow_up import FollowUp
from simulator.report.proof import proof_lines, unproven
from simulator.report.seeding import seeded_lines
from simulator.report.wording import counted, duration, lost_lines, short_path
from simulator.runner.events import ReplayedRun, ReplayResult

if TYPE_CHECKING:
    from simulator.replay.healing import Heal
    from simulator.runner.repairs.repair import Repair

_DRIFTS_SHOWN = 20
GOOD = ("passed", "healed", "repaired")
"""Verdicts of a run that did what was recorded."""


def replay_lines(result: ReplayResult, follow: FollowUp) -> list[str]:
    """Sum a replay up; the first line says how it went, and the cause where it failed.

    Args:
        result: what came of it.
        follow: writes the commands to go on with.
    """
    drifted = [run for run in result.runs if run.drifted and not run.quarantined]
    if result.seeded and not result.seeded.planned:
        return [
            f"passed: {counted(result.seeded.there, 'user')} are there already",
            *seeded_lines(result.seeded, 0)[1:],
        ]
    if not result.runs and not result.interrupted:
        return [f"passed: nothing to replay in the share {result.shard}"]
    lines = [_headline(result, drifted), ""]
    lines.append("verdicts  " + ", ".join(f"{count} {verdict}" for verdict, count in _verdicts(result)))
    checks: Counter[str] = sum((Counter(run.checks) for run in result.runs), Counter())
    lines += [f"checks    {checks_line(checks)}"] if checks else []
    goes_on = bool(result.seeded) and (result.interrupted or any(run.verdict == "interrupted" for run in drifted))
    if result.seeded:
        collided = any(run.verdict == "data_collision" for run in result.runs)
        lines += seeded_lines(result.seeded, result.seconds, goes_on=goes_on, collided=collided)
    lines += proof_lines((run.number, run.writes) for run in result.runs)
    state = _state(result)
    lines += [f"state     {state}"] if state else []
    told: set[str] = set()
    for run in result.runs:
        again = run.source_run in told  # a run that many perform is listed once
        told.add(run.source_run)
        if run.before_effects and not again:
            lines.append(
                f"effects   user {run.number}, {run.persona}: recorded before effects: {follow.prove(run.source_run)}"
            )
        if run.cut_short and not again:
            had = f"was recorded as {run.cut_short}; the replay does what it had done by then"
            lines.append(f"recorded  user {run.number}, {run.persona}: {had}")
        lines += [f"skipped   user {run.number}, {one}: it was not there" for one in run.skipped]
        lines += [f"turned    user {run.number}, {one}" for one in run.turned]
        lines += _errors(run)
        lines += _heals(run, follow)
    lines += _quarantine(result, follow)
    for run in drifted[:_DRIFTS_SHOWN]:
        lines += ["", *_drift(run, follow)]
    if len(drifted) > _DRIFTS_SHOWN:
        lines += ["", f"and {len(drifted) - _DRIFTS_SHOWN} more that drifted; 'sim runs list' has them"]
    lines += lost_lines(result.lost_events)
    lines += ["", f"recorded  as batch {result.batch_id} in {short_path(result.db)}"]
    lines += [f"go on     {follow.resume(result.batch_id)}"] if goes_on else []
    return lines


def checks_line(checks: Mapping[str, int]) -> str:
    """Say how many checks were made, and how many of each kind: ``31 made: 12 element, 9 address, …``."""
    parts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(checks.items(), key=lambda one: (-one[1], one[0])))
    return f"{sum(checks.values()):,} made: {parts}"


def _headline(result: ReplayResult, drifted: list[ReplayedRun]) -> str:
    runs = counted(len(result.runs), "run")
    sites = f"{result.workers} sites of {result.site}" if result.workers > 1 else f"{result.site} at {result.base_url}"
    where = f"replayed on {sites} in {duration(result.seconds)}"
    where += f", share {result.shard}" if result.shard else ""
    excused = sum(run.drifted for run in result.runs) - len(drifted)
    where += f"; {excused} in quarantine drifted" if excused else ""
    if drifted and not (result.interrupted and all(run.verdict == "interrupted" for run in drifted)):
        first = drifted[0]
        cause = first.drift.sentence if first.drift else first.verdict
        return f"failed: {len(drifted)} of {runs} drifted; first: user {first.number}, {cause}"
    if result.interrupted:
        return f"interrupted: {runs} {where}"
    if result.seeded and result.seeded.halted:
        return f"failed: stopped after {runs}: {result.seeded.halted}"
    if not result.passed:
        return f"failed: all steps passed, but the site ended in another state than recorded ({runs} {where})"
    mended = [run for run in result.runs if run.heals or run.repairs]
    if mended:
        heals, repairs = sum(len(run.heals) for run in mended), sum(len(run.repairs) for run in mended)
        said = [counted(heals, "heal")] * bool(heals) + [counted(repairs, "repair")] * bool(repairs)
        return f"{'repaired' if repairs else 'healed'}: {len(mended)} of {runs}, by {' and '.join(said)}, {where}"
    writes = sum(len(run.writes) for run in result.runs)
    nothing = f"; 0 of {counted(writes, 'write')} proven" if unproven(run.writes for run in result.runs) else ""
    actions = counted(sum(run.actions for run in result.runs), "action")
    return f"passed: {runs}, {actions} {where}{nothing}"


def _verdicts(result: ReplayResult) -> list[tuple[str, int]]:
    return Counter(str(run.verdict) for run in result.runs).most_common()


def _state(result: ReplayResult) -> str:
    if result.state_after is None:
        return ""
    if result.state_before is None:
        return f"{result.state_after[:12]} after the replay; the recording holds none to compare it with"
    if result.state_before == result.state_after:
        return f"as recorded ({result.state_after[:12]})"
    return f"differs: recorded {result.state_before[:12]}, now {result.state_after[:12]}"


def _errors(run: ReplayedRun) -> list[str]:
    """Report what went wrong in scripts, which fails nothing by itself."""
    more = len(run.errors) - _DRIFTS_SHOWN
    lines = [
        f"console   user {run.number}, {error}; the recording has no such error" for error in run.errors[:_DRIFTS_SHOWN]
    ]
    return [*lines, *([f"console   user {run.number}, and {more} more"] if more > 0 else [])]


def _quarantine(result: ReplayResult, follow: FollowUp) -> list[str]:
    """Report what came of the runs in quarantine: a drift with its cause, and who may leave it."""
    lines = []
    for run in result.runs:
        if run.quarantined:
            found = run.drift.sentence if run.drift else run.verdict
            does = f"drifts, {found}" if run.drifted else "passes again: take it off the list"
            lines += [f"  user {run.number}, {run.persona} ({run.quarantined})", f"    {does}"]
            lines += [f"    {follow.show(run.run_id or run.source_run)}"] if run.drifted else []
    lines += [f"  '{name}' is none of these runs" for name in result.quarantine_unused if not result.shard]
    return ["", "quarantine", *lines] if lines else []


def _drift(run: ReplayedRun, follow: FollowUp) -> list[str]:
    lines = [f"{run.verdict}  user {run.number}, {run.persona} {run.username}"]
    if run.drift:
        lines += drift_lines(run.drift)
    return [*lines, f"  see          {follow.show(run.run_id or run.source_run)}"]


def _heals(run: ReplayedRun, follow: FollowUp) -> list[str]:
    if not run.heals and not run.repairs:
        return []
    lines = ["", f"{'repaired' if run.repairs else 'healed'}  user {run.number}, {run.persona} {run.username}"]
    for heal in run.heals:
        lines += heal_lines(heal)
    for repair in run.repairs:
        lines += repair_lines(repair)
    if run.revision:
        lines.append(f"  revision     {follow.show(run.revision)}")
    return lines


def heal_lines(heal: Heal) -> list[str]:
    """Say what was healed: what was recorded, what is there now, and why it was accepted."""
    return [
        f"  step         {heal.step}, {heal.tool}",
        f"  was          {heal.was}",
        f"  is           {heal.found}",
        f"  accepted by  {', '.join(heal.why)}",
    ]


def repair_lines(repair: Repair) -> list[str]:
    """Say what a model did instead: where, why, by which task types, what was read back, and what it took."""
    lines = [
        f"  step         {repair.step}, {repair.tool}" + (f" ({repair.task})" if repair.task else ""),
        f"  why          {repair.why}",
    ]
    for name, texts in (("did", repair.did), ("read back", repair.made)):
        lines += [f"  {name if at == 0 else '':<12} {text}" for at, text in enumerate(texts)]
    lines += [f"  said         {repair.said}"] if repair.said else []
    return [*lines, f"  model        {counted(repair.steps, 'step')}; {repair.spending}"]


def drift_lines(drift: DriftReport) -> list[str]:
    """Say where a replay drifted, what it expected, what was there, and the evidence either way."""
    lines = [
        f"  step         {drift.step}, {drift.tool}",
        f"  expected     {drift.expected}",
        f"  found        {drift.found}",
    ]
    for name, texts in (
        ("agreed", (", ".join(drift.agreed),) if drift.agreed else ()),
        ("contradicted", drift.contradicted),
        ("candidates", drift.candidates),
    ):
        lines += [f"  {name if at == 0 else '':<12} {text}" for at, text in enumerate(texts)]
    return lines
