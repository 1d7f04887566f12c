"""What came of proving runs, for a terminal. Not responsible for: proving them."""

from __future__ import annotations

from simulator.report.follow_up import FollowUp
from simulator.report.replay_summary import drift_lines
from simulator.report.wording import counted, duration, short_path
from simulator.runner.replays.proving import ProvenRun, Proving

_WHO = {"same": "the same users", "fresh": "fresh users"}
_SHOWN = 20


def proving_lines(proving: Proving, follow: FollowUp) -> list[str]:
    """Sum it up; the first line says whether the runs are proven, and why not where they are not.

    Args:
        proving: what came of it.
        follow: writes the commands to go on with.
    """
    result = proving.result
    drifts = {run.source_run: run for run in result.runs if run.drift}
    lines = [_headline(proving)]
    for run in proving.runs:
        if run.proven:
            lines += [
                "",
                f"proven({proving.policy})  user {run.number}, {run.persona}: revision {run.revision}, {run.run}",
            ]
            lines += _lessons(run)
            continue
        lines += ["", f"not proven  user {run.number}, {run.persona}: {run.why_not}"]
        if run.source in drifts:
            again = drifts[run.source]
            assert again.drift is not None
            lines += [*drift_lines(again.drift), f"  see          {follow.show(again.run_id or run.source)}"]
    if proving.observed:
        had = f"{counted(len(proving.observed), 'run')} recorded before effects"
        lines += ["", f"observed  {had}, performed twice: what the first performance showed is in a revision"]
    return [*lines, "", f"recorded  as batch {result.batch_id} in {short_path(result.db)}"]


def _headline(proving: Proving) -> str:
    result = proving.result
    where = f"performed once more by {_WHO[proving.policy]} on {result.site} at {result.base_url}"
    took = f"in {duration(result.seconds)}"
    runs = counted(len(proving.runs), "run")
    lost = [run for run in proving.runs if not run.proven]
    if result.interrupted:
        return f"interrupted: nothing is proven of {runs} {where} {took}"
    if lost:
        return f"not proven: {len(lost)} of {runs} {where} {took}; first: user {lost[0].number}, {lost[0].why_not}"
    writes = [one for run in result.runs for one in run.writes]
    shown = f"; {sum(one.proven for one in writes)} of {counted(len(writes), 'write')} seen again" if writes else ""
    return f"proven({proving.policy}): {runs} {where} {took}{shown}"


def _lessons(run: ProvenRun) -> list[str]:
    required = sum(len(one.required) for one in run.lessons)
    volatile = sum(len(one.volatile) for one in run.lessons)
    lines = (
        [f"  {required} texts are required from now on, {volatile} change and are not checked"] if run.lessons else []
    )
    told = [f"  step {one.place}: '{text}'" for one in run.lessons for text in one.required]
    told += [f"  step {one.place}: not checked: '{text}'" for one in run.lessons for text in one.volatile]
    more = [f"  and {len(told) - _SHOWN} more"] if len(told) > _SHOWN else []
    return [*lines, *told[:_SHOWN], *more]
