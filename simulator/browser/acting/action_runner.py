"""Carries out one action: proves its element, reports it before and after, and follows it to its end.

Not responsible for: which actions there are (``actor``), finding the element (``witness``), how each is done in the
browser (``gestures``), or storing.
Text arguments are templates: variables and secrets are put in here, at the last moment.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as PlaywrightError

from simulator.browser.acting.again import PROVES, Doubt, EvidenceRule
from simulator.browser.acting.dialogs import OPTION as DIALOGS
from simulator.browser.acting.dialogs import Answer
from simulator.browser.acting.element_resolver import ElementResolver, Meant
from simulator.browser.acting.gestures import drag, gesture, page_gesture, type_over
from simulator.browser.acting.inside import documents_of, follow_inside
from simulator.browser.acting.keyed import Keyed, typed_by
from simulator.browser.acting.pace import Pacer
from simulator.browser.acting.secret_fields import check_receiver
from simulator.browser.acting.sightings import Sightings
from simulator.browser.acting.tries import AGAIN, UNDONE, Tried, failure_of, stopped_try
from simulator.browser.action_recorder import (
    SETS,
    ActionKind,
    ActionOutcome,
    ActionRecorder,
    ActionStart,
    PageState,
    Settled,
)
from simulator.browser.effects.observer import Observer
from simulator.browser.evidence import NOTHING, Choice, Target
from simulator.browser.find import Find
from simulator.browser.follow import Followed, was_clicked
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.script import ARMED, ONTO
from simulator.browser.views.frames import Place, framed
from simulator.browser.views.page_view import SecretKeeper
from simulator.browser.views.places import Timeouts
from simulator.browser.wire.withheld import WITHHELD
from simulator.browser.written import WRITING, Input, NotTaken, Written, judge
from simulator.errors import ToolError
from simulator.template import CHOICE, PLACEHOLDER, SECRET, Bindings

_REACHING: frozenset[ActionKind] = frozenset({"click", "dblclick", "press", "drag"})
_ON_NOTHING: frozenset[ActionKind] = frozenset({"click", "dblclick", "hover"})
"""What a pointer does where nothing is on the page."""
_GIVEN: frozenset[ActionKind] = frozenset({"fill", "type"})
_LEAST_MS = 100.0
"""For looking at an element once more that has been waited for."""
_VISITS: frozenset[ActionKind] = frozenset({"goto", "open_tab"})
_ENTER = frozenset({"Enter", "NumpadEnter"})
_MEANT: Mapping[ActionKind, Meant] = {
    **dict.fromkeys(("click", "dblclick", "hover", "check", "uncheck"), "react"),
    **dict.fromkeys(("fill", "type", "press", "select", "upload", "focus"), "field"),
    "drag": "drag",
}


@dataclass(frozen=True, slots=True)
class ActionReport:
    """What an action was and came to."""

    action_id: str
    target: Target | None
    outcome: ActionOutcome
    page: PageState
    written: Written | None = None
    """What became of what it put into a field; None where it put in nothing."""


class ActionRunner(ElementResolver):
    """What carries out the actions of one user, in a context of its own.

    Args:
        name: how the run calls it.
        context: its browser context, with the page script.
        page: its page.
        origin: the site's scheme, host and port.
        policy: which hosts may be reached.
        recorder: gets every action before and after.
        bindings: the run's variables.
        vault: keeps secrets out of what is reported.
        timeouts: bounds.
        sightings: codes that the run was shown; by default of this user alone.
    """

    def __init__(
        self,
        name: str,
        context: BrowserContext,
        page: Page,
        *,
        origin: str,
        policy: NetworkPolicy,
        recorder: ActionRecorder,
        bindings: Bindings,
        vault: SecretKeeper,
        timeouts: Timeouts | None = None,
        sightings: Sightings | None = None,
    ) -> None:
        super().__init__(
            context,
            page,
            origin=origin,
            policy=policy,
            bindings=bindings,
            vault=vault,
            timeouts=timeouts or Timeouts(),
            sightings=sightings,
        )
        self.name = name
        self.pacer: Pacer | None = None
        """Lets the user take the time of a person; None: things are done at once."""
        self.rule: EvidenceRule | None = None
        """Tells at once whether a replay would find again what is acted on; None: nobody asks."""
        self.doubts: list[Doubt] = []
        """What it would not; actors of a run share one."""
        self._recorder = recorder
        self._keyed = Keyed()
        self.observer = Observer(
            origin, self._told_address, self._own_names, bindings.shown, recorder.answered, self._told_text
        )
        self.observer.attend(context)
        self.observer.sending.made = self.urls.call
        self._answer: Answer | None = None
        """How the dialogs of the next action are answered, where the agent chose."""

    @property
    def shown(self) -> list[Page | Frame]:
        """What the user looks at: the page, and the frames in it that show documents of hosts that may be reached."""
        return [self.page, *self._framed]

    @property
    def _framed(self) -> list[Frame]:
        return framed(self.page, self.may_visit)

    async def act(
        self,
        kind: ActionKind,
        find: Find,
        *,
        value: str | None = None,
        put: str | None = None,
        member: str | None = None,
        choice: Choice | None = None,
        options: dict[str, Any] | None = None,
        onto: Find | None = None,
        timeout_ms: float | None = None,
    ) -> ActionReport:
        """Do something to the one element that a description fits.

        Args:
            kind: what is done.
            find: the element.
            value: what is typed, chosen or pressed, a template.
            put: what is given to the element where that is not :attr:`value`: a file by its path, or an option.
            member: a template that made this one of a group the right one.
            choice: set when any of a collection would have done.
            options: how it is done; they are stored, and tell a replay.
            onto: for ``drag``, where the element goes.
            timeout_ms: how long to wait until the element is there and ready; default: the user's bound.

        Raises:
            ToolError: ``not_found``, ``ambiguous``, ``not_actionable``, ``not_allowed`` or ``page_closed``.
        """
        if self.pacer is not None:
            await self.pacer.pause()
        timeout = self.timeouts.action if timeout_ms is None else timeout_ms
        deadline = time.monotonic() + timeout / 1000
        place = await self.place(find, timeout)
        left = max(_LEAST_MS, (deadline - time.monotonic()) * 1000)
        target = await self.take_at(place, meant=_MEANT.get(kind, ""), timeout_ms=left)
        if kind == "upload" and (target.tag, target.type) != ("input", "file"):
            raise ToolError("not_actionable", f"{target.words} takes no file; name a file field")
        how = {**(options or {})}
        if target.is_bare and kind in _ON_NOTHING:
            how |= await self._beside(place, how)
        doubts = await self._doubts(kind, target, place, value) if choice is None else (None, None)
        goal = await self._goal(onto, how, timeout) if onto else None
        if member is not None:
            target = self._as_member(target, member)
        known = place.where in self.shown
        self.observer.sending.pressing(self._pressed if known else None, place.where.url)
        template, shown, typed = self._value(kind, value, target, place.where.url)
        self._note_typing(kind, target, typed)
        start = ActionStart(
            kind,
            self.name,
            target=target,
            value=template,
            recorded_value=shown,
            aim="choice" if choice else "exact",
            choice=choice,
            before=self._now,
            options=how,
            sighted=self.sightings.take(),
        )
        start = self._answering(start)
        learned = self.chosen(target.name or target.text) if choice else {}
        given = (typed if put is None else put) or ""
        keys = self.pacer.between_keys(kind, target, given) if self.pacer else None

        def operation() -> Awaitable[None]:
            return _done(start, given, place, goal, keys, timeout)

        async def again() -> None:
            found = await self.take_at(place, meant=_MEANT.get(kind, ""), timeout_ms=timeout)
            if found.identity != target.identity:
                raise ToolError("not_actionable", f"by now {find} fits {found.words}, which is another element")
            await operation()

        wheres = (place.where,) if goal is None else (place.where, goal.where)
        report = await self.carry_out(start, operation, learned, given=given, wheres=wheres, again=again)
        doubt = doubts[report.outcome.sets is not None]
        self.doubts += [doubt] if doubt else []
        return report

    async def _goal(self, onto: Find, how: dict[str, Any], timeout_ms: float) -> Place:
        """Find what something is dragged to; its evidence becomes one of the options."""
        goal = await self.place(onto, timeout_ms)
        proven = await self.take_at(goal, onto=True, timeout_ms=timeout_ms)
        how["onto"] = proven.model_dump(mode="json", exclude_defaults=True)
        return goal

    async def _doubts(
        self, kind: ActionKind, target: Target, place: Place, value: str | None
    ) -> tuple[Doubt | None, Doubt | None]:
        """Ask by the rule of a replay whether it would find again what is about to be acted on; None where it would.

        Returns:
            The doubt where it sets no field of its form, and where it does: that shows when it is done.
        """
        if self.rule is None or (target.is_bare and kind in _ON_NOTHING):
            return None, None
        plain = await self._doubt(self.rule, kind, target, place, value)
        if plain is None or kind != "click" or not target.member:
            return plain, plain
        return plain, await self._doubt(self.rule, kind, target, place, value, sets=True)

    async def _doubt(
        self,
        rule: EvidenceRule,
        kind: ActionKind,
        target: Target,
        place: Place,
        value: str | None,
        *,
        sets: bool = False,
    ) -> Doubt | None:
        enters = kind == "press" and (value or "").rpartition("+")[2] in _ENTER
        asked = rule.asked(target, self.bindings.render_on_site, enters=enters, sets=sets)
        if asked is None or isinstance(asked, Doubt):
            return asked
        try:
            seen = await self._read(PROVES, dict(asked), where=place.where)
        except ToolError:
            return None  # its document has gone: what is done next tells that
        return None if seen is None else rule.doubted(target, asked, self._written(seen))

    async def act_on_page(
        self,
        kind: ActionKind,
        value: str | None = None,
        *,
        template: str | None = None,
        options: dict[str, Any] | None = None,
    ) -> ActionReport:
        """Do something to the page as a whole, or to the windows.

        Args:
            kind: what is done.
            value: what it is done with, without variables.
            template: the same with variables, as it is stored; default: the value with those that are recognised.
            options: how it is done; they are stored, and tell a replay.

        Raises:
            ToolError: it could not be done, or led nowhere.
        """
        if self.pacer is not None:
            await self.pacer.pause()
        self._vault.settle()
        if kind in _VISITS and self._led_here and not self.lost:
            self.sightings.see(self._led_here, await self._parting(self.codes(), []))
        shown = None if value is None else self._vault.mask(self.relative(value))
        start = ActionStart(
            kind,
            self.name,
            value=shown if template is None else template,
            recorded_value=shown,
            before=self._now,
            options=options or {},
            sighted=self.sightings.take(),
        )
        return await self.carry_out(self._answering(start), lambda: self.on_page(kind, value or "", start.options))

    async def _beside(self, place: Place, options: Mapping[str, Any]) -> dict[str, Any]:
        """Give a place of the page where nothing is, as options: the one that was meant, if nothing is there."""
        found = await self.bare_place(place.where, options)
        if found is None:
            await self._read("() => { __sim.strays(); }", where=place.where)
            raise ToolError("not_actionable", f"{place.find} has no place in view where nothing is; name what you mean")
        return {NOTHING: True, "position": found}

    async def bare_place(self, where: Page | Frame, options: Mapping[str, Any]) -> list[float] | None:
        """Find a place in view where nothing is on the page, within the element that the guard is armed with.

        Args:
            where: the page, or a frame in it.
            options: of the action; its position is taken where nothing is there.

        Returns:
            The place, in CSS pixels from the element's inner top left corner; None where there is none.
        """
        found: list[float] | None = await self._read(
            "position => __sim.barePlace(position)", options.get("position"), where=where
        )
        return found

    def _note_typing(self, kind: ActionKind, target: Target, typed: str | None) -> None:
        """Know what is typed key by key into secret fields before the site can say it."""
        if not (target.secret and kind in ("press", "type")) or (kind == "press" and not typed_by(typed or "")):
            self._vault.settle()
        if run := self._keyed.begin(kind, target, typed):
            self._vault.see((run,))

    def answer_next(self, answer: Answer) -> None:
        """Say how the native dialogs of the next action are answered; its text is a template."""
        text = None if answer.text is None else self._vault.mask(self.bindings.recognise(answer.text))
        self._answer = answer.model_copy(update={"text": text})

    def _answering(self, start: ActionStart) -> ActionStart:
        """Store with an action how its dialogs are answered."""
        chosen, self._answer = self._answer, None
        if chosen is None:
            return start
        return replace(start, options={**start.options, DIALOGS: chosen.model_dump(exclude_none=True)})

    async def on_page(self, kind: ActionKind, value: str, options: Mapping[str, Any]) -> None:
        """Do something to the page as a whole, unreported."""
        given = {name: self.bindings.render(one) if isinstance(one, str) else one for name, one in options.items()}
        await page_gesture(self._windows, kind, value, given, self.timeouts.navigation, allowed=self.may_visit)

    def _as_member(self, target: Target, member: str) -> Target:
        value = self.bindings.render(member).casefold()
        changed = {key: member for key in ("name", "label", "text") if getattr(target, key).casefold() == value}
        return target.model_copy(update=changed)

    def chosen(self, name: str) -> dict[str, str]:
        """Bind the name of what was chosen, so that later evidence that speaks of it is understood.

        Returns:
            The variable and its value.
        """
        # By what is bound already, not by what this actor chose: the actors of a run share its variables.
        variable = next(each for each in map(f"{CHOICE}{{}}".format, count(1)) if self.bindings.get(each) is None)
        learned = {variable: self.bindings.render(name)}
        self.bindings.set(variable, learned[variable])
        return learned

    async def carry_out(
        self,
        start: ActionStart,
        operation: Callable[[], Awaitable[Any]],
        learned: dict[str, str] | None = None,
        *,
        following: bool = True,
        given: str = "",
        wheres: Sequence[Page | Frame] = (),
        again: Callable[[], Awaitable[Any]] | None = None,
    ) -> ActionReport:
        """Report an action as pending, do it, follow it to its end, and report what it came to.

        A click that was stopped because the page moved under the pointer is tried once more, on an element that is
        found and proven anew, if nothing was done.

        Args:
            start: the action.
            operation: does it.
            learned: variables that it binds.
            following: False for input that was quiet when it was recorded: the next look follows it.
            given: what it puts into a field, without variables; or the path of a file.
            wheres: the page or the frame that the element is in; and the same of what it is dragged to.
            again: finds and proves the element anew, and does it; None where one try is all.

        Raises:
            ToolError: it could not be done, was stopped in the page, or led nowhere.
        """
        action_id = self._recorder.begin(start)
        await self.observer.begin(action_id, self._framed)
        self._led_here = action_id if following else self._led_here
        self._answer_dialogs(start)
        self._depart(start)
        document, held = self._doc, self._held
        put = Input.of(start, given) if start.kind in WRITING and wheres else Input.ticked(start)
        try:
            tried = await self._try(start, operation, wheres, put, following=following)
            if tried.again and again is not None:
                tried = await self._try_again(tried, start, again, wheres, put)
        except ToolError as refusal:
            self._recorder.end(action_id, ActionOutcome("failed", error=self._vault.mask(refusal.message)))
            raise
        followed, stopped = tried.followed, tried.stopped
        sets = self._set_by(start, followed)
        observed = await self.observer.end(
            action_id, start, self.page, self._doc, given=given, told={**tried.told, SETS: sets},
            followed=followed is not None, met=followed.met if followed else None,
            acted_in=wheres[-1] if wheres else None, frames=self._framed,
            refusals=self._now.refusals if followed else (),
        )  # fmt: skip
        self.sightings.make(action_id, self.observer.ids.made_by(action_id))
        if followed is None:
            outcome = ActionOutcome("done", generated=learned or {}, observed=observed)
            self._recorder.end(action_id, outcome)
            return ActionReport(action_id, start.target, outcome, self._now, tried.written)
        written = self._judged(put, tried.told, followed.settled) if put and not stopped else None
        refused = self._refused(start, written) if written and written.became == "nothing" else ""
        still = followed.settled == "quiet" and not self._now.requests
        found = [value for value in self._held if value not in held]
        proved = self._keyed.end(action_id, start.kind, found, left=self._doc != document)
        learnt, self._learnt = self._learnt, False
        outcome = ActionOutcome(
            "cancelled" if stopped else "failed" if refused and written and written.untouched and still else "done",
            settled=followed.settled,
            after=self._now,
            error=self._vault.mask("; ".join(stopped)) or refused or None,
            stopped=tried.reached,
            reads=self._reads(start, written, tried.told),
            sets=sets,
            dismissed=followed.dismissed and start.kind == "click" and followed.settled != "navigated",
            put_away=followed.put_away and start.kind == "click" and followed.settled != "navigated",
            generated={**(learned or {}), **followed.generated},
            proved=dict.fromkeys(proved, WITHHELD),
            learnt=learnt,
            observed=observed,
        )
        self._recorder.end(action_id, outcome)
        if self.pacer is not None:
            self.pacer.arrived(outcome.settled)
        return self._concluded(start, ActionReport(action_id, start.target, outcome, self._now, written), refused)

    def _set_by(self, start: ActionStart, followed: Followed | None) -> Sequence[str] | None:
        """Give which field of its form a click set: the page tells of what was acted on in it, not in a frame."""
        own = start.kind == "click" and start.target is not None and not start.target.frame
        left = followed is None or followed.settled == "navigated" or _writes(self._now)
        return followed.sets if followed and own and not left else None

    def _answer_dialogs(self, start: ActionStart) -> None:
        """Have the dialogs of an action answered as it says."""
        answer = Answer.model_validate(start.options.get(DIALOGS, {}))
        text = None if answer.text is None else self.bindings.render(answer.text)
        self._windows.begin(answer.model_copy(update={"text": text}))

    def _concluded(self, start: ActionStart, report: ActionReport, refused: str) -> ActionReport:
        """Give the report of an action that came to what it was to.

        Raises:
            ToolError: it was stopped, or led to no page.
            NotTaken: nothing of what it put in was taken; ``refused`` says so.
        """
        if report.outcome.status == "cancelled":
            raise ToolError("not_actionable", f"the {start.kind} was stopped in the page: {report.outcome.error}")
        if self.page.url.startswith("chrome-error:"):
            raise ToolError("navigation", f"the page that {start.kind} led to could not be loaded")
        if refused:
            raise NotTaken(refused, report)
        return report

    async def _try(
        self,
        start: ActionStart,
        operation: Callable[[], Awaitable[Any]],
        wheres: Sequence[Page | Frame],
        put: Input | None,
        *,
        following: bool = True,
    ) -> Tried:
        """Do an action, and follow it to its end.

        Raises:
            ToolError: it could not be done, or leads nowhere.
        """
        frames = [where for where in dict.fromkeys(wheres) if isinstance(where, Frame)]
        documents = await documents_of(self.page, frames) if frames else {}
        try:
            await operation()
        except PlaywrightError as error:
            if not (was_clicked(error) and await self._windows.closes()):
                act = f"{start.kind} {self._aimed(start)}".strip()
                failed = await failure_of(error, start, act, wheres or (self.page,), self.timeouts.action)
                if start.kind not in AGAIN or not failed.stopped or failed.came - UNDONE:
                    raise failed.error from error
                return stopped_try(failed.stopped, failed.came, await self.follow(), self._now.requests)
        if not following:
            told = await put.read_back(wheres[-1]) if put else {}
            written = self._judged(put, told) if put else None
            # What its field does not hold, the page may show that it took: that is followed after all.
            if written is None or written.became in ("held", "changed"):
                return Tried(None, told=told, written=written)
        if start.kind in _VISITS:
            self._readying.begin(self.page)
        asked = put.asked if put else None
        bounds = self.timeouts.settle, self.timeouts.navigation
        inside = await follow_inside(self.page, documents, *bounds, asked) if frames else None
        followed = await self.follow(inside, put=None if frames else asked, asked=self.observer.asking())
        stopped = followed.stopped + (inside.stopped if inside else ())
        if stopped and start.kind in AGAIN:
            came = followed.reached | (inside.came if inside else frozenset())
            return stopped_try(stopped, came, followed, self._now.requests)
        # What is dragged has to arrive: between frames in processes of their own the browser lets nothing pass.
        last = wheres[-1] if wheres else self.page
        reached = last in inside.reached if inside and isinstance(last, Frame) else followed.passed
        if start.kind in _REACHING and not (stopped or reached or followed.settled == "navigated"):
            stopped = ("no input event reached the page",)
        return Tried(followed, stopped, (inside.written if inside else followed.written) or {})

    async def _try_again(
        self,
        before: Tried,
        start: ActionStart,
        again: Callable[[], Awaitable[Any]],
        wheres: Sequence[Page | Frame],
        put: Input | None,
    ) -> Tried:
        """Try once more what was stopped before it did anything; where that cannot be done, it stays stopped."""
        try:
            tried = await self._try(start, again, wheres, put)
        except ToolError as failure:
            return replace(before, stopped=(*before.stopped, failure.message))
        pressed = tried.stopped and before.reached == "pressed" and tried.reached == "hovered"
        return replace(tried, reached="pressed") if pressed else tried

    def _judged(self, put: Input, told: Mapping[str, Any], settled: Settled | None = None) -> Written:
        """Judge what became of what was put into a field; what it reads is written as it is stored."""
        written = judge(put, told, settled or "quiet", self._now if settled else None)
        return replace(written, reads=self._written(written.reads), note=self._written(written.note))

    def _reads(self, start: ActionStart, written: Written | None, told: Mapping[str, Any]) -> str | None:
        """Give what a field holds, as it is stored, where that is not what was put in: of an option what it says."""
        if written is None or start.kind != "select":
            return written.reads if written and written.became == "changed" else None
        labels = [label for _, label in told.get("chosen") or () if label not in ("", start.recorded_value)]
        return self._written(labels[0]) if labels and written.became == "held" else None

    def _refused(self, start: ActionStart, written: Written) -> str:
        """Say that nothing of what was put into a field was taken, and what the page says of that."""
        said = [text for text in self._now.alerts if start.before is None or text not in start.before.alerts]
        words = f"; the page says: {'; '.join(said)}" if said else ""
        return self._vault.mask(f"could not {start.kind} {self._aimed(start)}: {written.note}{words}")

    def _depart(self, start: ActionStart) -> None:
        """Know from now on what a choice gave only as far as this action goes on from there."""
        visits = start.kind == "goto" or (start.kind == "open_tab" and bool(start.value))
        visited = (start.value or "") if visits else ""
        self.urls.depart(f"{self._now.url} {visited}", choosing=start.choice is not None)
        if visits and not self.urls.leads_on(visited):
            self.bindings.demote(CHOICE)

    def _value(
        self, kind: ActionKind, value: str | None, target: Target, at: str
    ) -> tuple[str | None, str | None, str | None]:
        """Give a value as its template, as it may be stored, and as it is typed."""
        if value is None:
            return None, None, None
        if kind == "press" and target.secret:
            return value, None, value  # a key is no secret; the recorder leaves out those that type a character
        names = [match.group(1) for match in PLACEHOLDER.finditer(value)]
        holds_secret = any(name.startswith(SECRET) for name in names)
        if holds_secret:
            self.entrust(target, at, value)
        typed = self.bindings.render(value, secrets=True)
        given = self.sightings.write(value, secret=target.secret) if kind in _GIVEN and not holds_secret else value
        if target.secret:
            self._learnt |= self._vault.mask(typed) == typed  # what was told before may have said it openly
            if holds_secret and not PLACEHOLDER.fullmatch(value):
                self._vault.adopt(typed)  # the site may show what stands around the secret, too
            kept = value if holds_secret else "{{" + SECRET + self._vault.adopt(typed) + "}}"
            # What the site itself has shown is asked of it again, not drawn anew.
            return given if given != value and PLACEHOLDER.fullmatch(given) else kept, None, typed
        template = self.bindings.recognise(given)
        self.bindings.tell(template)
        return self._vault.mask(template), self._vault.mask(typed), typed

    def entrust(self, target: Target | None, at: str, value: str) -> None:
        """See that a secret may go into a field: one that is made for it, on an allowed host, sent to the site alone.

        What the site has sent to its user by mail may, alone, go into any input: a code seldom has a field of its own.

        Args:
            target: the field.
            at: address of the page, or of the frame in it, that the field is in.
            value: the secrets, a template.

        Raises:
            ToolError: ``not_allowed``.
        """
        check_receiver(
            target, value, at=at, shown=self.page.url, origin=self._origin,
            allowed=self._allowed() if not self.may_visit(at) else "",
        )  # fmt: skip

    def _told_address(self, address: str) -> str:
        """Write an absolute address as a template, relative to the site where it is on it."""
        self._learn_addresses([address])
        return self._vault.mask(self.urls.recognise(self.relative(address)))

    def _told_text(self, text: str) -> str:
        """Write a text of a page as a template."""
        return self._vault.mask(self.bindings.recognise(text))

    def _own_names(self) -> tuple[str, ...]:
        """Give the names by which the site may call the user; the whole one, too, where the displayed one is short."""
        known = [self.bindings.get(f"identity.{name}") or "" for name in ("username", "display_name", "email")]
        parts = [self.bindings.get(f"identity.{name}") or "" for name in ("first_name", "last_name")]
        whole = " ".join(parts) if all(parts) else ""
        return tuple(dict.fromkeys(name for name in (*known, whole) if name))

    def _aimed(self, start: ActionStart) -> str:
        return start.target.words if start.target else start.value or ""


def _writes(state: PageState) -> bool:
    """Tell whether an action caused a writing request."""
    return any(method not in ("GET", "HEAD", "OPTIONS") for method, _, _ in state.requests)


def _done(
    start: ActionStart, given: str, place: Place, goal: Place | None, keys: float | None, timeout_ms: float
) -> Awaitable[None]:
    """Do an action to the element that was proven last, and to what it is dragged onto.

    Args:
        start: the action.
        given: what it puts into the element.
        place: where that is.
        goal: where it is dragged to.
        keys: how long there is between two keys, in milliseconds; None: all is put in at once.
        timeout_ms: until the element has to be ready.
    """
    if goal is not None:
        return drag(place.where, ARMED, goal.where, ONTO, start.options, timeout_ms)
    if keys is not None and start.kind == "fill":
        return type_over(place.where, ARMED, given, {"key_ms": keys}, timeout_ms)
    role = start.target.role if start.target else ""
    how = {**start.options, "role": role} | ({} if keys is None else {"key_ms": keys})
    return gesture(place.where, start.kind, ARMED, given, how, timeout_ms)
