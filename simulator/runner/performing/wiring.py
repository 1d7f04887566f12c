"""What a call of a run goes through: recording, pictures, reading back, safety, time-out, and the tool.

Not responsible for: any of them, or who calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from simulator.browser.acting.again import Doubt
from simulator.browser.acting.pace import Pacer
from simulator.config.settings import Screenshots
from simulator.persona import Persona
from simulator.runner.performing.doubts import DoubtTellingDispatcher
from simulator.runner.performing.journal import RunJournal
from simulator.runner.performing.performers import Performers
from simulator.runner.performing.wrappers import ScreenshotDispatcher
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher
from simulator.tools.dispatch import SafetyDispatcher, TimeoutDispatcher, ToolDispatcher
from simulator.tools.observing import ObservingDispatcher
from simulator.tools.recording_dispatcher import RecordingDispatcher, TypingWatch
from simulator.tools.spec import ToolGrant, ToolSpec

if TYPE_CHECKING:
    from simulator.agent.browser_members import BrowserMembers


class Wired(NamedTuple):
    """What the calls of a run go through."""

    dispatcher: Dispatcher
    tools: Callable[[], Sequence[ToolSpec]]
    """Tells which tools may be called."""
    members: BrowserMembers | None
    """The toolset of the model's SDK, where the persona names it."""
    observer: ObservingDispatcher | None
    """Tells a model what its calls did to the page."""


def wire(
    persona: Persona,
    performers: Performers,
    ctx: RunContext,
    journal: RunJournal,
    watch: TypingWatch,
    *,
    screenshots: Screenshots,
    label: Callable[[], str | None],
    pacer: Pacer | None = None,
    doubts: list[Doubt] | None = None,
) -> Wired:
    """Put together what the calls of a run go through.

    Args:
        persona: who acts; it sets the ceiling.
        performers: know the toolset of the model's SDK, and whether a model is told what its calls did.
        ctx: the run's context.
        journal: records the steps.
        watch: keeps what is typed until it is known whether it is a secret.
        screenshots: which pictures are kept.
        label: tells what the agent is at.
        pacer: takes the time of a person; None: nobody does.
        doubts: grows with what a replay could not find again, for the agent to be told; None: nobody asks.
    """
    registry = ctx.registry
    dispatcher: Dispatcher = ToolDispatcher(registry, ctx)
    dispatcher = TimeoutDispatcher(dispatcher, registry, pacer)
    grants: set[ToolGrant] = {*ctx.site.grants}
    if ctx.workspace:
        grants.add("workspace")
    safety = SafetyDispatcher(dispatcher, registry, ceiling=persona.tools.max_safety, grants=grants)
    members = performers.members(persona.tools.toolsets, safety, ctx.site, ctx.workdir)
    acting = members or safety
    observer = performers.observer(acting, ctx, members)
    dispatcher = ScreenshotDispatcher(observer or acting, ctx, screenshots, journal.keep_snapshot)
    if doubts is not None:
        dispatcher = DoubtTellingDispatcher(dispatcher, doubts)
    recorded = RecordingDispatcher(
        dispatcher,
        journal,
        watch=watch,
        registry=members.lookup(registry) if members else registry,
        template=lambda text: ctx.vault.mask(ctx.bindings.recognise(text)),
        task=label,
    )

    def offered() -> list[ToolSpec]:
        return [spec for spec in registry.list_tools() if safety.allows(spec)]

    return Wired(recorded, offered, members, observer)
