"""Plays a row of the conformance table: recorded in a real file, then replayed and compared.

Not responsible for: what rows show.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Page

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionRecorder
from simulator.browser.launch.access import Access
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.browser.timeouts import Timeouts
from simulator.config import Site, load_settings
from simulator.domain import Pictures
from simulator.packs.bookshop.covers import CoverService
from simulator.packs.bookshop.settings import Covers
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.healing import Healer
from simulator.replay.mail import MailReader
from simulator.replay.perform import StepPerformer
from simulator.replay.plan import plan_run
from simulator.runner.performing.journal import RunJournal
from simulator.runner.surroundings.session import Session
from simulator.secrets import Vault
from simulator.template import CHOICE
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher, ToolResult
from simulator.tools.dispatch import SafetyDispatcher, TimeoutDispatcher, ToolDispatcher
from simulator.tools.mail.mailbox import Inbox
from simulator.tools.mail.maildir import Maildir
from simulator.tools.recording_dispatcher import RecordingDispatcher, TypingWatch
from simulator.tools.registry import Registry
from simulator.tools.toolsets import registry_of
from tests.conformance.table import Row, Stage, show
from tests.small_run import VALUES, SmallSite

_TIMEOUTS = Timeouts(action=1500)
_SEEN = """() => ({
  text: document.body.innerText,
  fields: [...document.querySelectorAll("input, select, textarea")].map(field =>
    field.type === "file" ? [...field.files].map(file => [file.name, file.size]).join()
      : ["checkbox", "radio"].includes(field.type) ? String(field.checked) : field.value),
  scroll: [Math.round(scrollX), Math.round(scrollY)],
})"""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a row left behind: the page, and what was posted to the site."""

    url: str
    text: str
    fields: tuple[str, ...]
    scroll: tuple[int, int]
    posts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    @classmethod
    async def of(cls, page: Page, site: SmallSite) -> Self:
        """Look at a page."""
        told = await page.evaluate(_SEEN)
        posts = tuple((path, tuple(sorted(fields.items()))) for path, fields in site.posts)
        return cls(page.url, told["text"], tuple(told["fields"]), tuple(told["scroll"]), posts)


@dataclass(frozen=True, slots=True)
class _RecordedFiles:
    """Puts the recorded bytes of an upload in place."""

    recording: Recording
    folder: Path

    async def path(self, source: str, sha256: str, name: str) -> tuple[Path, str, str]:
        path = self.folder / Path(name).name
        path.write_bytes(self.recording.blobs.read(sha256))
        return path, sha256, name


@dataclass(frozen=True, slots=True)
class Theatre:
    """Where rows are played."""

    pool: BrowserPool
    policy: NetworkPolicy
    site: SmallSite
    folder: Path
    patience_ms: float = 1500
    """How long a replay waits for what is not there."""

    @property
    def _db(self) -> Path:
        return self.folder / "row.db"

    @property
    def _mail(self) -> Path:
        folder = self.folder / "mail"
        folder.mkdir(exist_ok=True)
        return folder

    async def play(self, row: Row) -> None:
        """Play a row, then replay what it recorded and compare what both left behind."""
        async with self.stage(registry_of([row.toolset]), row.site) as stage:
            await row.play(stage)
            left = await Seen.of(stage.actor.page, self.site)
        if not row.replay:
            again = await self.replay(stage)
            assert again is None or again == left

    @asynccontextmanager
    async def stage(self, registry: Registry, site: dict[str, Any]) -> AsyncIterator[Stage]:
        """Give a run that is recorded, of one user on no page as yet.

        Args:
            registry: the tools that may be called.
            site: what the site section says besides the address.
        """
        with Recorder.open(self._db) as recorder:
            batch = recorder.begin_batch(argv=["conformance"], seed="7", settings={})
            run = self._begin(recorder, batch)
            vault, bindings = _secrets()
            watch = TypingWatch(run)
            async with self._session(watch, vault, bindings) as session, _covers() as covers:
                workdir = self.folder / "run"
                workdir.mkdir()
                journal = RunJournal(run)
                ctx = RunContext(
                    site=Site(base_url=self.site.url, **site),
                    settings=load_settings(),
                    bindings=bindings,
                    vault=vault,
                    pictures=Pictures.having({"bookshop": covers}),
                    session=session,
                    journal=journal,
                    workdir=workdir,
                    seed="7",
                    registry=registry,
                    inbox=Inbox(Maildir(self._mail)),
                )
                yield Stage(self.site, ctx, _dispatcher(ctx, journal, watch), run.id, self._mail)
            run.end_run(status="passed")
            recorder.end_batch(batch, status="passed")

    async def replay(self, stage: Stage, heals: list[str] | None = None) -> Seen | None:
        """Perform what was recorded; None where no step is replayed by its actions.

        Args:
            stage: where it was recorded.
            heals: gets what was healed; None: nothing is.
        """
        self.site.posts.clear()
        with Recording.open(self._db) as recording, Recorder.open(self.folder / "replay.db") as recorder:
            if not any(step.replay == "actions" and step.success for step in recording.steps(stage.run_id)):
                return None
            plan = plan_run(recording, recording.run(stage.run_id))
            assert not plan.refused, plan.refused
            run = self._begin(recorder, recorder.begin_batch(argv=["conformance"], seed="7", settings={}))
            vault, bindings = _secrets()
            for variable in plan.variables:
                if variable.kind in ("file", "identity") and variable.value is not None:
                    bindings.set(variable.name, variable.value)
            targets = [
                (action.before.url, action.target)
                for step in recording.steps(stage.run_id)
                for action in recording.actions(step.id)
                if action.target and action.before
            ]
            healer = None if heals is None else Healer(plan=plan, same=True, login_path=None, recorded=targets)
            async with self._session(run, vault, bindings) as session:
                performer = StepPerformer(
                    run=stage.run_id,
                    actor=session.current,
                    open_actor=session.open,
                    files=_RecordedFiles(recording, self.folder),
                    choosing=False,
                    seed="7",
                    login_path=None,
                    names={
                        one.action_id: one for one in plan.variables if one.name.startswith(CHOICE) and one.action_id
                    },
                    generated=frozenset(one.name for one in plan.variables if one.name.startswith("site.")),
                    resolve_ms=self.patience_ms,
                    healer=healer,
                )
                mail = MailReader(plan, Inbox(Maildir(self._mail)), bindings, vault)
                pages = list(stage.opened)
                for planned in plan.steps:
                    while pages and pages[0].before_step <= planned.step.ordinal:
                        opened = pages.pop(0)
                        await show(self.site, await session.open(opened.actor), opened)
                    performer.actor = session.current
                    run.begin_step(call=None, replay=planned.step.replay)
                    await mail.read(planned.step, session.current)
                    await performer.perform(planned)
                    run.end_step(run.current_step or "", ToolResult(success=True))
                for opened in pages:
                    await show(self.site, await session.open(opened.actor), opened)
                if healer and heals is not None:
                    heals += [heal.sentence for heal in healer.heals]
                return await Seen.of(session.current.page, self.site)

    def _begin(self, recorder: Recorder, batch: str) -> RunRecorder:
        return recorder.begin_run(
            batch_id=batch,
            number=1,
            kind="record",
            agent="script",
            persona=None,
            identity=None,
            environment={},
            site="small",
        )

    @asynccontextmanager
    async def _session(self, recorder: ActionRecorder, vault: Vault, bindings: Bindings) -> AsyncIterator[Session]:
        async with Session(
            self.pool,
            profile=ContextProfile(),
            access=Access(),
            policy=self.policy,
            origin=self.site.url,
            recorder=recorder,
            bindings=bindings,
            vault=vault,
            timeouts=_TIMEOUTS,
            opened=lambda name: None,
        ) as session:
            yield session


def _secrets() -> tuple[Vault, Bindings]:
    vault = Vault(b"0123456789abcdef", scope="conformance")
    return vault, Bindings(VALUES, secret=vault.reveal)


def _covers() -> CoverService:
    return CoverService(Covers(sources=("offline",)))


def _dispatcher(ctx: RunContext, journal: RunJournal, watch: TypingWatch) -> Dispatcher:
    registry = ctx.registry
    dispatcher: Dispatcher = ToolDispatcher(registry, ctx)
    dispatcher = TimeoutDispatcher(dispatcher, registry)
    dispatcher = SafetyDispatcher(dispatcher, registry, ceiling="dangerous")
    return RecordingDispatcher(
        dispatcher,
        journal,
        watch=watch,
        registry=registry,
        template=lambda text: ctx.vault.mask(ctx.bindings.recognise(text)),
    )
