"""``sim runs export`` and ``sim runs import``. Not responsible for: the forms that runs are written in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from simulator.cli.options import Db, Json


def export_runs(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="A run or a batch, 'last' batch, or 'all'.", show_default=False),
    ],
    format: Annotated[
        Literal["pytest", "playbook", "har", "trace", "json", "datasette"],
        typer.Option(
            "--format",
            help="A test for pytest-playwright, YAML that is replayed as well, requests and answers, all there is; "
            "or what Datasette shows beside the file.",
        ),
    ] = "playbook",
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="Write it there, and beside it what it uploads; else print it."),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Reset the site, and run the test once: it is done when it has passed."),
    ] = False,
    db: Db = None,
) -> None:
    """Write runs, and those that they depend on, in another form."""
    import asyncio
    import sys

    from simulator.cli.output import print_lines
    from simulator.config import load_settings
    from simulator.errors import UsageError
    from simulator.runner.exporting.checking import check as check_test
    from simulator.runner.exporting.script import export, write_export

    if to is None and format == "trace":
        raise UsageError("a trace is a ZIP file: give --to FILE.zip")
    if check and (to is None or format != "pytest"):
        raise UsageError("--check runs a test that is written: give '--format pytest --to FILE.py' with it")
    settings = load_settings()
    exported = export(db or settings.recording.db, run, format)
    if to is None:
        sys.stdout.write(exported.content.decode())
        if exported.files and format != "playbook":
            print(f"{len(exported.files)} files that it uploads are left out: give --to FILE", file=sys.stderr)
    else:
        print_lines(str(path) for path in write_export(exported, to))
    if check and to is not None and exported.run is not None:
        asyncio.run(check_test(settings, exported.run, to, exported.secrets))
        print(f"checked: {to} passed on a site that was reset", file=sys.stderr)
    elif format == "pytest":
        print("the test was not run: '--check' runs it once, where the site can be reset", file=sys.stderr)


def import_runs(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Playbooks, as 'sim runs export' makes.", show_default=False),
    ],
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Store the runs of playbooks in a recording."""
    from simulator.cli.output import print_json
    from simulator.config import load_settings
    from simulator.recording.upkeep.importing import import_playbook
    from simulator.report.wording import counted, short_path

    into = db or load_settings().recording.db
    done = [import_playbook(file, into) for file in files]
    if as_json:
        print_json(done)
    else:
        for file, imported in zip(files, done, strict=True):
            print(f"{file}: {counted(len(imported.runs), 'run')} imported into {short_path(into)}")
            for run in imported.runs:
                print(run)
