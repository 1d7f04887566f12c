"""Resuming a run, or all runs of a batch that have not come to their end: the same users, under the same seed.

A resumed run stays the run that it was: its steps go on under its id, by actors in new browser contexts.
Not responsible for: how one run is brought back (``resume_back``), or what can be resumed (``resume_choice``).
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from simulator.agent.autopilot import Autopilot
from simulator.agent.contracts import AgentEvent, Made, RunView
from simulator.agent.loop import run_agent
from simulator.bindings import Bindings
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.errors import KeyMissing
from simulator.recording.reader import Recording
from simulator.recording.resuming import reopen_run
from simulator.recording.rows import RunRow, StepRow, VariableKind
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.tape import Tape, TapeEnd
from simulator.runner import events
from simulator.runner.batch import check_toolsets, check_workspace
from simulator.runner.batch_session import BatchSession, User, open_batch
from simulator.runner.continuing.continuation import CannotGoOn, Continuation
from simulator.runner.continuing.taped import TapedDispatcher, as_recorded, result_of
from simulator.runner.interrupted.resume_back import Return
from simulator.runner.interrupted.resume_choice import Choice, Left, choose
from simulator.runner.interrupted.resume_memory import RememberingPerformer
from simulator.runner.interrupted.resume_past import Past
from simulator.runner.peers import Board, RunPeers, Source
from simulator.runner.performing.journal import Need
from simulator.runner.performing.performers import open_performers
from simulator.runner.performing.run import RecordedRun, RunMaker
from simulator.runner.spending import Budget, Limits
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import Resources
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.spec import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class ResumeOptions:
    """What ``sim runs resume`` was asked for."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    db: Path
    target: str
    """A run, a batch, the unique beginning or end of either's id, or ``last``: the newest recorded batch."""
    agent: str = ""
    """Empty: the one that the batch was recorded with."""
    model: str = ""
    concurrency: int | None = None
    headed: bool = False
    screenshots: Screenshots = "failures"
    assumed: Mapping[int, bool] = field(default_factory=dict)
    """What a person says of steps, by their place from 1: whether each took effect."""
    limits: Limits = field(default_factory=Limits)
    """What limits all users together; where nothing is said, it is what limited the batch, counted from zero."""
    own_tools: tuple[ToolSpec, ...] = ()
    allow_workspace: bool = False
    ask: Callable[[str], Awaitable[str]] | None = None


async def resume(options: ResumeOptions, listener: events.Listener, stop: Stop) -> events.BatchResult:
    """Resume a run, or what is left of a batch.

    Args:
        options: what was asked for.
        listener: gets what happens; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end.

    Returns:
        What came of the runs that were resumed. One that could not go on is ``interrupted``, with the reason.

    Raises:
        SimulatorError: there is nothing to resume, or the resumption could not start or go on.
    """
    since = time.monotonic()
    with Recording.open(options.db) as recording:
        choice = choose(recording, options.target, assumed=options.assumed)
    choice = choice.with_accounts(_site(options, choice))
    agent = options.agent or choice.agent
    limits = options.limits.otherwise(choice.limits)
    people = choice.personas_left()
    check_workspace(people, allowed=options.allow_workspace)
    check_toolsets(people, agent)
    async with open_batch(options.db, listener, stop, since=since) as batch:
        performers = await batch.enter(
            open_performers(
                agent,
                people,
                os.environ,
                models=options.settings.models,
                model=options.model or choice.model,
                all_by_model=choice.all_by_model and agent != "autopilot",
                money=limits.money is not None,
            )
        )
        resources = await batch.open_site(options.settings, _site(options, choice), headed=options.headed)
        _check_key(choice, resources)
        concurrency = resources.concurrency(options.concurrency, len(choice.left))
        with batch.running(len(choice.left), concurrency, seed=choice.batch.seed, again=choice.batch.id):
            board = _Board()
            maker = RunMaker(
                batch,
                board,
                options.screenshots,
                own_tools=options.own_tools,
                allow_workspace=options.allow_workspace,
                ask=options.ask,
                performers=performers,
                budget=Budget(stop, performers.prices, limits.steps, limits.tokens, limits.money),
                freeze_clock=choice.freeze_clock,
                human=choice.human,
            )
            resumption = _Resumption(choice, maker, board, options.assumed)
            with stop.after(limits.minutes, limits.over):
                runs = await batch.all(resumption.users(concurrency))
            rows, made = await _keep_states(batch)
            batch.status = _status(rows, choice)
        outcomes = [run.outcome for run in runs]
        absent = len(choice.left) - len(runs)
        return batch.result(outcomes, made, interrupted=stop.requested, cancelled=absent)


async def _keep_states(batch: BatchSession) -> tuple[Sequence[RunRow], dict[str, int]]:
    """Keep what the site holds of every user of the batch who has passed, now or before.

    Returns:
        All runs of the batch, and how much the site holds of those, by kind.
    """
    with Recording.open(batch.recorder.path) as recording:
        rows = recording.runs(batch.batch_id)
        names = {row.id: _username(recording, row) for row in rows}
    made = await batch.keep_states(
        (RunRecorder(batch.recorder.writer, run_id=row.id, batch_id=row.batch_id), names[row.id])
        for row in rows
        if row.status == "passed"
    )
    return rows, made


class _Board(Board):
    """What each user has made; those who are neither there nor done, it reports."""

    def __init__(self) -> None:
        super().__init__()
        self._absent: dict[int, str] = {}

    def leave(self, number: int, run_id: str) -> None:
        """Report that a user makes nothing more now, and might later."""
        self._absent[number] = run_id
        self.end(number)

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float) -> Source | None:
        """Wait until a user has made something.

        Raises:
            CannotGoOn: the user's run was cut off before, and is not resumed.
        """
        source = await super().wait(number, task_type, index, timeout_s)
        if source is None and number in self._absent:
            raise CannotGoOn(
                f"it waits for what user {number} of its batch has yet to make, whose run {self._absent[number]} was "
                "cut off, too: resume the batch as a whole"
            )
        return source


@dataclass(frozen=True, slots=True)
class _Resumption:
    """Lets the users of a batch go on, or begin; the others are there with what they have made."""

    choice: Choice
    maker: RunMaker
    board: _Board
    assumed: Mapping[int, bool]

    def users(self, concurrency: int) -> list[User[RecordedRun]]:
        """Give the users who go on, several at once, beside all the others in mind alone."""
        slots = asyncio.Semaphore(concurrency)
        recalled: list[User[RecordedRun]] = [
            User(f"user {left.member.number}, as recorded", partial(self._recall, past, left))
            for past, left in self.choice.others
        ]
        going_on = [
            User(
                f"user {left.member.number}",
                partial(self._go_on, left),
                slots,
                absent=partial(self.board.end, left.member.number),
            )
            for left in self.choice.left
        ]
        return [*recalled, *going_on]

    async def _go_on(self, left: Left) -> RecordedRun:
        recorder, back = self.maker.batch.recorder, None
        if left.past is not None:
            back = Continuation(Return(left.past, recorder, self.assumed), reopen_run(recorder, left.past.run.id))
        return await self.maker.record(left.member, back)

    async def _recall(self, past: Past, left: Left) -> None:
        """Let a user who is not resumed do again what it did, in mind alone: others wait for what it made."""
        member, run = left.member, past.run
        bindings = Bindings(member.identity.variables() | left.variables, naming=member.identity.naming)
        notes = _Notes()
        peers = RunPeers(self.board, number=member.number, run_id=run.id, bindings=bindings, journal=notes)
        tape = Tape(past.steps, ended=False)
        performer = RememberingPerformer(None, tape, past.outcomes, past.ends) if run.agent != "autopilot" else None

        def tell(event: AgentEvent) -> None:
            if isinstance(event, Made):
                peers.made(event.task_type, event.index, event.address)

        async def give(step: StepRow, _: ToolCall) -> ToolResult:
            notes.passed(step.id)
            return result_of(step, lambda sha256: b"")

        limits = member.persona.limits.model_copy(update={"steps": len(past.steps) + 1})
        persona = member.persona.model_copy(update={"limits": limits})
        try:
            with as_recorded(run.id):
                await run_agent(
                    Autopilot(member.interactions, performer, all_by_model=past.all_by_model),
                    TapedDispatcher(tape, shown=bindings.shown, answer=give),
                    RunView(persona, member.identity, self.maker.batch.resources.site, peers, tell, bindings.shown),
                    ends_by_tool=False,
                )
        except (TapeEnd, CannotGoOn):
            pass  # that is as far as it came
        finally:
            if run.status in ("passed", "failed"):
                self.board.end(member.number)
            else:
                self.board.leave(member.number, run.id)


class _Notes:
    """What a user did who acts in mind alone."""

    def __init__(self) -> None:
        self.last_step: str | None = None

    def passed(self, step_id: str) -> None:
        """Note the step that was gone through."""
        self.last_step = step_id

    def need(self, need: Need) -> None:
        """What it used of others is recorded."""

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """What it made is recorded."""


def _site(options: ResumeOptions, choice: Choice) -> Site:
    """Give the site where it was: a recorded address is kept, unless the program itself may have served the site there.

    A bookshop that this program starts is at another address each time, and the same by its database. One that was
    named with ``--base-url`` is none of these; recordings of before do not say.
    """
    site = options.site or options.settings.site(choice.site)
    if options.base_url:
        return site.with_base_url(options.base_url)
    elsewhere = options.site is None and choice.bundled is False
    return site.with_base_url(choice.base_url) if choice.base_url and (elsewhere or not site.bundled) else site


def _check_key(choice: Choice, resources: Resources) -> None:
    fingerprint = resources.key.fingerprint
    for left in choice.left:
        recorded = left.past.run.key_fingerprint if left.past else None
        if recorded not in (None, fingerprint):
            raise KeyMissing(
                f"the secrets of run {left.past.run.id if left.past else ''} come from another key ({recorded}) than "
                f"the one of this machine ({fingerprint}); set SIM_KEY to the key that it was recorded with"
            )


def _username(recording: Recording, run: RunRow) -> str:
    """Give the name by which the site knows a user."""
    taken = {one.name: one.value for one in recording.variables(run.id)}.get("identity.username")
    return taken or str((run.identity or {}).get("username", ""))


def _status(rows: Sequence[RunRow], choice: Choice) -> events.RunStatus:
    statuses = [row.status for row in rows]
    if len(rows) < choice.count or not {*statuses} <= {"passed", "failed"}:
        return "interrupted"
    return "passed" if {*statuses} == {"passed"} else "failed"
