"""``sim cleanup`` and ``sim runs verify-site``: what users left on a site. Not responsible for: looking or deleting."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.cli.options import BaseUrl, Db, Events, Headed, Json, Log, ObservingOptions, ScreenshotPolicy, SiteName

Target = Annotated[
    str,
    typer.Argument(
        metavar="RUN|BATCH", help="An id, the beginning or end of one, or 'last': the newest batch.", show_default=False
    ),
]


def cleanup(
    target: Target,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask first.")] = False,
    site: SiteName = None,
    base_url: BaseUrl = None,
    headed: Headed = False,
    screenshots: ScreenshotPolicy = None,
    events: Events = None,
    log: Log = None,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Delete from the site what users made there, the newest first.

    Of recorded or replayed users. Each logs in and deletes by the site's own means; exit 1 where something is left. It
    is recorded, too.
    """
    import sys

    from simulator.cli.execution import INTERRUPTED, execute
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.runner.upkeep.cleanup import CleanupOptions, clean_up, plan_cleanup

    settings = load_settings()
    options = CleanupOptions(
        settings=settings,
        site=settings.site(site) if site else None,
        base_url=base_url,
        db=db or settings.recording.db,
        target=target,
        headed=headed or settings.browser.headed,
        screenshots=screenshots or settings.run.screenshots,
        argv=tuple(sys.argv[1:]),
    )
    plan = plan_cleanup(options)
    if plan.count and not yes:
        typer.confirm(plan.question(), abort=True, err=True)
    result = execute(lambda listener, stop: clean_up(options, listener, stop), ObservingOptions(events=events, log=log))
    print_json(result) if as_json else print_lines(result.lines())
    raise typer.Exit(INTERRUPTED if result.interrupted else int(not result.whole))


def verify_site(
    target: Target,
    site: SiteName = None,
    base_url: BaseUrl = None,
    headed: Headed = False,
    db: Db = None,
    as_json: Json = False,
) -> None:
    """Look again at what users wrote, wherever it was kept.

    Of recorded or replayed users; exit 1 where something is not as they left it, or nobody knows where to look.
    """
    from simulator.cli.execution import INTERRUPTED, execute
    from simulator.cli.output import print_json, print_lines
    from simulator.config import load_settings
    from simulator.runner.upkeep.verify_site import VerifySiteOptions
    from simulator.runner.upkeep.verify_site import verify_site as visit

    settings = load_settings()
    options = VerifySiteOptions(
        settings=settings,
        site=settings.site(site) if site else None,
        base_url=base_url,
        db=db or settings.recording.db,
        target=target,
        headed=headed or settings.browser.headed,
    )
    verified = execute(lambda _, stop: visit(options, stop))
    print_json(verified) if as_json else print_lines(verified.lines())
    raise typer.Exit(INTERRUPTED if verified.interrupted else int(not verified.whole))
