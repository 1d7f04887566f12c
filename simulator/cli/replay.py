"""``sim replay``: performing a recording again. Not responsible for: how."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simulator.cli.options import (
    BaseUrl,
    Concurrency,
    Db,
    Events,
    ExchangePolicy,
    Headed,
    LimitMinutes,
    LimitMoney,
    LimitTokens,
    Log,
    Otel,
    ScreenshotPolicy,
    Seed,
    SiteName,
)

if TYPE_CHECKING:
    from simulator.cli.loading import Prepared
    from simulator.config import Settings
    from simulator.config.settings import Exchanges
    from simulator.runner.replays.gathering import Gathered
    from simulator.runner.replays.updating import Reviewed


def replay(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Recordings, playbooks, folders of them, runs or batches by their ids, 'last' batch, or 'all'.",
            show_default=False,
        ),
    ],
    source: Annotated[
        Path | None,
        typer.Option(
            "--source", envvar="SIM_SOURCE", metavar="FILE", help="Recording to replay from; by default --db's."
        ),
    ] = None,
    identity: Annotated[
        Literal["same", "fresh", "reuse"],
        typer.Option(
            "--identity",
            envvar="SIM_IDENTITY",
            help="The same users on a reset site, fresh ones, or the same who log in where they are on the site.",
        ),
    ] = "same",
    mode: Annotated[
        Literal["strict", "heal", "agent"],
        typer.Option(
            "--mode",
            envvar="SIM_MODE",
            help="heal: seek what strict evidence does not find by weaker evidence; agent: let a model do the tasks "
            "that are not to be healed, either. Both make a new revision.",
        ),
    ] = "strict",
    fail_on_heal: Annotated[
        bool,
        typer.Option("--fail-on-heal", envvar="SIM_FAIL_ON_HEAL", help="Exit 1 if it healed or repaired anything."),
    ] = False,
    require_proof: Annotated[
        int | None,
        typer.Option(
            "--require-proof",
            envvar="SIM_REQUIRE_PROOF",
            metavar="[PERCENT]",
            min=1,
            max=100,
            help="Exit 1 where fewer of a hundred writes are proven: seen again, with each input, on a later page. "
            "Without a number: all.",
        ),
    ] = None,
    base_url: BaseUrl = None,
    site: SiteName = None,
    reset: Annotated[bool, typer.Option("--reset", help="Reset the site first; it must be marked disposable.")] = False,
    seed: Seed = None,
    freeze_clock: Annotated[
        bool | None,
        typer.Option(
            "--freeze-clock/--no-freeze-clock",
            envvar="SIM_FREEZE_CLOCK",
            help="Let the pages' clock stand at the recorded run's start; by default as it was recorded.",
            show_default=False,
        ),
    ] = None,
    pace: Annotated[
        Literal["none", "recorded", "human"],
        typer.Option(
            "--pace",
            envvar="SIM_PACE",
            help="When actions are done: at once, with the recorded gaps, or as the user would, typing key by key.",
        ),
    ] = "none",
    concurrency: Concurrency = None,
    workers: Annotated[
        int, typer.Option("--workers", envvar="SIM_WORKERS", min=1, max=64, help="Share out among so many sites.")
    ] = 1,
    shard: Annotated[
        str | None,
        typer.Option("--shard", envvar="SIM_SHARD", metavar="N/OF", help="Only this share of the runs, such as 2/5."),
    ] = None,
    quarantine: Annotated[
        Path | None,
        typer.Option(
            "--quarantine", envvar="SIM_QUARANTINE", metavar="FILE", help="Runs whose drifts do not count, and why."
        ),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Go on where pages are otherwise; then show how, and record that they are.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="With --update: accept without being asked.")] = False,
    db: Db = None,
    plan: Annotated[bool, typer.Option("--plan", help="Print what would be done, and do nothing.")] = False,
    offline: Annotated[
        bool,
        typer.Option("--offline", help="Replay the agents instead: recorded answers and results, no site, no browser."),
    ] = False,
    start: Annotated[
        int | None,
        typer.Option("--from", metavar="STEP", help="Let an agent go on live from this step of a run: a new revision."),
    ] = None,
    agent: Annotated[
        Literal["auto", "autopilot", "claude", "openai"],
        typer.Option("--agent", envvar="SIM_AGENT", help="With --from: who goes on; with --mode agent: who repairs."),
    ] = "auto",
    model: Annotated[str, typer.Option("--model", envvar="SIM_MODEL", help="Which model goes on, or repairs.")] = "",
    max_steps: Annotated[
        int | None,
        typer.Option("--max-steps", min=1, max=10_000, help="How many steps may follow, or each repair take."),
    ] = None,
    limit_minutes: LimitMinutes = None,
    limit_tokens: LimitTokens = None,
    limit_money: LimitMoney = None,
    tools: Annotated[
        list[Path] | None,
        typer.Option("--tools", metavar="FILE", help="With --offline or --from: tools offered beside the toolsets."),
    ] = None,
    allow_workspace: Annotated[
        bool, typer.Option("--allow-workspace", help="With --from: let it use the toolset 'workspace'.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print canonical JSON instead of text; or write it, with a FILE.json.")
    ] = False,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", envvar="SIM_JUNIT", metavar="FILE", help="Write what came of it as JUnit XML, too."),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", envvar="SIM_HTML", metavar="FILE", help="Write it as a page, too: 'sim report'."),
    ] = None,
    events: Events = None,
    log: Log = None,
    otel: Otel = False,
    headed: Headed = False,
    screenshots: ScreenshotPolicy = None,
    exchanges: ExchangePolicy = None,
) -> None:
    """Perform recorded runs again, without any model.

    Only --mode agent and --from ask one.
    """
    import os
    import sys

    from simulator.cli.loading import loading
    from simulator.cli.output import check_writable, print_json, print_lines, write_file
    from simulator.errors import KeyMissing, UsageError

    paths, told = _told(paths, as_json=as_json)
    prepare = partial(_prepare, site, base_url, exchanges, headed=headed)
    if start is not None:
        settings = prepare(browser=False).settings
        into = db or settings.recording.db
        if len(paths) > 1 or Path(paths[0]).suffix or (source or into) != into:
            raise UsageError("--from goes on with one run, in the recording that holds it: name the run, and --db")
        from simulator.agent.models.choose import choose_agent
        from simulator.cli.execution import execute, exit_code
        from simulator.report.follow_up import FollowUp
        from simulator.report.summary import batch_lines
        from simulator.runner.continuing.going_on import GoOnOptions, go_on
        from simulator.tools.plugins import load_file

        place = settings.site(site) if site else None
        going = GoOnOptions(
            settings=settings,
            site=place,
            base_url=base_url,
            db=into,
            run=paths[0],
            step=start,
            agent=choose_agent(agent, os.environ),
            model=model,
            max_steps=max_steps,
            limit_minutes=limit_minutes or settings.run.limit_minutes,
            limit_tokens=limit_tokens,
            limit_money=limit_money,
            reset=reset,
            headed=headed or settings.browser.headed,
            screenshots=screenshots or settings.run.screenshots,
            own_tools=tuple(spec for path in tools or () for spec in load_file(path)),
            allow_workspace=allow_workspace,
            argv=tuple(sys.argv[1:]),
        )
        if identity != "same":
            raise UsageError("--from goes on as the recorded user; leave --identity out")
        made = execute(lambda listener, stop: go_on(going, listener, stop), events=events, log=log, otel=otel)
        follow = FollowUp(db=db, base_url=base_url, reset=reset)
        print_json(made) if as_json else print_lines(batch_lines(made, follow))
        raise typer.Exit(exit_code(made))
    repairer: str | None = None
    if mode == "agent":
        from simulator.agent.models.choose import choose_agent

        repairer = choose_agent(agent, os.environ)
        if repairer == "autopilot" and agent == "auto":
            raise KeyMissing(
                "--mode agent has a model repair what cannot be performed, and there is no key of one: set "
                "ANTHROPIC_API_KEY or OPENAI_API_KEY, or take --mode heal"
            )
    for file in (junit, html, told):
        if file:
            check_writable(file)
    with ExitStack() as stack:
        loaded = None
        if not plan and not offline and all(Path(path).exists() for path in paths if Path(path).suffix):
            loaded = stack.enter_context(loading(prepare, _load))
        settings = loaded.settings if loaded else prepare(browser=False).settings
        into = db or settings.recording.db
        headed = headed or settings.browser.headed

        from simulator.cli.execution import execute, exit_code
        from simulator.recording.reader import Recording
        from simulator.replay.shards import Shard
        from simulator.report.as_json import json_text
        from simulator.report.follow_up import FollowUp
        from simulator.report.proof import proven_percent
        from simulator.report.replay_summary import replay_lines
        from simulator.runner.replays.gathering import gathered
        from simulator.runner.replays.replaying import ReplayOptions
        from simulator.runner.replays.replaying import replay as replay_recording

        share = Shard.parse(shard) if shard else None
        found = stack.enter_context(gathered(paths, source or into, landing=settings.recording.db))
        if plan:
            from simulator.cli.runs import print_plan

            print_plan(found.source, found.targets, share, as_json=as_json)
            return
        if offline:
            _offline(settings, found, tools or (), as_json=as_json)
            return
        configured = settings.run.concurrency
        repair = None
        if repairer is not None:
            from simulator.runner.repairs.repair import RepairOptions

            repair = RepairOptions(
                agent=repairer,
                model=model,
                max_steps=max_steps,
                limit_minutes=limit_minutes or settings.run.limit_minutes,
                limit_tokens=limit_tokens,
                limit_money=limit_money,
            )
        quarantined = None
        if quarantine:
            from simulator.runner.replays.quarantine import Quarantine

            quarantined = Quarantine.read(quarantine)
        options = ReplayOptions(
            settings=settings,
            site=settings.site(site) if site else None,
            base_url=base_url,
            source=found.source,
            source_name=found.name,
            target=found.targets,
            identity=identity,
            mode=mode,
            repair=repair,
            seed=seed,
            freeze_clock=freeze_clock,
            pace=pace,
            concurrency=concurrency or (None if configured == "auto" else configured),
            workers=workers,
            shard=share,
            quarantine=quarantined,
            db=into,
            reset=reset,
            headed=headed,
            screenshots=screenshots or settings.run.screenshots,
            ahead=loaded and loaded.ahead,
            argv=tuple(sys.argv[1:]),
        )
        run = partial(execute, events=events, log=log, otel=otel, runner=loaded and loaded.runner)
        if update:
            if found.temporary or mode != "strict":
                raise UsageError("--update is of one recording, which gets the revisions; and not with --mode")
            from simulator.runner.replays.updating import review

            reviewed = run(lambda listener, stop: review(options, listener, stop))
            result = reviewed.result
        else:
            result = run(lambda listener, stop: replay_recording(options, listener, stop))
    follow = FollowUp(db=db, base_url=base_url, reset=reset)
    try:
        if told:
            write_file(told, json_text(result) + "\n")
        if junit:
            from simulator.report.junit import junit_xml

            write_file(junit, junit_xml(result))
        if html and result.batch_id:
            from simulator.report.page import html_report

            with Recording.open(result.db) as recording:
                write_file(html, html_report(recording, result.batch_id))
    finally:
        # Whoever reads this may leave before its end, as 'head' does.
        print_json(result) if as_json and not told else print_lines(replay_lines(result, follow))
    if update and result.passed:
        _accept(reviewed, found.source, yes=yes)
    mended = fail_on_heal and any(run.heals or run.repairs for run in result.runs)
    lacking = require_proof is not None and proven_percent(run.writes for run in result.runs) < require_proof
    if lacking:
        print(f"fewer than {require_proof} % of the writes are proven (--require-proof)", file=sys.stderr)
    raise typer.Exit(exit_code(result) or int(mended or lacking))


def _prepare(
    site: str | None, base_url: str | None, exchanges: Exchanges | None, *, headed: bool, browser: bool = True
) -> Prepared:
    """Read the settings, and tell from them which browser is probably needed.

    Args:
        site: name of the section.
        base_url: another address of the site.
        exchanges: which exchanges are kept, where that was asked for.
        headed: whether browser windows are shown.
        browser: whether one is needed at all.

    Raises:
        ConfigError: ``sim.toml`` cannot be used.
        UsageError: it has no such section.
        BrowserMissing: there is no browser.
    """
    from simulator.cli.loading import Prepared
    from simulator.config import load_settings

    settings = load_settings().with_exchanges(exchanges)
    if not browser:
        return Prepared(settings, None)
    from simulator.runner.surroundings.ahead import probable

    section = settings.site(site)
    at = section.with_base_url(base_url.replace("{worker}", "1")) if base_url else section
    return Prepared(settings, probable(settings, at, headed=headed or settings.browser.headed))


def _load() -> None:
    """Import what performs a recording: while the browser is starting."""
    import simulator.cli.execution
    import simulator.replay.shards
    import simulator.report.follow_up
    import simulator.report.replay_summary
    import simulator.runner.replays.gathering
    import simulator.runner.replays.replaying  # noqa: F401


def _accept(reviewed: Reviewed, source: Path, *, yes: bool) -> None:
    """Show what pages are otherwise, and record it where a person agrees; exit with 1 where nobody does."""
    import sys

    from simulator.cli.output import print_lines
    from simulator.runner.replays.updating import accept

    if not reviewed.otherwise:
        print_lines(["", "nothing to update: every page is as it was recorded"])
        return
    print_lines(reviewed.lines())
    if not yes and not (sys.stdin.isatty() and typer.confirm(f"\nRecord this in {source}?", err=True)):
        print(f"sim: {source} stays as it is; accept with --yes", file=sys.stderr)
        raise typer.Exit(1)
    revisions = accept(reviewed, source)
    print_lines(["", *(f"revision of run {run}: {revision}" for run, revision in revisions.items())])


def _told(paths: Sequence[str], *, as_json: bool) -> tuple[list[str], Path | None]:
    """Tell the file that follows ``--json`` from what is replayed: no recording and no playbook ends in ``.json``."""
    from simulator.errors import UsageError

    files = [path for path in paths if path.endswith(".json")]
    others = [path for path in paths if not path.endswith(".json")]
    if files and (not as_json or len(files) > 1):
        raise UsageError(f"{files[-1]} is no recording; to write what came of the replay, give one --json FILE.json")
    if not others:
        raise UsageError("nothing to replay: name a recording, a playbook, a run, a batch, 'last' or 'all'")
    return others, Path(files[0]) if files else None


def _offline(settings: Settings, found: Gathered, tools: Sequence[Path], *, as_json: bool) -> None:
    """Run today's agents against what was recorded, and exit with 1 where they do something else."""
    import asyncio

    from simulator.cli.output import print_json, print_lines
    from simulator.report.offline_lines import offline_lines
    from simulator.runner.continuing.offline import OfflineOptions, replay_offline
    from simulator.tools.plugins import load_file

    own = tuple(spec for path in tools for spec in load_file(path))
    options = OfflineOptions(settings=settings, source=found.source, target=found.targets, own_tools=own)
    result = asyncio.run(replay_offline(options))
    print_json(result) if as_json else print_lines(offline_lines(result))
    if not result.passed:
        raise typer.Exit(1)
