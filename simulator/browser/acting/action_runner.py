"""Carries out one action: proves its element, reports it before and after, and follows it to its end.

Not responsible for: which actions there are (``actor``), finding the element (``element_resolver``), making a try
(``attempts``), how each is done in the browser (``gestures``), or storing.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Frame, Page

from simulator.bindings import Bindings
from simulator.browser.acting.action_report import ActionReport, ActionReporter
from simulator.browser.acting.action_values import ActionValues
from simulator.browser.acting.again import EvidenceCheck
from simulator.browser.acting.attempts import VISITS, Attempts
from simulator.browser.acting.choices import as_member, bind_choice
from simulator.browser.acting.dialogs import DialogAnswers
from simulator.browser.acting.element_resolver import ElementResolver, Meant
from simulator.browser.acting.gestures import drag, gesture, page_gesture, type_over
from simulator.browser.acting.own_things import made_by
from simulator.browser.acting.pace import Pacer
from simulator.browser.action_recorder import SETS, ActionKind, ActionOutcome, ActionRecorder, ActionStart
from simulator.browser.effects.observer import Observer
from simulator.browser.evidence import Choice, Target
from simulator.browser.find import Find
from simulator.browser.launch.script import ARMED, ONTO
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.frame_locator import FrameLocator
from simulator.browser.views.frames import Place
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.window_changes import WindowChanges
from simulator.browser.windows import Windows
from simulator.browser.wire.traffic import Traffic
from simulator.browser.written import WRITING, Input, NotTaken
from simulator.errors import ToolError
from simulator.template import CHOICE

_ON_NOTHING: frozenset[ActionKind] = frozenset({"click", "dblclick", "hover"})
"""What a pointer does where nothing is on the page."""
_CHANGING = WRITING | {"check", "uncheck", "upload", "click", "dblclick", "press", "drag"}
"""What puts something into a page, or may send what is in it."""
_LEAST_MS = 100.0
"""For looking at an element once more that has been waited for."""
_TURNED = ("changed", "navigated")
"""How a page has settled that shows something else than before."""
_MEANT: Mapping[ActionKind, Meant] = {
    **dict.fromkeys(("click", "dblclick", "hover", "check", "uncheck"), "react"),
    **dict.fromkeys(("fill", "type", "press", "select", "upload", "focus"), "field"),
    "drag": "drag",
}


@dataclass(slots=True, kw_only=True)
class ActionRunner:
    """Carries out the actions of one user.

    Attributes:
        name: how the run calls the user.
        recorder: gets every action before and after.
        windows: of the user.
        changes: follow which of them the user looks at.
        addresses: the site's.
        bindings: the run's variables.
        tracker: knows the page as it was last seen.
        writer: writes what is reported.
        frames: finds the document that a description is meant in.
        resolver: finds elements.
        check: asks whether a replay would find them again.
        values: gives what is put into them.
        dialogs: answer native dialogs.
        attempts: make tries.
        reporter: says what an action came to.
        observer: observes what it did.
        timeouts: bounds.
        traffic: listens to the user's exchanges; None: nobody does.
        pacer: lets the user take the time of a person; None: things are done at once.
    """

    name: str
    recorder: ActionRecorder
    windows: Windows
    changes: WindowChanges
    addresses: SiteAddresses
    bindings: Bindings
    tracker: PageTracker
    writer: TemplateWriter
    frames: FrameLocator
    resolver: ElementResolver
    check: EvidenceCheck
    values: ActionValues
    dialogs: DialogAnswers
    attempts: Attempts
    reporter: ActionReporter
    observer: Observer
    timeouts: Timeouts
    traffic: Traffic | None
    pacer: Pacer | None

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
            options: how it is done; they are stored, for a replay.
            onto: for ``drag``, where the element goes.
            timeout_ms: how long to wait until the element is there and ready; default: the user's bound.

        Raises:
            ToolError: ``not_found``, ``ambiguous``, ``not_actionable``, ``not_allowed`` or ``page_closed``.
        """
        if self.pacer is not None:
            await self.pacer.pause()
        timeout = self.timeouts.action if timeout_ms is None else timeout_ms
        deadline = time.monotonic() + timeout / 1000
        meant = _MEANT.get(kind, "")
        place = await self.frames.place(find, timeout)
        left = max(_LEAST_MS, (deadline - time.monotonic()) * 1000)
        target = await self.resolver.take_at(place, meant=meant, timeout_ms=left)
        if await self.complete(kind, target):
            target = await self.resolver.take_at(place, meant=meant, timeout_ms=timeout)
        if kind == "upload" and (target.tag, target.type) != ("input", "file"):
            raise ToolError("not_actionable", f"{target.words} takes no file; name a file field")
        how = {**(options or {})}
        on_nothing = target.is_bare and kind in _ON_NOTHING
        if on_nothing:
            how |= await self.resolver.nothing_at(place, how)
        asked = choice is None and not on_nothing
        pressed = self.resolver.pressed if place.where in self.frames.shown else None
        how |= made_by(target, pressed, self.observer.ids.made, self.bindings)
        doubts = await self.check.doubts_of(kind, target, place, value, how) if asked else (None, None)
        goal = await self._goal(onto, how, timeout) if onto else None
        if member is not None:
            target = as_member(self.bindings, target, member)
        self.observer.sending.pressing(pressed, place.where.url)
        start, typed = self._start(kind, target, value, choice, how, place.where.url)
        learned = bind_choice(self.bindings, target.name or target.text) if choice else {}
        given = (typed if put is None else put) or ""
        keys = self.pacer.between_keys(kind, target, given) if self.pacer else None

        def operation() -> Awaitable[list[str] | None]:
            return _done(start, given, place, goal, keys, timeout)

        async def again() -> list[str] | None:
            found = await self.resolver.take_at(place, meant=meant, timeout_ms=timeout)
            if found.identity != target.identity:
                raise ToolError("not_actionable", f"by now {find} fits {found.words}, which is another element")
            return await operation()

        wheres = (place.where,) if goal is None else (place.where, goal.where)
        report = await self.carry_out(start, operation, learned, given=given, wheres=wheres, again=again)
        doubt = doubts[report.outcome.sets is not None]
        self.check.doubts += [doubt] if doubt else []
        return report

    async def complete(self, kind: ActionKind, target: Target | None) -> bool:
        """Wait until the page has what it fetches, if an action changes it; returns whether it had not.

        A link leads on, whatever has come by then.
        """
        if kind not in _CHANGING or target is None or target.role == "link" or not self.tracker.reads:
            return False
        await self.attempts.view.complete()
        return True

    def _start(
        self, kind: ActionKind, target: Target, value: str | None, choice: Choice | None, how: dict[str, Any], at: str
    ) -> tuple[ActionStart, str | None]:
        """Give an action on an element as it is stored, and what is typed."""
        template, shown, typed = self.values.of(kind, value, target, at)
        self.values.begin_typing(kind, target, typed)
        start = ActionStart(
            kind,
            self.name,
            target=target,
            value=template,
            recorded_value=shown,
            aim="choice" if choice else "exact",
            choice=choice,
            before=self.tracker.here,
            options=how,
            sighted=self.resolver.sightings.take(),
        )
        return self.dialogs.stored_with(start), typed

    async def _goal(self, onto: Find, how: dict[str, Any], timeout_ms: float) -> Place:
        """Find what something is dragged to; its evidence becomes one of the options."""
        goal = await self.frames.place(onto, timeout_ms)
        proven = await self.resolver.take_at(goal, onto=True, timeout_ms=timeout_ms)
        how["onto"] = proven.model_dump(mode="json", exclude_defaults=True)
        return goal

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
            options: how it is done; they are stored, for a replay.

        Raises:
            ToolError: it could not be done, or led nowhere.
        """
        if self.pacer is not None:
            await self.pacer.pause()
        self.values.end_typing()
        if kind in VISITS:
            await self.resolver.see_codes()
        shown = None if value is None else self.writer.mask(self.addresses.relative(value))
        start = ActionStart(
            kind,
            self.name,
            value=shown if template is None else template,
            recorded_value=shown,
            before=self.tracker.here,
            options=options or {},
            sighted=self.resolver.sightings.take(),
        )
        return await self.carry_out(
            self.dialogs.stored_with(start), lambda: self.on_page(kind, value or "", start.options)
        )

    async def on_page(self, kind: ActionKind, value: str, options: Mapping[str, Any]) -> None:
        """Do something to the page as a whole, unreported."""
        given = {name: self.bindings.render(one) if isinstance(one, str) else one for name, one in options.items()}
        await page_gesture(self.windows, kind, value, given, self.timeouts.page, allowed=self.addresses.may_visit)

    async def carry_out(
        self,
        start: ActionStart,
        operation: Callable[[], Awaitable[Any]],
        learned: dict[str, str] | None = None,
        *,
        following: bool = True,
        given: str = "",
        holds: bool = False,
        wheres: Sequence[Page | Frame] = (),
        again: Callable[[], Awaitable[Any]] | None = None,
    ) -> ActionReport:
        """Report an action as pending, do it, follow it to its end, and report what it came to.

        A click that was stopped because the page moved under the pointer is tried once more, on an element that is
        found and proven again, if nothing was done.

        Args:
            start: the action.
            operation: does it.
            learned: variables that it binds.
            following: False for input that was quiet when it was recorded: the next look follows it.
            given: what it puts into a field, without variables; or the path of a file.
            holds: whether its field is known to hold that until something is pressed: a page that loads slowly, and
                writes over it, makes nothing of it by that.
            wheres: the page or the frame that the element is in; and the same of what it is dragged to.
            again: finds and proves the element again, and does it; None where one try is all.

        Raises:
            ToolError: it could not be done, was stopped in the page, or led nowhere.
        """
        action_id = self.recorder.begin(start)
        if start.kind == "upload":
            await self.observer.sending.writes.bodies.listen(self.windows.page)
        await self.observer.begin(action_id, self.frames.framed)
        if following:
            self.resolver.led_here = action_id
        self.dialogs.begin(start)
        self.changes.begin()
        self._depart(start)
        document, held = self.tracker.document, self.tracker.held
        put = Input.of(start, given) if start.kind in WRITING and wheres else Input.ticked(start)
        put = replace(put, firm=holds) if put else None
        try:
            tried = await self.attempts.make(start, self._looked(operation), wheres, put, following=following)
            if put and again is not None:
                tried = await self.attempts.put_in_again(tried, start, again, wheres, put)
            if tried.again and again is not None:
                tried = await self.attempts.make_again(tried, start, again, wheres, put)
        except ToolError as refusal:
            self.recorder.end(action_id, ActionOutcome("failed", error=self.writer.mask(refusal.message)))
            raise
        followed, stopped = tried.followed, tried.stopped
        sets = self.reporter.set_by(start, followed)
        told = {**tried.told, SETS: sets, "field_set": followed.field if followed else None}
        observed = await self.observer.end(
            action_id, start, self.windows.page, self.tracker.document, given=given, told=told,
            followed=followed is not None, turned=followed is not None and followed.settled in _TURNED,
            met=followed.met if followed else None,
            acted_in=wheres[-1] if wheres else None, frames=self.frames.framed,
            refusals=self.tracker.here.refusals if followed else (),
        )  # fmt: skip
        made = self.observer.ids.made_by(action_id)
        self.resolver.sightings.make(action_id, made)
        self.addresses.urls.variables.give(made.values())
        if followed is None:
            outcome = ActionOutcome("done", generated=learned or {}, observed=observed)
            self.recorder.end(action_id, outcome)
            return ActionReport(action_id, start.target, outcome, self.tracker.here, tried.written)
        written = self.reporter.judged(put, tried.told, followed.settled) if put and not stopped else None
        refused = self.reporter.refused(start, written) if written and written.became == "nothing" else ""
        proved = self.values.proved(action_id, start.kind, held, left=self.tracker.document != document)
        outcome = self.reporter.outcome(
            start, tried, followed, written, refused, sets=sets, learned=learned or {}, proved=proved, observed=observed
        )
        self.recorder.end(action_id, outcome)
        if self.pacer is not None:
            self.pacer.arrived(followed.settled)
        report = ActionReport(action_id, start.target, outcome, self.tracker.here, written)
        return self._concluded(start, report, refused)

    def _looked(self, operation: Callable[[], Awaitable[Any]]) -> Callable[[], Awaitable[Any]]:
        """Do something after a look at the secret fields that it may send, where exchanges are heard of."""
        traffic = self.traffic
        if traffic is None:
            return operation

        async def looked() -> Any:
            await traffic.look(self.windows.page)
            return await operation()

        return looked

    def _concluded(self, start: ActionStart, report: ActionReport, refused: str) -> ActionReport:
        """Give the report of an action that came to what it was to.

        Raises:
            ToolError: it was stopped, or led to no page.
            NotTaken: nothing of what it put in was taken; ``refused`` says so.
        """
        if report.outcome.status == "cancelled":
            raise ToolError("not_actionable", f"the {start.kind} was stopped in the page: {report.outcome.error}")
        if self.windows.page.url.startswith("chrome-error:"):
            raise ToolError("navigation", f"the page that {start.kind} led to could not be loaded")
        if refused:
            raise NotTaken(refused, report)
        return report

    def _depart(self, start: ActionStart) -> None:
        """Know from now on what a choice gave only as far as this action goes on from there."""
        visits = start.kind == "goto" or (start.kind == "open_tab" and bool(start.value))
        visited = (start.value or "") if visits else ""
        self.addresses.urls.variables.depart(f"{self.tracker.here.url} {visited}", choosing=start.choice is not None)
        # A link that says what the user has put in leads to the page of that, below the list.
        pressed = start.target if start.kind == "click" else None
        own = pressed is not None and "{{" in pressed.name
        above = self.addresses.relative(self.windows.page.url) if own else visited or (pressed.href if pressed else "")
        self.addresses.urls.variables.visit(above)
        if visits and not self.addresses.urls.variables.leads_on(visited):
            self.bindings.demote(CHOICE)


def _done(
    start: ActionStart, given: str, place: Place, goal: Place | None, keys: float | None, timeout_ms: float
) -> Awaitable[list[str] | None]:
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
    about = {"role": start.target.role, "tag": start.target.tag} if start.target else {}
    how = {**start.options, **about} | ({} if keys is None else {"key_ms": keys})
    return gesture(place.where, start.kind, ARMED, given, how, timeout_ms)
