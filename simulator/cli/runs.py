"""``sim runs``: what is recorded. Not responsible for: recording, reading or showing it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from simulator.cli.options import Db, Json

app = typer.Typer(help="Recorded runs.", no_args_is_help=True)

Run = Annotated[
    str, typer.Argument(metavar="RUN", help="An id, the beginning or end of one, or 'last'.", show_default=False)
]
Kind = Annotated[
    Literal["record", "replay", "heal", "import"] | None, typer.Option("--kind", help="Only those of this kind.")
]


@app.command("list")
def list_runs(
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="BATCH", help="Only those of a batch; 'last' is the newest.")
    ] = None,
    kind: Kind = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Only the newest so many.")] = 50,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """List runs, oldest first."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.recording.reader import Recording
    from simulator.report.recorded import run_list_lines

    with Recording.open(recording_file(db)) as recording:
        batch_id = recording.batch(batch).id if batch else None
        runs = recording.runs(batch_id, kind=kind, limit=limit)
    print_json(runs) if as_json else print_lines(run_list_lines(runs, output_width()))


@app.command()
def show(
    run: Run,
    plan: Annotated[
        bool, typer.Option("--plan", help="What a replay would do, and why it leaves out the rest.")
    ] = False,
    variables: Annotated[
        bool, typer.Option("--variables", help="What varies in it: recorded value, where from, and where used.")
    ] = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show a run step by step."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.recording.reader import Recording
    from simulator.report.recorded import read_run, run_lines
    from simulator.report.variables import read_variables, variable_lines

    path = recording_file(db)
    if plan:
        print_plan(path, run, as_json=as_json)
        return
    if variables:
        with Recording.open(path) as recording:
            found = read_variables(recording, run)
        print_json(found) if as_json else print_lines(variable_lines(found, output_width()))
        return
    with Recording.open(path) as recording:
        recorded = read_run(recording, run)
    print_json(recorded) if as_json else print_lines(run_lines(recorded, output_width()))


@app.command()
def diff(
    first: Run,
    second: Run,
    other: Annotated[
        Path | None, typer.Option("--other", metavar="FILE", help="The recording that holds the second run.")
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Compare two runs step by step; exit 1 where they differ."""
    from simulator.cli.output import print_json, print_lines
    from simulator.recording.reader import Recording
    from simulator.report.difference import compare_runs
    from simulator.report.recorded import read_run

    path = recording_file(db)
    with Recording.open(path) as one, Recording.open(other or path) as two:
        found = compare_runs(read_run(one, first), read_run(two, second))
    print_json(found) if as_json else print_lines(found.lines())
    if not found.same:
        raise typer.Exit(1)


@app.command()
def verify(db: Db = None, as_json: Json = False) -> None:
    """Check all hashes and references."""
    from simulator.cli.output import print_json, print_lines
    from simulator.recording.verify import verify as verify_recording

    path = recording_file(db)
    problems = verify_recording(path)
    if as_json:
        print_json(problems)
    else:
        print_lines(map(str, problems) if problems else [f"{path}: no problems"])
    if problems:
        raise typer.Exit(2)


@app.command()
def prune(
    keep: Annotated[int | None, typer.Option("--keep", min=0, help="How many of the newest batches stay.")] = None,
    older_than: Annotated[
        float | None, typer.Option("--older-than", min=0, metavar="DAYS", help="Only batches begun before that.")
    ] = None,
    kind: Kind = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Remove old batches and what only they used.

    Without --keep and --older-than it removes only what nothing refers to.
    """
    from datetime import UTC, datetime, timedelta

    from simulator.cli.output import print_json
    from simulator.recording.prune import prune as prune_recording

    before = None if older_than is None else datetime.now(UTC) - timedelta(days=older_than)
    pruned = prune_recording(recording_file(db), keep=keep, older_than=before, kind=kind)
    if as_json:
        print_json(pruned)
    else:
        print(
            f"removed {pruned.batches} batches, {pruned.runs} runs, {pruned.blobs} blobs: {pruned.freed:,} bytes freed"
        )


@app.command()
def promote(
    runs: Annotated[
        list[str], typer.Argument(metavar="RUN", help="Runs to copy, as in 'sim runs show'.", show_default=False)
    ],
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="The recording to copy them into.", show_default=False)
    ],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Copy runs into a recording to be committed.

    Those that they depend on are copied too.
    """
    from simulator.cli.output import print_json
    from simulator.recording.promote import promote as promote_runs

    done = promote_runs(recording_file(db), runs, to)
    if as_json:
        print_json(done)
    else:
        print(f"{to}: {len(done.added)} runs added, {len(done.present)} were there; {done.size:,} bytes")


def recording_file(db: Path | None) -> Path:
    """Give the recording that a command works on: the given one, else the one of sim.toml."""
    from simulator.config import load_settings

    return db or load_settings().recording.db


def print_plan(source: Path, target: str, *, as_json: bool) -> None:
    """Print what a replay of a run or batch would do."""
    from simulator.cli.output import print_json, print_lines
    from simulator.runner.replaying import plan_text

    plan = plan_text(source, target)
    print_json(plan) if as_json else print_lines(plan.lines())
