"""One simulated user in a browser: the parts that a user acts and sees with, put together; and acting on elements.

Not responsible for: deciding what to do, or replay's rules. Text arguments are templates.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from playwright.async_api import BrowserContext, Page

from simulator.bindings import Bindings
from simulator.browser.acting.action_report import ActionReport, ActionReporter
from simulator.browser.acting.action_runner import ActionRunner
from simulator.browser.acting.action_values import ActionValues
from simulator.browser.acting.again import Doubt, EvidenceCheck, EvidenceRule
from simulator.browser.acting.attempts import Attempts
from simulator.browser.acting.dialogs import DialogAnswers
from simulator.browser.acting.effect_reader import EffectReader
from simulator.browser.acting.element_resolver import ElementResolver
from simulator.browser.acting.navigation import Navigation
from simulator.browser.acting.pace import Pacer
from simulator.browser.acting.sightings import Sightings
from simulator.browser.action_recorder import ActionOutcome, ActionRecorder, ActionStart, PageState
from simulator.browser.effects.model import Write
from simulator.browser.effects.observer import Observer
from simulator.browser.evidence import Choice
from simulator.browser.find import Find
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.script import ARMED
from simulator.browser.operations import Button, Modifier, Position
from simulator.browser.secret_keeper import SecretKeeper
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.answer_reader import AnswerReader
from simulator.browser.views.element_reader import ElementReader
from simulator.browser.views.frame_locator import FrameLocator
from simulator.browser.views.page_reader import PageReader
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.page_view import PageView
from simulator.browser.views.screenshots import Screenshots
from simulator.browser.views.script_client import References, ScriptClient
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.window_changes import WindowChanges
from simulator.browser.windows import Windows
from simulator.browser.wire.server_values import UrlTemplates
from simulator.browser.wire.told_codes import ToldCodes
from simulator.browser.wire.traffic import Traffic


class Actor:
    """A user who acts in a context of its own.

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
        references: numbers references; by default of this user alone.
        pacer: lets the user take the time of a person; None: things are done at once.
        rule: says at once whether a replay would find again what is acted on; None: nobody asks.
        doubts: get what it would not; actors of a run share one.
        traffic: listens to its exchanges, and is waited for after each action; None: nobody does.

    Attributes:
        windows: its windows.
        addresses: which addresses are the site's, and may be reached.
        urls: writes addresses as templates.
        writer: writes what pages say as templates, without secrets.
        tracker: the page as the last look found it.
        script: asks the page's script.
        frames: finds the document that a description is meant in.
        view: waits until the page has settled, and looks at it.
        reader: reads the page as a whole.
        answers: reads how it has answered.
        elements: reads single elements.
        screenshots: takes pictures.
        resolver: finds the one element that a description fits, and takes its evidence.
        evidence_check: asks whether a replay would find it again.
        values: gives what is put into it.
        dialogs: answers native dialogs.
        runner: carries out an action.
        navigation: visits addresses, and moves in the history and between windows.
        observer: notes what actions have sent, and where that is seen.
        effects: looks for that, beside the windows too.
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
        references: References | None = None,
        pacer: Pacer | None = None,
        rule: EvidenceRule | None = None,
        doubts: list[Doubt] | None = None,
        traffic: Traffic | None = None,
    ) -> None:
        self.name = name
        self.context = context
        self.bindings = bindings
        self.timeouts: Final = timeouts or Timeouts()
        timeouts = self.timeouts
        context.set_default_timeout(timeouts.action)
        recorder = recorder if traffic is None else _WatchedRecorder(recorder, traffic)

        self.windows = windows = Windows(context, page)
        changes = WindowChanges(context, windows)
        self.urls = urls = UrlTemplates(bindings, vault.mask, origin)
        self.addresses = addresses = SiteAddresses(origin, policy, urls)
        self.writer = writer = TemplateWriter(addresses, bindings, vault)
        self.dialogs = DialogAnswers(context, windows, bindings, writer.text)
        self.tracker = tracker = PageTracker(context, self.dialogs, urls, writer, vault, policy)
        self.script = script = ScriptClient(windows, tracker, writer, timeouts, references)
        self.frames = frames = FrameLocator(windows, addresses, tracker, writer, script)
        codes = ToldCodes(urls.variables)
        codes.attend(context)
        self.view = PageView(windows, changes, tracker, script, timeouts, traffic, codes)
        self.reader = PageReader(windows, addresses, bindings, tracker, writer, script, frames, traffic)
        self.answers = AnswerReader(windows, writer, script)
        self.elements = ElementReader(writer, script, frames)
        self.screenshots = Screenshots(windows, writer, script, frames, vault, timeouts)

        sightings = sightings or Sightings(bindings)
        self.resolver = ElementResolver(windows, tracker, writer, script, self.reader, sightings, timeouts)
        self.observer = Observer(
            origin, writer.address, writer.own_names, bindings.shown, recorder.answered, writer.text
        )
        self.observer.attend(context)
        self.observer.sending.made = urls.variables.call
        if traffic is not None:
            self.observer.pages.asking_itself = traffic.own
        self.effects = EffectReader(windows, addresses, self.observer, timeouts)

        reporter = ActionReporter(tracker, writer)
        self.values = ActionValues(windows, addresses, bindings, vault, tracker, sightings)
        made, known = self.observer.ids.made, [] if doubts is None else doubts
        self.evidence_check = EvidenceCheck(rule, known, bindings, writer, script, made)
        attempts = Attempts(
            windows=windows, changes=changes, tracker=tracker, view=self.view, reporter=reporter,
            observer=self.observer, timeouts=timeouts,
        )  # fmt: skip
        self.runner = ActionRunner(
            name=name, recorder=recorder, windows=windows, changes=changes, addresses=addresses, bindings=bindings,
            tracker=tracker, writer=writer, frames=frames, resolver=self.resolver, check=self.evidence_check,
            values=self.values, dialogs=self.dialogs, attempts=attempts, reporter=reporter, observer=self.observer,
            timeouts=timeouts, traffic=traffic, pacer=pacer,
        )  # fmt: skip
        self.navigation = Navigation(
            runner=self.runner, windows=windows, addresses=addresses, bindings=bindings, writer=writer, script=script,
            resolver=self.resolver, ids=self.observer.ids,
        )  # fmt: skip

    @property
    def page(self) -> Page:
        """The page that the user looks at: the newest window."""
        return self.windows.page

    @property
    def here(self) -> PageState:
        """The page as the last look found it."""
        return self.tracker.here

    async def scroll_around(self, find: Find, dx: float, dy: float) -> ActionReport:
        """Scroll the part of the page that an element is in, by this many CSS pixels, right and down if positive."""
        return await self.runner.act("scroll", find, options={"by": [dx, dy]})

    async def scroll_to(self, find: Find, *, timeout_ms: float | None = None) -> ActionReport:
        """Scroll an element into view."""
        return await self.runner.act("scroll", find, timeout_ms=timeout_ms)

    async def click(
        self,
        find: Find,
        *,
        button: Button = "left",
        count: int = 1,
        modifiers: Sequence[Modifier] = (),
        position: Position | None = None,
        choice: Choice | None = None,
        timeout_ms: float | None = None,
    ) -> ActionReport:
        """Click the one element that a description fits.

        Args:
            find: which element.
            button: of the mouse.
            count: how many times in one go.
            modifiers: keys that are held meanwhile.
            position: where in the element, from its inner top left corner; default: its middle. A description by a
                point of the viewport keeps that point for what reacts by place: a slider, a drawing.
            choice: set when any of a collection would have done.
            timeout_ms: how long to wait for it; default: the actor's bound.

        Raises:
            ToolError: ``not_found``, ``ambiguous``, ``not_actionable``, ``timeout`` or ``page_closed``.
        """
        given = {"button": button, "count": count, "modifiers": list(modifiers)}
        usual = {"button": "left", "count": 1, "modifiers": []}
        options = {key: value for key, value in given.items() if value != usual[key]}
        options |= await self._position(find, position)
        return await self.runner.act("click", find, choice=choice, options=options, timeout_ms=timeout_ms)

    async def dblclick(
        self, find: Find, *, position: Position | None = None, timeout_ms: float | None = None
    ) -> ActionReport:
        """Click twice."""
        return await self.runner.act(
            "dblclick", find, options=await self._position(find, position), timeout_ms=timeout_ms
        )

    async def hover(
        self, find: Find, *, position: Position | None = None, timeout_ms: float | None = None
    ) -> ActionReport:
        """Rest the pointer on an element."""
        return await self.runner.act("hover", find, options=await self._position(find, position), timeout_ms=timeout_ms)

    async def focus(self, find: Find, *, timeout_ms: float | None = None) -> ActionReport:
        """Give an element the focus."""
        return await self.runner.act("focus", find, timeout_ms=timeout_ms)

    async def drag(self, find: Find, onto: Find, *, timeout_ms: float | None = None) -> ActionReport:
        """Drag an element to another one and let it go there."""
        options = await self._position(find, None)
        if place := (await self._position(onto, None)).get("position"):
            options["onto_position"] = place
        return await self.runner.act("drag", find, onto=onto, options=options, timeout_ms=timeout_ms)

    async def fill(self, find: Find, value: str, *, timeout_ms: float | None = None) -> ActionReport:
        """Clear a field and put a text into it."""
        return await self.runner.act("fill", find, value=value, timeout_ms=timeout_ms)

    async def type_text(self, find: Find, value: str, *, timeout_ms: float | None = None) -> ActionReport:
        """Type a text key by key."""
        return await self.runner.act("type", find, value=value, timeout_ms=timeout_ms)

    async def press(self, key: str, find: Find | None = None, *, timeout_ms: float | None = None) -> ActionReport:
        """Press a key or a combination such as ``Control+a``, in the focused element by default."""
        return await self.runner.act("press", find or Find("focused"), value=key, timeout_ms=timeout_ms)

    async def hold(self, key: str, seconds: float) -> ActionReport:
        """Hold a key down in the focused element."""
        return await self.runner.act("press", Find("focused"), value=key, options={"hold_ms": round(seconds * 1000)})

    async def select(
        self, find: Find, value: str, *, source: str | None = None, beside: bool = False, several: bool = False
    ) -> ActionReport:
        """Choose an option by its label or its value.

        Args:
            find: the list.
            value: label or value of the option.
            source: the template whose meaning made this option the right one; it is recorded as the value, and the
                option beside it.
            beside: whether what is chosen in it stays chosen, where it takes several.
            several: whether each line of the value is an option, and all of them are chosen.
        """
        options: dict[str, Any] = ({"beside": True} if beside else {}) | ({"several": True} if several else {})
        if source is None or source == value:
            return await self.runner.act("select", find, value=value, options=options)
        return await self.runner.act("select", find, value=source, put=value, options={**options, "option": value})

    async def options(self, find: Find) -> list[tuple[str, str]] | None:
        """Read the options of a drop-down list: value and label of each; None where a script draws it when it opens."""
        place = await self.frames.place(find)
        target = await self.resolver.take_at(place, meant="field")
        if target.tag != "select":
            return None
        script = "el => [...el.options].map(one => [one.value, one.label])"
        return [(value, label) for value, label in await place.where.eval_on_selector(ARMED, script)]

    async def check(self, find: Find, checked: bool = True, *, value: str | None = None) -> ActionReport:
        """Tick a box or choose a radio button; or untick it.

        Args:
            find: the box or button.
            checked: False to untick.
            value: the template that made this one of a group the right one; where its name is just that value, the
                name is recorded as this template.
        """
        return await self.runner.act("check" if checked else "uncheck", find, member=value)

    async def upload(self, find: Find, *, path: Path, sha256: str, source: str = "") -> ActionReport:
        """Give a file to a file field.

        Args:
            find: the field; it may be hidden under a styled button.
            path: the file.
            sha256: hash of its bytes, by which a recording knows it.
            source: where the file came from, a template such as ``{{file.cover_1}}``.
        """
        options = {"sha256": sha256, "name": path.name, "source": self.bindings.recognise(source)}
        return await self.runner.act("upload", find, put=str(path), options=options)

    async def _position(self, find: Find, position: Position | None) -> dict[str, Any]:
        """Give where in an element the pointer goes, as an option; nothing where its middle will do."""
        place = list(position) if position else None
        if position is None and find.how == "point":
            at = await self.frames.place(find)
            place = await self.script.read("point => __sim.placeAt(point)", at.find.value, where=at.where)
        return {"position": place} if place else {}


class _WatchedRecorder:
    """An action recorder that passes everything on, and says which action a user's traffic belongs to.

    Args:
        recorder: gets the actions.
        traffic: of the user who does them.
    """

    def __init__(self, recorder: ActionRecorder, traffic: Traffic) -> None:
        self._recorder = recorder
        self._traffic = traffic

    def begin(self, action: ActionStart) -> str:
        """Pass on an action that is about to happen."""
        action_id = self._recorder.begin(action)
        self._traffic.acting(action_id, action)
        return action_id

    def answered(self, write: Write) -> None:
        """Pass on a write that was answered."""
        self._recorder.answered(write)

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Pass on what came of it."""
        self._recorder.end(action_id, outcome)
