"""How a run goes on that is not begun from nothing: what is recorded brings it up to a place, then somebody goes on.

The agent decides the recorded part once more, against the tape, so that it has in mind what the recorded one had. What
becomes of the site meanwhile is the beginning's: ``sim runs resume`` goes back to where the run was cut off
(``interrupted.resume_back``), ``--from`` performs it again as a new revision (``prefix``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from simulator.agent.contracts import AgentEvent, Peers, RunView, TaskPerformer
from simulator.bindings import Bindings
from simulator.canonical import canonical_json
from simulator.config import Site
from simulator.recording.rows import StepRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.tape import Tape
from simulator.runner.continuing.taped import TapedDispatcher
from simulator.runner.performing.harness import Connected, Harness
from simulator.runner.surroundings.around import SurroundedDispatcher
from simulator.runner.surroundings.environment import Held
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult


class CannotGoOn(Exception):
    """A run cannot be gone on with as it is; it stays as it was. The message says why, and what a person can do."""


@dataclass(frozen=True, slots=True)
class Live:
    """What goes on, in a new browser.

    Attributes:
        harness: what the agent acts through.
        connected: its end of the tools.
        dispatcher: does its calls, and sees whether one that fails is to blame, or the site.
    """

    harness: Harness
    connected: Connected
    dispatcher: SurroundedDispatcher


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """A beginning that brings a run to where it goes on from.

    Attributes:
        tape: what the agent is answered until then.
        answer: gives the result of a recorded step.
        shown: writes values in place of variables, for calls to be compared.
        performer: does the tasks that need a model, those of the beginning included.
        more: how many steps may follow; None: as many as the persona allows.
        peers: the other users; None: as they are now.
        tell: takes what the agent reports; None: the run's log does.
    """

    tape: Tape
    answer: Callable[[StepRow, ToolCall], Awaitable[ToolResult]]
    shown: Callable[[str], str]
    performer: TaskPerformer | None
    more: int | None = None
    peers: Peers | None = None
    tell: Callable[[AgentEvent], None] | None = None


class Beginning(Protocol):
    """What a run did up to a place, and how it comes to be there again."""

    @property
    def summary(self) -> Mapping[str, object]:
        """What is kept of the run where it cannot go on."""
        ...

    @property
    def results(self) -> object:
        """What its agent was answered: references in it mean nothing in a new browser."""
        ...

    def held(self, site: Site) -> Held:
        """Give what of its browser is held still."""
        ...

    def restore(self, bindings: Bindings) -> None:
        """Bind what it knows."""
        ...

    def noting(self, recorder: RunRecorder, summary: Mapping[str, object]) -> None:
        """Keep how far its tasks have come."""
        ...

    async def reach(self, live: Live) -> Reached:
        """Bring the site and the browser to where the run goes on from, or say how its steps do.

        Raises:
            CannotGoOn: the site is not as it was.
            SiteUnreachable: it does not answer any more.
        """
        ...


@dataclass(frozen=True, slots=True)
class Entered:
    """A run that goes on.

    Attributes:
        dispatcher: answers recorded calls, and lets the others be done.
        performer: does the tasks that need a model.
        view: the run, as its agent sees it.
        remembered: how many of its steps were done before, and count nothing.
    """

    dispatcher: Dispatcher
    performer: TaskPerformer | None
    view: RunView
    remembered: int


@dataclass(slots=True)
class Continuation:
    """One run that goes on.

    Attributes:
        beginning: what it did before.
        recorder: where it is recorded.
        entered: whether it is back where it goes on from.
    """

    beginning: Beginning
    recorder: RunRecorder
    entered: bool = False

    def noting(self, summary: Mapping[str, object]) -> None:
        """Keep how far its tasks have come."""
        self.beginning.noting(self.recorder, summary)

    async def enter(self, live: Live) -> Entered:
        """Bring it to where it goes on from.

        Raises:
            CannotGoOn: the site is not as it was.
            SiteUnreachable: it does not answer any more.
            BrowserCrashed: the page crashed.
        """
        ctx, view = live.connected.ctx, live.connected.view
        ctx.actor.script.references.reserve(canonical_json(self.beginning.results))
        reached = await self.beginning.reach(live)
        done = len(reached.tape.upcoming())
        limits = view.persona.limits
        steps = done + (limits.steps if reached.more is None else reached.more)
        persona = view.persona.model_copy(update={"limits": limits.model_copy(update={"steps": steps})})
        self.entered = True
        return Entered(
            TapedDispatcher(reached.tape, shown=reached.shown, answer=reached.answer, live=live.dispatcher),
            reached.performer,
            replace(view, persona=persona, peers=reached.peers or view.peers, tell=reached.tell or view.tell),
            done,
        )
