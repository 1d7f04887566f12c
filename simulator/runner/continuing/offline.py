"""Replaying the agent of a run: recorded answers, recorded results; no browser, no site, no model, no key.

Today's agent has to ask and call what was recorded. Not responsible for: what is compared (``replay.tape``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from simulator.agent.autopilot import Autopilot
from simulator.agent.contracts import AgentEvent, RunView, TaskEnded, TaskPerformer
from simulator.agent.interactions import InteractionPlan, plan_batch
from simulator.agent.loop import LoopEnd, run_agent
from simulator.agent.prompt import prompt_facts
from simulator.bindings import Bindings
from simulator.config import Settings, Site
from simulator.domain.tasks import ForeignTask
from simulator.errors import RecordingError
from simulator.persona import Identity, Persona, draw_population
from simulator.persona.tasks import Do
from simulator.recording.documents import Drawing
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow, StepRow
from simulator.replay.bind import read_row
from simulator.replay.requests import Difference
from simulator.replay.tape import Asked, Deviation, Tape, TapeEnd, read_tape
from simulator.runner.continuing.taped import Learned, TapedDispatcher, TapedModel, TapedPeers, result_of
from simulator.runner.performing.model_recording import ORIGIN, without_origin
from simulator.runner.performing.performers import Performers, abilities, knows_versioned
from simulator.runner.replays.selecting import select
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import allowed
from simulator.tools.spec import ToolGrant, ToolSpec

RESUMED: Final = "resume"
"""The flag of steps that a resumed run began again, or that led it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineOptions:
    """What ``sim offline`` was asked for."""

    settings: Settings
    source: Path
    target: str | Sequence[str]
    """A run, a batch, ``last`` or ``all``."""
    own_tools: tuple[ToolSpec, ...] = ()
    """Tools that the users were offered beside their toolsets."""


@dataclass(frozen=True, slots=True)
class OfflineRun:
    """What came of one run."""

    run_id: str
    number: int
    persona: str
    agent: str
    requests: int
    """Requests to the model that were as recorded."""
    calls: int
    """Tool calls that were."""
    difference: Difference | None = None
    note: str = ""
    """Why less than the whole run was looked at."""
    reworded: tuple[Difference, ...] = ()
    """What the program words otherwise than then, and what tools it offers besides: no difference of the run."""


@dataclass(frozen=True, slots=True)
class OfflineResult:
    """What came of an offline replay."""

    source: Path
    runs: tuple[OfflineRun, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether today's agents do what the recorded ones did."""
        return all(run.difference is None for run in self.runs)


async def replay_offline(options: OfflineOptions) -> OfflineResult:
    """Run today's agents against what was recorded.

    Args:
        options: what was asked for.

    Raises:
        RecordingError: there is no such run, or it does not hold what that needs.
    """
    with Recording.open(options.source) as recording:
        decided = {_decided(recording, run).id: None for run in select(recording, options.target).runs}
        runs = [await _one(recording, recording.run(run_id), options) for run_id in decided]
    return OfflineResult(options.source, tuple(runs))


def _decided(recording: Recording, run: RunRow) -> RunRow:
    """Give the run whose steps an agent decided: of a revision that was not gone on with, the first one."""
    gone_on = run.source_run is None or "from" in recording.batch(run.batch_id).settings
    return run if gone_on else recording.run(run.original)


async def _one(recording: Recording, run: RunRow, options: OfflineOptions) -> OfflineRun:
    past = RecordedAgent.read(recording, run, options.settings)
    entries = past.tape(recording)
    tape = Tape(entries, ended=past.ended and past.resumed is None)
    names = [entry.call.model for entry in entries if isinstance(entry, Asked)]
    written = without_origin(past.site.origin)
    facts = prompt_facts(past.persona, past.identity, past.site)
    model = TapedModel(tape, name=next(iter(names), ""), written=written, counted=True, facts=facts)
    agent = run.agent or ""
    performers = Performers(
        model if past.by_model else None,
        past.all_by_model,
        agent=agent,
        able=abilities(options.settings.models, agent, model.name),
        versioned_tools=knows_versioned(options.settings.models, agent, model.name),
    )
    outcomes: list[tuple[str, str]] = []

    def tell(event: AgentEvent) -> None:
        if isinstance(event, TaskEnded):
            outcomes.append((event.task, event.status))

    difference: Difference | None = None
    try:
        end = await past.again(recording, tape, performers, own_tools=options.own_tools, tell=tell)
        tape.finish(end.reason or end.end)
        difference = past.compare(outcomes)
    except Deviation as deviation:
        difference = deviation.difference
    except TapeEnd:
        pass
    return OfflineRun(
        run.id,
        run.number,
        run.persona or "",
        agent,
        tape.requests,
        tape.steps,
        difference,
        past.note,
        tuple(tape.reworded.values()),
    )


class NoTools:
    """Stands where the tools would be: every result comes from the recording."""

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Never called."""
        raise AssertionError(f"{call.name} would be executed in an offline replay")


@dataclass(frozen=True, slots=True)
class RecordedAgent:
    """What there is to know of the agent of a recorded run, to have today's do the same."""

    run: RunRow
    persona: Persona
    identity: Identity
    site: Site
    """At the address where it was."""
    interactions: InteractionPlan
    all_by_model: bool
    by_model: bool
    """Whether a model was asked."""
    grants: frozenset[ToolGrant]
    steps: tuple[StepRow, ...] = field(repr=False)

    @classmethod
    def read(cls, recording: Recording, run: RunRow, settings: Settings) -> RecordedAgent:
        """Read it.

        Raises:
            RecordingError: the recording does not hold what is needed.
        """
        if run.origin != "agent" or run.kind == "import":
            raise RecordingError(f"no agent decided what the run {run.id} did, so there is none to replay offline")
        if run.identity is None or run.environment.get("persona") is None:
            raise RecordingError(f"the run {run.id} holds no persona, so its agent cannot be replayed")
        how = run.environment.get("agent") or {}
        persona = read_row(Persona, run.environment["persona"], run)
        all_by_model = bool(how.get("all_by_model"))
        in_words = all_by_model or any(isinstance(task, Do) for task in persona.tasks)
        by_model = run.agent != "autopilot" and in_words
        if by_model and (run.summary or {}).get("model") and not recording.llm_calls(run.id):
            raise RecordingError(f"the run {run.id} was recorded before requests to models were kept; record it anew")
        site = settings.site(run.site).with_base_url(str(run.environment["base_url"]))
        identity = read_row(Identity, run.identity, run)
        return cls(
            run,
            persona,
            identity,
            site,
            _interactions(recording, run, persona, identity),
            all_by_model,
            by_model,
            frozenset({*site.grants, *(("workspace",) if how.get("workspace") else ())}),
            tuple(recording.steps(run.id)),
        )

    @property
    def resumed(self) -> int | None:
        """The place, from 0, of the first step from which on a resumed run went another way; None: it was not."""
        return next((step.ordinal for step in self.steps if step.flags.get(RESUMED)), None)

    @property
    def ended(self) -> bool:
        """Whether the agent came to the end of its tasks by itself."""
        done = (self.run.summary or {}).get("tasks") or []
        return self.run.verdict is None and len(done) == len(self.persona.tasks)

    @property
    def note(self) -> str:
        """Why less than the whole run can be looked at; empty where the whole can."""
        if self.resumed is not None:
            return f"looked at up to step {self.resumed}: the run was cut off there, and resumed in another way"
        return "" if self.ended else "looked at as far as it came: it was cut off before it had ended"

    def tape(self, recording: Recording, until: int | None = None) -> list[Asked | StepRow]:
        """Read what the agent was answered.

        Args:
            recording: holds the run.
            until: only what comes before this step, from 0.
        """
        first = self.resumed if until is None else until
        return read_tape(recording, self.run, until=first, text=lambda text: text.replace(ORIGIN, self.site.origin))

    def allows(self, spec: ToolSpec) -> bool:
        """Return whether a tool could be called."""
        return allowed(spec, self.persona.tools.max_safety, self.grants)

    async def again(
        self,
        recording: Recording,
        tape: Tape,
        performers: Performers,
        *,
        own_tools: tuple[ToolSpec, ...] = (),
        tell: Callable[[AgentEvent], None] = lambda event: None,
        alone: TaskPerformer | None = None,
    ) -> LoopEnd:
        """Let today's agent do the same, without the site.

        Args:
            recording: holds the run.
            tape: answers its calls.
            performers: have the model that it asks.
            own_tools: what was offered beside the toolsets.
            tell: takes what it reports.
            alone: does the tasks in free words where there is no model.

        Raises:
            Deviation: it does something else than was recorded.
            TapeEnd: it would do more than is recorded.
        """
        bindings = Bindings(self.identity.variables())
        learned = Learned(recording.variables(self.run.id), bindings)
        limits = self.persona.limits.model_copy(update={"money": None})
        persona = self.persona.model_copy(update={"limits": limits})
        toolsets = persona.tools.toolsets
        registry = performers.registry(toolsets, own_tools)

        async def answer(step: StepRow, _: ToolCall) -> ToolResult:
            learned.by(step.id)
            return result_of(step, recording.blobs.read)

        performer = performers.of(
            persona,
            lambda: [spec for spec in registry.list_tools() if self.allows(spec)],
            str,
            performers.members(toolsets, NoTools(), self.site, Path()),
        )
        view = RunView(
            persona=persona,
            identity=self.identity,
            site=self.site,
            peers=TapedPeers(recording, self.run, bindings),
            tell=tell,
            shown=bindings.shown,
        )
        return await run_agent(
            Autopilot(self.interactions, performer or alone, all_by_model=self.all_by_model),
            TapedDispatcher(tape, shown=bindings.shown, answer=answer),
            view,
            ends_by_tool=performer is None,
        )

    def compare(self, outcomes: Sequence[tuple[str, str]]) -> Difference | None:
        """Find the first task that came to something else."""
        recorded = [(task, status) for task, status, *_ in (self.run.summary or {}).get("tasks") or []]
        for place, (was, now) in enumerate(zip(recorded, outcomes, strict=False), start=1):
            if was != now and self.ended:
                return Difference(f"task {place}", "what came of it", " ".join(was), " ".join(now))
        return None


def _interactions(recording: Recording, run: RunRow, persona: Persona, identity: Identity) -> InteractionPlan:
    """Plan again whom the user of a run deals with, as it was planned for its batch."""
    batch = recording.batch(run.batch_id)
    people: dict[int, tuple[Persona, Identity]] = {}
    settings = cast(Drawing, {**batch.settings, **batch.settings.get("from", {})})
    definitions = settings.get("definitions")
    if definitions:
        personas = [read_row(Persona, one, run) for one in definitions]
        named: Mapping[str, Persona] = {one.persona: one for one in personas}
        domain = settings.get("email_domain")
        drawn = draw_population(personas, int(settings["count"]), batch.seed, email_domain=domain)
        people = {number: (named[one.persona], one) for number, one in enumerate(drawn, start=1)}
    for other in recording.runs(run.batch_id):
        if other.identity is not None and other.environment.get("persona"):
            definition = read_row(Persona, other.environment["persona"], other)
            people[other.number] = definition, read_row(Identity, other.identity, other)
    absent = [number for number in range(1, run.number) if number not in people]
    if absent and any(task.of_others or isinstance(task, ForeignTask) for task in persona.tasks):
        raise RecordingError(
            f"the recording lacks user {absent[0]} of the batch of the run {run.id}, so whom that run dealt with "
            "cannot be planned again; replay it offline from the recording that holds the whole batch"
        )
    idle = persona.model_copy(update={"tasks": ()})
    last = max(people)
    population = [people.get(number, (idle, identity)) for number in range(1, last + 1)]
    return plan_batch(population, batch.seed, settings.get("things"))[run.number]
