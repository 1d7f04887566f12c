"""``sim runs``: what is recorded. Not responsible for: recording, reading or showing it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, NoReturn

import typer

from simulator.cli import exporting
from simulator.cli.cleanup import verify_site
from simulator.cli.option_groups import grouped
from simulator.cli.options import (
    BrowserOptions,
    Concurrency,
    Db,
    Json,
    LimitOptions,
    Model,
    ObservingOptions,
    RunOrBatch,
    SiteOptions,
    ToolOptions,
    users_at_once,
)

if TYPE_CHECKING:
    from simulator.config import Site
    from simulator.runner.events import BatchResult

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
    limit: Annotated[int, typer.Option("--limit", min=1, help="Show only this many, the newest.")] = 50,
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
    variables: Annotated[
        bool, typer.Option("--variables", help="What varies in it: recorded value, where from, and where used.")
    ] = False,
    residue: Annotated[
        bool,
        typer.Option("--residue", help="What of it speaks of the recorded users other than by variables."),
    ] = False,
    exchanges: Annotated[
        bool, typer.Option("--exchanges", help="What its browsers asked of sites, and what they were answered.")
    ] = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Show a run step by step, or a batch run by run."""
    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.recording.reader import Recording
    from simulator.report.recorded import RecordedRun, batch_shown, read_run_or_batch, run_lines
    from simulator.report.terminal.variables import read_variables, variable_lines

    path = recording_file(db)
    if variables:
        with Recording.open(path) as recording:
            found = read_variables(recording, run)
        print_json(found) if as_json else print_lines(variable_lines(found, output_width()))
        return
    if exchanges:
        from simulator.report.terminal.exchanges import exchange_lines, read_exchanges

        with Recording.open(path) as recording:
            asked = read_exchanges(recording, run)
        print_json(asked) if as_json else print_lines(exchange_lines(asked, output_width()))
        return
    if residue:
        from simulator.runner.replays.revising import read_residue

        left = read_residue(path, run)
        print_json(left) if as_json else print_lines(left.lines())
        return
    with Recording.open(path) as recording:
        shown = read_run_or_batch(recording, run)
    if as_json:
        print_json(shown)
    else:
        width = output_width()
        print_lines(run_lines(shown, width) if isinstance(shown, RecordedRun) else batch_shown(shown, width))


@app.command()
def edit(
    run: Run,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="STEP", help="Say the words of a step as they are.")
    ] = None,
    rewrite: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--rewrite",
            metavar="STEP TEXT",
            help="Say TEXT instead, which may hold {{variables}}; 3.2: a part of step 3.",
        ),
    ] = None,
    bind: Annotated[
        list[str] | None,
        typer.Option(
            "--bind",
            metavar="TEXT=VARIABLE",
            help="Let a variable of the user stand for TEXT wherever the run says it; may be repeated.",
        ),
    ] = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Settle words of recorded users, in a new revision of a run."""
    from simulator.cli.output import print_json, print_lines
    from simulator.runner.replays.binding import Bound
    from simulator.runner.replays.revising import edit_run

    bound = [Bound.parse(one) for one in bind or ()]
    edited = edit_run(recording_file(db), run, keep=keep or (), rewrite=[rewrite] if rewrite else (), bind=bound)
    print_json(edited) if as_json else print_lines(edited.lines())


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
    from simulator.recording.upkeep.verify import verify as verify_recording
    from simulator.report.wording import short_path

    path = recording_file(db)
    problems = verify_recording(path)
    if as_json:
        print_json(problems)
    else:
        print_lines(map(str, problems) if problems else [f"{short_path(path)}: no problems"])
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
    from simulator.recording.upkeep.prune import prune as prune_recording

    before = None if older_than is None else datetime.now(UTC) - timedelta(days=older_than)
    pruned = prune_recording(recording_file(db), keep=keep, older_than=before, kind=kind)
    if as_json:
        print_json(pruned)
    else:
        removed = [(pruned.batches, "batch", "es"), (pruned.runs, "run", "s"), (pruned.blobs, "blob", "s")]
        told = ", ".join(f"{count:,} {thing}{'' if count == 1 else many}" for count, thing, many in removed)
        print(f"removed {told}: {pruned.freed:,} bytes freed")


app.command("export")(exporting.export_runs)
app.command("import")(exporting.import_runs)


class KnownOptions(NamedTuple):
    """What a person knows of runs that were cut off."""

    assume_done: Annotated[
        list[int] | None,
        typer.Option("--assume-done", min=1, metavar="STEP", help="Say that this step took effect; may be repeated."),
    ] = None
    assume_not_done: Annotated[
        list[int] | None,
        typer.Option("--assume-not-done", min=1, metavar="STEP", help="Say that it did not; may be repeated."),
    ] = None
    source: Annotated[
        Path | None,
        typer.Option(
            "--source", metavar="FILE", help="The recording that users of 'sim seed' are made of; by default as then."
        ),
    ] = None
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            envvar="SIM_SCHEDULER",
            metavar="ADDRESS",
            help="The Dask cluster whose workers were given users of 'sim seed': what they did is taken back from it.",
        ),
    ] = None

    def assumed(self) -> dict[int, bool]:
        """Give what is said of steps, by their place from 1: whether each took effect.

        Raises:
            UsageError: both are said of one.
        """
        from simulator.errors import UsageError

        done, not_done = self.assume_done or (), self.assume_not_done or ()
        if both := {*done} & {*not_done}:
            raise UsageError(f"step {min(both)} cannot be both done and not done")
        return dict.fromkeys(done, True) | dict.fromkeys(not_done, False)


@app.command()
@grouped
def resume(
    run: RunOrBatch,
    *,
    known: KnownOptions,
    agent: Annotated[str, typer.Option("--agent", envvar="SIM_AGENT", help="Who goes on; by default who began.")] = "",
    model: Model = "",
    place: SiteOptions,
    concurrency: Concurrency = None,
    browser: BrowserOptions,
    limits: LimitOptions,
    tools: ToolOptions,
    observing: ObservingOptions,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Go on with runs that did not come to their end.

    They were killed, interrupted or stopped by a limit. Nothing is done twice: what was under way is looked up on the
    site first. Of 'sim seed', users who never began are made, too.
    """
    import os

    from simulator.agent.models.choose import choose_agent
    from simulator.cli.execution import execute
    from simulator.cli.replays.going_on import go_on_with_users
    from simulator.config import load_settings
    from simulator.runner.interrupted.resume import ResumeOptions
    from simulator.runner.interrupted.resume import resume as resume_runs
    from simulator.runner.spending import Limits

    settings, assumed = load_settings(), known.assumed()
    go_on_with_users(
        settings,
        run,
        source=known.source,
        scheduler=known.scheduler,
        assumed=assumed,
        place=place,
        concurrency=concurrency,
        browser=browser,
        observing=observing,
        db=db,
        as_json=as_json,
    )
    options = ResumeOptions(
        settings=settings,
        site=place.named(settings),
        base_url=place.base_url,
        db=db or settings.recording.db,
        target=run,
        agent=choose_agent(agent, os.environ) if agent else "",
        model=model,
        concurrency=users_at_once(concurrency, settings),
        headed=browser.headed or settings.browser.headed,
        screenshots=browser.screenshots or settings.run.screenshots,
        limits=Limits(limits.limit_minutes, limits.limit_steps, limits.limit_tokens, limits.limit_money),
        assumed=assumed,
        own_tools=tools.load(),
        allow_workspace=tools.allow_workspace,
    )
    result = execute(lambda listener, stop: resume_runs(options, listener, stop), observing)
    _print_resumed(result, options.site or settings.site(result.site), place, db, as_json=as_json)


def _print_resumed(result: BatchResult, site: Site, place: SiteOptions, db: Path | None, *, as_json: bool) -> NoReturn:
    import sys

    from simulator.cli.execution import exit_code
    from simulator.cli.output import print_json, print_lines
    from simulator.report.follow_up import FollowUp
    from simulator.report.summary import batch_lines

    acted_on = site.with_base_url(place.base_url) if place.base_url else site
    follow = FollowUp(db=db, base_url=place.base_url, reset=acted_on.can_be_reset)
    print_json(result) if as_json else print_lines(batch_lines(result, follow))
    for left in result.runs:
        if left.status == "interrupted" and not result.interrupted:
            print(f"sim: the run {left.run_id} does not go on: {left.reason}", file=sys.stderr)
    raise typer.Exit(exit_code(result))


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
    from simulator.recording.upkeep.promote import promote as promote_runs
    from simulator.report.wording import counted

    done = promote_runs(recording_file(db), runs, to)
    if as_json:
        print_json(done)
    else:
        there = f", {counted(len(done.present), 'run')} there already" if done.present else ""
        print(f"{to}: {counted(len(done.added), 'run')} added{there}; {done.size:,} bytes")


app.command("verify-site")(verify_site)


def recording_file(db: Path | None) -> Path:
    """Give the recording that a command works on: the given one, else the one of sim.toml."""
    from simulator.config import load_settings

    return db or load_settings().recording.db
