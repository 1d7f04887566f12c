"""What a recorded action is done to and with, on the page as it is now: its element, its value, its address.

Not responsible for: which element is the right one (``resolve``), doing it (``perform``), or what follows
(``outcome``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

from simulator.browser import documents
from simulator.browser.acting.gestures import come_over, drag, gesture, type_over
from simulator.browser.acting.pace import Beat
from simulator.browser.acting.sightings import SITE
from simulator.browser.action_recorder import SENT, SETS, STOPPED
from simulator.browser.actor import Actor
from simulator.browser.effects.sent.answered_ids import MADE_BY, TOLD, ToldBy
from simulator.browser.evidence import LINK, NOTHING, Target
from simulator.browser.follow import translate
from simulator.browser.launch.script import ARMED, selector
from simulator.browser.views.frames import frame_at
from simulator.browser.views.own_words import MASKED, masked_parts
from simulator.canonical import canonical_json, map_strings
from simulator.errors import ToolError
from simulator.recording.rows import ActionRow, VariableRow
from simulator.replay.choosing import Chooser
from simulator.replay.drift import Drift, Verdict, an_error
from simulator.replay.evidence.query import Query
from simulator.replay.evidence.resolve import Unprovable, bare_query, compile_query
from simulator.replay.failing import Failed, Goal, drift_at, to_do, words_of
from simulator.replay.healing import ONLY, Healer, Mended
from simulator.replay.plan import PlannedStep
from simulator.replay.residue import KEEP
from simulator.replay.verify import is_at
from simulator.template import literal, placeholders
from simulator.tools.pages.options import Option, choose, choose_several

VISITS = frozenset({"goto", "open_tab"})
_ENTER = frozenset({"Enter", "NumpadEnter"})
_WAITED_MS = 200.0
_ASKED_S = 0.1
"""How often a page is asked what it says: what is masked cannot be waited for in the page."""


@dataclass(slots=True, kw_only=True)
class Aimer:
    """Finds what the actions of one run are done to.

    Attributes:
        run: id of the recorded run, for reports.
        actor: who acts.
        choosing: whether choices are made again by their rule; otherwise the recorded element is looked for.
        seed: what choices are drawn from.
        login_path: path of the site's login page.
        names: the variables of recorded choices, by the id of the action: what each fell on.
        resolve_ms: how long an element may take to appear on a page that has nothing else under way.
        healer: heals what strict evidence does not find; None: such a run stops there.
        beats: when actions are done, by their ids; those that are not named are done at once.
        repeats: whether the site is in the state that was recorded from: its numbers are those of the recording.
    """

    run: str
    actor: Actor
    choosing: bool
    seed: str
    login_path: str | None
    names: Mapping[str, VariableRow]
    resolve_ms: float = 5_000
    healer: Healer | None = None
    beats: Mapping[str, Beat] = field(default_factory=dict)
    repeats: bool = False
    maker: Callable[[str, int], str] = lambda user, nth: ""
    """Gives the action by which a user has made something, by which of those it is, from 1; empty for none."""
    shown: dict[str, str] = field(default_factory=dict)
    """What the site calls a value that stands for one of its options, by the value's template."""
    _as_recorded: set[str] = field(default_factory=set)
    """Visits of an address that was taken from the recording."""
    _documents: int = 0
    """How many the run has been led to."""
    _chooser: Chooser = field(default_factory=Chooser)

    def _entrust(self, planned: PlannedStep, action: ActionRow, where: documents.Document) -> None:
        try:
            self.actor.values.entrust(action.target, where.url, action.value or "")
        except ToolError as error:
            raise self._drift(planned, "target_contradicted", to_do(action), an_error(error.message)) from None

    async def _option(
        self, planned: PlannedStep, action: ActionRow, query: Query, meant: str, where: documents.Document
    ) -> str:
        """Give the option that stands for a value: the recorded one, unless the user has another value."""
        if action.recorded_value in (None, meant):
            return str(action.options.get("option", meant))
        if action.target is not None and action.target.tag != "select":
            return meant  # a list that a script draws shows its options once it is open
        try:
            found = await documents.options_of(where, selector_of(query, self._patience))
        except documents.BrowserError as error:
            await self._failed(planned, action, query, translate(error, words_of(action)), where=where)
        options = [Option(*one) for one in found]
        one = None if action.options.get("several") else choose(options, meant)
        chosen = [one] if one else choose_several(options, meant) if action.options.get("several") else None
        if chosen is None:
            offered = ", ".join(option.label for option in options)
            raise self._drift(planned, "target_missing", f"an option for '{meant}'", f"only {offered}")
        if action.value and one:
            self.shown[action.value] = literal(options[one.place].label)
        return "\n".join(options[each.place].value for each in chosen)

    async def _address(self, planned: PlannedStep, action: ActionRow) -> str:
        """Give the address to visit, as far as the site is what it leads to."""
        template = action.value or "/"
        if self._unknown(template):
            await self._read_link(planned, action, template)
        address = self.actor.addresses.absolute(action.value or "/")
        if not self.actor.addresses.may_visit(address):
            raise self._drift(planned, "environment", to_do(action), f"{address}, which is not on this site")
        return self.actor.addresses.relative(address)

    def _unknown(self, template: str) -> list[str]:
        """Name what the site generates in an address and has not given yet."""
        names = (name for name in placeholders(template) if name.startswith(SITE))
        return [name for name in names if self.actor.bindings.get(name) is None]

    async def _read_link(self, planned: PlannedStep, action: ActionRow, template: str) -> None:
        """Read what an address holds, and no page has shown yet, from the link that showed it when it was recorded."""
        if self._were_told(action):
            return
        if action.recorded_value and (planned.step.flags.get(KEEP) or (self.repeats and LINK not in action.options)):
            self.actor.urls.capture(template, action.recorded_value)
            self._as_recorded.add(action.id)
            return
        if LINK not in action.options:
            unknown = ", ".join(f"{{{{{name}}}}}" for name in self._unknown(template))
            said = f"no page and no link showed {unknown} before; 'sim runs edit --keep' visits {action.recorded_value}"
            raise self._drift(planned, "unbound_text", to_do(action), f"that {said}")
        evidence, url = Target.model_validate(action.options[LINK]["link"]), str(action.options[LINK]["url"])
        link = f"a link '{self.actor.bindings.shown(evidence.name)}' that leads to {url}"
        try:
            query = compile_query(evidence, self.actor.bindings.render_on_site)
            asked = {"query": query.model_dump(exclude_defaults=True), "collection": "", "own": []}
            href = await documents.href_of(self.actor.page, asked, self.resolve_ms)
        except Unprovable as error:
            raise self._drift(planned, "target_ambiguous", link, f"that {error}") from None
        except documents.BrowserError as error:
            raise self._drift(planned, "target_missing", link, "no such link on the page") from error
        if self.actor.urls.capture(url, href) is None:
            raise self._drift(planned, "target_contradicted", link, f"one that leads to {href}")

    def _were_told(self, action: ActionRow) -> bool:
        """Take in what the site has given of an address, in an answer or on a page; returns whether that is all."""
        told = {name: ToldBy(**one) for name, one in action.options.get(TOLD, {}).items()}
        values = {name: self.actor.observer.ids.value(one) for name, one in told.items()}
        found = {name: value for name, value in values.items() if value is not None}
        if not found or len(found) < len(told):
            return False
        for name, value in found.items():
            self.actor.urls.variables.learn(name, value)
        return True

    async def _query(self, planned: PlannedStep, action: ActionRow) -> Query | None:
        if action.target is None:
            return None
        if action.choice is not None:
            return await self._choose(planned, action)
        for template, value in action.options.get(ONLY, {}).items():
            if self.actor.bindings.render(template) != value:
                expected = f"an element that stands for '{self.actor.bindings.render(template)}'"
                found = f"only the recorded one, which stands for '{value}'"
                raise self._drift(planned, "unbound_text", expected, found)
        try:
            query = self._admitting(action, action.target)
        except Unprovable as error:
            raise self._drift(planned, "target_ambiguous", to_do(action), f"that {error}") from None
        if MASKED not in query.model_dump_json():
            return query
        return await self._in_own_words(query, await self._holding(planned, action, action.target))

    async def _in_own_words(self, query: Query, where: documents.Document) -> Query:
        """Put into a query what the page itself says where the recording left out a secret.

        A secret is nothing that a page may be asked for, so the page is asked first what it says.

        Returns:
            The query; as it was where the page says no such thing.
        """
        asked = {
            "tag": query.must.get("tag", ""),
            "role": query.must.get("role", ""),
            "hidden": query.hidden,
            "parts": masked_parts(query.value),
        }
        given_up = time.monotonic() + self._patience / 1000
        while True:
            try:
                words = await self.actor.reader.own_words(where, asked)
            except (documents.BrowserError, ToolError):
                words = {}  # its document has gone: another one comes
            written = map_strings(query.model_dump(), partial(_one_of, words))
            if MASKED not in canonical_json(written):
                return Query.model_validate(written)
            if time.monotonic() >= given_up:
                return query
            await asyncio.sleep(_ASKED_S)

    async def _where(self, planned: PlannedStep, action: ActionRow, mended: Mended | None) -> documents.Document:
        """Give the page, or the frame in it that holds what is acted on."""
        return await self._holding(planned, action, mended.target if mended else action.target)

    async def _holding(self, planned: PlannedStep, action: ActionRow, target: Target | None) -> documents.Document:
        actor = self.actor
        path = [actor.bindings.render_on_site(name) for name in target.frame] if target else []
        frame = await frame_at(actor.page, path, actor.addresses.may_visit, self._patience) if path else None
        if path and frame is None:
            ended = is_at(actor.addresses.relative(actor.page.url), self.login_path)
            verdict: Verdict = "session_lost" if ended else "target_missing"
            drift = self._drift(planned, verdict, f"{to_do(action)} in frame '{path[-1]}'", "no such frame")
            drift.untouched = True
            raise drift
        return frame or actor.page

    async def _goal(self, planned: PlannedStep, action: ActionRow) -> Goal | None:
        """Give what the element of a drag is dragged to."""
        if "onto" not in action.options:
            return None
        target = Target.model_validate(action.options["onto"])
        try:
            query = compile_query(target, self.actor.bindings.render_on_site)
        except Unprovable as error:
            raise self._drift(planned, "target_ambiguous", f"a place {to_do(action)} to", f"that {error}") from None
        where = await self._holding(planned, action, target)
        if MASKED in query.model_dump_json():
            query = await self._in_own_words(query, where)
        return Goal(query, where)

    async def _choose(self, planned: PlannedStep, action: ActionRow) -> Query:
        assert action.target is not None
        variable = self.names.get(action.id)
        recorded = None
        if variable and not self.choosing:
            self.actor.bindings.set(variable.name, variable.value or "")
            recorded = self._compiled(action)
        seed = f"{self.seed}|{self.run}|{action.id}"
        where = await self._holding(planned, action, action.target)
        try:
            query, name = await self._chooser.choose(self.actor, where, action, recorded, seed)
        except ToolError as error:
            await self._failed(planned, action, recorded, error, where=where)
        if variable and name:
            # What was chosen is a variable of this run from here on.
            self.actor.bindings.set(variable.name, name)
        return query

    def _admitting(self, action: ActionRow, target: Target) -> Query:
        if target.is_bare and action.options.get(NOTHING):
            return bare_query(target)
        query = compile_query(
            target, self.actor.bindings.render_on_site, enters=_enters(action), sets=SETS in action.options,
            own=MADE_BY in action.options,
        )  # fmt: skip
        query = _of_own_thing(query, action, self.actor, self.maker)
        if action.kind != "select" or action.value is None or "{{" in action.value or "several" in action.options:
            return query
        # What is chosen by its words is sent as it was sent then: that is seen before it is chosen.
        chosen = {"option": action.value}
        if SENT in action.options:
            chosen["sent"] = str(action.options[SENT])
        return query.model_copy(update={"must": query.must | chosen})

    def _compiled(self, action: ActionRow) -> Query | None:
        if action.target is None:
            return None
        try:
            return self._admitting(action, action.target)
        except Unprovable:
            return None

    @property
    def _patience(self) -> float:
        """How long an element may take to appear: not long where one has been waited for in vain already."""
        waited = self.healer is not None and self.healer.waited == self._documents
        return min(self.resolve_ms, _WAITED_MS) if waited else self.resolve_ms

    def _operation(
        self, action: ActionRow, query: Query | None, goal: Goal | None, value: str | None, where: documents.Document
    ) -> Callable[[], Awaitable[Any]]:
        actor = self.actor
        if query is None:
            given = actor.addresses.absolute(value) if value and action.kind in VISITS else value or ""
            return lambda: self._on_page(action, given)
        # The page itself says when nothing is proven; what is proven may take its time to be ready.
        bound = max(self.resolve_ms, actor.timeouts.page)
        found = selector_of(query, self._patience, holding=action.options.get(STOPPED) == "pressed")
        if goal is not None:
            place = selector_of(goal.query, self._patience, onto=True)
            return lambda: drag(where, found, goal.where, place, action.options, bound)
        how = {**action.options, "role": "", "tag": ""}
        how |= {"role": action.target.role, "tag": action.target.tag} if action.target else {}
        if action.options.get(STOPPED) == "hovered":
            return lambda: come_over(where, found, how, bound)
        if query.by == "bare":
            return lambda: self._on_nothing(where, action, found, how, bound)
        keys = self.beats[action.id].key_ms if action.id in self.beats else None
        if keys is not None:
            typing = {**how, "key_ms": keys}
            if action.kind == "fill":
                return lambda: type_over(where, found, value or "", typing, bound)
            return lambda: gesture(where, action.kind, found, value or "", typing, bound)
        return lambda: gesture(where, action.kind, found, value or "", how, bound)

    async def _on_page(self, action: ActionRow, given: str) -> None:
        """Do what is done to a page as a whole.

        A visit is made once more where it led to a word in place of a code that the site drew for that visit: of codes
        of six letters in both cases one of a hundred looks like a word (*Pbqcxl*). A page with such a word in its
        address is where the second visit leads, too. It costs a draft with nobody who goes on, where a visit makes one.
        """
        actor = self.actor
        await actor.runner.on_page(action.kind, given, action.options)
        if action.kind == "goto" and action.after is not None:
            here = actor.addresses.relative(actor.page.url)
            if actor.urls.may_be_drawn(action.after.url, here):
                await actor.runner.on_page(action.kind, given, action.options)

    async def _on_nothing(
        self, where: documents.Document, action: ActionRow, found: str, how: Mapping[str, Any], bound: float
    ) -> None:
        """Do what a pointer does where nothing is on the page: at the recorded place, or at another one like it."""
        await documents.appears(where, found, bound)
        place = await self.actor.resolver.bare_place(where, action.options)
        if place is None:
            raise ToolError("not_found", f"no place on {where.url} where nothing is on the page")
        await gesture(where, action.kind, ARMED, "", {**how, "position": place}, bound)

    async def _failed(
        self,
        planned: PlannedStep,
        action: ActionRow,
        query: Query | None,
        error: ToolError,
        goal: Goal | None = None,
        where: documents.Document | None = None,
    ) -> NoReturn:
        """Find out why an action could not be done, and raise it as a drift."""
        failed = Failed(self.run, planned, action, error)
        raise await failed.explained(where or self.actor.page, query, goal, self.login_path) from error

    def _drift(self, planned: PlannedStep, verdict: Verdict, expected: str, found: str) -> Drift:
        return drift_at(self.run, planned, verdict, expected, found)


def _one_of(words: Mapping[str, str], text: str) -> str:
    return words.get(text, text)


def _of_own_thing(query: Query, action: ActionRow, actor: Actor, maker: Callable[[str, int], str]) -> Query:
    """Put into a query by what the things are identified that the user has made in this performance."""
    made, urls, told = actor.observer.ids.made, actor.urls, action.options.get(MADE_BY, ())
    older = dict[str, None]()
    for one in told:
        by = maker(action.actor, one["nth"])
        older |= dict.fromkeys(made.older(one["part"], by))
        if called := made.called(one, by):
            urls.call_anew(actor.bindings.shown(one.get("was", called)), called)
    query = query.with_addresses(urls.anew) if urls.calls_anew else query
    return query.model_copy(update={"older": tuple(older)}) if told else query


def _enters(action: ActionRow) -> bool:
    """Return whether an action may send the form of a field that it is done in."""
    return action.kind == "press" and (action.value or "").rpartition("+")[2] in _ENTER


def selector_of(query: Query, patience_ms: float, *, onto: bool = False, holding: bool = False) -> str:
    """Write a query as a selector.

    Args:
        query: what is looked for.
        patience_ms: how long it may take to appear.
        onto: whether it is where something is dragged to.
        holding: whether it is only pressed: the page hears nothing of the release.
    """
    body = {**query.model_dump(exclude_defaults=True), "patience": patience_ms}
    return selector("sim", body | ({"onto": True} if onto else {}) | ({"holding": True} if holding else {}))
