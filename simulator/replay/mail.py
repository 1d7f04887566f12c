"""Reads, at a replay, the like of a mail that a step read when it was recorded.

Not responsible for: which mail is new, or what in it is a value.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.bindings import Bindings
from simulator.browser.actor import Actor
from simulator.errors import ToolError
from simulator.recording.rows import StepRow
from simulator.replay.drift import Drift, DriftReport, Verdict, an_error
from simulator.replay.plan import Plan
from simulator.template import placeholders
from simulator.tools.mail import MAIL
from simulator.tools.mail.mailbox import Inbox
from simulator.tools.mail.reading import Keeper, Read, Taker


@dataclass(frozen=True, slots=True)
class MailReader:
    """Reads the mail of a run.

    Attributes:
        plan: of the run.
        inbox: of the one who performs it; None: no mailbox is set up.
        bindings: the run's variables, added to.
        vault: the run's secrets, added to.
    """

    plan: Plan
    inbox: Inbox | None
    bindings: Bindings
    vault: Keeper

    async def read(self, step: StepRow, actor: Actor) -> None:
        """Read the mail that a step read, if it read any, and bind what it gives.

        Args:
            step: the step.
            actor: whose browser opens its links.

        Raises:
            Drift: the mail did not come, or does not hold what the run uses of it.
        """
        if MAIL not in step.metadata:
            return
        read = Read.model_validate(step.metadata[MAIL])
        to, about = self.bindings.render(read.to), self.bindings.render(read.about)
        expected = f"a new mail to {to}" + (f" about '{about}'" if about else "")
        if self.inbox is None:
            raise self._drift(step, "environment", expected, "no mailbox in sim.toml")
        try:
            mail, _ = await self.inbox.receive(to, about, read.timeout_ms / 1000, place=read.place)
        except ToolError as error:
            if error.type == "timeout":
                raise self._drift(step, "postcondition", expected, error.message) from error
            raise self._drift(step, "environment", expected, an_error(error.message)) from error
        lost = Taker(self.bindings, self.vault, actor.urls.variables, actor.addresses.relative).take_again(mail, read)
        if missing := [words for name, words in lost.items() if name in self._used()]:
            expected = f"{'; '.join(missing)} in {expected}"
            raise self._drift(step, "postcondition", expected, f"the mail '{mail.subject}' without it")

    def _used(self) -> set[str]:
        actions = (action for planned in self.plan.steps for action in planned.actions)
        return {name for action in actions for name in placeholders(action.value or "")}

    def _drift(self, step: StepRow, verdict: Verdict, expected: str, found: str) -> Drift:
        return Drift(DriftReport(verdict, self.plan.run.id, step.ordinal + 1, step.tool or "", expected, found))
