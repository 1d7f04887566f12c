"""One recorded run: an identity's agent, tools, browser and recorder, put together.

Not responsible for: the batch that it belongs to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field

from simulator.agent.autopilot import Autopilot
from simulator.agent.contracts import Agent, TaskPerformer
from simulator.agent.interactions import InteractionPlan
from simulator.agent.loop import LoopEnd, run_agent
from simulator.browser.acting.again import Doubt
from simulator.browser.acting.pace import Pacer
from simulator.browser.effects.model import WriteProof
from simulator.browser.launch.determinism import Stillness
from simulator.config.settings import Screenshots
from simulator.errors import BrowserCrashed, ModelUnavailable, SimulatorError, ToolError
from simulator.persona import Identity, Persona
from simulator.recording.revise import next_revision
from simulator.recording.rows import RunKind, RunRow
from simulator.recording.run_recorder import RunRecorder
from simulator.recording.stamps import new_id
from simulator.replay.drift import Verdict
from simulator.replay.evidence.at_once import ReplayRule
from simulator.runner import events
from simulator.runner.batch_session import BatchSession
from simulator.runner.continuing.continuation import CannotGoOn, Continuation, Live
from simulator.runner.continuing.taped import as_recorded
from simulator.runner.interrupted.resume_past import is_limit
from simulator.runner.peers import Board
from simulator.runner.performing.harness import Connected, Harness
from simulator.runner.performing.looking_back import LookingBackDispatcher
from simulator.runner.performing.performers import Performers
from simulator.runner.spending import Budget
from simulator.runner.stop import Stop
from simulator.runner.surroundings.around import SurroundedDispatcher
from simulator.runner.surroundings.environment import Held, describe
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.tools.contracts import Dispatcher
from simulator.tools.recording_dispatcher import TypingWatch
from simulator.tools.spec import ToolSpec
from simulator.tools.workspace.folder import Workspace


@dataclass(frozen=True, slots=True)
class Member:
    """One user of a batch, before anything is done."""

    number: int
    """Place in the batch, from 1."""
    persona: Persona
    identity: Identity
    interactions: InteractionPlan
    values: Mapping[str, str] = field(default_factory=dict)
    """Variables that are known from before."""


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """A finished run, and where its summary is kept."""

    outcome: events.RunOutcome
    recorder: RunRecorder
    username: str


@dataclass(slots=True)
class _Acting:
    """One run while it is performed: what it was given, how far it has come, and what came of it."""

    member: Member
    setup: RunSetup
    harness: Harness
    recorder: RunRecorder
    still: Stillness
    back: Continuation | None
    started: float = field(default_factory=time.monotonic)
    status: events.RunStatus = "interrupted"
    verdict: Verdict | None = None
    reason: str = "stopped at once"
    steps: int = 0
    username: str = ""
    summary: Mapping[str, object] = field(default_factory=dict)
    writes: tuple[WriteProof, ...] = ()
    doubts: Sequence[Doubt] = ()

    def failed(self, reason: str, verdict: Verdict | None = "environment") -> None:
        """Note that it failed."""
        self.status, self.verdict, self.reason = "failed", verdict, reason

    @property
    def lost(self) -> list[str]:
        """What was acted on, and a replay could not find again, each once."""
        return list(dict.fromkeys(f"{one.target}: {one.why}" for one in self.doubts))


@dataclass(frozen=True, slots=True)
class RunMaker:
    """Records the runs of one batch."""

    batch: BatchSession
    board: Board
    screenshots: Screenshots
    _: KW_ONLY
    own_tools: tuple[ToolSpec, ...] = ()
    allow_workspace: bool = False
    ask: Callable[[str], Awaitable[str]] | None = None
    performers: Performers = field(default_factory=Performers)
    budget: Budget = field(default_factory=lambda: Budget(Stop()))
    """The batch's limits; it has none by default."""
    freeze_clock: bool = False
    """Whether the clock of the pages stands at the run's start."""
    human: bool = False
    """Whether users take the time of a person."""
    kind: RunKind = "record"
    """Of the runs."""
    agents: Callable[[Member, TaskPerformer | None, bool], Agent] = lambda member, performer, all_by_model: Autopilot(
        member.interactions, performer, all_by_model=all_by_model
    )
    """Makes who decides in a run."""

    async def record(self, member: Member, back: Continuation | None = None) -> RecordedRun:
        """Let one user act, and record it.

        Args:
            member: the user.
            back: how the user's run goes on; None: it begins.

        Raises:
            SimulatorError: the batch cannot go on: the recording takes no more, for example.
        """
        one = self._begin(member, back)
        shown = one.setup.shown
        try:
            await self._act(one)
        except CannotGoOn as error:
            one.reason, one.summary = shown(str(error)), back.beginning.summary if back else {}
        except ToolError as error:
            one.failed(shown(error.message), None)
        except (BrowserCrashed, ModelUnavailable) as error:
            one.failed(shown(str(error)))
        except SimulatorError as error:
            one.failed(shown(str(error)))
            raise
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            mask = self.batch.resources.vaults.mask
            one.failed(mask(f"a mistake in this program: {type(error).__name__}: {error}"), None)
            raise
        finally:
            self._end(one)
        return RecordedRun(self._outcome(one), one.recorder, one.username)

    def _begin(self, member: Member, back: Continuation | None) -> _Acting:
        """Begin to record a run, or to go on with one."""
        res, identity, listener = self.batch.resources, member.identity, self.batch.listener
        setup = RunSetup.of(res, identity, {**identity.variables(), **member.values})
        held = back.beginning.held(res.site) if back else Held.at_start(res.site, freeze_clock=self.freeze_clock)
        recorder = back.recorder if back else self.begin(member, held=held)
        setup = setup.of_run(recorder.id)
        # What goes on in a new browser draws again: of what the old one drew, nothing is known.
        still = held.stillness(*self._drawn_from(identity), *([new_id()] if back else []))
        if back:
            back.beginning.restore(setup.bindings)
        tasks, agent = len(member.persona.tasks), self.performers.agent
        listener(events.RunStarted(member.number, recorder.id, identity.persona, identity.username, tasks, agent))
        harness = Harness(
            setup,
            member.persona,
            self.performers,
            recorder,
            watch=TypingWatch(recorder),
            number=member.number,
            listener=listener,
            screenshots=self.screenshots,
            budget=self.budget,
            board=self.board,
        )
        harness.log.noted = back.noting if back else recorder.add_summary
        return _Acting(member, setup, harness, recorder, still, back)

    def _drawn_from(self, identity: Identity) -> tuple[object, ...]:
        """Give what a user's pages and pauses are drawn from."""
        return self.batch.seed, identity.persona, identity.seed, identity.number

    def _end(self, one: _Acting) -> None:
        """Record how a run ended."""
        log, number = one.harness.log, one.member.number
        one.username = one.setup.bindings.get("identity.username") or one.member.identity.username
        if one.back and not one.back.entered:
            one.summary = one.back.beginning.summary  # whatever kept it from going on, it had come as far as it had
        one.recorder.end_run(
            status=one.status,
            verdict=one.verdict,
            reason=one.reason or None,
            summary={
                "steps": one.steps,
                **log.summary(),
                **log.spent.summary(),
                **one.summary,
                **({"writes": [asdict(each) for each in one.writes]} if one.writes else {}),
                **({"not_found_again": lost} if (lost := one.lost) else {}),
            },
        )
        self.batch.listener(events.RunEnded(number, one.recorder.id, one.status, one.reason, one.verdict))
        self.board.end(number)

    def _outcome(self, one: _Acting) -> events.RunOutcome:
        return events.RunOutcome(
            number=one.member.number,
            run_id=one.recorder.id,
            persona=one.member.identity.persona,
            username=one.username,
            status=one.status,
            reason=one.reason,
            tasks=tuple(one.harness.log.tasks),
            steps=one.steps,
            seconds=time.monotonic() - one.started,
            spending=one.harness.log.spent,
            writes=one.writes,
            not_found_again=tuple(map(one.setup.shown, one.lost)),
            unfinished=one.status == "interrupted" or one.verdict == "environment" or is_limit(one.summary),
        )

    def cancel(self, member: Member) -> None:
        """Note that a user never began, as the batch had ended before."""
        recorder = self.begin(member)
        recorder.end_run(status="cancelled", reason=self.batch.stop.reason or "the batch was stopped before")
        self.board.end(member.number)

    def begin(self, member: Member, revises: RunRow | None = None, held: Held | None = None) -> RunRecorder:
        """Store a user's run as running.

        Args:
            member: the user.
            revises: the run of which it is a new revision.
            held: what of its browser is held still; None: what is by default.
        """
        res, identity = self.batch.resources, member.identity
        if held is None and revises:
            held = Held.going_on(res.site, revises.environment)
        held = held or Held.at_start(res.site, freeze_clock=False)
        profile = held.profile(identity)
        return self.batch.recorder.begin_run(
            batch_id=self.batch.batch_id,
            number=member.number,
            kind=self.kind,
            agent=self.performers.agent,
            persona=identity.persona,
            identity=identity.model_dump(mode="json"),
            environment={
                **describe(res.site, profile, res.pool.version, member.persona, self.batch.seed, held),
                "agent": {"all_by_model": self.performers.all_by_model, "workspace": self.allow_workspace},
            },
            site=res.site.name,
            key_fingerprint=res.key.fingerprint,
            source_run=revises.original if revises else None,
            revision=next_revision(self.batch.recorder.writer, revises) if revises else 1,
        )

    async def _act(self, one: _Acting) -> None:
        """Let the agent of a run act until its end."""
        res, identity, stop = self.batch.resources, one.member.identity, self.batch.stop
        one.setup.open_folder()
        pacer = Pacer(identity.traits.pace, self._drawn_from(identity), stop.pause) if self.human else None
        opening = one.setup.session(
            Held.at_start(res.site, freeze_clock=False).profile(identity),
            one.recorder,
            watch=one.harness.watch,
            still=one.still,
            pacer=pacer,
            rule=ReplayRule(),
        )
        async with opening as session, Workspace(one.setup.folder) as workspace:
            connected = one.harness.connect(
                session,
                own_tools=self.own_tools,
                ask=self.ask,
                workspace=workspace if self.allow_workspace else None,
                inbox=await res.inbox(known=one.back is None),
                pacer=pacer,
            )
            end = await self._run_agent(one, session, connected)
            self._judge(one, end, crashed=not await session.alive())

    async def _run_agent(self, one: _Acting, session: Session, connected: Connected) -> LoopEnd:
        """Bring a run to where it goes on from, where it does, and let its agent decide until the end."""
        res, stop, log = self.batch.resources, self.batch.stop, one.harness.log
        looking = LookingBackDispatcher(connected.dispatcher, session, one.recorder, lambda: log.at)
        log.labelled = looking.begin
        surrounded = SurroundedDispatcher(looking, session, res.control, res.timeouts, stop.pause)
        dispatcher: Dispatcher = surrounded
        performer, view = connected.performer, connected.view
        if one.back is not None:
            entered = await one.back.enter(Live(one.harness, connected, surrounded))
            dispatcher, performer, view = entered.dispatcher, entered.performer, entered.view
            self.budget.remember(entered.remembered)
        try:
            with as_recorded(one.recorder.id):
                end = await run_agent(
                    self.agents(one.member, performer, self.performers.all_by_model),
                    dispatcher,
                    view,
                    stop=lambda: stop.requested,
                    stopping=stop.wait,
                    allowed=self.budget.step,
                    ends_by_tool=performer is None,
                )
            await looking.look_back()
        finally:
            await looking.close()
            one.writes, one.doubts = session.proofs(), session.doubts
        return end

    def _judge(self, one: _Acting, end: LoopEnd, *, crashed: bool) -> None:
        """Store what the end of an agent means for its run."""
        one.summary = {"end": end.end}
        one.status, one.reason, one.steps = end.status, one.setup.shown(end.reason), end.steps
        if one.status == "interrupted":
            one.reason = self.batch.stop.reason or one.reason
        if end.limit:
            self.batch.listener(events.LimitReached(one.member.number, end.end, one.reason, ends=True))
        if crashed:
            one.failed("the browser died under this user")
