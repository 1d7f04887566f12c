"""Performing planned steps with an actor: resolve, act, settle, check. The first drift ends a run.

Not responsible for: where values come from (``bind``), which element is the right one (``resolve``), what an action led
to (``outcome``), or composition.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from simulator.browser import documents
from simulator.browser.acting.action_report import ActionReport
from simulator.browser.action_recorder import CLOSES, SENT, STOPPED, ActionStart
from simulator.browser.actor import Actor
from simulator.browser.effects.model import Kind, Rules
from simulator.browser.operations import Options
from simulator.browser.written import READS, NotTaken
from simulator.errors import TemplateError, ToolError
from simulator.recording.generations import plain_name
from simulator.recording.rows import ActionRow, CreatedRow
from simulator.replay.aiming import VISITS, Aimer, selector_of
from simulator.replay.checks import Check
from simulator.replay.drift import Drift, an_error
from simulator.replay.effects.checking import EffectChecker, SecondPerformance
from simulator.replay.effects.expected import Expected
from simulator.replay.evidence.query import Query
from simulator.replay.failing import to_do, words_of
from simulator.replay.healing import OPTIONAL, Healer, Mended
from simulator.replay.learning.unlearning import changed_words
from simulator.replay.outcome import REACHING, OutcomeChecker, tells_reads, to_hold
from simulator.replay.plan import PlannedStep
from simulator.replay.read_back import look_for
from simulator.replay.review import Review
from simulator.replay.strange_dialog import close_dialog, strange_dialog
from simulator.replay.turning import own_tokens, turn_to
from simulator.template import SECRET, placeholders

_QUIET = frozenset({"fill", "type", "select", "check", "uncheck", "upload", "hover", "focus"})
_ROUNDS = 3
"""How often everything that an action may wait for may come about, with what is healed and cleared away, at most."""
_OPTIONAL_MS = 2_000.0
"""How long what was only dismissed may take to appear."""
_WATCHED_MS = 1_000.0
"""How long nothing may be sent after a dialog was closed."""


class Files(Protocol):
    """Gives the bytes of what was uploaded as a file on disk."""

    async def path(self, source: str, sha256: str, name: str) -> tuple[Path, str, str]:
        """Put a file in place.

        Args:
            source: where it came from, a template; empty when it is only known by its bytes.
            sha256: hash of the recorded bytes.
            name: its recorded name.

        Returns:
            The path, the hash of its bytes now, and the name that the site gets.

        Raises:
            RecordingError: it is not the name of a file.
        """
        ...


@dataclass(slots=True, kw_only=True)
class StepPerformer(Aimer):
    """Performs the steps of one run.

    Attributes:
        open_actor: gives another actor of the run by name.
        files: gives uploads.
        generated: names of the variables that the site generated in the recording.
        rest: waits for this many seconds.
        review: keeps what a page is otherwise after an action, for a person to accept; None: such a run stops there.
        keep_values: stores what the site was seen to have generated once an action had been recorded, by the action.
    """

    open_actor: Callable[[str], Awaitable[Actor]]
    files: Files
    generated: frozenset[str] = frozenset()
    review: Review | None = None
    second: SecondPerformance | None = None
    """Set where it is to prove what it performs: what stands on a page before is known, so as not to prove it."""
    effects: EffectChecker = field(default_factory=lambda: EffectChecker(expected=Expected()))
    keep_values: Callable[[str, Mapping[str, str]], None] = lambda action_id, values: None
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    performed: int = 0
    skipped: list[str] = field(default_factory=list)
    """What was not there to be dismissed."""
    turned: list[str] = field(default_factory=list)
    """What stood on another page of a list."""
    errors: dict[str, int] = field(default_factory=dict)
    """What went wrong in scripts of pages where it had not when they were recorded, and the step, from 1."""
    checks: Counter[Check] = field(default_factory=Counter)
    """How often what was compared with the recording."""

    _newest: dict[str, Actor] = field(default_factory=dict)
    """The context in which each user acted last."""

    _outcome: OutcomeChecker = field(init=False)

    def __post_init__(self) -> None:
        self.maker = self.effects.maker
        self._outcome = OutcomeChecker(
            run=self.run,
            login_path=self.login_path,
            effects=self.effects,
            second=self.second,
            review=self.review,
            healer=self.healer,
            checks=self.checks,
            errors=self.errors,
            keep_values=self.keep_values,
        )
        self._brief()

    def _brief(self) -> None:
        """Give an actor what the recording knows."""
        self.actor.urls.variables.reserve(self.generated)
        expected = self.effects.expected
        self.actor.observer.lasting.trust(expected.places())
        self.actor.observer.report_by(
            expected.rules,
            recorded=True,
            compares_presses=expected.compares_presses,
            names_users=expected.names_users,
        )
        plain = plain_name(self.actor.name)
        before = self._newest.get(plain, self.actor)
        if before is not self.actor:  # the run was cut off, and went on in a context of its own
            self.actor.observer.proofs.take_over(before.observer.proofs)
        self._newest[plain] = self.actor

    def lead(self, rules: Rules) -> None:
        """Let every actor observe what comes after the recording, which ends here.

        Args:
            rules: by which that is reported.
        """
        for actor in self._newest.values():
            actor.observer.report_by(rules, recorded=False)

    async def perform(self, planned: PlannedStep) -> None:
        """Perform the actions of a step, and read back what it made.

        Raises:
            Drift: something was not as recorded.
        """
        for action in planned.actions:
            if action.actor != self.actor.name:
                self.actor = await self.open_actor(action.actor)
                self._brief()
            if beat := self.beats.get(action.id):
                await self.rest(beat.pause_ms / 1000)
            if action.options.get(OPTIONAL) and await self._is_absent(action):
                self.skipped.append(f"step {planned.step.ordinal + 1}: {words_of(action)}")
                continue
            limit_s = self._longest_s(action)
            try:
                async with asyncio.timeout(limit_s) as limit:
                    await self._perform_one(planned, action)
            except TimeoutError:
                if not limit.expired():
                    raise
                found = f"that {self.actor.page.url} did not answer within {limit_s:g} s"
                raise self._drift(planned, "site_error", to_do(action), found) from None
            except TemplateError as error:
                raise self._drift(planned, "unbound_text", to_do(action), f"that {error}") from None
            except Drift as drift:
                drift.action = action
                raise
            self.performed += 1
        for made in planned.created:
            await self._read_back(planned, made)

    async def _perform_one(self, planned: PlannedStep, action: ActionRow) -> None:
        if self.healer is not None:
            await self._heal(self.healer, planned, action)
        elif CLOSES in action.options:
            await self._close_known(planned, action)
            try:
                await self._act(planned, action)
            except Drift as drift:
                if not (drift.untouched and await self._close_known(planned, action)):
                    raise
                await self._act(planned, action)
        elif self.second is not None:
            await self._prove(self.second, planned, action)
        else:
            await self._act(planned, action)

    async def _close_known(self, planned: PlannedStep, action: ActionRow) -> bool:
        """Close a dialog that opened by itself over an element, where the recording knows it; returns if one was."""
        query = self._compiled(action)
        told = await strange_dialog(self.actor, query) if query else None
        if told is None or told.name not in map(self.actor.bindings.render_on_site, action.options[CLOSES]):
            return False
        if failed := await close_dialog(self.actor, told, min(_WATCHED_MS, self.resolve_ms) / 1000):
            raise self._drift(planned, "target_missing", to_do(action), f"that {failed}")
        return True

    def _longest_s(self, action: ActionRow) -> float:
        """Give what one action may take at most, in seconds: a page that freezes answers no question at all."""
        bounds = self.actor.timeouts
        once = self.resolve_ms + bounds.action + bounds.page + bounds.settle
        return (_ROUNDS * once + float(action.options.get("timeout", 0))) / 1000

    async def _is_absent(self, action: ActionRow) -> bool:
        """Return whether what an action only dismissed is not there."""
        query = self._compiled(action)
        if query is None:
            return False
        page, patience = self.actor.page, min(self.resolve_ms, _OPTIONAL_MS)
        try:
            await documents.appears(page, selector_of(query, patience), self.actor.timeouts.page)
        except documents.BrowserError:
            seen = await documents.explain(page, query.model_dump(exclude_defaults=True))
            return not (seen["candidates"] or seen["dialogs"])
        return False

    async def _heal(self, healer: Healer, planned: PlannedStep, action: ActionRow) -> None:
        """Perform an action; where strict evidence does not find its element, on the one that is healed onto."""
        query = self._compiled(action) if action.choice is None else None
        await healer.clear(self.actor, planned, action, query)
        mended: Mended | None = None
        while True:
            try:
                return await self._act(planned, action, mended)
            except Drift as drift:
                if query is None or mended or not drift.untouched:
                    raise
                found = drift.report
            if await healer.clear(self.actor, planned, action, query):
                continue
            unclosed = (
                await healer.close(self.actor, planned, action, query) if found.verdict == "target_missing" else None
            )
            if unclosed == "":
                continue
            if unclosed:
                raise Drift(replace(found, found=f"{found.found}; {unclosed}"))
            healed = await healer.mend(self.actor, planned, action, query, found)
            if isinstance(healed, Mended):
                mended, healer.waited = healed, self._documents
            elif healer.waited == self._documents:
                healer.waited = -1
            else:
                raise Drift(healed)

    async def _prove(self, second: SecondPerformance, planned: PlannedStep, action: ActionRow) -> None:
        """Perform an action a second time; where words of a card are others, on the card that is known without them."""
        query = self._compiled(action) if action.choice is None else None
        try:
            await self._act(planned, action)
        except Drift as drift:
            if query is None or not drift.untouched:
                raise
            where = await self._where(planned, action, None)
            mended = await changed_words(self.actor, where, action, query, self.effects.expected.led_to(action))
            if mended is None:
                raise
            await self._act(planned, action, mended)
            second.targets[action.id] = mended.target

    async def _act(self, planned: PlannedStep, action: ActionRow, mended: Mended | None = None) -> None:
        try:
            await self._act_here(planned, action, mended)
        except Drift as drift:
            if mended or not drift.untouched or not await self._turn(planned, action):
                raise
            await self._act_here(planned, action, None)

    async def _turn(self, planned: PlannedStep, action: ActionRow) -> bool:
        """Turn the pages of a list to the one that has the user's own thing; returns if one has."""
        own = own_tokens(action, self.actor, self.maker)
        query = self._compiled(action) if own or (own is not None and self.choosing) else None
        if own is None or query is None:
            return False
        try:
            number = await turn_to(self.actor, query, own)
        except (ToolError, documents.BrowserError):
            return False  # what was missing is told
        if number:
            self.turned.append(f"step {planned.step.ordinal + 1}: {words_of(action)}, on page {number} of the list")
        return number > 0

    async def _act_here(self, planned: PlannedStep, action: ActionRow, mended: Mended | None) -> None:
        actor = self.actor
        if mended:
            action = replace(action, kind=mended.kind)
        if mended is None:
            await self._look_ahead(action)
        query = mended.query if mended else await self._query(planned, action)
        where = await self._where(planned, action, mended)
        goal = await self._goal(planned, action)
        options: Options = {**action.options}
        value = await self._given(planned, action, where, options)
        shown = None if action.recorded_value is None else value
        if action.kind == "select" and query is not None:
            value = await self._option(planned, action, query, value or "", where)
            if "option" in options:
                options["option"] = value
        if shown != action.recorded_value:
            # What the page made of the recorded text is none of this one's. Of an option it is what that is called.
            options.pop(READS, None)
            options.pop(SENT, None)
            called = self.shown.get(action.value or "") if action.kind == "select" else None
            if called and called != shown:
                options[READS] = called
        start = ActionStart(
            action.kind,
            actor.name,
            target=mended.target if mended else action.target,
            value=action.value,
            recorded_value=shown,
            aim=action.aim,
            choice=action.choice,
            before=actor.here,
            options=options,
        )
        actor.urls.expect(action.after.url if action.after else None)
        said = await actor.answers.form_texts_before() if _posts(action) else None
        variable = self.names.get(action.id)
        learned = {variable.name: actor.bindings.get(variable.name) or ""} if variable else {}
        expected = self.effects.expected
        if ((kinds := expected.kinds(action.id)) or expected.asks(action.id)) and query is not None:
            await self._expect(kinds, action, query, where)
        asked = action.after is not None and action.after.requests
        following = action.kind not in _QUIET or action.settled != "quiet" or bool(asked)
        try:
            operation = self._operation(replace(action, options=options), query, goal, value, where)
            wheres = (where, goal.where) if goal else (where,)
            report = await actor.runner.carry_out(
                start,
                operation,
                learned,
                following=following,
                given=value or "",
                holds=tells_reads(action) and expected.holds(action),
                wheres=wheres,
                again=operation if goal is None and STOPPED not in action.options else None,
            )
            self.checks["element"] += sum(one is not None for one in (query, goal))
            self._outcome.check_field(planned, action, report.written)
            if query is not None and query.by == "member":
                self._outcome.check_set(planned, action, report.outcome.sets)
        except NotTaken as refusal:
            self.checks.update(("element", "field"))
            # What the page refused when it was recorded, it refuses again.
            if not action.error:
                raise self._drift(planned, "postcondition", to_hold(action), an_error(refusal.message)) from None
            report = refusal.report
        except ToolError as error:
            await self._failed(planned, action, query, error, goal, where)
        self._documents += report.outcome.settled == "navigated"
        if following and action.after is not None:
            stayed = report.outcome.settled != "navigated"
            with self._outcome.keeping_values(actor):
                came = await self._outcome.compare(actor, planned, action, start.before, said, stayed=stayed)
            self._documents += came
            self.checks["text"] += action.id in self._as_recorded
            was, title = actor.bindings.shown(action.after.title), actor.bindings.shown(actor.here.title)
            if action.id in self._as_recorded and title != was:
                raise self._drift(planned, "postcondition", f"the page '{was}' at {value}", f"the page '{title}'")
        await self._check_effects(planned, action, report)
        await self._outcome.take_shown(actor, planned, action)

    async def _given(
        self, planned: PlannedStep, action: ActionRow, where: documents.Document, options: Options
    ) -> str | None:
        """Give what an action is done with: an address, a text, or the path of a file, which the options then name."""
        if action.kind == "upload":
            path, options["sha256"], options["name"] = await self.files.path(
                str(options.get("source", "")), str(options["sha256"]), str(options["name"])
            )
            return str(path)
        if action.value is None:
            return None
        if action.kind in VISITS and action.value:
            return await self._address(planned, action)
        secret = any(name.startswith(SECRET) for name in placeholders(action.value))
        if secret:
            self._entrust(planned, action, where)
        value = self.actor.bindings.render(action.value, secrets=secret)
        if not secret:
            # As when it was recorded: what the site shows of it is the user's.
            self.actor.bindings.recogniser.note_given(action.value)
        return value

    async def _expect(self, kinds: frozenset[Kind], action: ActionRow, query: Query, where: documents.Document) -> None:
        """Say which effects are to be looked for, and look at what is about to be pressed where they are of it."""
        observer = self.actor.observer
        observer.sending.expect(kinds)
        needed = kinds != {"appearance"} or self.effects.expected.visits(action.id)
        if needed and where in self.actor.frames.shown:
            bound = max(self.resolve_ms, self.actor.timeouts.page)
            await observer.look_at_pressed(where, selector_of(query, self._patience), where.url, bound)

    async def _look_ahead(self, action: ActionRow) -> None:
        """Let the page have what it fetches; to prove it, know the pages that would show it as they are before."""
        await self.actor.runner.complete(action.kind, action.target)
        if self.second is None:
            return
        addresses = []
        for template in self.effects.expected.to_know(action):
            with contextlib.suppress(TemplateError):  # what the site has yet to mint nobody has written to
                addresses.append(self.actor.addresses.absolute(self.actor.urls.render(template)))
        await self.actor.effects.look_ahead(addresses)

    async def _check_effects(self, planned: PlannedStep, action: ActionRow, report: ActionReport) -> None:
        """See that what was sent is sent again, and that what was kept then is kept now."""
        self.effects.performed(action, report.action_id, report.outcome.observed.writes)
        self.actor.observer.displaced.expect(report.action_id, self.effects.expected.places_of(action))
        await self.effects.wait_for_put_off(self.actor, action, report.action_id)
        unlike = await self.effects.unlike(self.actor, action)
        if unlike:
            expected = f"{unlike.expected} after {words_of(action)}"
            raise self._drift(planned, "postcondition", expected, unlike.found)

    async def _read_back(self, planned: PlannedStep, made: CreatedRow) -> None:
        """Look whether what the step made is on the site, with the fields that were put into it."""
        self.checks["made"] += len(made.fields) or 1
        try:
            lost = await look_for(self.actor, made, self.shown)
        except ToolError as error:
            raise self._drift(
                planned, "site_error", f"to read {self.actor.bindings.shown(made.url)}", an_error(error.message)
            ) from error
        if lost:
            raise self._drift(planned, "postcondition", lost.expected, lost.found)


def _posts(action: ActionRow) -> bool:
    """Return whether an action sent a form, and another page followed."""
    by_form = action.target is not None and action.target.form.startswith("post ")
    return by_form and action.kind in REACHING and action.settled == "navigated"
