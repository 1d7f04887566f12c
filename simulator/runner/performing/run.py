"""One recorded run: an identity's agent, tools, browser and recorder, put together.

Not responsible for: the batch that it belongs to.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, asdict, dataclass, field
from functools import partial

from simulator.agent.autopilot import Autopilot
from simulator.agent.contracts import Agent, Performer, RunView
from simulator.agent.interactions import InteractionPlan
from simulator.agent.loop import LoopEnd, run_agent
from simulator.browser.acting.again import Doubt
from simulator.browser.acting.pace import Pacer
from simulator.browser.effects.model import Told
from simulator.browser.launch.determinism import Stillness
from simulator.canonical import EVIDENCE, REFUSALS
from simulator.config.settings import Screenshots
from simulator.errors import BrowserCrashed, ModelUnavailable, SimulatorError, ToolError
from simulator.persona import Identity, Persona
from simulator.persona.tasks import Do
from simulator.recording.rows import RunKind, RunRow
from simulator.recording.run_recorder import RunRecorder
from simulator.recording.stamps import new_id
from simulator.replay.at_once import ReplayRule
from simulator.replay.drift import Verdict
from simulator.runner import events
from simulator.runner.batch_session import BatchSession
from simulator.runner.interrupted.resume_back import Back, CannotGoOn
from simulator.runner.interrupted.resume_past import is_limit
from simulator.runner.peers import Board, RunPeers
from simulator.runner.performing.journal import RunJournal
from simulator.runner.performing.looking_back import LookingBackDispatcher
from simulator.runner.performing.model_recording import RecordingModel, provider_of, without_origin
from simulator.runner.performing.performers import Performers
from simulator.runner.performing.run_log import RunLog
from simulator.runner.performing.wiring import wire
from simulator.runner.spending import Budget
from simulator.runner.stop import Stop
from simulator.runner.surroundings.around import SurroundedDispatcher
from simulator.runner.surroundings.environment import Held, describe, evidence_of, refusals_of
from simulator.secrets import Vault
from simulator.template import Bindings
from simulator.tools.context import RunContext
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
class _Watched:
    """What was noticed of a run while it was done."""

    writes: list[Told] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

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
    agents: Callable[[Member, Performer | None, bool], Agent] = lambda member, performer, all_by_model: Autopilot(
        member.interactions, performer, all_by_model=all_by_model
    )
    """Makes who decides in a run."""

    async def record(self, member: Member, back: Back | None = None) -> RecordedRun:
        """Let one user act, and record it.

        Args:
            member: the user.
            back: how the user's run goes on; None: it begins.

        Raises:
            SimulatorError: the batch cannot go on: the recording takes no more, for example.
        """
        res, identity = self.batch.resources, member.identity
        vault = res.vault(identity.persona, identity.seed, identity.number, identity.username)
        bindings = Bindings({**identity.variables(), **member.values}, secret=vault.reveal)
        held = back.held(res.site) if back else Held.at_start(res.site, freeze_clock=self.freeze_clock)
        recorder = back.recorder if back else self.begin(member, held=held)
        # What goes on in a new browser draws anew: of what the old one drew, nothing is known.
        drawn_from = (self.batch.seed, identity.persona, identity.seed, identity.number, *([new_id()] if back else []))
        still = held.stillness(*drawn_from)
        if back:
            back.restore(bindings)
        self.batch.listener(
            events.RunStarted(
                member.number,
                recorder.id,
                identity.persona,
                identity.username,
                len(member.persona.tasks),
                self.performers.agent,
            )
        )

        def shown(text: str) -> str:
            return res.vaults.mask(bindings.shown(text))

        journal = RunJournal(recorder, member.number, self.batch.listener, shown)
        peers = RunPeers(self.board, number=member.number, run_id=recorder.id, bindings=bindings, journal=journal)
        texts = [task.text if isinstance(task, Do) else "" for task in member.persona.tasks]
        log = RunLog(
            member.number,
            self.batch.listener,
            peers.made,
            shown,
            texts,
            lambda: journal.last_step or "",
            budget=self.budget,
        )
        watched = _Watched()
        log.noted = back.noting if back else recorder.add_summary
        summary: Mapping[str, object] = {}
        started = time.monotonic()
        status: events.RunStatus = "interrupted"
        verdict: Verdict | None = None
        reason, steps = "stopped at once", 0
        try:
            end, crashed = await self._act(member, recorder, journal, peers, bindings, vault, log, back, still, watched)
            summary = {"end": end.end}
            status, reason, steps = end.status, shown(end.reason), end.steps
            if status == "interrupted":
                reason = self.batch.stop.reason or reason
            if end.limit:
                self.batch.listener(events.LimitReached(member.number, end.end, reason, ends=True))
            if crashed:
                status, verdict, reason = "failed", "environment", "the browser died under this user"
        except CannotGoOn as error:
            assert back is not None
            reason, summary = shown(str(error)), back.summary
        except ToolError as error:
            status, reason = "failed", shown(error.message)
        except (BrowserCrashed, ModelUnavailable) as error:
            status, verdict, reason = "failed", "environment", shown(str(error))
        except SimulatorError as error:
            status, verdict, reason = "failed", "environment", shown(str(error))
            raise
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            status, reason = "failed", res.vaults.mask(f"a mistake in this program: {type(error).__name__}: {error}")
            raise
        finally:
            username = bindings.get("identity.username") or identity.username
            if back and not back.entered:
                summary = back.summary  # whatever kept it from going on, it had come as far as it had
            recorder.end_run(
                status=status,
                verdict=verdict,
                reason=reason or None,
                summary={
                    "steps": steps,
                    **log.summary(),
                    **log.spent.summary(),
                    **summary,
                    **({"writes": [asdict(one) for one in watched.writes]} if watched.writes else {}),
                    **({"not_found_again": lost} if (lost := watched.lost) else {}),
                },
            )
            self.batch.listener(events.RunEnded(member.number, recorder.id, status, reason, verdict))
            self.board.end(member.number)
        outcome = events.RunOutcome(
            number=member.number,
            run_id=recorder.id,
            persona=identity.persona,
            username=username,
            status=status,
            reason=reason,
            tasks=tuple(log.tasks),
            steps=steps,
            seconds=time.monotonic() - started,
            spending=log.spent,
            writes=tuple(watched.writes),
            not_found_again=tuple(shown(one) for one in watched.lost),
            unfinished=status == "interrupted" or verdict == "environment" or is_limit(summary),
        )
        return RecordedRun(outcome, recorder, username)

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
        evidence = evidence_of(revises.environment) if revises else EVIDENCE
        refusals = refusals_of(revises.environment) if revises else REFUSALS
        held = held or Held.at_start(res.site, freeze_clock=False, evidence=evidence, refusals=refusals)
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
            revision=revises.revision + 1 if revises else 1,
        )

    async def _act(
        self,
        member: Member,
        recorder: RunRecorder,
        journal: RunJournal,
        peers: RunPeers,
        bindings: Bindings,
        vault: Vault,
        log: RunLog,
        back: Back | None,
        still: Stillness,
        watched: _Watched,
    ) -> tuple[LoopEnd, bool]:
        res, identity = self.batch.resources, member.identity
        watch = TypingWatch(recorder)
        profile = Held.at_start(res.site, freeze_clock=False).profile(identity)
        workdir = res.folder / recorder.id
        workdir.mkdir()
        drawn_from = (self.batch.seed, identity.persona, identity.seed, identity.number)
        pacer = Pacer(identity.traits.pace, drawn_from, self.batch.stop.pause) if self.human else None
        opening = res.session(
            profile,
            recorder,
            watch=watch,
            bindings=bindings,
            vault=vault,
            still=still,
            pacer=pacer,
            rule=ReplayRule(),
        )
        async with (
            opening as session,
            Workspace(workdir) as workspace,
        ):
            ctx = RunContext(
                site=res.site,
                settings=res.settings,
                bindings=bindings,
                vault=vault,
                pictures=res.pictures,
                session=session,
                journal=journal,
                workdir=workdir,
                seed=f"{identity.seed}|{identity.persona}|{identity.number}",
                skips=identity.skips,
                answers=identity.answers,
                ask=self.ask,
                workspace=workspace if self.allow_workspace else None,
                registry=self.performers.registry(member.persona.tools.toolsets, self.own_tools),
                inbox=await res.inbox(known=back is None),
            )
            wired = wire(
                member.persona,
                self.performers,
                ctx,
                journal,
                watch,
                screenshots=self.screenshots,
                label=lambda: log.label,
                pacer=pacer,
                doubts=session.doubts,
            )
            view = RunView(
                persona=member.persona,
                identity=identity,
                site=res.site,
                peers=peers,
                tell=log.tell,
                shown=log.shown,
            )
            performer = self.performers.of(
                member.persona,
                wired.tools,
                res.vaults.mask,
                wired.members,
                wired.observer,
                self.budget.spent,
                recorded=partial(
                    RecordingModel,
                    recorder=recorder.model_calls,
                    provider=provider_of(self.performers.agent),
                    written=without_origin(res.site.origin),
                ),
            )
            looking = LookingBackDispatcher(wired.dispatcher, session, recorder, lambda: log.label)
            surrounded = SurroundedDispatcher(looking, session, res.control, res.timeouts, self.batch.stop.pause)
            dispatcher: Dispatcher = surrounded
            if back is not None:
                entered = await back.enter(ctx, view, journal, watch, surrounded, performer)
                dispatcher, performer, view = entered.dispatcher, entered.performer, entered.view
                self.budget.remember(entered.remembered)
            try:
                end = await run_agent(
                    self.agents(member, performer, self.performers.all_by_model),
                    dispatcher,
                    view,
                    stop=lambda: self.batch.stop.requested,
                    stopping=self.batch.stop.wait,
                    allowed=self.budget.step,
                    ends_by_tool=performer is None,
                )
                await looking.look_back()
            finally:
                watched.writes += session.told()
                watched.doubts += session.doubts
            return end, not await session.alive()
