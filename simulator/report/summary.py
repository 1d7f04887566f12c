"""What came of a batch, for a terminal. Not responsible for: progress, replays, or JSON."""

from __future__ import annotations

from collections import Counter

from simulator.report.follow_up import FollowUp
from simulator.report.proof import proof_lines
from simulator.report.task_times import task_times
from simulator.report.terminal.columns import columns
from simulator.report.terminal.usage import spending_rows
from simulator.report.wording import counted, duration, lost_lines, one_line, short_path
from simulator.runner.events import BatchResult, RunOutcome

_FAILURES_SHOWN = 20


def batch_lines(result: BatchResult, follow: FollowUp) -> list[str]:
    """Sum a batch up; the first line says how it went.

    Args:
        result: what came of it.
        follow: writes the commands to go on with.
    """
    lines = [_headline(result)]
    if result.made:
        lines += ["", f"made      {_made(result)}"]
    proof = proof_lines((run.number, run.writes) for run in result.runs)
    lines += ["", *proof] if proof else []
    lines += ["", *_doubts(result)] if any(run.not_found_again for run in result.runs) else []
    lines += ["", *_tasks(result)] if any(run.tasks for run in result.runs) else []
    lines += _failures(result, follow)
    if result.blocked:
        lines += [
            "",
            f"blocked   {counted(len(result.blocked), 'request')} to other hosts, such as {result.blocked[0]}",
        ]
    lines += _models(result)
    lines += lost_lines(result.lost_events)
    lines += [
        "",
        f"batch     {result.batch_id} in {short_path(result.db)}",
        f"seed      {result.seed}",
        f"replay    {follow.replay(result.batch_id)}",
    ]
    if result.interrupted or any(run.unfinished for run in result.runs):
        lines.append(f"go on     {follow.resume(result.batch_id)}")
    return lines


def _headline(result: BatchResult) -> str:
    states = Counter(run.status for run in result.runs)
    where = f"on {result.site} at {result.base_url} in {duration(result.seconds)}"
    users = counted(len(result.runs), "user")
    if states["failed"]:
        return f"failed: {states['failed']} of {users} {where}; first: {_cause(_failed(result)[0])}"
    if result.interrupted:
        why = f"; {result.reason}" if result.reason else ""
        rest = f", {counted(result.cancelled, 'other')} never began" if result.cancelled else ""
        return f"interrupted: {states['passed']} of {users} that had started finished {where}{rest}{why}"
    stuck = [run for run in result.runs if run.status == "interrupted"]
    if stuck:
        return f"unfinished: {len(stuck)} of {users} cannot go on {where}; first: {_cause(stuck[0])}"
    return f"passed: {users}, {counted(sum(run.steps for run in result.runs), 'step')} {where}"


def _made(result: BatchResult) -> str:
    """Report what users made by kind; kinds are named by their plural."""
    kinds = [counted(number, kind.removesuffix("s")) for kind, number in result.made.items() if number]
    return ", ".join(kinds) or "nothing"


def _doubts(result: BatchResult) -> list[str]:
    """Report what a replay could not find again, as the agent was warned."""
    told = [f"user {run.number}, {one_line(one)}" for run in result.runs for one in run.not_found_again]
    more = [f"          and {len(told) - _FAILURES_SHOWN} more"] if len(told) > _FAILURES_SHOWN else []
    return ["a replay could not find again", *(f"          {one}" for one in told[:_FAILURES_SHOWN]), *more]


def _models(result: BatchResult) -> list[str]:
    rows = spending_rows(result.by_persona.items())
    return ["", f"models    {result.spending}", *columns(rows, right=range(1, 6), indent="  ")] if rows else []


def _tasks(result: BatchResult) -> list[str]:
    rows = [["task", "count", "p50", "p95", "max", "failed", "skipped"]]
    for task_type in task_times(result.runs):
        seconds = [f"{value:.2f} s" for value in (task_type.p50, task_type.p95, task_type.max)]
        rows.append(
            [
                task_type.task_type,
                str(task_type.count),
                *seconds,
                str(task_type.failed or ""),
                str(task_type.skipped or ""),
            ]
        )
    return columns(rows, right=range(1, 7))


def _failures(result: BatchResult, follow: FollowUp) -> list[str]:
    failed = _failed(result)
    if not failed:
        return []
    lines = [""]
    for run in failed[:_FAILURES_SHOWN]:
        lines += [f"failed    user {run.number}, {_cause(run)}", f"          {follow.show(run.run_id)}"]
    if len(failed) > _FAILURES_SHOWN:
        lines.append(f"          and {len(failed) - _FAILURES_SHOWN} more; 'sim runs list' has them")
    return lines


def _failed(result: BatchResult) -> list[RunOutcome]:
    return [run for run in result.runs if run.status == "failed"]


def _cause(run: RunOutcome) -> str:
    tasks = [f"{task.task}: {task.reason}" for task in run.tasks if task.status == "failed"]
    reason = run.reason or "; ".join(tasks) or "no reason is known"
    return f"{run.persona} {run.username}: {one_line(reason)}"
