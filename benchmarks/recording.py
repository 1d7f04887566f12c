"""Row ``recording``: the same tool calls with the recorder and with sinks that keep nothing."""

from __future__ import annotations

import itertools
import time
from functools import partial

from pydantic import JsonValue

from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.stage import SEED, Stage, reader, stage
from benchmarks.unrecorded import Nowhere
from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionRecorder
from simulator.recording.recorder import Recorder
from simulator.runner.performing.journal import RunJournal
from simulator.runner.performing.wrappers import ScreenshotDispatcher
from simulator.runner.surroundings.environment import Held, describe
from simulator.runner.surroundings.session import Session
from simulator.tools.context import Journal, RunContext
from simulator.tools.contracts import Dispatcher, ToolCall
from simulator.tools.dispatch import SafetyDispatcher, TimeoutDispatcher, ToolDispatcher
from simulator.tools.recording_dispatcher import RecordingDispatcher, TypingWatch
from simulator.tools.registry import Registry
from simulator.tools.toolsets import registry_of


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row: a user registers, logs in, sells a book, looks around and logs out."""
    registry = registry_of(("browser", "books"))
    who = reader()
    async with stage() as on:
        vault = on.resources.vault(who.persona, who.seed, who.number)
        held = Held.at_start(on.site, freeze_clock=False)
        profile = held.profile(who)
        folders = (on.folder / str(number) for number in itertools.count())
        with Recorder.open(on.folder / "recorded.db", mask=on.resources.vaults.mask_all) as recorder:

            async def act(recording: bool) -> float:
                await on.resources.control.reset()
                folder = next(folders)
                folder.mkdir()
                bindings = Bindings(who.variables(), secret=vault.reveal)
                began = time.perf_counter()
                watch: ActionRecorder = Nowhere()
                journal: Journal = Nowhere()
                run = None
                if recording:
                    batch = recorder.begin_batch(argv=(), seed=SEED, settings={})
                    run = recorder.begin_run(
                        batch_id=batch, number=1, kind="record", agent=None, persona=who.persona,
                        identity=who.model_dump(mode="json"), site=on.site.name,
                        environment=describe(on.site, profile, on.resources.pool.version, None, SEED, held),
                    )  # fmt: skip
                    watch, journal = TypingWatch(run), RunJournal(run)
                async with Session(
                    on.resources.pool,
                    profile=profile,
                    access=on.resources.access,
                    policy=on.resources.policy,
                    origin=on.site.origin,
                    recorder=watch,
                    bindings=bindings,
                    vault=vault,
                    timeouts=on.resources.timeouts,
                    opened=partial(run.actors.add, context=profile.as_dict()) if run else lambda name: None,
                ) as session:
                    ctx = RunContext(
                        site=on.site,
                        settings=on.settings,
                        bindings=bindings,
                        vault=vault,
                        pictures=on.resources.pictures,
                        session=session,
                        journal=journal,
                        workdir=folder,
                    )
                    await _sell(_dispatcher(on, ctx, registry, watch, journal))
                if run:
                    run.end_run(status="passed")
                return (time.perf_counter() - began) * 1000

            recorded, bare = await interleave(rounds, partial(act, True), partial(act, False))
    return [
        Row("recording", "tool calls, recorded", "tool calls, not recorded", "ms", recorded, bare, Budget(1.05)),
    ]


def _dispatcher(
    on: Stage, ctx: RunContext, registry: Registry, recorder: ActionRecorder, journal: Journal
) -> Dispatcher:
    """Put dispatch together as a run does; its recording parts only where there is a recorder."""
    dispatcher: Dispatcher = ToolDispatcher(registry, ctx)
    dispatcher = TimeoutDispatcher(dispatcher, registry)
    dispatcher = SafetyDispatcher(dispatcher, registry, ceiling="medium", grants=on.site.grants)
    if not isinstance(journal, RunJournal) or not isinstance(recorder, TypingWatch):
        return dispatcher
    dispatcher = ScreenshotDispatcher(dispatcher, ctx, "failures", journal.keep_snapshot)
    return RecordingDispatcher(
        dispatcher,
        journal,
        watch=recorder,
        registry=registry,
        template=lambda text: ctx.vault.mask(ctx.bindings.recognise(text)),
    )


async def _sell(dispatcher: Dispatcher) -> None:
    async def call(name: str, **given: JsonValue) -> JsonValue:
        result = await dispatcher.dispatch(ToolCall(id=name, name=name, input=given))
        if not result.success:
            raise RuntimeError(f"{name} failed: {result.error.message if result.error else 'no reason given'}")
        return result.data

    await call("register")
    await call("login")
    await call("navigate", url="/books/new")
    covers = await call("fetch_book_covers", query="{{book.1.title}}", count=1)
    assert isinstance(covers, list)
    assert isinstance(covers[0], dict)
    await call("upload_cover_image", cover_url=covers[0]["cover_url"])
    await call("fill", selector="label=Title", value="{{book.1.title}}")
    await call("fill", selector="label=Author", value="{{book.1.author}}")
    await call("select_option", selector="label=Genre", value="Crime and mystery")
    await call("check", selector="label=Good")
    await call("fill", selector="label=Price in pounds", value="4.50")
    await call("fill", selector="label=Description", value="{{book.1.description}}")
    await call("click", selector="Put it up for sale")
    await call("navigate", url="/books")
    await call("get_page_text")
    await call("navigate", url="/inbox")
    await call("logout")
