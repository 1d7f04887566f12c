"""How a repaired part of a run ends: the codes that it was shown, the page on which it ends, and who is logged in.

Not responsible for: what it made (``repair_check``), or the model.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from simulator.browser.acting.sightings import SHOWS
from simulator.browser.actor import Actor
from simulator.errors import TemplateError
from simulator.recording.rows import ActionRow, VariableRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.drift import an_error
from simulator.runner.repairs.repair_check import Unlike, Verified, is_there
from simulator.runner.repairs.repair_segment import Segment
from simulator.template import placeholders
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.pages.wayfinding import is_logged_in


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of one repair.

    Attributes:
        actor: the user.
        segment: the part of the run.
        ctx: the tools of the run.
        recorder: of its replay.
        variables: of the recorded run.
        call: makes a call that is recorded.
    """

    actor: Actor
    segment: Segment
    ctx: RunContext
    recorder: RunRecorder
    variables: Sequence[VariableRow]
    call: Callable[[str, dict[str, JsonValue]], Awaitable[ToolResult]]

    async def take_shown(self, own: Sequence[ActionRow], verified: Verified) -> None:
        """Read the codes that the recorded pages showed and that are given back later, where one page showed them."""
        actor = self.actor
        led = next((action.id for action in reversed(own) if action.after), "")
        actor.resolver.sightings.see(led, await actor.reader.codes())
        # What goes into a secret field is kept without its value.
        told_before = {one.name for one in self.variables if one.value is not None}
        for planned in self.segment.open:
            for name, told in planned.step.flags.get(SHOWS, {}).items():
                if told.get("made"):
                    by = ((actor.observer.ids.made_by(action.id).get(told["words"]), action.id) for action in own)
                    found = [(made, action_id) for made, action_id in by if made]
                else:
                    words = actor.bindings.shown(told["words"])
                    found = actor.resolver.sightings.shown(words, [action.id for action in own])
                if len(found) == 1:
                    ((code, action_id),) = found
                    actor.bindings.set(name, code)
                    verified.shows[name] = action_id, told
                    step_id = next(one.step_id for one in own if one.id == action_id)
                    kept = code if name in told_before else None
                    self.recorder.variables.set(name, kept, kind="site", step_id=step_id, action_id=action_id)

    async def arrive(self) -> None:
        """Be on the page on which the recorded task ended, in the state in which it was.

        Raises:
            Unlike: it is not to be had.
        """
        actor = self.actor
        last = next((action.after for action in reversed(self.segment.actions) if action.after), None)
        if last is None:
            return
        if not is_there(actor, last.url):
            try:
                result = await self.call("navigate", {"url": last.url})
            except TemplateError:
                return  # who needs that page needs its value, and stops as it is missing
            if any(actor.bindings.get(name) is None for name in placeholders(last.url)):
                return
            if result.error is not None:
                raise Unlike(f"the page {last.url}", an_error(result.error.message))
        here = await actor.view.look()
        if not is_there(actor, last.url):
            raise Unlike(f"the page {last.url} in the end", actor.addresses.relative(actor.page.url))
        if here.status and last.status and here.status // 100 != last.status // 100:
            raise Unlike(f"the page {last.url} with status {last.status}", f"status {here.status}")
        if here.alerts and not last.alerts:
            raise Unlike("no error on the page in the end", f"'{here.alerts[0]}'")

    async def see_session(self, sent: bool) -> None:
        """See that the user is logged in, where the recorded task had done that.

        Raises:
            Unlike: nobody is, or nothing was sent by which anybody could be.
        """
        steps = [planned.step for planned in self.segment.open]
        opened = any(step.tool == "login" or step.metadata.get("logged_in") for step in steps)
        if not opened:
            return
        signed = await is_logged_in(self.ctx, wait=True)
        if signed is False or (signed is None and not sent):
            raise Unlike("the user to be logged in", "that nobody is")
