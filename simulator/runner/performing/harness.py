"""An agent at the tools of one run: what its calls go through, what it is shown of the run, and the model it may ask.

Agents act by this in a recorded run, in one that goes on, and in a repaired part of a replay.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from simulator.agent.contracts import RunView, TaskPerformer
from simulator.browser.acting.pace import Pacer
from simulator.config.settings import Screenshots
from simulator.persona import Persona
from simulator.persona.tasks import Do
from simulator.recording.run_recorder import RunRecorder
from simulator.runner import events
from simulator.runner.peers import Board, NoPeers, RunPeers
from simulator.runner.performing.journal import RunJournal
from simulator.runner.performing.model_recording import RecordingModel, provider_of, without_origin
from simulator.runner.performing.performers import Performers
from simulator.runner.performing.run_log import RunLog
from simulator.runner.performing.wrappers import DoubtDispatcher, ScreenshotDispatcher
from simulator.runner.spending import Budget
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher
from simulator.tools.dispatch import SafetyDispatcher, TimeoutDispatcher, ToolDispatcher
from simulator.tools.observing import ObservingDispatcher
from simulator.tools.recording_dispatcher import RecordingDispatcher, TypingWatch
from simulator.tools.spec import ToolGrant, ToolSpec

if TYPE_CHECKING:
    from simulator.agent.browser_members import BrowserMembers
    from simulator.tools.mail.mailbox import Inbox
    from simulator.tools.workspace.folder import Workspace


class Connected(NamedTuple):
    """An agent's end of the tools."""

    ctx: RunContext
    """What the tools see of the run."""
    dispatcher: Dispatcher
    """Does the calls, and records them."""
    observer: ObservingDispatcher | None
    """Shows a model what its calls did to the page."""
    view: RunView
    """The run, as the agent sees it."""
    performer: TaskPerformer | None
    """Does the tasks that need a model; None where there is none."""


class Harness:
    """What an agent acts through in one run.

    Args:
        setup: of the run.
        persona: who acts; it sets the ceiling.
        performers: know the model, its toolset, and whether it is shown what its calls did.
        recorder: of the run.
        watch: keeps what is typed until it is known whether it is a secret.
        number: the user's place in the batch, from 1.
        listener: gets the events of tasks, calls and answers.
        screenshots: which pictures are kept.
        budget: what all users may take together.
        board: where users wait for what others make; None: nobody else is there.
        label: what the agent is at, as long as it does not say.
    """

    def __init__(
        self,
        setup: RunSetup,
        persona: Persona,
        performers: Performers,
        recorder: RunRecorder,
        *,
        watch: TypingWatch,
        number: int,
        listener: events.Listener,
        screenshots: Screenshots,
        budget: Budget,
        board: Board | None = None,
        label: str | None = None,
    ) -> None:
        self.setup = setup
        self._persona = persona
        self._performers = performers
        self.recorder = recorder
        self.watch = watch
        self._screenshots = screenshots
        self._budget = budget
        bindings = setup.bindings
        self.journal = journal = RunJournal(recorder, number, listener, setup.shown)
        self.peers: RunPeers | NoPeers = (
            RunPeers(board, number=number, run_id=recorder.id, bindings=bindings, journal=journal)
            if board
            else NoPeers()
        )
        self.log = RunLog(
            number,
            listener,
            self.peers.made,
            setup.shown,
            [task.text if isinstance(task, Do) else "" for task in persona.tasks],
            lambda: journal.last_step or "",
            label,
            budget=budget,
        )

    def connect(
        self,
        session: Session,
        *,
        own_tools: Sequence[ToolSpec] = (),
        ask: Callable[[str], Awaitable[str]] | None = None,
        workspace: Workspace | None = None,
        inbox: Inbox | None = None,
        pacer: Pacer | None = None,
    ) -> Connected:
        """Put together what the agent's calls go through.

        Args:
            session: the actors of the run.
            own_tools: what is offered beside the persona's toolsets.
            ask: puts a question to the person at the terminal; None where nobody attends.
            workspace: what the agent may work in beside the site; None: nothing.
            inbox: the mail of the run's users; None: no mailbox is set up.
            pacer: takes the time of a person; None: nobody does.
        """
        setup, persona, performers = self.setup, self._persona, self._performers
        registry = performers.registry(persona.tools.toolsets, own_tools)
        ctx = setup.context(session, self.journal, registry=registry, ask=ask, workspace=workspace, inbox=inbox)
        grants: set[ToolGrant] = {*ctx.site.grants, *(("workspace",) if workspace else ())}
        timed = TimeoutDispatcher(ToolDispatcher(registry, ctx), registry, pacer)
        safety = SafetyDispatcher(timed, registry, ceiling=persona.tools.max_safety, grants=grants)
        members = performers.members(persona.tools.toolsets, safety, ctx.site, ctx.workdir)
        acting = members or safety
        observer = performers.observer(acting, ctx, members)
        pictured = ScreenshotDispatcher(observer or acting, ctx, self._screenshots, self.journal.keep_snapshot)
        recorded = RecordingDispatcher(
            DoubtDispatcher(pictured, session.doubts),
            self.journal,
            watch=self.watch,
            registry=members.lookup(registry) if members else registry,
            template=setup.template,
            task=lambda: self.log.label,
        )

        def offered() -> list[ToolSpec]:
            return [spec for spec in registry.list_tools() if safety.allows(spec)]

        assert setup.identity is not None, "an agent acts as somebody"
        view = RunView(
            persona=persona,
            identity=setup.identity,
            site=ctx.site,
            peers=self.peers,
            tell=self.log.tell,
            shown=self.log.shown,
        )
        performer = self._performer(offered, members, observer)
        return Connected(ctx, recorded, observer, view, performer)

    def _performer(
        self,
        offered: Callable[[], Sequence[ToolSpec]],
        members: BrowserMembers | None,
        observer: ObservingDispatcher | None,
    ) -> TaskPerformer | None:
        """Give what does the tasks that need a model; what it asks and is answered is recorded."""
        resources = self.setup.resources
        return self._performers.of(
            self._persona,
            offered,
            resources.vaults.mask,
            members,
            observer,
            self._budget.spent,
            recorded=partial(
                RecordingModel,
                recorder=self.recorder.model_calls,
                provider=provider_of(self._performers.agent),
                written=without_origin(resources.site.origin),
            ),
        )
