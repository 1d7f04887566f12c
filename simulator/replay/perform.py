"""Performing planned steps with an actor: resolve, act, settle, check. The first drift ends a run.

Not responsible for: where values come from (``bind``), which element is the right one (``resolve``), or composition.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeAlias

from simulator.browser import documents
from simulator.browser.acting.action_report import ActionReport
from simulator.browser.acting.dialogs import OPTION as DIALOGS
from simulator.browser.acting.sightings import SHOWS, find_shown
from simulator.browser.action_recorder import CLOSES, SETS, STOPPED, ActionStart, PageState
from simulator.browser.actor import Actor
from simulator.browser.effects.model import Kind
from simulator.browser.operations import Options
from simulator.browser.views.refusals import FormTexts, said_above
from simulator.browser.written import READS, NotTaken, Written
from simulator.errors import TemplateError, ToolError
from simulator.recording.generations import plain_name
from simulator.recording.rows import ActionRow, CreatedRow
from simulator.replay.aiming import VISITS, Aimer, selector_of
from simulator.replay.arriving import Arrival, with_values
from simulator.replay.checks import Check
from simulator.replay.collision import named, taken_field
from simulator.replay.drift import Drift
from simulator.replay.effects.checking import EffectChecker, SecondPerformance
from simulator.replay.effects.expected import Expected
from simulator.replay.failing import words_of
from simulator.replay.healing import ANSWERED, OPTIONAL, Healer, Mended, led_to
from simulator.replay.learning.learn import lacking, learnt_of
from simulator.replay.learning.unlearning import changed_words
from simulator.replay.learning.varying import reworded, varying
from simulator.replay.plan import PlannedStep
from simulator.replay.read_back import look_for
from simulator.replay.resolve import Query
from simulator.replay.review import Review
from simulator.replay.strange_dialog import close_dialog, strange_dialog
from simulator.replay.verify import Mismatch, compare, new_errors
from simulator.template import SECRET, placeholders

_QUIET = frozenset({"fill", "type", "select", "check", "uncheck", "upload", "hover", "focus"})
_REACHING = frozenset({"click", "dblclick", "press"})
_ROUTED_MS = 3_000.0
"""How long a script may take to change the address of a page, where it did so when it was recorded."""
_ROUNDS = 3
"""How often everything that an action may wait for may come about, with what is healed and cleared away, at most."""
_OPTIONAL_MS = 2_000.0
"""How long what was only dismissed may take to appear."""
_WATCHED_MS = 1_000.0
"""How long nothing may be sent after a dialog was closed."""
_TELLS_READS = 2
"""Version of the evidence from which on a recording says what a page made of a text (``options.reads``)."""


Said: TypeAlias = asyncio.Task[FormTexts] | None
"""What the forms of a page say that one of them is sent from; None where none is sent."""


class Files(Protocol):
    """Gives the bytes of what was uploaded as a file on disk."""

    async def path(self, source: str, sha256: str, name: str) -> tuple[Path, str, str]:
        """Put a file in place.

        Args:
            source: where it came from, a template; empty when it is only known by its bytes.
            sha256: hash of the recorded bytes.
            name: its recorded name.

        Returns:
            The path, the hash of its bytes now, and the name that the site is told.

        Raises:
            RecordingError: it is not the name of a file.
        """
        ...


@dataclass(slots=True, kw_only=True)
class Performer(Aimer):
    """Performs the steps of one run.

    Attributes:
        open_actor: gives another actor of the run by name.
        files: gives uploads.
        server-generated: names of the variables that the site generated in the recording.
        rest: waits for so many seconds.
        review: keeps what a page is otherwise after an action, for a person to accept; None: such a run stops there.
    """

    open_actor: Callable[[str], Awaitable[Actor]]
    files: Files
    generated: frozenset[str] = frozenset()
    review: Review | None = None
    second: SecondPerformance | None = None
    """Set where it is to prove what it performs: what stands on a page before is known, so as not to prove it."""
    effects: EffectChecker = field(default_factory=lambda: EffectChecker(expected=Expected()))
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    performed: int = 0
    skipped: list[str] = field(default_factory=list)
    """What was not there to be dismissed."""
    errors: dict[str, int] = field(default_factory=dict)
    """What went wrong in scripts of pages where it had not when they were recorded, and the step, from 1."""
    checks: Counter[Check] = field(default_factory=Counter)
    """How often what was compared with the recording."""

    _newest: dict[str, Actor] = field(default_factory=dict)
    """The context in which each user acted last."""

    def __post_init__(self) -> None:
        self._brief()

    def _brief(self) -> None:
        """Tell an actor what the recording knows."""
        self.actor.urls.reserve(self.generated)
        expected = self.effects.expected
        self.actor.observer.lasting.trust(expected.places())
        self.actor.observer.sending.made = lambda address, given: None  # the recording tells what the site calls things
        self.actor.observer.sending.knows_refusals = not expected.refused
        self.actor.observer.sending.tells_texts_apart = not expected.any_text
        self.actor.observer.sending.tells_spellings_apart = not expected.any_spelling
        self.actor.observer.sending.tells_surroundings_apart = not expected.any_surroundings
        self.actor.observer.sending.compares_presses = expected.compares_presses
        self.actor.observer.looks_at_views = not expected.any_surroundings
        if not expected.knows_options:
            self.actor.observer.take_no_options()
        if expected.by_address:
            self.actor.observer.know_files_by_address()
        if not expected.names_users:
            self.actor.observer.pages.named = lambda watched, reading: ()
        plain = plain_name(self.actor.name)
        before = self._newest.get(plain, self.actor)
        if before is not self.actor:  # the run was cut off, and went on in a context of its own
            self.actor.observer.proofs.take_over(before.observer.proofs)
        self._newest[plain] = self.actor

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
                found = f"{self.actor.page.url} did not answer within {limit_s:g} s"
                raise self._drift(planned, "site_error", words_of(action), found) from None
            except TemplateError as error:
                raise self._drift(planned, "unbound_text", words_of(action), str(error)) from None
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
        """Close a dialog that opened by itself over an element, where the recording knows it; tells whether one was."""
        query = self._compiled(action)
        told = await strange_dialog(self.actor, query) if query else None
        if told is None or told.name not in map(self.actor.bindings.render_on_site, action.options[CLOSES]):
            return False
        if failed := await close_dialog(self.actor, told, min(_WATCHED_MS, self.resolve_ms) / 1000):
            raise self._drift(planned, "target_missing", words_of(action), failed)
        return True

    def _longest_s(self, action: ActionRow) -> float:
        """Give what one action may take at most, in seconds: a page that freezes answers no question at all."""
        bounds = self.actor.timeouts
        once = self.resolve_ms + bounds.action + bounds.page + bounds.settle
        return (_ROUNDS * once + float(action.options.get("timeout", 0))) / 1000

    async def _is_absent(self, action: ActionRow) -> bool:
        """Tell whether what an action only dismissed is not there."""
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
            mended = await changed_words(self.actor, where, action, query, self.effects.led_to(action))
            if mended is None:
                raise
            await self._act(planned, action, mended)
            second.targets[action.id] = mended.target

    async def _act(self, planned: PlannedStep, action: ActionRow, mended: Mended | None = None) -> None:
        actor = self.actor
        if mended:
            action = replace(action, kind=mended.kind)
        if self.second is not None and mended is None:
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
        said = await actor.reader.form_texts_before() if _posts(action) else None
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
                holds=_tells_reads(action) and expected.holds(action),
                wheres=wheres,
                again=operation if goal is None and STOPPED not in action.options else None,
            )
            self.checks["element"] += sum(one is not None for one in (query, goal))
            self._check_field(planned, action, report.written)
            if query is not None and query.by == "member":
                self._check_set(planned, action, report.outcome.sets)
        except NotTaken as refusal:
            self.checks.update(("element", "field"))
            # What the page refused when it was recorded, it refuses again.
            if not action.error:
                raise self._drift(planned, "postcondition", _to_hold(action), refusal.message) from None
            report = refusal.report
        except ToolError as error:
            await self._failed(planned, action, query, error, goal, where)
        self._documents += report.outcome.settled == "navigated"
        if following and action.after is not None:
            await self._compare(planned, action, start.before, said, stayed=report.outcome.settled != "navigated")
            self.checks["text"] += action.id in self._as_recorded
            was, title = actor.bindings.shown(action.after.title), actor.bindings.shown(actor.here.title)
            if action.id in self._as_recorded and title != was:
                raise self._drift(planned, "postcondition", f"the page '{was}' at {value}", f"'{title}'")
        await self._check_effects(planned, action, report)
        await self._take_shown(planned, action)

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
            self.actor.bindings.tell(action.value)  # as when it was recorded: what the site shows of it is the user's
        return value

    async def _expect(self, kinds: frozenset[Kind], action: ActionRow, query: Query, where: documents.Document) -> None:
        """Say which effects are to be looked for, and look at what is about to be pressed where they are of it."""
        observer = self.actor.observer
        observer.sending.expect(kinds)
        if kinds != {"appearance"} and where in self.actor.frames.shown:
            bound = max(self.resolve_ms, self.actor.timeouts.page)
            await observer.look_at_pressed(where, selector_of(query, self._patience), where.url, bound)

    async def _look_ahead(self, action: ActionRow) -> None:
        """Know the pages that would prove what is put in from now on as they are before."""
        addresses = []
        for template in self.effects.to_know(action):
            with contextlib.suppress(TemplateError):  # what the site has yet to mint nobody has written to
                addresses.append(self.actor.addresses.absolute(self.actor.urls.render(template)))
        await self.actor.effects.look_ahead(addresses)

    async def _check_effects(self, planned: PlannedStep, action: ActionRow, report: ActionReport) -> None:
        """See that what was sent is sent again, and that what was kept then is kept now."""
        self.effects.performed(action, report.action_id, report.outcome.observed.writes)
        self.actor.observer.displaced.expect(report.action_id, self.effects.places_of(action))
        await self.effects.wait_for_put_off(self.actor, action, report.action_id)
        unlike = self.effects.unsent(action) or await self.effects.unseen(self.actor, action)
        if unlike:
            expected = f"{unlike.expected} after {words_of(action)}"
            raise self._drift(planned, "postcondition", expected, unlike.found)

    def _check_field(self, planned: PlannedStep, action: ActionRow, written: Written | None) -> None:
        """See that a field took what it is given as it did when it was recorded: whole, or changed by the page.

        Evidence of the first version does not say what a page made of a text: it is not compared.
        """
        if written is None:
            return
        self.checks["field"] += 1
        if action.error:
            raise self._drift(planned, "postcondition", f"{words_of(action)} to be refused", "the page took it")
        if _tells_reads(action) and written.became == "changed" and READS not in action.options:
            there = f"it reads '{written.reads}'" if written.reads is not None else written.note
            raise self._drift(planned, "postcondition", _to_hold(action), there)

    def _check_set(self, planned: PlannedStep, action: ActionRow, sets: Sequence[str] | None) -> None:
        """See that one of several alike members of a widget set in its form what it set then."""
        self.checks["field"] += 1
        name, value = action.options[SETS]
        if sets is None or list(sets) != [name, value]:
            there = f"'{sets[0]}' holds '{sets[1]}'" if sets else "no field that holds anything new"
            raise self._drift(planned, "postcondition", f"{words_of(action)} to set '{name}' to '{value}'", there)

    async def _take_shown(self, planned: PlannedStep, action: ActionRow) -> None:
        """Read what the page shows after an action and is asked for later, where the recording says so."""
        told = [(name, one) for name, one in planned.step.flags.get(SHOWS, {}).items()]
        here = [(name, one) for name, one in told if one["action"] == action.ordinal]
        for name, kind in ((name, one["words"]) for name, one in here if one.get("made")):
            self._take_made(planned, action, name, kind)
        asked = {name: one["words"] for name, one in here if not one.get("made")}
        if not asked:
            return
        try:
            codes = await self.actor.reader.codes()
        except ToolError as error:
            raise self._drift(planned, "site_error", words_of(action), error.message) from error
        for name, template in asked.items():
            self.checks["code"] += 1
            words = self.actor.bindings.render(template)
            found = find_shown(codes, words)
            if len(found) != 1:
                there = "none" if not found else f"{len(found)} of them"
                raise self._drift(planned, "postcondition", f"one code after '{words}' ({name})", there)
            self.actor.bindings.set(name, found.pop())

    def _take_made(self, planned: PlannedStep, action: ActionRow, name: str, kind: str) -> None:
        """Know what the site calls a thing that an action made."""
        self.checks["code"] += 1
        made = self.actor.observer.ids.made_by(self.effects.performed_as[action.id]).get(kind)
        if made is None:
            found = "none, or several that are new"
            raise self._drift(
                planned, "postcondition", f"one new thing of those that are called '{kind}' ({name})", found
            )
        self.actor.bindings.set(name, made)

    async def _compare(
        self, planned: PlannedStep, action: ActionRow, before: PageState | None, said: Said, *, stayed: bool
    ) -> None:
        actor = self.actor
        assert action.after is not None
        if stayed and await self._routed(action.after.url):
            stayed = False
            self._documents += 1
        # An agent takes its time: what the page said of an action before may have gone by then.
        gone = set(before.alerts) - set(action.before.alerts if action.before else ()) if before and stayed else set()
        alerts = tuple(alert for alert in actor.here.alerts if alert not in gone)
        now = replace(
            actor.here, alerts=alerts, refusals=tuple(one for one in actor.here.refusals if one.words not in gone)
        )
        here = actor.addresses.relative(actor.page.url)
        moved = self.effects.expected.moved.get(action.after.url, action.after.url)
        arrived = any(actor.urls.capture(url, here) is not None for url in (action.after.url, moved))
        answered = ANSWERED in action.options
        loads = not answered and action.settled == "navigated" and action.kind in _REACHING
        judge = partial(
            compare,
            with_values(action.after, actor.bindings.shown),
            url=here,
            arrived=arrived,
            login_path=self.login_path,
            stayed=stayed if loads else None,
            asks=DIALOGS in action.options,
            before=before,
            incidental=self._incidental(planned, action),
        )
        arrival = Arrival(actor, now, judge, before, arrived)
        await arrival.settle()
        self.checks.update(arrival.made)
        await self._find_moved(action, arrival, here, said)
        wrong = arrival.wrong
        for error in new_errors(action.after, actor.here):
            self.errors.setdefault(error, planned.step.ordinal + 1)
        if wrong is None and answered and not await led_to(actor, action.options[ANSWERED]):
            wrong = Mismatch("postcondition", f"an answer that leads to {action.options[ANSWERED]}", "none")
        if wrong and self.review and self.review.takes(planned, action, wrong, actor.here):
            return
        if wrong and not (self.healer and await self.healer.answered(actor, planned, action, wrong)):
            if wrong.unexplained and (words := await actor.reader.main_words()):
                wrong = replace(wrong, found=f"{wrong.found}, which shows '{words}'")
            if wrong.verdict == "data_collision":
                taken = named(wrong.field) or await taken_field(actor, planned, action, wrong.found)
                raise self._drift(
                    planned,
                    wrong.verdict,
                    f"{wrong.expected}{taken} after {words_of(action)}",
                    wrong.found,
                )
            raise self._drift(planned, wrong.verdict, f"{wrong.expected} after {words_of(action)}", wrong.found)
        self._check_learnt(planned, action, right=wrong is None)

    async def _find_moved(self, action: ActionRow, arrival: Arrival, here: str, said: Said) -> None:
        """Judge once more a page at another address: a form that came back, or an address of today's words."""
        assert action.after is not None
        actor, recorded = self.actor, action.after.url
        if arrival.lacks("address") and said and action.target:
            now = await actor.reader.form_texts()
            arrival.judge_again(above=said_above(await said, now, action.target.form))
        wrote = bool(self.effects.expected.writes.get(action.id))
        put_in = actor.observer.proofs.put_in(actor.observer.last_action)
        worded = reworded(recorded, here, actor.bindings.shown, put_in) if wrote else ""
        if arrival.lacks("address") and worded:
            arrival.judge_again(arrived=actor.urls.capture(worded, here) is not None)
        if arrival.lacks("address") and self.second and (varied := varying(recorded, here, wrote=wrote)):
            said_now = (reworded(varied, here, actor.bindings.shown, put_in) if wrote else "") or varied
            arrival.judge_again(arrived=actor.urls.capture(said_now, here) is not None)
            self.second.addresses.update({} if arrival.wrong else {action.id: varied})

    def _check_learnt(self, planned: PlannedStep, action: ActionRow, *, right: bool) -> None:
        """See that the page says what two performances agreed on; nothing is asked of one that is otherwise."""
        learnt = learnt_of(planned.step.flags, action.ordinal)
        self.checks["text"] += len(learnt.required) if right else 0
        here = self.actor.here
        lost = lacking(learnt, here, self.actor.bindings.render, self.actor.bindings.shown) if right else ""
        if lost:
            there = ", ".join(f"'{text}'" for text in (*here.said, *here.alerts)) or "none of this kind"
            raise self._drift(planned, "postcondition", f"the text '{lost}' after {words_of(action)}", there)

    def _incidental(self, planned: PlannedStep, action: ActionRow) -> list[tuple[str, str]]:
        """Give the requests that need not be made again, as no two performances have agreed on them."""
        agreed = learnt_of(planned.step.flags, action.ordinal).requests
        found = [one for one in self.effects.expected.incidental(action) if " ".join(one) not in agreed]
        return [(method, self.actor.bindings.shown(address)) for method, address in found]

    async def _routed(self, template: str) -> bool:
        """Wait until a script has changed the address of the page as it did: it may have put that off for a moment.

        Returns:
            Whether another document has come with the address.
        """
        actor = self.actor

        def there(url: str) -> bool:
            return actor.urls.capture(template, actor.addresses.relative(url)) is not None

        if not there(actor.page.url) and await documents.arrives(actor.page, there, _ROUTED_MS):
            return (await actor.view.follow()).settled == "navigated"
        return False

    async def _read_back(self, planned: PlannedStep, made: CreatedRow) -> None:
        """Look whether what the step made is on the site, with the fields that were put into it."""
        self.checks["made"] += len(made.fields) or 1
        try:
            lost = await look_for(self.actor, made, self.shown)
        except ToolError as error:
            raise self._drift(planned, "site_error", f"the new {made.kind}", error.message) from error
        if lost:
            raise self._drift(planned, "postcondition", lost.sought, lost.found)


def _posts(action: ActionRow) -> bool:
    """Tell whether an action sent a form, and another page followed."""
    by_form = action.target is not None and action.target.form.startswith("post ")
    return by_form and action.kind in _REACHING and action.settled == "navigated"


def _tells_reads(action: ActionRow) -> bool:
    """Tell whether a recording says what a page made of a text."""
    return action.target is not None and action.target.version >= _TELLS_READS


def _to_hold(action: ActionRow) -> str:
    value = f"'{action.recorded_value}'" if action.recorded_value is not None else "what was put in"
    return f"{words_of(action)} to hold {value}"
