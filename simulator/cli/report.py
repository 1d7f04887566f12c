"""``sim report``: a recorded batch as a page. Not responsible for: what is on it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simulator.cli.options import Db


def report(
    batch: Annotated[
        str, typer.Argument(metavar="BATCH", help="A batch by its id, the beginning or end of one, or 'last'.")
    ] = "last",
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="The file to write.")] = Path("report.html"),
    db: Db = None,
) -> None:
    """Write a batch as one HTML file: runs, steps, pictures, drifts."""
    from simulator.cli.output import check_writable, write_file
    from simulator.cli.runs import recording_file
    from simulator.recording.reader import Recording
    from simulator.report.page import html_report

    check_writable(html)
    with Recording.open(recording_file(db)) as recording:
        text = html_report(recording, batch)
    write_file(html, text)
    print(html)
