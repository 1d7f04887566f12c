"""A recorded user who is on the site already comes in, in place of a recorded registration. No agent decides anything.

Not responsible for: noticing that the account is there (``simulator.replay``), or finding the login form (the tool).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from simulator.config import Site
from simulator.errors import KeyMissing, TemplateError, ToolError
from simulator.recording.rows import RunRow
from simulator.replay.collision import confirming, following, logs_in, registers, starts_at
from simulator.replay.drift import Drift, DriftReport, an_error
from simulator.replay.plan import Plan, PlannedStep
from simulator.runner.accounts import registered_with
from simulator.runner.performing.journal import RunJournal
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.secrets import MachineKey
from simulator.tools.context import RunContext
from simulator.tools.families.account import login


def require_key(runs: Iterable[RunRow], key: MachineKey, site: Site) -> None:
    """See that the recorded users can log in: their passwords are drawn from the machine's key and the site's name.

    The site section gives those of its accounts.

    Args:
        runs: what is replayed.
        key: of this machine.
        site: the site.

    Raises:
        KeyMissing: a user was recorded with another key, or under another name of the site.
    """
    for run in runs:
        if site.account(str((run.identity or {}).get("username", ""))):
            continue
        if run.key_fingerprint != key.fingerprint:
            raise KeyMissing(
                f"the run {run.id} was recorded with the machine key {run.key_fingerprint or 'of nobody'}, and "
                f"this one is {key.fingerprint}: its users' passwords are unknown here, so they cannot log in; "
                "set SIM_KEY to that key, or replay with --identity same or fresh"
            )
        if run.site != site.name:
            raise KeyMissing(
                f"the run {run.id} was recorded on the site section '{run.site}', which its users' passwords are drawn "
                f"from: they are unknown to '{site.name}'; use that section with --base-url"
            )


@dataclass(frozen=True, slots=True)
class Returning:
    """Lets the user of one run come in.

    Attributes:
        plan: of the run.
        setup: of the replay of it.
        session: the run's actors.
        journal: keeps what is learned with the replay's step in progress.
        over: ids of steps that are not performed, as they would only have confirmed the account.
    """

    plan: Plan
    setup: RunSetup
    session: Session
    journal: RunJournal
    over: set[str] = field(default_factory=set)

    async def come_in(self, planned: PlannedStep, report: DriftReport) -> str:
        """Go on where a registration was refused because the account is there.

        Args:
            planned: the step that was refused.
            report: what was seen.

        Returns:
            What was done instead, in words; empty where the refusal was about something else.

        Raises:
            Drift: the user cannot log in, or the page that the run goes on from is not there.
        """
        if report.verdict != "data_collision" or not registers(self.plan, planned):
            return ""
        actions = following(self.plan, planned)
        self.over.update(each.step.id for each in confirming(self.plan, planned))
        done = "the account is there: the recorded login follows"
        if not logs_in(actions):
            done = "the account is there: logged in instead"
            try:
                await login.run(self._context(planned))
            except ToolError as error:
                raise self._refused(
                    planned, "to log in as the user who is on the site already", error.message
                ) from error
        try:
            await self._go_to(starts_at(actions))
        except (ToolError, TemplateError) as error:
            raise self._refused(planned, "the page that the run goes on from", str(error)) from error
        return done

    async def _go_to(self, start: str) -> None:
        actor = self.session.current
        here = actor.addresses.relative(actor.page.url)
        if start and actor.urls.capture(start, here) is None:
            await actor.navigation.goto(start)

    def _refused(self, planned: PlannedStep, expected: str, found: str) -> Drift:
        step = planned.step
        told = self.setup.vault.mask(an_error(found))
        report = DriftReport("data_collision", self.plan.run.id, step.ordinal + 1, step.tool or "", expected, told)
        return Drift(report)

    def _context(self, planned: PlannedStep) -> RunContext:
        """Give the tool what it knows of a run that registered: whether by a name, or by an address."""
        ctx = self.setup.context(self.session, self.journal)
        ctx.registered[self.session.current.name] = registered_with(planned.actions)
        return ctx
